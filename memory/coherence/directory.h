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

/// The requests for one thing that its home has refused (BUSY) and not served yet, in two groups.
/// Only those of the first group are served, in whatever order they are asked again. A request that
/// is refused for the first time joins the second group, or the first if that is empty. When the
/// last of the first group has been served, the second becomes the first.
///
/// So a refused request sees each other requester served at most once before its group's turn, and
/// at most once after that, however the requests that are asked again are spaced.
///
/// A home that forwards a request does not serve it itself. The request stays in the first group
/// until the home is told that it has been served. If it is refused instead, it is still there. Its
/// requester may make the next request before that, which is refused, and joins the second group.
///
/// In hardware: two bits a requester, for each line with refused requests. (Assumed: unknown of
/// Alewife. Homes of SGI's later machines compare a refused request's priority with a service level
/// of their own, and so reject newcomers: US patent 8,239,566, abstract.)
class RefusedRequests {
  public:
    using Requester = std::uint32_t;

    [[nodiscard]] bool are_none() const { return first_.empty(); }
    /// Whether a request of `requester` is served if its home can serve it.
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
    /// The request that was forwarded last was refused.
    void is_not_served() {
        if (forwarded_) {
            std::erase(second_, *forwarded_);  // it may have been asked again already
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

    // In ascending order.
    std::vector<Requester> first_;
    std::vector<Requester> second_;
    std::optional<Requester> forwarded_;
};

/// What a home remembers of one of its lines.
struct DirectoryEntry {
    HomeState state = HomeState::kReadOnly;
    bool is_modify = false;              ///< the requester asked with MREQ
    std::int32_t acknowledgements = 0;   ///< n
    hw::NodeId requester;                ///< of the transaction under way
    std::vector<hw::NodeId> pointers{};  ///< P, in order
    /// Memory's full/empty bits of the line: a bit for each word that is empty, the first's lowest.
    std::uint8_t empty_words = 0;
    auto operator<=>(const DirectoryEntry&) const = default;
};

/// The directory of one home: its lines' entries, and what happens to them. It knows no time, and
/// does not hold the lines' bytes. It remembers whose requests it has answered BUSY, and serves
/// those before others (RefusedRequests). A request that is forwarded is one of those to be served
/// until the home is told that it was: the node with the line may answer it BUSY.
class Directory {
  public:
    struct Sent {
        Packet packet = Packet::kBusy;
        hw::NodeId to;
        /// Who asked, of a forwarded request or an INVR; acknowledgements to come, of a grant.
        std::optional<std::uint16_t> operand{};
    };
    /// What a packet brings about.
    struct Outcome {
        bool stores_line = false;
        bool traps = false;
        std::vector<Sent> sent{};  ///< in the order in which they leave
    };

    /// `pointers`: a line's in hardware, without the one for the home itself, which is a bit.
    Directory(hw::NodeId home, Protocol protocol, std::int32_t pointers)
        : home_(home), table_(&home_table(protocol)), pointers_(pointers) {}

    /// What `packet` of node `from` does to the line; nothing where the protocol is at fault, which
    /// leaves the entry as it was. The outcome is valid until the next call.
    [[nodiscard]] const Outcome* receive(std::uint64_t line, Packet packet, hw::NodeId from);

    /// Of a line that nobody has asked for yet too.
    [[nodiscard]] DirectoryEntry& entry(std::uint64_t line) { return entries_[line]; }
    [[nodiscard]] const std::unordered_map<std::uint64_t, DirectoryEntry>& entries() const {
        return entries_;
    }
    /// The line's requests that were answered BUSY and wait to be asked again.
    [[nodiscard]] const RefusedRequests& refused(std::uint64_t line) const;
    void set_refused(std::uint64_t line, const RefusedRequests& refused) {
        refused_[line] = refused;
    }
    /// Which of its pointers are in use: those of P but for the home's own copy.
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
    std::unordered_map<std::uint64_t, RefusedRequests> refused_;  // of lines that have any
    Outcome outcome_;
};

/// Whether P names the node.
[[nodiscard]] bool points_to(const DirectoryEntry& entry, hw::NodeId node);
/// Adds the node to P, if it is not there.
void add_pointer(DirectoryEntry& entry, hw::NodeId node);

}  // namespace weir::memory
