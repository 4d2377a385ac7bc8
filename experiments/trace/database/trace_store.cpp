#include "experiments/trace/database/trace_store.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <utility>

#include "experiments/trace/database/trace_schema.h"

namespace weir::experiments::trace {

namespace {

constexpr std::array kCoreStates{hw::CoreState::kCompute, hw::CoreState::kSend,
                                 hw::CoreState::kBlocked, hw::CoreState::kDma,
                                 hw::CoreState::kWait,    hw::CoreState::kHandler,
                                 hw::CoreState::kTrap,    hw::CoreState::kDone};

std::string cycle_text(hw::Cycles cycle) {
    return cycle >= hw::kNever ? "never" : std::to_string(cycle.count());
}

void write_state_name(const TraceDatabase& database, hw::CoreState core_state) {
    Statement state(database, "INSERT INTO core_states VALUES (?1, ?2)");
    state.bind(1, static_cast<std::int64_t>(core_state));
    state.bind(2, hw::core_state_name(core_state));
    state.execute();
}

void write_names(const TraceDatabase& database) {
    const auto write = [](Statement& table, auto number, std::string_view name) {
        table.bind(1, static_cast<std::int64_t>(number));
        table.bind(2, name);
        table.execute();
    };
    for (const hw::CoreState core_state : kCoreStates) {
        write_state_name(database, core_state);
    }
    Statement queue(database, "INSERT INTO queue_kinds VALUES (?1, ?2)");
    write(queue, hw::QueueKind::kOutput, "output");
    write(queue, hw::QueueKind::kInput, "input");
    Statement engine(database, "INSERT INTO dma_engines VALUES (?1, ?2)");
    for (const hw::DmaKind kind : {hw::DmaKind::kSend, hw::DmaKind::kReceive}) {
        write(engine, kind, hw::dma_name(kind));
    }
    Statement place(database, "INSERT INTO stall_places VALUES (?1, ?2)");
    for (const hw::StallPlace kind : {hw::StallPlace::kLaunch, hw::StallPlace::kInputQueue}) {
        write(place, kind, hw::stall_place_name(kind));
    }
}

}  // namespace

TraceStore::TraceStore(const std::filesystem::path& path, std::int32_t node_count,
                       CycleWindow window, std::int64_t rows_per_commit)
    : window_(window), node_count_(node_count), database_(TraceDatabase::create(path)) {
    database_.execute("BEGIN");
    write_names(database_);
    set_run_info("schema_version", std::to_string(kTraceSchemaVersion));
    set_run_info("node_count", std::to_string(node_count));
    set_run_info("window_begin_cycle", cycle_text(window.begin));
    set_run_info("window_end_cycle", cycle_text(window.end));
    set_run_info("complete", "no");
    database_.execute("COMMIT");
    writer_.emplace(database_, static_cast<std::size_t>(rows_per_commit));
}

// The run failed and says why itself; the trace is marked incomplete since its beginning, and keeps
// what can be kept.
TraceStore::~TraceStore() {
    if (finished_) {
        return;
    }
    const auto try_to = [](const auto& step) {
        try {
            step();
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
        }
    };
    try_to([this] { writer_->drain(); });
    try_to([this] { database_.move_log_into_file(); });
}

void TraceStore::message(const hw::Message& message) {
    if (!window_.contains(message.times.launch)) {
        return;
    }
    put(message);
}

void TraceStore::core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin,
                               hw::Cycles end, hw::MessageId message) {
    assert(begin < end && "an interval of no length");
    if (!window_.overlaps(begin, end)) {
        return;
    }
    if (state == hw::CoreState::kSwitch && !has_switches_) {
        // Traces of cores with one context stay as they were without the state.
        has_switches_ = true;
        writer_->drain();
        write_state_name(database_, state);
    }
    put(CoreIntervalRow{node, state, begin, end, message});
}

void TraceStore::queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle,
                             hw::Bytes bytes, std::int64_t messages) {
    if (!window_.contains(cycle)) {
        return;
    }
    put(QueueLevelRow{node, queue, cycle, bytes, messages});
}

void TraceStore::dma_transfer(const hw::DmaTransfer& transfer) {
    assert(transfer.begin < transfer.end && "a transfer of no length");
    if (!window_.overlaps(transfer.begin, transfer.end)) {
        return;
    }
    put(transfer);
}

void TraceStore::stall(const hw::Stall& stall) {
    assert(stall.begin < stall.end && "a stall of no length");
    if (!window_.overlaps(stall.begin, stall.end)) {
        return;
    }
    put(stall);
}

void TraceStore::mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
                      std::int64_t value) {
    auto counts = mark_counts_.find(name);
    if (counts == mark_counts_.end()) {
        counts = mark_counts_.emplace(name, std::vector<std::int64_t>(node_count_)).first;
    }
    const std::int64_t occurrence = counts->second.at(node.index())++;
    put(MarkRow{node, std::string(name), occurrence, cycle, value});
}

void TraceStore::set_run_info(std::string_view key, std::string_view value) {
    if (writer_) {  // not while the trace is begun
        writer_->drain();
    }
    Statement insert(database_, "INSERT OR REPLACE INTO run VALUES (?1, ?2)");
    insert.bind(1, key);
    insert.bind(2, value);
    insert.execute();
}

void TraceStore::finish() {
    writer_->drain();
    set_run_info("complete", "yes");
    database_.move_log_into_file();
    writer_.reset();
    database_.close();
    finished_ = true;
}

void TraceStore::put(TraceRow row) {
    assert(!finished_ && "something was reported after finish()");
    writer_->put(std::move(row));
}

}  // namespace weir::experiments::trace
