#include "experiments/trace/database/foreign_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "experiments/trace/measurements/measurements.h"
#include "experiments/trace/measurements/round_trip_breakdown.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "experiments/trace/testing/hand_made_sharing.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::trace {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class ForeignTraceTest : public TraceTest {
  protected:
    /// What is said of the trace after `sql` was run on it.
    [[nodiscard]] std::string fault_after(const std::string& sql) {
        hw::testing::note_seed("trace", std::string(kForeignTrace) + kForeignIntervals + sql);
        const std::filesystem::path path = file("broken.sqlite");
        std::filesystem::remove(path);
        run_sql_on(path, std::string(kForeignTrace) + kForeignIntervals);
        run_sql_on(path, sql);
        std::string fault = error_of([&] { static_cast<void>(open_foreign_trace(path)); });
        const std::string name = path.string() + ": ";
        return fault.starts_with(name) ? fault.substr(name.size()) : fault;
    }
};

TEST_F(ForeignTraceTest, WhatIsNeededIsEnough) {
    run_sql_on(file(), kForeignTrace);
    const TraceDatabase database = open_foreign_trace(file());
    EXPECT_EQ(trace_node_count(database), 2);
    EXPECT_THAT(database.absent_tables(), Contains("marks"));
    const Trace trace = load_trace(database);
    EXPECT_TRUE(trace.has("messages"));
    EXPECT_FALSE(trace.has("core_intervals"));
    EXPECT_TRUE(mark_names(trace).empty());

    const std::vector<RoundTrip> trips = round_trips(trace);
    ASSERT_EQ(trips.size(), 1U);  // the first has no begin
    EXPECT_EQ((trips[0].end - trips[0].begin).count(), 200);

    const std::vector<LogpParameters> parameters = logp_parameters(trace);
    ASSERT_EQ(parameters.size(), 1U);
    EXPECT_EQ(parameters[0].latency.mean_cycles, 18.0);
    EXPECT_EQ(parameters[0].receive_overhead.mean_cycles, 60.0);
    // Threads' sends may have been interrupted; handlers' can't be.
    EXPECT_EQ(parameters[0].send_overhead.count, 2);
    EXPECT_EQ(parameters[0].send_overhead.mean_cycles, 12.0);
}

TEST_F(ForeignTraceTest, WithIntervalsAllPartsOfARoundTripAreThere) {
    run_sql_on(file(), std::string(kForeignTrace) + kForeignIntervals);
    const Trace trace = load_trace(open_foreign_trace(file()));
    const RoundTripBreakdown breakdown = round_trip_breakdown(trace);
    EXPECT_EQ(breakdown.mean_cycles, 200.0);
    EXPECT_EQ(breakdown.parts.front().name, "compute");
    EXPECT_EQ(breakdown.parts.front().mean_cycles, 50.0);
    EXPECT_EQ(logp_parameters(trace)[0].send_overhead.count, 4);
}

TEST_F(ForeignTraceTest, WeirsOwnTracesAreAsTheSchemaSays) {
    const std::filesystem::path path = hand_made_file();
    // By hand handlers' bodies were given the same lengths, whatever the handler's.
    run_sql(path, "UPDATE messages SET code_end_cycle = max(code_begin_cycle, code_end_cycle)");
    const TraceDatabase trace = open_foreign_trace(path);
    EXPECT_TRUE(trace.absent_tables().empty());
    EXPECT_EQ(trace_node_count(trace), 2);
}

TEST_F(ForeignTraceTest, WhatIsNoTraceIsRefused) {
    std::ofstream(file("text")) << "This is a text, and a long one, so that it is no database.";
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(file("text"))); }),
                HasSubstr("this is no trace"));
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(file("absent"))); }),
                HasSubstr("cannot open the trace"));
    run_sql_on(file("other"), "CREATE TABLE other (x INTEGER)");
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(file("other"))); }),
                HasSubstr("has no table 'run'"));
}

TEST_F(ForeignTraceTest, TablesAndColumnsAreRequired) {
    EXPECT_EQ(fault_after("UPDATE run SET value = '1' WHERE key = 'schema_version'"),
              "the trace is of another version than this program's: its schema version is 1; 3 is "
              "accepted");
    EXPECT_EQ(fault_after("DROP TABLE messages"), "this is no trace: it has no table 'messages'");
    EXPECT_THAT(fault_after("ALTER TABLE messages DROP COLUMN notify_cycle"),
                HasSubstr("table messages has no column notify_cycle; its columns are message_id"));
    EXPECT_EQ(fault_after("DROP TABLE core_states"),
              "table core_intervals needs the table core_states, which is missing");
    EXPECT_EQ(fault_after("DELETE FROM run WHERE key = 'node_count'"),
              "table run, column value, the row with key = node_count: found none; accepted: a "
              "whole number from 1 on");
}

