#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/per_node.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "memory/coherence/packet.h"

namespace weir::memory {

/// What becomes of each node's request for a line, put together from what the node and the line's
/// home see of it. One for a whole machine, whose controllers report to it, those of several tiles
/// (hw::ClockTiles) at once; it changes nothing.
///
/// A node has one transaction of a line at a time. It goes to the trace when its line is used, or
/// when the node asks for the line anew; at the end of the run the others go.
class TransactionTrace {
  public:
    /// `sinks`: whom each node tells.
    explicit TransactionTrace(hw::SinksOfNodes sinks)
        : sinks_(std::move(sinks)), traps_(sinks_.node_count()) {}

    /// A miss.
    void begins(const hw::SharedTransaction& transaction);
    /// A packet waits to leave, for the output queue or for this very node. `requester` began the
    /// line's transaction.
    void sends(Packet packet, std::uint64_t line, hw::NodeId requester, hw::Cycles now);
    /// A packet to a home has come there.
    void arrives(Packet packet, std::uint64_t line, hw::NodeId from, hw::Cycles now);
    /// The home begins with it.
    void serves(Packet packet, std::uint64_t line, hw::NodeId requester, hw::Cycles now);
    /// The node that has the only copy answers a request that the home has forwarded.
    void owner_answers(std::uint64_t line, hw::NodeId requester, hw::Cycles now);
    void fills(std::uint64_t line, hw::NodeId node, hw::Cycles now);
    void uses(std::uint64_t line, hw::NodeId node, hw::Cycles now);

    /// A home hands a packet to its software; of those handed over, that looks at the first one,
    /// sends packets for it, and has done with it.
    void traps(const hw::CoherenceTrap& trap);
    void software_looks(hw::NodeId home, hw::Cycles now);
    void software_sends(hw::NodeId home);
    void software_ends(hw::NodeId home, hw::Cycles now);

    void end_of_run();

  private:
    // A node and a line.
    using Key = std::uint64_t;
    [[nodiscard]] static Key key_of(std::uint64_t line, hw::NodeId node) {
        return line << 20U | static_cast<std::uint64_t>(node.index());
    }
    [[nodiscard]] hw::SharedTransaction* open(std::uint64_t line, hw::NodeId node);
    [[nodiscard]] hw::CoherenceTrap& first_trap(hw::NodeId home) { return traps_[home].front(); }

    hw::SinksOfNodes sinks_;
    std::mutex mutex_;
    std::unordered_map<Key, hw::SharedTransaction> transactions_;
    hw::PerNode<std::deque<hw::CoherenceTrap>> traps_;  // by home
};

/// What a packet to a home asks for, or tells.
[[nodiscard]] constexpr hw::SharedRequest request_of(Packet packet) {
    switch (packet) {
        case Packet::kReadRequest:
            return hw::SharedRequest::kRead;
        case Packet::kModifyRequest:
            return hw::SharedRequest::kModify;
        case Packet::kReplaceModified:
            return hw::SharedRequest::kReplace;
        case Packet::kUpdate:
        case Packet::kAcknowledge:
            return hw::SharedRequest::kAcknowledge;
        default:
            return hw::SharedRequest::kWrite;
    }
}

}  // namespace weir::memory
