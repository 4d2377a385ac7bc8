#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "experiments/records/run_file.h"
#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/log/log_format.h"
#include "experiments/trace/rows/table_columns.h"
#include "experiments/trace/rows/trace_rows.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Converts levels of each node's queues to totals per interval.
class QueueIntervals {
  public:
    QueueIntervals(std::int32_t nodes, hw::Cycles interval)
        : interval_(interval), queues_(2UL * nodes) {}

    /// Sets the queue's level from `cycle` on. Cycles of one queue must not decrease.
    void add_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle, hw::Bytes bytes);
    /// Ends the intervals of all queues at `cycle`. No level may be added afterwards.
    void end(hw::Cycles cycle);

    /// Intervals that have ended since the last forget_ended(), except those in which the queue was
    /// empty.
    [[nodiscard]] const std::vector<QueueIntervalRow>& ended() const { return ended_; }
    void forget_ended() { ended_.clear(); }

  private:
    struct Queue {
        hw::Cycles since{0};
        hw::Bytes level{0};
        std::int64_t byte_cycles = 0;  // sum of bytes over the cycles of the current interval
        hw::Bytes most{0};
    };

    void pass_until(std::size_t number, hw::Cycles cycle);
    void end_interval(std::size_t number, hw::Cycles begin);

    hw::Cycles interval_;
    // Queues of each node in turn: first its output queue, then its input queue.
    std::vector<Queue> queues_;
    std::vector<QueueIntervalRow> ended_;
};

/// Rows of one table that are not yet written, stored by columns.
template <class Row>
class RowBlock {
  public:
    RowBlock() : columns_(table_of<Row>().columns), values_(columns_.size()) {}

    void add(const Row& row) {
        auto values = values_.begin();
        for (const Column<Row>& column : columns_) {
            (values++)->push_back(column.get(row));
        }
    }
    [[nodiscard]] std::size_t rows() const { return values_.front().size(); }
    [[nodiscard]] std::vector<std::vector<std::int64_t>>& columns() { return values_; }

  private:
    std::span<const Column<Row>> columns_;
    std::vector<std::vector<std::int64_t>> values_;
};

/// Rows that a store keeps in memory. Few enough for the host's caches, so that writing and reading
/// them by columns is fast.
inline constexpr std::size_t kRowsPerCommit = 2'048;

/// Writes the reports of the machine's parts into a log (log_format.h), which is the trace of a
/// run.
///
/// The window limits the trace of a long run. The store keeps:
/// - messages that were launched inside the window; messages that were never launched only if the
///   window has no end
/// - intervals of cores, transfers of DMA engines and stalls that overlap the window
/// - levels of queues that were reported inside it
/// - events of shared memory that begin inside it
/// - all marks of kernels, in any cycle
///
/// Rows are handed to the system after every `rows_per_commit` rows, at most kMostBlockRows. So the
/// trace of a killed run can be read up to the last of these points. finish() completes the trace.
/// A store that is destroyed without finish(), such as after a failed run, keeps all rows and
/// leaves the key `complete` at 'no'.
///
/// Every function throws setup::SurroundingsFault if the system refuses to write the file. An
/// existing file is a TraceError.
class TraceStore final : public hw::TraceSink {
  public:
    TraceStore(const std::filesystem::path& path, std::int32_t node_count, CycleWindow window = {},
               std::size_t rows_per_commit = kRowsPerCommit);
    ~TraceStore() override;

    void message(const hw::Message& message) override;
    void core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin, hw::Cycles end,
                       hw::MessageId message) override;
    /// If a queue is reported several times in a cycle, the last report holds.
    void queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle, hw::Bytes bytes,
                     std::int64_t messages) override;
    void dma_transfer(const hw::DmaTransfer& transfer) override;
    void stall(const hw::Stall& stall) override;
    void mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
              std::int64_t value) override;
    void transaction(const hw::SharedTransaction& transaction) override;
    void coherence_trap(const hw::CoherenceTrap& trap) override;
    void shared_access(const hw::SharedAccess& access) override;
    void line_state(const hw::LineState& state) override;
    void channel_name(std::string_view name) override;
    void channel_interval(const hw::ChannelInterval& interval) override;
    void intervals_end(hw::Cycles end) override;

    /// Keeps the contents of queues by intervals of `interval` cycles. Levels themselves are then
    /// kept only if `with_levels` is true. To be called before any report.
    void keep_queue_intervals(hw::Cycles interval, bool with_levels);

    /// Sets a key of the table `run`. Keys of facts that depend on the host and not on the
    /// experiment (wall time, host name, paths, version) start with "host_".
    void set_run_info(std::string_view key, std::string_view value);

    /// Ends the run: writes the remaining rows, marks the trace complete and closes the file. After
    /// finish(), no part may report anything.
    void finish();

  private:
    struct MarkName {
        std::int64_t index;
        std::vector<std::int64_t> counts;  ///< for each node, number of its passages of the point
    };

    template <class Row>
    void put(const Row& row);
    void put_queue_intervals();
    void append_record(LogTag tag, std::string_view bytes);
    void commit();

    CycleWindow window_;
    std::map<std::string, MarkName, std::less<>> mark_names_;
    std::int32_t node_count_;
    std::size_t rows_per_commit_;

    records::RunFile file_;
    std::tuple<RowBlock<MessageRow>, RowBlock<CoreIntervalRow>, RowBlock<QueueLevelRow>,
               RowBlock<hw::DmaTransfer>, RowBlock<hw::Stall>, RowBlock<hw::SharedTransaction>,
               RowBlock<hw::CoherenceTrap>, RowBlock<hw::SharedAccess>, RowBlock<hw::LineState>,
               RowBlock<hw::ChannelInterval>, RowBlock<QueueIntervalRow>, RowBlock<MarkRow>>
        blocks_;
    std::optional<QueueIntervals> queue_intervals_;
    bool keeps_queue_levels_ = true;
    std::size_t rows_ = 0;  ///< number of rows in all blocks that are not yet written
    std::string unwritten_;
    std::string block_bytes_;
    bool ended_ = false;  ///< true after finish() or a failed write
};

}  // namespace weir::experiments::trace
