#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/trace/database/row_writer.h"
#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/exports/cycle_window.h"
#include "hw/trace_probe.h"

namespace weir::experiments::trace {

/// Writes what the parts report into an SQLite file with the tables of trace_schema.h.
///
/// The window keeps a long run's trace small: a message is stored if it was launched inside it, a
/// core's interval, a DMA engine's transfer and a stall if they overlap it, a queue's level if it
/// was reported inside it, a mark always.
/// A message that was never launched is stored only when the window has no end.
///
/// Rows are written by a thread of their own, a little behind the run, and committed every
/// `rows_per_commit`, so the trace of a killed run can be read up to there. finish() makes the
/// trace complete and one single file; a store that is destroyed without it, as when the run fails,
/// keeps all rows and leaves `complete` at 'no'.
///
/// Every function throws TraceError where the file can't be written, or where an earlier row could
/// not be.
class TraceStore final : public hw::TraceSink {
  public:
    TraceStore(const std::filesystem::path& path, std::int32_t node_count, CycleWindow window = {},
               std::int64_t rows_per_commit = 16'384);
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

    /// Sets a key of the table `run`. What depends on the host and not on the experiment (wall
    /// time, host name, paths, version) goes under a key that starts with "host_".
    void set_run_info(std::string_view key, std::string_view value);

    /// The end of the run: commits, marks the trace complete and closes the file. Nothing may be
    /// reported afterwards.
    void finish();

  private:
    void put(TraceRow row);

    CycleWindow window_;
    /// How often each node has passed the point of this name.
    std::map<std::string, std::vector<std::int64_t>, std::less<>> mark_counts_;
    std::int32_t node_count_;

    TraceDatabase database_;
    std::optional<RowWriter> writer_;
    bool has_switches_ = false;  // a core switched contexts
    bool finished_ = false;
};

}  // namespace weir::experiments::trace
