#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/controller/controller.h"
#include "hw/tracing/trace_record.h"
#include "nodes/machine.h"

namespace weir::experiments::random_machines {

/// Record of everything that a run reports, in the order of the reports.
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

    /// Sorts the levels by node, queue and cycle, and keeps only the last level of a queue in a
    /// cycle.
    void settle_levels();

    /// Removes states of cores from `end` on: cores run ahead of a limit that cuts a run short.
    void cut_intervals(hw::Cycles end);

    std::vector<hw::Message> messages;
    std::vector<Level> levels;
};

/// Counters of a node's queue.
struct QueueCount {
    hw::NodeId node;
    hw::QueueKind queue = hw::QueueKind::kOutput;
    std::int64_t message_cycles = 0;
    std::int64_t byte_cycles = 0;
};

/// A run that has ended, with everything that laws check.
struct EndedRun {
    nodes::RunEnd end = nodes::RunEnd::kFinished;
    hw::Cycles cycles;
    std::int32_t node_count = 0;
    RecordedRun recorded;  ///< everything reported, after settle_levels()
    hw::ConservationAccount account;
    std::vector<QueueCount> queues;  ///< queues of all nodes; empty for a network without routers
    std::string wrong_answer;        ///< empty if the answer is right or not checked
    std::string explanation;         ///< waiting parts or starved threads; empty if the run ended
    bool proof_allows_deadlock = false;
    bool lacks_relief = false;  ///< true if its parameters switch off the prevention of starvation
    std::string faults;         ///< failed hardware; empty for none
    /// True if a message's words enter the input queue only when all have arrived.
    bool checks_arrivals = false;
    /// Number of packets of the coherence protocol, which the controllers count as launched
    /// messages.
    std::int64_t protocol_packets = 0;
    /// Number of refusals of the request for a shared line, or fetch-and-op, that was refused most
    /// often.
    std::int64_t most_refusals = 0;
    std::int64_t allowed_refusals = 0;  ///< greatest most_refusals that this machine allows
    /// True if nodes do not always take in arriving messages: handlers send, threads poll, or homes
    /// with full queues wait for one another.
    bool ends_hold_back = false;
};

/// Hash of all reports, independent of their order, and of the counters of the nodes' parts.
[[nodiscard]] std::string digest_of(const RecordedRun& recorded,
                                    const std::vector<hw::PartStatistics>& statistics);

/// Values of a counter at all parts that have one of this name.
[[nodiscard]] std::vector<std::int64_t> values_of(
    const std::string& counter, const std::vector<hw::PartStatistics>& statistics);

/// Counters of the queues of all controllers.
[[nodiscard]] std::vector<QueueCount> queue_counts(
    const std::vector<hw::PartStatistics>& statistics);

}  // namespace weir::experiments::random_machines
