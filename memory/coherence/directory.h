#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/units.h"
#include "memory/coherence/home_table.h"
#include "memory/coherence/packet.h"

namespace weir::memory {

/// Requests for a line that its home has refused (BUSY) and not served yet, in two groups.
///
/// Only requests of the first group are served, in any order in which they ask again. A request
/// that is refused for the first time joins the second group, or the first group if that is empty.
/// When the last request of the first group has been served, the second group becomes the first.
///
/// So each other requester is served at most once before a refused request's group becomes the
/// first, and at most once afterwards. This does not depend on the pauses between requests.
///
/// Forwarding: a forwarded request stays in the first group until the home learns that it was
/// served. If the owner refuses it instead, it is still in the first group. Before that, the
/// requester may send its next request, which is refused and joins the second group.
///
/// In hardware: two bits for each requester, for each line with refused requests. (Assumed, since
/// Alewife's homes are unknown in this. Homes of SGI's later machines compare a refused request's
/// priority with a service level of their own, and so reject newcomers: US patent 8,239,566,
/// abstract.)
class RefusedRequests {
  public:
    using Requester = std::uint32_t;

    [[nodiscard]] bool are_none() const { return first_.empty(); }
    /// True if a request of `requester` may be served now, if the home is able to serve it.
    [[nodiscard]] bool may_serve(Requester requester) const {
        return first_.empty() || std::ranges::binary_search(first_, requester);
    }
    void is_served(Requester requester) {
        std::erase(first_, requester);
        if (forwarded_ == requester) {
            forwarded_.reset();
        }
        begin_group();
    }
    void is_refused(Requester requester) {
        if (forwarded_ == requester || !std::ranges::binary_search(first_, requester)) {
            insert(second_, requester);
            begin_group();
        }
    }
    void is_forwarded(Requester requester) {
        insert(first_, requester);
        forwarded_ = requester;
    }
    /// To be called when the owner has refused the last forwarded request.
    void is_not_served() {
        if (forwarded_) {
            std::erase(second_, *forwarded_);  // the requester may have asked again
            forwarded_.reset();
        }
    }

    [[nodiscard]] const std::vector<Requester>& first() const { return first_; }
    [[nodiscard]] const std::vector<Requester>& second() const { return second_; }
    [[nodiscard]] const std::optional<Requester>& forwarded() const { return forwarded_; }

  private:
    void begin_group() {
        if (first_.empty()) {
            std::swap(first_, second_);
        }
    }
    static void insert(std::vector<Requester>& group, Requester requester) {
        const auto place = std::ranges::lower_bound(group, requester);
        if (place == group.end() || *place != requester) {
            group.insert(place, requester);
        }
    }

    // Both groups are sorted in ascending order.
    std::vector<Requester> first_;
    std::vector<Requester> second_;
    std::optional<Requester> forwarded_;
};

/// Directory entry of a line.
struct DirectoryEntry {
    HomeState state = HomeState::kReadOnly;
    bool is_modify = false;              ///< the requester sent MREQ
    std::int32_t acknowledgements = 0;   ///< n: acknowledgements still to come
    hw::NodeId requester;                ///< requester of the current transaction
    std::vector<hw::NodeId> pointers{};  ///< P: nodes with a pointer, in order
    /// Full/empty bits of the line in memory: bit i is set if word i is empty.
    std::uint8_t empty_words = 0;
    auto operator<=>(const DirectoryEntry&) const = default;
};

/// Directory of one home: the entries of its lines, and their transitions, without time and without
/// the lines' bytes.
///
/// The directory remembers requesters that it has answered BUSY, and serves them before others
/// (RefusedRequests). A forwarded request counts as unserved until the home learns that it was
/// served, since the owner may answer it BUSY.
class Directory {
  public:
    struct Sent {
        Packet packet = Packet::kBusy;
        hw::NodeId to;
        /// Requester of a forwarded request or of an INVR, or the number of acknowledgements to
        /// come after a grant.
        std::optional<std::uint16_t> operand{};
    };
    /// Effects of a packet.
    struct Outcome {
        bool stores_line = false;
        bool traps = false;
        std::vector<Sent> sent{};  ///< packets in the order in which they leave
    };

    /// `pointers`: hardware pointers of a line, besides the bit for the home itself.
    Directory(hw::NodeId home, Protocol protocol, std::int32_t pointers)
        : home_(home), table_(&home_table(protocol)), pointers_(pointers) {}

    /// Applies `packet` from node `from` to the line. Returns null for a fault of the protocol, and
    /// the entry is then unchanged. The outcome is valid until the next call.
    [[nodiscard]] const Outcome* receive(std::uint64_t line, Packet packet, hw::NodeId from) {
        return receive(line, entry(line), packet, from);
    }
    /// The same, for a caller that has already found the line's entry.
    [[nodiscard]] const Outcome* receive(std::uint64_t line, DirectoryEntry& entry, Packet packet,
                                         hw::NodeId from);

    /// Entry of a line; a new line gets an entry without copies.
    [[nodiscard]] DirectoryEntry& entry(std::uint64_t line) { return entries_[line]; }
    [[nodiscard]] const std::unordered_map<std::uint64_t, DirectoryEntry>& entries() const {
        return entries_;
    }
    /// Requests for the line that were answered BUSY and not served yet.
    [[nodiscard]] const RefusedRequests& refused(std::uint64_t line) const;
    void set_refused(std::uint64_t line, const RefusedRequests& refused) {
        refused_[line] = refused;
    }
    /// Number of hardware pointers in use: P without the home itself.
    [[nodiscard]] std::int32_t pointers_in_use(const DirectoryEntry& entry) const;

  private:
    [[nodiscard]] bool serves(std::uint64_t line, const HomeTransition& row, hw::NodeId from);
    void forget(std::uint64_t line, hw::NodeId from);
    [[nodiscard]] bool holds(HomeTransition::Condition condition, const DirectoryEntry& entry,
                             hw::NodeId from) const;
    void invalidate(HomeTransition::Invalidates whom, DirectoryEntry& entry, hw::NodeId from);
    static void set_pointers(HomeTransition::Pointers pointers, DirectoryEntry& entry,
                             hw::NodeId from);
    void reply(HomeTransition::Reply reply, const DirectoryEntry& entry, bool is_modify,
               hw::NodeId from);

    hw::NodeId home_;
    const HomeTable* table_;
    std::int32_t pointers_;
    std::unordered_map<std::uint64_t, DirectoryEntry> entries_;
    // Contains only the lines that have refused requests.
    std::unordered_map<std::uint64_t, RefusedRequests> refused_;
    Outcome outcome_;
};

/// True if P contains the node.
[[nodiscard]] bool points_to(const DirectoryEntry& entry, hw::NodeId node);
/// Adds the node to P, unless P contains it.
void add_pointer(DirectoryEntry& entry, hw::NodeId node);

}  // namespace weir::memory
