#include "experiments/trace/trace_store.h"

#include <fmt/format.h>

#include <array>
#include <cassert>

#include "experiments/trace/trace_schema.h"

namespace weir::experiments::trace {

namespace {

/// The time stamps in the order of the table's columns.
constexpr std::array kStages{
    &hw::MessageTimes::compose,       &hw::MessageTimes::launch,
    &hw::MessageTimes::network_entry, &hw::MessageTimes::tail_entry,
    &hw::MessageTimes::first_arrival, &hw::MessageTimes::header_arrival,
    &hw::MessageTimes::tail_arrival,  &hw::MessageTimes::notify,
    &hw::MessageTimes::handler_begin, &hw::MessageTimes::body_begin,
    &hw::MessageTimes::body_end,      &hw::MessageTimes::dispose,
    &hw::MessageTimes::handler_end,
};

constexpr int kHeaderAndHandlerWords = 2;

constexpr std::array kCoreStates{hw::CoreState::kCompute, hw::CoreState::kSend,
                                 hw::CoreState::kBlocked, hw::CoreState::kWait,
                                 hw::CoreState::kHandler, hw::CoreState::kDone};

std::string cycle_text(hw::Cycles cycle) {
    return cycle >= hw::kNever ? "never" : std::to_string(cycle.count());
}

void name_states_and_queues(const TraceDatabase& database) {
    Statement state(database, "INSERT INTO core_states VALUES (?1, ?2)");
    for (const hw::CoreState core_state : kCoreStates) {
        state.bind(1, static_cast<std::int64_t>(core_state));
        state.bind(2, hw::core_state_name(core_state));
        state.execute();
    }
    Statement queue(database, "INSERT INTO queue_kinds VALUES (?1, ?2)");
    queue.bind(1, static_cast<std::int64_t>(hw::QueueKind::kOutput));
    queue.bind(2, "output");
    queue.execute();
    queue.bind(1, static_cast<std::int64_t>(hw::QueueKind::kInput));
    queue.bind(2, "input");
    queue.execute();
}

}  // namespace

TraceStore::Inserts::Inserts(const TraceDatabase& database)
    : message(database,
              "INSERT INTO messages VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
              "?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)"),
      core_interval(database, "INSERT INTO core_intervals VALUES (?1, ?2, ?3, ?4, ?5)"),
      queue_level(database, "INSERT OR REPLACE INTO queue_levels VALUES (?1, ?2, ?3, ?4, ?5)"),
      mark(database, "INSERT INTO marks VALUES (?1, ?2, ?3, ?4, ?5)"),
      run_info(database, "INSERT OR REPLACE INTO run VALUES (?1, ?2)") {}

TraceStore::TraceStore(const std::filesystem::path& path, std::int32_t node_count,
                       CycleWindow window, std::int64_t rows_per_commit)
    : window_(window),
      rows_per_commit_(rows_per_commit),
      node_count_(node_count),
      database_(TraceDatabase::create(path)) {
    inserts_.emplace(database_);
    database_.execute("BEGIN");
    name_states_and_queues(database_);
    set_run_info("schema_version", std::to_string(kTraceSchemaVersion));
    set_run_info("node_count", std::to_string(node_count));
    set_run_info("window_begin_cycle", cycle_text(window.begin));
    set_run_info("window_end_cycle", cycle_text(window.end));
    set_run_info("complete", "no");
    database_.execute("COMMIT; BEGIN");
}

TraceStore::~TraceStore() {
    if (!inserts_) {
        return;
    }
    try {
        database_.execute("COMMIT");
        database_.move_log_into_file();
    } catch (const TraceError&) {  // NOLINT(bugprone-empty-catch)
        // The run failed and says why itself; the trace is marked incomplete since its beginning.
    }
}

void TraceStore::message(const hw::Message& message) {
    if (!window_.contains(message.times.launch)) {
        return;
    }
    Statement& insert = inserts().message;
    int column = 0;
    const auto bind = [&](std::int64_t value) { insert.bind(++column, value); };
    bind(stored_message_id(message.id));
    bind(message.source.index());
    bind(message.id.sequence);
    bind(message.destination.index());
    if (message.parent.valid()) {
        bind(stored_message_id(message.parent));
    } else {
        insert.bind_null(++column);
    }
    bind(message.word_count - kHeaderAndHandlerWords);
    bind(message.bytes.count());
    bind(message.hops);
    bind(message.unloaded.count());
    bind(message.launch_blocked.count());
    bind(message.restored_words);
    for (const auto stage : kStages) {
        const hw::Cycles cycle = message.times.*stage;
        if (cycle >= hw::kNever) {
            insert.bind_null(++column);
        } else {
            bind(cycle.count());
        }
    }
    insert.execute();
    count_row();
}

void TraceStore::core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin,
                               hw::Cycles end, hw::MessageId message) {
    assert(begin < end && "an interval of no length");
    if (!window_.overlaps(begin, end)) {
        return;
    }
    Statement& insert = inserts().core_interval;
    insert.bind(1, node.index());
    insert.bind(2, begin.count());
    insert.bind(3, end.count());
    insert.bind(4, static_cast<std::int64_t>(state));
    if (message.valid()) {
        insert.bind(5, stored_message_id(message));
    } else {
        insert.bind_null(5);
    }
    insert.execute();
    count_row();
}

void TraceStore::queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle,
                             hw::Bytes bytes, std::int64_t messages) {
    if (!window_.contains(cycle)) {
        return;
    }
    Statement& insert = inserts().queue_level;
    insert.bind(1, node.index());
    insert.bind(2, static_cast<std::int64_t>(queue));
    insert.bind(3, cycle.count());
    insert.bind(4, bytes.count());
    insert.bind(5, messages);
    insert.execute();
    count_row();
}

void TraceStore::mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
                      std::int64_t value) {
    auto counts = mark_counts_.find(name);
    if (counts == mark_counts_.end()) {
        counts = mark_counts_.emplace(name, std::vector<std::int64_t>(node_count_)).first;
    }
    Statement& insert = inserts().mark;
    insert.bind(1, node.index());
    insert.bind(2, name);
    insert.bind(3, counts->second.at(node.index())++);
    insert.bind(4, cycle.count());
    insert.bind(5, value);
    insert.execute();
    count_row();
}

void TraceStore::set_run_info(std::string_view key, std::string_view value) {
    Statement& insert = inserts().run_info;
    insert.bind(1, key);
    insert.bind(2, value);
    insert.execute();
}

TraceStore::Inserts& TraceStore::inserts() {
    assert(inserts_ && "something was reported after finish()");
    return *inserts_;
}

void TraceStore::finish() {
    database_.execute("COMMIT");
    database_.move_log_into_file();
    set_run_info("complete", "yes");
    inserts_.reset();
    database_.close();
}

void TraceStore::count_row() {
    if (++uncommitted_rows_ >= rows_per_commit_) {
        uncommitted_rows_ = 0;
        database_.execute("COMMIT; BEGIN");
    }
}

}  // namespace weir::experiments::trace
