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

/// Collective operations of all nodes by short messages. Every node's thread calls the same
/// operations in the same order. The operations move words of the nodes' memories, at the same
/// addresses on every node. Each word sent is loaded and each word received is stored, as by any
/// program.
///
/// Trees are binomial: in round j, counted from 0, each node i < 2^j communicates with node i +
/// 2^j. A node may be one operation ahead of others, so its words may arrive before the receiving
/// thread has called the operation. Memory that an operation receives into must therefore be unused
/// since the last barrier or reduction.
class Collectives {
  public:
    using Combine = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;

    /// Combines the `words` words at `other` into the `words` words at `own`; the words form one
    /// record.
    using CombineRecord =
        std::function<void(std::span<std::uint32_t> own, std::span<const std::uint32_t> other)>;

    /// Nodes of one operation: `count` nodes, `stride` apart. Nodes outside the group call the
    /// operation in the same place and return at once.
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

    /// Data words in a message. The first message of a piece has three more arguments, each other
    /// message two.
    static constexpr std::int32_t kWordsPerMessage = 4;

    /// Adds a handler to `messages`; must be constructed in the same place on every node.
    Collectives(nodes::Processor& processor, ActiveMessages& messages);

    /// Barrier, for threads only: returns when all nodes' threads have called it.
    nodes::Task barrier(nodes::CallPlace call = nodes::CallPlace::current());

    /// Thread only: copies `words` words at `address` on `root` to the same address on every node.
    nodes::Task broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root,
                          nodes::CallPlace call = nodes::CallPlace::current());
    /// Broadcast within a group that contains the root.
    nodes::Task broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root, Group group,
                          nodes::CallPlace call = nodes::CallPlace::current());

    /// Broadcast within a group by scattering. The root sends each other member a share of the
    /// words, and each member sends its share to the others. A node sends and receives at most
    /// about twice `words` words; the root of a tree would send `words` words to each of its
    /// children.
    nodes::Task scattered_broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root,
                                    Group group,
                                    nodes::CallPlace call = nodes::CallPlace::current());

    /// Thread only: combines, word by word, the `words` words at `address` of all nodes, and stores
    /// the result at that address on every node. `scratch` is the address of words x rounds() words
    /// of working memory. A combination takes combine_cycles in addition to its loads and stores.
    nodes::Task reduce(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                       Combine combine, hw::Cycles combine_cycles,
                       nodes::CallPlace call = nodes::CallPlace::current());
    /// Reduction within a group, in which `combine` takes all words at once: at most
    /// kMostRecordWords.
    static constexpr std::size_t kMostRecordWords = 8;
    nodes::Task reduce_record(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                              CombineRecord combine, hw::Cycles combine_cycles, Group group,
                              nodes::CallPlace call = nodes::CallPlace::current());

    /// A block of a node's own words and its destination address.
    struct Piece {
        std::uint32_t from_address = 0;
        std::uint32_t to_address = 0;
        std::uint32_t words = 0;
    };
    /// Thread only: all-to-all exchange. Each node sends a piece to every other node, the next node
    /// first, and returns when it has received one from each. A node copies its own piece unless it
    /// is in place already. `piece_for` is called for each destination in that order.
    nodes::Task all_to_all(std::function<Piece(hw::NodeId)> piece_for,
                           nodes::CallPlace call = nodes::CallPlace::current());

    /// A piece and its destination node.
    struct Parcel {
        hw::NodeId destination;
        Piece piece;
    };
    /// Thread only: sends the parcels; returns when expected_pieces pieces have arrived from other
    /// nodes.
    nodes::Task exchange(std::vector<Parcel> parcels, std::int32_t expected_pieces,
                         nodes::CallPlace call = nodes::CallPlace::current());

    /// Number of rounds of a tree over all P nodes: ceil(log2 P).
    [[nodiscard]] std::int32_t rounds() const;
    /// Group of all nodes.
    [[nodiscard]] Group all() const { return {0, 1, processor_.node_count()}; }

    /// Number of data words received in messages so far.
    [[nodiscard]] std::int64_t words_received() const { return words_received_; }

  private:
    // Counts of one operation's arrivals, kept by the operation's number. Handlers increase the
    // counts, and the thread waits for them.
    struct Arrivals {
        std::int64_t pieces = 0;
        std::int64_t words = 0;
        // Total length of the pieces, announced by the first message of each.
        std::int64_t words_announced = 0;
    };

    [[nodiscard]] std::int32_t self() const { return processor_.node().index(); }
    /// Children of member `of` in a binomial tree of `count` members, largest subtree first.
    [[nodiscard]] static std::vector<std::int32_t> children(std::int32_t of, std::int32_t count);
    [[nodiscard]] static std::int32_t parent(std::int32_t of);
    /// Share of one member when `words` words are scattered among `members` members.
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
    // Number of the thread's last operation; each pass up or down a tree counts as one.
    std::uint32_t operation_ = 0;
    std::map<std::uint32_t, Arrivals> arrivals_;
    std::int64_t pieces_awaited_ = 0;
    bool all_have_come_ = false;
};

}  // namespace weir::firmware
