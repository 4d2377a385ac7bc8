#include "experiments/trace/measurements/round_trip_breakdown.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using weir::testing::Names;

class RoundTripBreakdownTest : public TraceTest {
  protected:
    static RoundTripBreakdown measure(const std::filesystem::path& path, CycleWindow window = {}) {
        return round_trip_breakdown(read_trace(path), window);
    }
    static std::string error_of_measuring(const std::filesystem::path& path) {
        return error_of([&] { measure(path); });
    }
    static std::vector<std::string> totals(const RoundTripBreakdown& breakdown) {
        std::vector<std::string> found;
        for (const RoundTripBreakdown::Part& part : breakdown.parts) {
            found.push_back(part.name + " " + std::to_string(part.total.count()));
        }
        return found;
    }
};

TEST_F(RoundTripBreakdownTest, EveryCycleOfARoundTripHasAPart) {
    // The window contains the second of three iterations: from the end of the first reply's handler
    // at 200 to 450.
    const auto breakdown = measure(hand_made_file(), {hw::Cycles(0), hw::Cycles(451)});
    EXPECT_EQ(breakdown.iterations, 1);
    EXPECT_EQ(breakdown.total, hw::Cycles(250));
    EXPECT_THAT(
        totals(breakdown),
        ElementsAre("compute 70", "wait 0", "request_send 9", "interference 30",
                    "request_network_unloaded 8", "request_network_contention 3",
                    "request_notify 10", "request_queueing 0", "request_handler 30",
                    "reply_send 12", "reply_network_unloaded 8", "reply_network_contention 0",
                    "reply_notify 10", "reply_queueing 0", "reply_handler 60"));
}

TEST_F(RoundTripBreakdownTest, AnInterruptedAndBlockedSendIsSplitBetweenSendAndInterference) {
    const auto breakdown = measure(hand_made_file(), {hw::Cycles(700), hw::Cycles(701)});
    EXPECT_EQ(breakdown.iterations, 1);
    EXPECT_EQ(breakdown.total, hw::Cycles(250));
    EXPECT_THAT(
        totals(breakdown),
        ElementsAre("compute 40", "wait 10", "request_send 18", "interference 30",
                    "request_network_unloaded 8", "request_network_contention 4",
                    "request_notify 10", "request_queueing 5", "request_handler 30",
                    "reply_send 12", "reply_network_unloaded 8", "reply_network_contention 2",
                    "reply_notify 10", "reply_queueing 3", "reply_handler 60"));
}

TEST_F(RoundTripBreakdownTest, WaitingForDmaIsWaitAndAnOverflowIsInterference) {
    // The trace of the previous test, but the interrupt precedes the first 20 cycles of
    // computation.
    const auto path = hand_made_file();
    run_sql(path, fmt::format("UPDATE core_intervals SET state = {} "
                              "WHERE node = 0 AND begin_cycle = 450; "
                              "UPDATE core_intervals SET state = {}, message_id = NULL "
                              "WHERE node = 0 AND begin_cycle = 503",
                              number_of(hw::CoreState::kDma), number_of(hw::CoreState::kTrap)));
    const auto breakdown = measure(path, {hw::Cycles(700), hw::Cycles(701)});
    EXPECT_EQ(breakdown.total, hw::Cycles(250));
    const auto parts = totals(breakdown);
    EXPECT_EQ(parts[0], "compute 20");
    EXPECT_EQ(parts[1], "wait 30");
    EXPECT_EQ(parts[2], "request_send 18");
    EXPECT_EQ(parts[3], "interference 30");
}

TEST_F(RoundTripBreakdownTest, TheMeansAreOverAllRoundTripsButEachNodesFirst) {
    const auto breakdown = measure(hand_made_file());
    EXPECT_EQ(breakdown.iterations, 2);
    EXPECT_DOUBLE_EQ(breakdown.mean_cycles, 250);
    hw::Cycles sum;
    for (const RoundTripBreakdown::Part& part : breakdown.parts) {
        sum += part.total;
    }
    EXPECT_EQ(sum, breakdown.total);
    EXPECT_EQ(breakdown.parts[2].name, "request_send");
    EXPECT_DOUBLE_EQ(breakdown.parts[2].mean_cycles, 13.5);
}

TEST_F(RoundTripBreakdownTest, ATraceWithoutRoundTripsHasNone) {
    const auto breakdown = measure(hand_made_file(), {hw::Cycles(0), hw::Cycles(450)});
    EXPECT_EQ(breakdown.iterations, 0);
    EXPECT_EQ(breakdown.mean_cycles, 0);
    EXPECT_EQ(breakdown.parts.size(), 15);
    EXPECT_EQ(breakdown.parts[0].mean_cycles, 0);
}

TEST_F(RoundTripBreakdownTest, AWindowedTraceLeavesOutItsOwnFirstRoundTrip) {
    // Without the messages launched before cycle 300, the iteration that ends at 450 is the node's
    // first.
    const CycleWindow stored{hw::Cycles(300), hw::kNever};
    const auto breakdown = measure(hand_made_file("trace.sqlite", stored));
    EXPECT_EQ(breakdown.iterations, 1);
    EXPECT_EQ(breakdown.parts[0].total, hw::Cycles(40));
}

