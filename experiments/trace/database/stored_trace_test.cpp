#include "experiments/trace/database/stored_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/trace/database/foreign_trace.h"
#include "experiments/trace/database/trace_digest.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/log/trace_store.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "experiments/trace/testing/hand_made_intervals.h"
#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_sharing.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using weir::testing::Names;

class StoredTraceTest : public TraceTest {};

// Rows are written by the columns that the schema documents, in their order.
TEST_F(StoredTraceTest, RowsHaveTheColumnsOfTheSchema) {
    const TraceDatabase empty = TraceDatabase::create(":memory:");
    const Trace trace("none");
    trace.for_each_table([&empty](const auto& rows) {
        using Row = typename std::decay_t<decltype(rows)>::value_type;
        const Table<Row>& table = table_of<Row>();
        std::vector<std::string> ours;
        std::vector<std::string> our_key;
        for (const Column<Row>& column : table.columns) {
            ours.emplace_back(column.name);
        }
        our_key.assign(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(table.key_columns));
        std::vector<std::string> documented;
        std::vector<std::string> key;
        Statement columns(empty, "SELECT name, pk FROM pragma_table_info(?1) ORDER BY cid");
        columns.bind(1, std::string_view(table.name));
        while (columns.step()) {
            documented.emplace_back(columns.text(0));
            if (columns.integer(1) > 0) {
                key.emplace_back(columns.text(0));
            }
        }
        EXPECT_THAT(ours, ElementsAreArray(documented));
        EXPECT_THAT(our_key, testing::UnorderedElementsAreArray(key));
    });
}

TEST_F(StoredTraceTest, ALogAndItsDatabaseAreTheSameTrace) {
    const auto expect_same = [this](const std::string& name, const std::filesystem::path& log) {
        const Trace from_log = read_trace(log);
        const std::string digest = trace_digest(log);
        store_as(name, log);
        EXPECT_EQ(trace_digest(read_trace(file(name))), digest) << name;
        EXPECT_EQ(trace_digest(from_log), digest) << name;
        EXPECT_EQ(trace_digest(file(name)), digest) << name;
    };
    expect_same("short.sqlite", log_of(HandMadeTrace()));
    expect_same("bodies.sqlite", log_of(HandMadeLongMessages()));
    expect_same("sharing.sqlite", log_of(HandMadeSharing()));
    expect_same("intervals.sqlite", log_of(HandMadeIntervals()));
}

TEST_F(StoredTraceTest, IntervalsComeBackAsTheyWereAndHaveViews) {
    const std::filesystem::path log = file("trace.weir");
    {
        TraceStore store(log, 2);
        store.keep_queue_intervals(hw::Cycles(64), false);
        HandMadeIntervals().report_to(store);
        store.finish();
    }
    EXPECT_THAT(read_log_head(log).channel_names, ElementsAre("(0,0) +x", "(1,0) -x"));
    const std::filesystem::path database = file("intervals.sqlite");
    write_trace(read_log(log), database);
    for (const Trace& trace : {read_log(log), read_trace(database)}) {
        EXPECT_THAT(trace.channel_names, ElementsAre("(0,0) +x", "(1,0) -x"));
        ASSERT_EQ(trace.channel_intervals.size(), 3);
        EXPECT_EQ(trace.channel_intervals[0].header_waits, hw::Cycles(40));
        EXPECT_EQ(trace.channel_intervals[2].channel, 1);
        EXPECT_TRUE(trace.queue_levels.empty());
        ASSERT_EQ(trace.queue_intervals.size(), 4);
        EXPECT_EQ(trace.queue_intervals[0].byte_cycles, 2 * 16 + 2 * 8);
        EXPECT_EQ(trace.queue_intervals[1].most, hw::Bytes(8));
        EXPECT_EQ(trace.queue_intervals[3].end, hw::Cycles(200));
    }
    EXPECT_THAT(rows_of(database, "SELECT name, flits, header_wait_cycles FROM channel_use"),
                ElementsAre("(0,0) +x 8 40", "(1,0) -x 4 3"));
    EXPECT_THAT(rows_of(database, "SELECT name, begin_cycle FROM hot_channels"),
                ElementsAre("(0,0) +x 0", "(1,0) -x 64"));
    EXPECT_THAT(rows_of(hand_made_file(),
                        "SELECT output_queue_cycles + network_cycles + notify_cycles + "
                        "handler_wait_cycles - total_cycles FROM latencies WHERE message_id = 2"),
                ElementsAre("0"));
}

