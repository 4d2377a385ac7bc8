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

/// Traces each node's requests for lines, from the reports of the node and of the line's home. A
/// machine has one such object, also with several tiles (hw::ClockTiles), to which all controllers
/// report. It changes no result.
///
/// A node has one transaction of a line at a time. The transaction goes to the trace when its line
/// is used, or when the node requests the line again. Open transactions follow at the end of the
/// run.
class TransactionTrace {
  public:
    /// `sinks`: the trace sink of each node. `has_tiles`: nodes report from several host threads.
    explicit TransactionTrace(hw::SinksOfNodes sinks, bool has_tiles = true)
        : sinks_(std::move(sinks)), has_tiles_(has_tiles), traps_(sinks_.node_count()) {}

    /// Reports the begin of a transaction, at a miss.
    void begins(const hw::SharedTransaction& transaction);
    /// Reports a packet that waits to leave, for the output queue or for this node itself.
    /// `requester` began the line's transaction.
    void sends(Packet packet, std::uint64_t line, hw::NodeId requester, hw::Cycles now);
    /// Reports the arrival of a packet at a home.
    void arrives(Packet packet, std::uint64_t line, hw::NodeId from, hw::Cycles now);
    /// Reports that the home begins to serve the packet.
    void serves(Packet packet, std::uint64_t line, hw::NodeId requester, hw::Cycles now);
    /// Reports that the node with the only copy answers a forwarded request.
    void owner_answers(std::uint64_t line, hw::NodeId requester, hw::Cycles now);
    void fills(std::uint64_t line, hw::NodeId node, hw::Cycles now);
    void uses(std::uint64_t line, hw::NodeId node, hw::Cycles now);

    /// Reports that a home hands a packet to its software. The other functions report software's
    /// work on the first of these packets: it looks at it, sends packets, and ends.
    void traps(const hw::CoherenceTrap& trap);
    void software_looks(hw::NodeId home, hw::Cycles now);
    void software_sends(hw::NodeId home);
    void software_ends(hw::NodeId home, hw::Cycles now);

    void end_of_run();

  private:
    // A line and a node in one number.
    using Key = std::uint64_t;
    [[nodiscard]] static Key key_of(std::uint64_t line, hw::NodeId node) {
        return line << 20U | static_cast<std::uint64_t>(node.index());
    }
    using Lock = std::unique_lock<std::mutex>;
    [[nodiscard]] Lock lock() { return has_tiles_ ? Lock(mutex_) : Lock(); }
    [[nodiscard]] hw::SharedTransaction* open(std::uint64_t line, hw::NodeId node);
    [[nodiscard]] hw::CoherenceTrap& first_trap(hw::NodeId home) { return traps_[home].front(); }

    hw::SinksOfNodes sinks_;
    bool has_tiles_;
    std::mutex mutex_;
    std::unordered_map<Key, hw::SharedTransaction> transactions_;
    hw::PerNode<std::deque<hw::CoherenceTrap>> traps_;  // unfinished traps of each home
};

/// Kind of request or notice in a packet to a home.
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
