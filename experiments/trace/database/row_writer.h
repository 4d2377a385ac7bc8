#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "experiments/trace/database/trace_database.h"
#include "hw/trace_probe.h"

namespace weir::experiments::trace {

struct CoreIntervalRow {
    hw::NodeId node;
    hw::CoreState state;
    hw::Cycles begin;
    hw::Cycles end;
    hw::MessageId message;
};

struct QueueLevelRow {
    hw::NodeId node;
    hw::QueueKind queue;
    hw::Cycles cycle;
    hw::Bytes bytes;
    std::int64_t messages;
};

struct MarkRow {
    hw::NodeId node;
    std::string name;
    std::int64_t occurrence;
    hw::Cycles cycle;
    std::int64_t value;
};

using TraceRow =
    std::variant<hw::Message, CoreIntervalRow, QueueLevelRow, hw::DmaTransfer, hw::Stall, MarkRow>;

/// Puts rows into the trace's tables in a thread of its own, so that the emulator does not wait for
/// SQLite. So many rows are one transaction, and go into each table in the order of its key, which
/// costs a tree a fraction of what the order of time would. Nobody else may use the database
/// between put() and drain().
///
/// A row that can't be written ends the writing; the next put() or drain() then throws what it
/// threw, a TraceError as a rule.
class RowWriter {
  public:
    RowWriter(const TraceDatabase& database, std::size_t rows_per_commit);
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;
    /// Drops what was put and not drained.
    ~RowWriter();

    void put(TraceRow row);
    /// Waits until everything put is in the tables, and committed.
    void drain();

  private:
    using Batch = std::vector<TraceRow>;

    struct Inserts {
        explicit Inserts(const TraceDatabase& database);
        void insert(const hw::Message& message);
        void insert(const CoreIntervalRow& row);
        void insert(const QueueLevelRow& row);
        void insert(const hw::DmaTransfer& row);
        void insert(const hw::Stall& row);
        void insert(const MarkRow& row);

        Statement message;
        Statement core_interval;
        Statement queue_level;
        Statement dma_transfer;
        Statement stall;
        Statement mark;
    };

    void hand_over();
    void write(const Batch& batch);
    void write_batches();
    void rethrow_fault();

    const TraceDatabase& database_;
    std::size_t rows_per_commit_;
    Inserts inserts_;
    Batch filling_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Batch> waiting_;  // guarded by mutex_, as all below
    std::vector<Batch> empty_;   // to be filled again
    bool writing_ = false;
    bool ended_ = false;
    std::exception_ptr fault_;

    std::thread thread_;
};

}  // namespace weir::experiments::trace
