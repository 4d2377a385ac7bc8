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

/// Makes of the levels of each node's queues what they held interval by interval.
class QueueIntervals {
  public:
    QueueIntervals(std::int32_t nodes, hw::Cycles interval)
        : interval_(interval), queues_(2 * static_cast<std::size_t>(nodes)) {}

    /// What the queue holds from a cycle on; of one queue in the order of time.
    void add_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle, hw::Bytes bytes);
    /// Nothing follows; levels last up to that cycle.
    void end(hw::Cycles cycle);

    /// The intervals that have ended since they were forgotten, without those of an empty queue.
    [[nodiscard]] const std::vector<QueueIntervalRow>& ended() const { return ended_; }
    void forget_ended() { ended_.clear(); }

  private:
    struct Queue {
        hw::Cycles since{0};
        hw::Bytes level{0};
        std::int64_t byte_cycles = 0;  // of the present interval, as the next one
        hw::Bytes most{0};
    };

    void pass_until(std::size_t number, hw::Cycles cycle);
    void end_interval(std::size_t number, hw::Cycles begin);

    hw::Cycles interval_;
    std::vector<Queue> queues_;  // node by node, the output queue first
    std::vector<QueueIntervalRow> ended_;
};

/// Rows of one table that wait to be written, column by column.
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

/// Writes what the parts report into a log (log_format.h): the trace of a run.
///
/// The window keeps a long run's trace small: a message is stored if it was launched inside it, a
/// core's interval, a DMA engine's transfer and a stall if they overlap it, a queue's level if it
/// was reported inside it, a mark always. Of shared memory, what begins inside it is stored.
/// A message that was never launched is stored only when the window has no end.
///
/// Rows are with the system every `rows_per_commit`, up to kMostBlockRows, so the trace of a killed
/// run can be read up to there. finish() makes the trace complete; a store that is destroyed
/// without it, as when the run fails, keeps all rows and leaves `complete` at 'no'.
///
/// Every function throws setup::SurroundingsFault where the system does not take the file. That it
/// is there already is a TraceError.
class TraceStore final : public hw::TraceSink {
  public:
    TraceStore(const std::filesystem::path& path, std::int32_t node_count, CycleWindow window = {},
               std::size_t rows_per_commit = kMostBlockRows);
    ~TraceStore() override;

    void message(const hw::Message& message) override;
    void core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin, hw::Cycles end,
                       hw::MessageId message) override;
    /// Of several reports in one cycle the last one stays.
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

    /// Before anything is reported: what each queue holds is kept by intervals of so many cycles;
    /// and its levels only if they are asked for.
    void keep_queue_intervals(hw::Cycles interval, bool with_levels);

    /// Sets a key of the table `run`. What depends on the host and not on the experiment (wall
    /// time, host name, paths, version) goes under a key that starts with "host_".
    void set_run_info(std::string_view key, std::string_view value);

    /// The end of the run: writes the rest, marks the trace complete and closes the file. Nothing
    /// may be reported afterwards.
    void finish();

  private:
    struct MarkName {
        std::int64_t index;
        std::vector<std::int64_t> counts;  ///< how often each node has passed the point
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
    std::size_t rows_ = 0;  ///< in all blocks
    std::string unwritten_;
    std::string block_bytes_;
    bool ended_ = false;  ///< finished, or the system has refused a part of it
};

}  // namespace weir::experiments::trace