TEST_F(RoundTripBreakdownTest, MeasuringTwiceGivesTheSame) {
    const Trace trace = read_trace(hand_made_file());
    EXPECT_EQ(totals(round_trip_breakdown(trace)), totals(round_trip_breakdown(trace)));
}

TEST_F(RoundTripBreakdownTest, AReplyStillOnItsWayIsNoRoundTripYet) {
    const auto path = hand_made_file();
    run_sql(path,
            "UPDATE messages SET handler_end_cycle = NULL WHERE source_node = 1 AND sequence = 4");
    EXPECT_EQ(measure(path).iterations, 1);
}

TEST_F(RoundTripBreakdownTest, AMessageForwardedToAThirdNodeIsNoReply) {
    const auto path = hand_made_file();
    run_sql(path,
            "UPDATE messages SET destination_node = 2 WHERE source_node = 1 AND sequence = 4");
    EXPECT_EQ(measure(path).iterations, 1);
}

TEST_F(RoundTripBreakdownTest, ACorruptIntervalIsFoundByTheSum) {
    const auto path = hand_made_file();
    run_sql(path, "UPDATE core_intervals SET end_cycle = 229 WHERE node = 0 AND begin_cycle = 200");
    EXPECT_THAT(error_of_measuring(path),
                AllOf(HasSubstr(path.string()), Names("message 1", "node 0", "message 2", "node 1",
                                                      "200", "450", "250", "249")));
}

TEST_F(RoundTripBreakdownTest, AnOverlapOfIntervalsIsFoundByTheSum) {
    const auto path = hand_made_file();
    run_sql(path, fmt::format("INSERT INTO core_intervals VALUES (0, 485, 487, {}, 9)",
                              number_of(hw::CoreState::kHandler)));
    EXPECT_THAT(error_of_measuring(path), Names("message 2", "node 0", "252"));
}

TEST_F(RoundTripBreakdownTest, AMissingIntervalIsFoundByTheSum) {
    const auto path = hand_made_file();
    run_sql(path, "DELETE FROM core_intervals WHERE node = 0 AND begin_cycle = 470");
    EXPECT_THAT(error_of_measuring(path), Names("240"));
}

TEST_F(RoundTripBreakdownTest, AMissingTimeStampIsFoundByTheSum) {
    const auto path = hand_made_file();
    run_sql(path, "UPDATE messages SET notify_cycle = NULL WHERE source_node = 1 AND sequence = 4");
    EXPECT_THAT(error_of_measuring(path), Names("message 2", "node 0", "missing"));
}

TEST_F(RoundTripBreakdownTest, MissingCoreIntervalsAreAnError) {
    const auto path = hand_made_file();
    run_sql(path, "DELETE FROM core_intervals WHERE node = 0");
    EXPECT_THAT(error_of_measuring(path), Names("intervals", "node 0"));
    run_sql(path, "DELETE FROM core_intervals");
    EXPECT_THAT(error_of_measuring(path), Names("intervals", "node 0"));
}

TEST_F(RoundTripBreakdownTest, TwoRepliesToOneRequestAreAnError) {
    const auto path = hand_made_file();
    run_sql(path,
            "UPDATE messages SET parent_message_id = 1 WHERE source_node = 1 AND sequence = 3");
    EXPECT_THAT(error_of_measuring(path), Names("message 1", "node 0", "2 replies"));
}

// The second request's handler forwards it at 340 to node 1 itself, where it arrives at 350. The
// forwarded message is handled from 355 on, and its handler replies.
TEST_F(RoundTripBreakdownTest, ARequestThatIsHandedOnIsTheSumOfItsVisits) {
    const auto path = hand_made_file();
    run_sql(path,
            "CREATE TEMP TABLE further AS SELECT * FROM messages WHERE source_node = 0 AND "
            "sequence = 1;"
            "UPDATE further SET parent_message_id = message_id, message_id = (1 << 40) + 50, "
            "source_node = 1, sequence = 50, compose_cycle = 332, launch_cycle = 340, "
            "header_arrival_cycle = 350, notify_cycle = 353, handler_begin_cycle = 355;"
            "INSERT INTO messages SELECT * FROM further;"
            "UPDATE messages SET parent_message_id = (1 << 40) + 50 WHERE source_node = 1 AND "
            "sequence = 2");
    const auto breakdown = measure(path, {hw::Cycles(0), hw::Cycles(451)});
    EXPECT_EQ(breakdown.iterations, 1);
    EXPECT_EQ(breakdown.total, hw::Cycles(250));
    EXPECT_THAT(
        totals(breakdown),
        ElementsAre("compute 70", "wait 0", "request_send 9", "interference 30",
                    "request_network_unloaded 16", "request_network_contention 5",
                    "request_notify 13", "request_queueing 2", "request_handler 15",
                    "reply_send 12", "reply_network_unloaded 8", "reply_network_contention 0",
                    "reply_notify 10", "reply_queueing 0", "reply_handler 60"));
}

TEST_F(RoundTripBreakdownTest, RoundTripsThatOverlapAreAnError) {
    const auto path = hand_made_file();
    run_sql(path, "UPDATE messages SET launch_cycle = 449 WHERE source_node = 0 AND sequence = 2");
    EXPECT_THAT(error_of_measuring(path), Names("message 2", "node 0", "449", "450"));
}

}  // namespace
}  // namespace weir::experiments::trace
