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
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using ::testing::Contains;
using weir::testing::Names;

class ForeignTraceTest : public TraceTest {
  protected:
    /// Message of the error that reading the trace gives after `sql` has changed it.
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
    // The first of the two round trips has no begin, so it is left out.
    ASSERT_EQ(trips.size(), 1U);
    EXPECT_EQ((trips[0].end - trips[0].begin).count(), 200);

    const std::vector<LogpParameters> parameters = logp_parameters(trace);
    ASSERT_EQ(parameters.size(), 1U);
    EXPECT_EQ(parameters[0].latency.mean_cycles, 18.0);
    EXPECT_EQ(parameters[0].receive_overhead.mean_cycles, 60.0);
    // Sends of threads may have been interrupted; sends of handlers cannot.
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
    // The hand-made bodies of handlers are independent of the handlers' lengths.
    run_sql(path, "UPDATE messages SET code_end_cycle = max(code_begin_cycle, code_end_cycle)");
    const TraceDatabase trace = open_foreign_trace(path);
    EXPECT_TRUE(trace.absent_tables().empty());
    EXPECT_EQ(trace_node_count(trace), 2);
}

TEST_F(ForeignTraceTest, WhatIsNoTraceIsRefused) {
    std::ofstream(file("text")) << "This is a text, and a long one, so that it is no database.";
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(file("text"))); }),
                Names("trace"));
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(file("absent"))); }),
                Names("absent", "open"));
    run_sql_on(file("other"), "CREATE TABLE other (x INTEGER)");
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(file("other"))); }),
                Names("'run'"));
}

TEST_F(ForeignTraceTest, TablesAndColumnsAreRequired) {
    EXPECT_THAT(fault_after("UPDATE run SET value = '1' WHERE key = 'schema_version'"),
                Names("version", "1", "3"));
    EXPECT_THAT(fault_after("DROP TABLE messages"), Names("'messages'"));
    EXPECT_THAT(fault_after("ALTER TABLE messages DROP COLUMN notify_cycle"),
                Names("messages", "notify_cycle", "message_id"));
    EXPECT_THAT(fault_after("DROP TABLE core_states"), Names("core_intervals", "core_states"));
    EXPECT_THAT(fault_after("DELETE FROM run WHERE key = 'node_count'"),
                Names("run", "value", "key = node_count", "none", "1"));
}

TEST_F(ForeignTraceTest, ValuesAreOfTheirTypes) {
    EXPECT_THAT(fault_after("UPDATE messages SET notify_cycle = 'soon' WHERE message_id = 1"),
                Names("messages", "notify_cycle", "message_id = 1", "'soon'", "NULL"));
    EXPECT_THAT(fault_after("UPDATE messages SET notify_cycle = 78.5 WHERE message_id = 0"),
                Names("messages", "notify_cycle", "message_id = 0", "78.5", "NULL"));
    EXPECT_THAT(fault_after("UPDATE messages SET hops = NULL WHERE message_id = 1"),
                Names("messages", "hops", "message_id = 1", "NULL"));
    EXPECT_THAT(fault_after("INSERT INTO core_intervals VALUES (1, 80, 90, 10, NULL)"),
                Names("core_intervals", "node = 1, begin_cycle = 80"));
}

TEST_F(ForeignTraceTest, NodesAreTheMachines) {
    EXPECT_THAT(fault_after("UPDATE messages SET destination_node = 2 WHERE message_id = 1"),
                Names("messages", "destination_node", "message_id = 1", "2", "0", "1"));
    EXPECT_THAT(fault_after("UPDATE core_intervals SET node = -1 WHERE begin_cycle = 250"),
                Names("core_intervals", "node", "node = -1, begin_cycle = 250", "-1", "0", "1"));
    EXPECT_THAT(fault_after("UPDATE messages SET message_id = 7 WHERE message_id = 1"),
                Names("messages", "message_id", "message_id = 7", "7", "source_node * 2^40"));
}

TEST_F(ForeignTraceTest, TimeGoesForward) {
    EXPECT_THAT(fault_after("UPDATE messages SET header_arrival_cycle = 259 WHERE message_id = 1"),
                Names("messages", "header_arrival_cycle", "message_id = 1", "259", "launch_cycle"));
    EXPECT_THAT(fault_after("UPDATE messages SET compose_cycle = -1 WHERE message_id = 0"),
                Names("messages", "compose_cycle", "message_id = 0", "-1", "0"));
    EXPECT_THAT(fault_after("UPDATE messages SET compose_cycle = 70 WHERE parent_message_id = 0"),
                Names("messages", "parent_message_id", "message_id = 1099511627776", "0",
                      "source_node", "compose_cycle", "NULL"));
    EXPECT_THAT(fault_after("UPDATE core_intervals SET end_cycle = 55 WHERE node = 0 AND "
                            "begin_cycle = 0"),
                Names("core_intervals", "node 0", "50", "55"));
}

TEST_F(ForeignTraceTest, SoDoTransactionsOfSharedMemory) {
    const std::filesystem::path path = file_of(HandMadeSharing(), "sharing.sqlite");
    EXPECT_EQ(load_trace(open_foreign_trace(path)).transactions.size(), 3);
    run_sql(path, "UPDATE transactions SET fill_cycle = 57 WHERE begin_cycle = 10");
    EXPECT_THAT(error_of([&] { static_cast<void>(open_foreign_trace(path)); }),
                Names("transactions", "fill_cycle",
                      "node = 0, begin_cycle = 10, line_address = 4096", "57", "reply_cycle"));
}

TEST_F(ForeignTraceTest, StatesHaveNames) {
    EXPECT_THAT(
        fault_after("UPDATE core_intervals SET state = 5 WHERE node = 0 AND begin_cycle = 0"),
        Names("core_intervals", "state", "node = 0, begin_cycle = 0", "5", "core_states"));
    EXPECT_THAT(fault_after("UPDATE core_states SET name = 'busy' WHERE state = 10"),
                Names("name", "state = 10", "'busy'", "'compute'", "'send'"));
}

}  // namespace
}  // namespace weir::experiments::trace