TEST_F(ForeignTraceTest, ValuesAreOfTheirTypes) {
    EXPECT_EQ(
        fault_after("UPDATE messages SET notify_cycle = 'soon' WHERE message_id = 1"),
        "table messages, column notify_cycle, the row with message_id = 1: found text 'soon'; "
        "accepted: a whole number or NULL");
    EXPECT_EQ(fault_after("UPDATE messages SET notify_cycle = 78.5 WHERE message_id = 0"),
              "table messages, column notify_cycle, the row with message_id = 0: found real 78.5; "
              "accepted: a whole number or NULL");
    EXPECT_EQ(
        fault_after("UPDATE messages SET hops = NULL WHERE message_id = 1"),
        "table messages, column hops, the row with message_id = 1: found null NULL; accepted: "
        "a whole number");
    EXPECT_EQ(fault_after("INSERT INTO core_intervals VALUES (1, 80, 90, 10, NULL)"),
              "table core_intervals has several rows with node = 1, begin_cycle = 80");
}

TEST_F(ForeignTraceTest, NodesAreTheMachines) {
    EXPECT_EQ(fault_after("UPDATE messages SET destination_node = 2 WHERE message_id = 1"),
              "table messages, column destination_node, the row with message_id = 1: found 2; "
              "accepted: a node, 0 to 1");
    EXPECT_EQ(fault_after("UPDATE core_intervals SET node = -1 WHERE begin_cycle = 250"),
              "table core_intervals, column node, the row with node = -1, begin_cycle = 250: found "
              "-1; accepted: a node, 0 to 1");
    EXPECT_EQ(fault_after("UPDATE messages SET message_id = 7 WHERE message_id = 1"),
              "table messages, column message_id, the row with message_id = 7: found 7; accepted: "
              "source_node * 2^40 + sequence");
}

TEST_F(ForeignTraceTest, TimeGoesForward) {
    EXPECT_EQ(fault_after("UPDATE messages SET header_arrival_cycle = 259 WHERE message_id = 1"),
              "table messages, column header_arrival_cycle, the row with message_id = 1: found "
              "259; accepted: at least launch_cycle");
    EXPECT_EQ(fault_after("UPDATE messages SET compose_cycle = -1 WHERE message_id = 0"),
              "table messages, column compose_cycle, the row with message_id = 0: found -1; "
              "accepted: a whole number of 0 or more");
    EXPECT_EQ(fault_after("UPDATE messages SET compose_cycle = 70 WHERE parent_message_id = 0"),
              "table messages, column parent_message_id, the row with message_id = 1099511627776: "
              "found 0; accepted: a message that source_node was handling at compose_cycle, or "
              "NULL");
    EXPECT_EQ(fault_after("UPDATE core_intervals SET end_cycle = 55 WHERE node = 0 AND "
                          "begin_cycle = 0"),
              "table core_intervals: at node 0 an interval begins at cycle 50, and the one before "
              "ends at 55; accepted: intervals that don't overlap");
}

TEST_F(ForeignTraceTest, SoDoTransactionsOfSharedMemory) {
    const std::filesystem::path path = file_of(HandMadeSharing(), "sharing.sqlite");
    EXPECT_EQ(load_trace(open_foreign_trace(path)).transactions.size(), 3);
    run_sql(path, "UPDATE transactions SET fill_cycle = 57 WHERE begin_cycle = 10");
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(path)); }),
                HasSubstr("table transactions, column fill_cycle, the row with node = 0, "
                          "begin_cycle = 10, line_address = 4096: found 57; accepted: at least "
                          "reply_cycle"));
}

TEST_F(ForeignTraceTest, StatesHaveNames) {
    EXPECT_EQ(
        fault_after("UPDATE core_intervals SET state = 5 WHERE node = 0 AND begin_cycle = 0"),
        "table core_intervals, column state, the row with node = 0, begin_cycle = 0: found 5; "
        "accepted: one of those in the table core_states");
    EXPECT_THAT(fault_after("UPDATE core_states SET name = 'busy' WHERE state = 10"),
                HasSubstr("column name, the row with state = 10: found 'busy'; accepted: one of "
                          "'compute', 'send'"));
}

}  // namespace
}  // namespace weir::experiments::trace
