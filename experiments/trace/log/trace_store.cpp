#include "experiments/trace/log/trace_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "experiments/trace/log/column_codec.h"
#include "experiments/trace/rows/trace_error.h"
#include "experiments/trace/rows/trace_schema.h"

namespace weir::experiments::trace {

namespace {

std::string cycle_text(hw::Cycles cycle) {
    return cycle >= hw::kNever ? "never" : std::to_string(cycle.count());
}

records::RunFile new_file(const std::filesystem::path& path) {
    if (std::filesystem::exists(path)) {
        throw TraceError(fmt::format(
            "{}: cannot write the trace: there is a file of this name already", path.string()));
    }
    return records::RunFile(path);
}

}  // namespace

TraceStore::TraceStore(const std::filesystem::path& path, std::int32_t node_count,
                       CycleWindow window, std::size_t rows_per_commit)
    : window_(window),
      node_count_(node_count),
      rows_per_commit_(std::min(rows_per_commit, kMostBlockRows)),
      file_(new_file(path)),
      unwritten_(kLogMagic) {
    set_run_info("schema_version", std::to_string(kTraceSchemaVersion));
    set_run_info("node_count", std::to_string(node_count));
    set_run_info("window_begin_cycle", cycle_text(window.begin));
    set_run_info("window_end_cycle", cycle_text(window.end));
    set_run_info("complete", "no");
    commit();
}

// After a failed run, which reports its own fault, the destructor keeps as many rows as possible.
// The trace is marked incomplete from its beginning.
TraceStore::~TraceStore() {
    if (ended_) {
        return;
    }
    try {
        commit();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    }
}

void TraceStore::message(const hw::Message& message) {
    if (window_.contains(message.times.launch)) {
        put(row_of(message));
    }
}

void TraceStore::core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin,
                               hw::Cycles end, hw::MessageId message) {
    assert(begin < end && "an interval of no length");
    if (window_.overlaps(begin, end)) {
        put(CoreIntervalRow{node, state, begin, end, message});
    }
}

void TraceStore::queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle,
                             hw::Bytes bytes, std::int64_t messages) {
    if (queue_intervals_) {
        queue_intervals_->add_level(node, queue, cycle, bytes);
        put_queue_intervals();
    }
    if (keeps_queue_levels_ && window_.contains(cycle)) {
        put(QueueLevelRow{node, queue, cycle, bytes, messages});
    }
}

void TraceStore::keep_queue_intervals(hw::Cycles interval, bool with_levels) {
    queue_intervals_.emplace(node_count_, interval);
    keeps_queue_levels_ = with_levels;
}

void TraceStore::put_queue_intervals() {
    for (const QueueIntervalRow& row : queue_intervals_->ended()) {
        if (window_.overlaps(row.begin, row.end)) {
            put(row);
        }
    }
    queue_intervals_->forget_ended();
}

void TraceStore::dma_transfer(const hw::DmaTransfer& transfer) {
    assert(transfer.begin < transfer.end && "a transfer of no length");
    if (window_.overlaps(transfer.begin, transfer.end)) {
        put(transfer);
    }
}

void TraceStore::stall(const hw::Stall& stall) {
    assert(stall.begin < stall.end && "a stall of no length");
    if (window_.overlaps(stall.begin, stall.end)) {
        put(stall);
    }
}

void TraceStore::mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
                      std::int64_t value) {
    auto known = mark_names_.find(name);
    if (known == mark_names_.end()) {
        const auto index = static_cast<std::int64_t>(mark_names_.size());
        known = mark_names_.emplace(name, MarkName{index, std::vector<std::int64_t>(node_count_)})
                    .first;
        append_record(LogTag::kMarkName, name);
    }
    const std::int64_t occurrence = known->second.counts.at(node.index())++;
    put(MarkRow{node, known->second.index, occurrence, cycle, value});
}

void TraceStore::transaction(const hw::SharedTransaction& transaction) {
    if (window_.contains(transaction.begin)) {
        put(transaction);
    }
}

void TraceStore::coherence_trap(const hw::CoherenceTrap& trap) {
    if (window_.contains(trap.raised)) {
        put(trap);
    }
}

