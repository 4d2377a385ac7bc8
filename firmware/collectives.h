#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "firmware/active_messages.h"
#include "hw/units.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// Operations of all nodes together, by short messages: every node's thread calls the same ones in
/// the same order. What they move are words in the nodes' memories, at the same addresses on every
/// node; each word sent is loaded there and each word received stored, as by any program.
///
/// Trees are binomial: in round j = 0, 1, ... nodes below 2^j and nodes 2^j above them. A node may
/// be a whole operation ahead of others, so that its words may come before their thread has asked
/// for them: memory that is received into must not be in use since the last operation in which
/// nodes wait for one another (barrier, reduce).
class Collectives {
  public:
    using Combine = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;

    /// Combines the `words` words at `other` into those at `own`, which belong together.
    using CombineRecord =
        std::function<void(std::span<std::uint32_t> own, std::span<const std::uint32_t> other)>;

    /// Nodes that have an operation to themselves: `count` of them, `stride` apart. The others call
    /// it in the same place and go on at once.
    struct Group {
        std::int32_t first = 0;
        std::int32_t stride = 1;
        std::int32_t count = 0;

        [[nodiscard]] bool contains(std::int32_t node) const {
            const std::int32_t distance = node - first;
            return distance >= 0 && distance % stride == 0 && distance / stride < count;
        }
        [[nodiscard]] std::int32_t index_of(std::int32_t node) const {
            return (node - first) / stride;
        }
        [[nodiscard]] std::int32_t node(std::int32_t index) const { return first + index * stride; }
    };

    /// Words of data in a message, which has three arguments besides in the first message of what
    /// is sent together, and two in the others.
    static constexpr std::int32_t kWordsPerMessage = 4;

    /// Adds its handlers to `messages`; in the same place on every node.
    Collectives(nodes::Processor& processor, ActiveMessages& messages);

    /// Thread only: returns when all nodes' threads have called it.
    nodes::Task barrier(nodes::CallPlace call = nodes::CallPlace::current());

    /// Thread only: `words` words at `address` on `root` come to the same address on every node.
    nodes::Task broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root,
                          nodes::CallPlace call = nodes::CallPlace::current());
    /// The same within a group, of which the root is one.
    nodes::Task broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root, Group group,
                          nodes::CallPlace call = nodes::CallPlace::current());

    /// The same by scattering: the root sends each other node of the group a share of the words,
    /// and each its share to the others. A node sends and receives no more than about twice the
    /// words, where a tree's root sends them as often as it has children.
    nodes::Task scattered_broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root,
                                    Group group,
                                    nodes::CallPlace call = nodes::CallPlace::current());

    /// Thread only: combines, word by word, the `words` words at `address` of all nodes; the result
    /// comes to that address on every node. `scratch` is the address of words x rounds() words,
    /// which this uses. A combination takes combine_cycles beside its loads and stores.
    nodes::Task reduce(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                       Combine combine, hw::Cycles combine_cycles,
                       nodes::CallPlace call = nodes::CallPlace::current());
    /// The same within a group, of words that are combined all at once, at most kMostRecordWords.
    static constexpr std::size_t kMostRecordWords = 8;
    nodes::Task reduce_record(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                              CombineRecord combine, hw::Cycles combine_cycles, Group group,
                              nodes::CallPlace call = nodes::CallPlace::current());

    /// A stretch of a node's own words, and where it goes to.
    struct Piece {
        std::uint32_t from_address = 0;
        std::uint32_t to_address = 0;
        std::uint32_t words = 0;
    };
    /// Thread only: all-to-all. Each node sends a piece to every other, the next node first, and
    /// returns when it has one from each; its own piece it copies, unless it is in its place.
    /// `piece_for` is asked for each destination in that order.
    nodes::Task all_to_all(std::function<Piece(hw::NodeId)> piece_for,
                           nodes::CallPlace call = nodes::CallPlace::current());

    /// A piece on its way to a node.
    struct Parcel {
        hw::NodeId destination;
        Piece piece;
    };
    /// Thread only: sends what it is given, and returns when so many pieces have come from others.
    nodes::Task exchange(std::vector<Parcel> parcels, std::int32_t expected_pieces,
                         nodes::CallPlace call = nodes::CallPlace::current());

    /// ceil(log2 P).
    [[nodiscard]] std::int32_t rounds() const;
    /// All nodes.
    [[nodiscard]] Group all() const { return {0, 1, processor_.node_count()}; }

    /// Words of data that have come in messages so far.
    [[nodiscard]] std::int64_t words_received() const { return words_received_; }

  private:
    // What has come of one operation, told apart by its number; handlers count, the thread waits.
    struct Arrivals {
        std::int64_t pieces = 0;
        std::int64_t words = 0;
        std::int64_t words_announced = 0;  // by the first messages of the pieces
    };

    [[nodiscard]] std::int32_t self() const { return processor_.node().index(); }
    /// The children of node `of` in the tree of `count` nodes below node 0, the one of the largest
    /// subtree first.
    [[nodiscard]] static std::vector<std::int32_t> children(std::int32_t of, std::int32_t count);
    [[nodiscard]] static std::int32_t parent(std::int32_t of);
    /// What a member of so many has of words that are scattered among them.
    [[nodiscard]] static Piece share_of(std::int32_t member, std::int32_t members,
                                        std::uint32_t address, std::uint32_t words);
    void require_group(const Group& group, hw::NodeId root, const nodes::CallPlace& call) const;
    nodes::Task send_up(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                        Group group, nodes::CallPlace call);
    nodes::Task send_piece(hw::NodeId destination, Piece piece, nodes::CallPlace call);
    nodes::Task wait_for_pieces(std::int64_t pieces, nodes::CallPlace call);
    nodes::Task receive();

    nodes::Processor& processor_;
    ActiveMessages& messages_;
    ActiveMessages::HandlerAddress receive_;
    std::int64_t words_received_ = 0;
    std::uint32_t operation_ = 0;  // the thread's, a step up or down a tree each
    std::map<std::uint32_t, Arrivals> arrivals_;
    std::int64_t pieces_awaited_ = 0;
    bool all_have_come_ = false;
};

}  // namespace weir::firmware
