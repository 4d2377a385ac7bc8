#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/controller/controller.h"
#include "hw/tracing/trace_record.h"
#include "nodes/machine.h"

namespace weir::experiments::random_machines {

/// All that a run has reported, in the order in which it came.
class RecordedRun final : public hw::TraceRecord {
  public:
    struct Level {
        hw::NodeId node;
        hw::QueueKind queue;
        hw::Cycles cycle;
        hw::Bytes bytes;
        std::int64_t messages;
    };

    void message(const hw::Message& message) override { messages.push_back(message); }
    void queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle, hw::Bytes bytes,
                     std::int64_t message_count) override {
        levels.push_back({node, queue, cycle, bytes, message_count});
    }

    /// Of several levels of a queue in one cycle the last one stays; in the order of node, queue
    /// and cycle.
    void settle_levels();

    /// Leaves out what cores did from `end` on: they run ahead of a limit that cuts a run short.
    void cut_intervals(hw::Cycles end);

    std::vector<hw::Message> messages;
    std::vector<Level> levels;
};

/// What a node's queue has counted itself.
struct QueueCount {
    hw::NodeId node;
    hw::QueueKind queue = hw::QueueKind::kOutput;
    std::int64_t message_cycles = 0;
    std::int64_t byte_cycles = 0;
};

/// A run that has ended, with all that laws are about.
struct EndedRun {
    nodes::RunEnd end = nodes::RunEnd::kFinished;
    hw::Cycles cycles;
    std::int32_t node_count = 0;
    RecordedRun recorded;  ///< its levels settled
    hw::ConservationAccount account;
    std::vector<QueueCount> queues;  ///< none of a network without routers
    std::string wrong_answer;        ///< empty where it is right, or none is asked for
    std::string explanation;         ///< who waits for whom, or starves, in a run without an end
    bool proof_allows_deadlock = false;
    bool lacks_relief = false;     ///< its parameters take away what keeps threads from starving
    std::string faults;            ///< what of the hardware has failed; empty for nothing
    bool checks_arrivals = false;  ///< interfaces keep words until all are there
    /// Packets of the coherence protocol, which the controllers count as launched messages.
    std::int64_t protocol_packets = 0;
    /// Refusals of the request for a shared line, or fetch-and-op, that was refused most often.
    std::int64_t most_refusals = 0;
    std::int64_t allowed_refusals = 0;  ///< of this machine
    /// Nodes don't always take in what arrives: handlers send, threads poll, or homes whose packets
    /// find no room wait for one another.
    bool ends_hold_back = false;
};

/// A hash of all that was reported, whatever the order it came in, and of what the parts of the
/// nodes have counted.
[[nodiscard]] std::string digest_of(const RecordedRun& recorded,
                                    const std::vector<hw::PartStatistics>& statistics);

/// Values of a counter at all parts that have one of this name.
[[nodiscard]] std::vector<std::int64_t> values_of(
    const std::string& counter, const std::vector<hw::PartStatistics>& statistics);

/// What the queues of all controllers have counted.
[[nodiscard]] std::vector<QueueCount> queue_counts(
    const std::vector<hw::PartStatistics>& statistics);

}  // namespace weir::experiments::random_machines