void TraceStore::shared_access(const hw::SharedAccess& access) {
    if (window_.contains(access.cycle)) {
        put(access);
    }
}

// States that begin before the window are kept, too, since they may last into the window.
void TraceStore::line_state(const hw::LineState& state) {
    if (state.cycle < window_.end) {
        put(state);
    }
}

void TraceStore::channel_name(std::string_view name) { append_record(LogTag::kChannelName, name); }

void TraceStore::channel_interval(const hw::ChannelInterval& interval) {
    if (window_.overlaps(interval.begin, interval.end)) {
        put(interval);
    }
}

void TraceStore::intervals_end(hw::Cycles end) {
    if (queue_intervals_) {
        queue_intervals_->end(end);
        put_queue_intervals();
    }
}

void TraceStore::set_run_info(std::string_view key, std::string_view value) {
    std::string bytes;
    append_number(bytes, key.size(), kLengthBytes);
    bytes += key;
    bytes += value;
    append_record(LogTag::kRunInfo, bytes);
}

void TraceStore::finish() {
    commit();
    set_run_info("complete", "yes");
    commit();
    ended_ = true;
    file_.close();
}

template <class Row>
void TraceStore::put(const Row& row) {
    assert(!ended_ && "something was reported after finish()");
    std::get<RowBlock<Row>>(blocks_).add(row);
    if (++rows_ >= rows_per_commit_) {
        commit();
    }
}

void TraceStore::append_record(LogTag tag, std::string_view bytes) {
    append_number(unwritten_, static_cast<std::uint64_t>(tag), kTagBytes);
    append_number(unwritten_, bytes.size(), kLengthBytes);
    unwritten_ += bytes;
}

void TraceStore::commit() {
    const auto append = [this]<class Row>(RowBlock<Row>& block) {
        if (block.rows() == 0) {
            return;
        }
        block_bytes_.clear();
        append_number(block_bytes_, block.rows(), kLengthBytes);
        for (std::vector<std::int64_t>& column : block.columns()) {
            append_column(block_bytes_, column);
            column.clear();
        }
        append_record(static_cast<LogTag>(table_of<Row>().log_tag), block_bytes_);
    };
    std::apply([&append](auto&... blocks) { (append(blocks), ...); }, blocks_);
    rows_ = 0;
    // Nothing can be read behind a partial record, so a failed write ends the log.
    ended_ = true;
    file_.write(unwritten_);
    file_.flush();
    ended_ = false;
    unwritten_.clear();
}

void QueueIntervals::add_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle,
                               hw::Bytes bytes) {
    const std::size_t number = 2UL * node.index() + static_cast<std::size_t>(queue);
    pass_until(number, cycle);
    queues_[number].level = bytes;
}

void QueueIntervals::end(hw::Cycles cycle) {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        pass_until(i, cycle);
        const hw::Cycles within(queues_[i].since.count() % interval_.count());
        end_interval(i, queues_[i].since - within);
    }
}

void QueueIntervals::pass_until(std::size_t number, hw::Cycles cycle) {
    Queue& queue = queues_[number];
    if (queue.level == hw::Bytes(0) && queue.byte_cycles == 0) {
        queue.since = std::max(queue.since, cycle);
    }
    while (queue.since < cycle) {
        const hw::Cycles begin(queue.since.count() / interval_.count() * interval_.count());
        const hw::Cycles until = std::min(cycle, begin + interval_);
        queue.byte_cycles += queue.level.count() * (until - queue.since).count();
        queue.most = std::max(queue.most, queue.level);
        queue.since = until;
        if (until == begin + interval_) {
            end_interval(number, begin);
        }
    }
}

// `begin` is the interval's begin; the interval ends at the queue's `since`.
void QueueIntervals::end_interval(std::size_t number, hw::Cycles begin) {
    Queue& queue = queues_[number];
    if (queue.byte_cycles > 0) {
        ended_.push_back({hw::NodeId(static_cast<std::int32_t>(number / 2)),
                          static_cast<hw::QueueKind>(number % 2), begin, queue.since,
                          queue.byte_cycles, queue.most});
    }
    queue.byte_cycles = 0;
    queue.most = hw::Bytes(0);
}

}  // namespace weir::experiments::trace
