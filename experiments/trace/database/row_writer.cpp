#include "experiments/trace/database/row_writer.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "experiments/trace/database/trace_schema.h"
#include "experiments/trace/measurements/message_stages.h"

namespace weir::experiments::trace {

namespace {

// More batches than these the writer does not let wait: a run whose rows come faster than SQLite
// takes them goes at SQLite's pace, and its memory stays bounded.
constexpr std::size_t kMostBatches = 4;

constexpr int kHeaderAndHandlerWords = 2;

/// Where a row goes: the table, then the table's key in the order of its columns.
using Key = std::tuple<std::size_t, std::int64_t, std::int64_t, std::int64_t>;

struct KeyOf {
    std::size_t table;

    Key operator()(const hw::Message& row) const {
        return {table, stored_message_id(row.id), 0, 0};
    }
    Key operator()(const CoreIntervalRow& row) const {
        return {table, row.node.index(), row.begin.count(), 0};
    }
    Key operator()(const QueueLevelRow& row) const {
        return {table, row.node.index(), static_cast<std::int64_t>(row.queue), row.cycle.count()};
    }
    Key operator()(const hw::DmaTransfer& row) const {
        return {table, row.node.index(), static_cast<std::int64_t>(row.engine), row.begin.count()};
    }
    Key operator()(const hw::Stall& row) const {
        return {table, row.node.index(), static_cast<std::int64_t>(row.place), row.begin.count()};
    }
    Key operator()(const MarkRow& row) const {
        return {table, row.node.index(), 0, row.occurrence};
    }
};

/// NULL where there is no message.
void bind_message(Statement& statement, int parameter, hw::MessageId message) {
    if (message.valid()) {
        statement.bind(parameter, stored_message_id(message));
    } else {
        statement.bind_null(parameter);
    }
}

}  // namespace

RowWriter::Inserts::Inserts(const TraceDatabase& database)
    : message(database,
              "INSERT INTO messages VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
              "?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28)"),
      core_interval(database, "INSERT INTO core_intervals VALUES (?1, ?2, ?3, ?4, ?5)"),
      queue_level(database, "INSERT OR REPLACE INTO queue_levels VALUES (?1, ?2, ?3, ?4, ?5)"),
      dma_transfer(database, "INSERT INTO dma_transfers VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
      stall(database, "INSERT INTO stalls VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      mark(database, "INSERT INTO marks VALUES (?1, ?2, ?3, ?4, ?5)") {}

void RowWriter::Inserts::insert(const hw::Message& row) {
    int column = 0;
    const auto bind = [&](std::int64_t value) { message.bind(++column, value); };
    bind(stored_message_id(row.id));
    bind(row.source.index());
    bind(row.id.sequence);
    bind(row.destination.index());
    bind_message(message, ++column, row.parent);
    bind(row.word_count - kHeaderAndHandlerWords);
    bind(row.bytes.count());
    bind(row.body_bytes.count());
    bind(row.hops);
    bind(row.unloaded.count());
    bind(row.launch_blocked.count());
    bind(row.restored_words);
    for (const auto stage : kMessageStages) {
        const hw::Cycles cycle = row.times.*stage;
        if (cycle >= hw::kNever) {
            message.bind_null(++column);
        } else {
            bind(cycle.count());
        }
    }
    message.execute();
}

void RowWriter::Inserts::insert(const CoreIntervalRow& row) {
    core_interval.bind(1, row.node.index());
    core_interval.bind(2, row.begin.count());
    core_interval.bind(3, row.end.count());
    core_interval.bind(4, static_cast<std::int64_t>(row.state));
    bind_message(core_interval, 5, row.message);
    core_interval.execute();
}

void RowWriter::Inserts::insert(const QueueLevelRow& row) {
    queue_level.bind(1, row.node.index());
    queue_level.bind(2, static_cast<std::int64_t>(row.queue));
    queue_level.bind(3, row.cycle.count());
    queue_level.bind(4, row.bytes.count());
    queue_level.bind(5, row.messages);
    queue_level.execute();
}

void RowWriter::Inserts::insert(const hw::DmaTransfer& row) {
    dma_transfer.bind(1, row.node.index());
    dma_transfer.bind(2, static_cast<std::int64_t>(row.engine));
    dma_transfer.bind(3, row.begin.count());
    dma_transfer.bind(4, row.end.count());
    dma_transfer.bind(5, stored_message_id(row.message));
    dma_transfer.bind(6, row.bytes.count());
    dma_transfer.bind(7, row.port_wait.count());
    dma_transfer.bind(8, row.queue_wait.count());
    dma_transfer.execute();
}

void RowWriter::Inserts::insert(const hw::Stall& row) {
    stall.bind(1, row.node.index());
    stall.bind(2, static_cast<std::int64_t>(row.place));
    stall.bind(3, row.begin.count());
    stall.bind(4, row.end.count());
    bind_message(stall, 5, row.waiting);
    bind_message(stall, 6, row.holder);
    stall.execute();
}

void RowWriter::Inserts::insert(const MarkRow& row) {
    mark.bind(1, row.node.index());
    mark.bind(2, row.name);
    mark.bind(3, row.occurrence);
    mark.bind(4, row.cycle.count());
    mark.bind(5, row.value);
    mark.execute();
}

RowWriter::RowWriter(const TraceDatabase& database, std::size_t rows_per_commit)
    : database_(database),
      rows_per_commit_(rows_per_commit),
      inserts_(database),
      thread_([this] { write_batches(); }) {}

RowWriter::~RowWriter() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void RowWriter::put(TraceRow row) {
    filling_.push_back(std::move(row));
    if (filling_.size() >= rows_per_commit_) {
        hand_over();
    }
}

void RowWriter::drain() {
    if (!filling_.empty()) {
        hand_over();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return (waiting_.empty() && !writing_) || fault_; });
    rethrow_fault();
}

void RowWriter::hand_over() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < kMostBatches || fault_; });
    rethrow_fault();
    waiting_.push_back(std::move(filling_));
    filling_.clear();
    if (!empty_.empty()) {
        filling_ = std::move(empty_.back());
        empty_.pop_back();
    }
    changed_.notify_all();
}

void RowWriter::rethrow_fault() {
    if (fault_) {
        std::rethrow_exception(fault_);
    }
}

// Rows of one key stay in the order they came: of a queue's levels in one cycle the last is kept.
void RowWriter::write(const Batch& batch) {
    std::vector<std::pair<Key, const TraceRow*>> rows;
    rows.reserve(batch.size());
    for (const TraceRow& row : batch) {
        rows.emplace_back(std::visit(KeyOf{row.index()}, row), &row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    database_.execute("BEGIN");
    try {
        for (const auto& [key, row] : rows) {
            std::visit([this](const auto& kind) { inserts_.insert(kind); }, *row);
        }
    } catch (...) {
        // What was written before the fault stays, if the disk lets it.
        sqlite3_exec(database_.handle(), "COMMIT", nullptr, nullptr, nullptr);
        throw;
    }
    database_.execute("COMMIT");
}

void RowWriter::write_batches() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
        if (ended_) {
            return;
        }
        Batch batch = std::move(waiting_.front());
        waiting_.pop_front();
        writing_ = true;
        lock.unlock();
        changed_.notify_all();
        std::exception_ptr fault;
        try {
            write(batch);
        } catch (...) {  // whatever it is, the run is to know
            fault = std::current_exception();
        }
        batch.clear();
        lock.lock();
        empty_.push_back(std::move(batch));
        writing_ = false;
        fault_ = fault;
        changed_.notify_all();
        if (fault_) {
            return;
        }
    }
}

}  // namespace weir::experiments::trace