TEST_F(StoredTraceTest, RowsOfSharedMemoryComeBackAsTheyWere) {
    const Trace from_database = read_trace(file_of(HandMadeSharing()));
    const Trace from_log = read_trace(log_of(HandMadeSharing()));
    for (const Trace* one : {&from_database, &from_log}) {
        const Trace& trace = *one;
        ASSERT_EQ(trace.transactions.size(), 3);
        const hw::SharedTransaction& store = trace.transactions[1];
        EXPECT_EQ(store.begin, hw::Cycles(100));
        EXPECT_EQ(store.request, hw::SharedRequest::kModify);
        EXPECT_TRUE(store.is_trapped);
        EXPECT_FALSE(store.is_prefetch);
        EXPECT_EQ(store.last_acknowledgement, hw::Cycles(250));
        EXPECT_EQ(trace.transactions[2].use, hw::kNever);
        ASSERT_EQ(trace.coherence_traps.size(), 1);
        EXPECT_EQ(trace.coherence_traps.front().packets, 2);
        ASSERT_EQ(trace.shared_accesses.size(), 2);
        EXPECT_EQ(trace.shared_accesses[0].loaded, 0xffff'ffff);
        EXPECT_EQ(trace.shared_accesses[0].stored, hw::SharedAccess::kNothing);
        EXPECT_EQ(trace.shared_accesses[1].stored, 7);
        ASSERT_EQ(trace.line_states.size(), 4);
        EXPECT_EQ(trace.line_states[1].cycle, hw::Cycles(77));
        EXPECT_EQ(trace.line_states[1].pointers, hw::LineState::kOfCache);
        EXPECT_EQ(memory::name_of_line_state(trace.line_states[1].state), "cache: Read-Only");
        EXPECT_EQ(memory::name_of_line_state(trace.line_states[3].state), "home: Read-Only");
        EXPECT_EQ(trace.line_states[3].pointers, 1);
    }
}

TEST_F(StoredTraceTest, NumbersOfNamesMayBeTheTracesOwn) {
    run_sql_on(file(), std::string(kForeignTrace) + kForeignIntervals);
    const Trace trace = load_trace(open_foreign_trace(file()));
    EXPECT_EQ(trace.core_intervals.front().state, hw::CoreState::kCompute);
    EXPECT_EQ(trace.core_intervals.back().state, hw::CoreState::kHandler);
    EXPECT_FALSE(trace.has("marks"));
    EXPECT_TRUE(trace.has("core_intervals"));
    EXPECT_EQ(trace.run.at("where_from"), "elsewhere");
}

TEST_F(StoredTraceTest, AValueThatNoTraceHasIsAnErrorThatNamesItsColumn) {
    const auto fault_after = [this](const std::string& sql) {
        std::filesystem::remove(file());
        const auto path = hand_made_file();
        run_sql(path, sql);
        return error_of([&] { static_cast<void>(read_trace(path)); });
    };
    EXPECT_THAT(fault_after("UPDATE messages SET hops = -1 WHERE message_id = 0"),
                Names("messages", "hops", "-1"));
    EXPECT_THAT(fault_after("UPDATE messages SET launch_cycle = 1 << 56 WHERE message_id = 0"),
                Names("messages", "launch_cycle", "72057594037927936"));
    EXPECT_THAT(fault_after("UPDATE messages SET destination_node = 1 << 31"),
                Names("messages", "destination_node", "2147483648"));
    EXPECT_THAT(fault_after("UPDATE messages SET parent_message_id = -5 WHERE message_id = 0"),
                Names("messages", "parent_message_id", "-5"));
    EXPECT_THAT(fault_after("UPDATE core_intervals SET state = 77 WHERE begin_cycle = 0"),
                Names("core_intervals", "state", "77"));
}

}  // namespace
}  // namespace weir::experiments::trace
