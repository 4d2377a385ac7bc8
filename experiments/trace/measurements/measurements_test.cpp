#include "experiments/trace/measurements/measurements.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using weir::testing::Names;

class MeasurementsTest : public TraceTest {
  protected:
    static void expect_summary(const Summary& summary, std::int64_t count, double mean,
                               std::int64_t minimum, std::int64_t maximum) {
        EXPECT_EQ(summary.count, count);
        EXPECT_DOUBLE_EQ(summary.mean_cycles, mean);
        EXPECT_EQ(summary.minimum, hw::Cycles(minimum));
        EXPECT_EQ(summary.maximum, hw::Cycles(maximum));
    }
};

TEST_F(MeasurementsTest, LogpParametersOfEveryNumberOfArguments) {
    const auto parameters = logp_parameters(read_trace(hand_made_file()));
    ASSERT_EQ(parameters.size(), 2);

    const LogpParameters& null_message = parameters[0];
    EXPECT_EQ(null_message.argument_words, 0);
    EXPECT_EQ(null_message.message_bytes, hw::Bytes(8));
    EXPECT_EQ(null_message.messages, 5);
    EXPECT_EQ(null_message.interrupted_sends, 1);
    expect_summary(null_message.send_overhead, 4, (9 + 10 + 9 + 9) / 4.0, 9, 10);
    expect_summary(null_message.receive_overhead, 5, (70 + 30 + 70 + 30 + 70) / 5.0, 30, 70);
    expect_summary(null_message.receive_overhead_without_sends, 5, (58 + 30 + 58 + 30 + 58) / 5.0,
                   30, 58);
    expect_summary(null_message.latency, 5, (18 + 18 + 21 + 18 + 22) / 5.0, 18, 22);
    EXPECT_DOUBLE_EQ(null_message.mean_latency_without_hops_cycles, 97 / 5.0 - 1);
    EXPECT_DOUBLE_EQ(null_message.mean_unloaded_latency_cycles, 18);

    const LogpParameters& one_argument = parameters[1];
    EXPECT_EQ(one_argument.argument_words, 1);
    EXPECT_EQ(one_argument.message_bytes, hw::Bytes(12));
    EXPECT_EQ(one_argument.messages, 3);
    EXPECT_EQ(one_argument.interrupted_sends, 0);
    expect_summary(one_argument.send_overhead, 3, 12, 12, 12);
    expect_summary(one_argument.receive_overhead, 3, (58 + 60 + 60) / 3.0, 58, 60);
    expect_summary(one_argument.receive_overhead_without_sends, 3, (58 + 60 + 60) / 3.0, 58, 60);
    expect_summary(one_argument.latency, 3, (20 + 18 + 20) / 3.0, 18, 20);
}

TEST_F(MeasurementsTest, TheWindowTakesMessagesWhoseHandlingEndedInsideIt) {
    // Handlers end in cycles 150, 200, 260, 400, 450, ...
    const Trace trace = read_trace(hand_made_file());
    const auto parameters = logp_parameters(trace, {hw::Cycles(200), hw::Cycles(400)});
    ASSERT_EQ(parameters.size(), 2);
    EXPECT_EQ(parameters[0].messages, 1);
    expect_summary(parameters[0].send_overhead, 1, 10, 10, 10);
    EXPECT_EQ(parameters[1].messages, 1);
    expect_summary(parameters[1].receive_overhead, 1, 58, 58, 58);
    EXPECT_THAT(logp_parameters(trace, {hw::Cycles(701), hw::Cycles(800)}), IsEmpty());
}

TEST_F(MeasurementsTest, LatenciesOfAllShortMessages) {
    const Trace trace = read_trace(hand_made_file());
    // Latencies in increasing order: 18, 18, 18, 18, 20, 20, 21, 22.
    const network::CycleHistogram all = latencies(trace);
    EXPECT_EQ(all.count(), 8);
    EXPECT_EQ(all.percentile(50), 18);
    EXPECT_EQ(all.percentile(75), 20);
    EXPECT_EQ(all.percentile(95), 22);
    EXPECT_EQ(all.largest(), 22);
    // Latencies of messages handled from cycle 300 on: 18, 18, 20, 21, 22.
    const network::CycleHistogram warm = latencies(trace, {hw::Cycles(300), hw::kNever});
    EXPECT_EQ(warm.count(), 5);
    EXPECT_EQ(warm.percentile(50), 20);
}

TEST_F(MeasurementsTest, AMessageWithMoreBytesThanItsWordsIsCountedApart) {
    const auto path = hand_made_file();
    run_sql(path,
            "UPDATE messages SET message_bytes = 1032 WHERE source_node = 1 AND sequence = 1");
    const auto parameters = logp_parameters(read_trace(path));
    ASSERT_EQ(parameters.size(), 3);
    EXPECT_EQ(parameters[0].messages, 4);
    EXPECT_EQ(parameters[1].argument_words, 0);
    EXPECT_EQ(parameters[1].message_bytes, hw::Bytes(1032));
    EXPECT_EQ(parameters[1].messages, 1);
}

TEST_F(MeasurementsTest, AHandlerThatTouchesASendDoesNotInterruptIt) {
    // A send from cycle 300 to 309 between two handlers: one begins at 260, the other ends at 390.
    const auto path = hand_made_file();
    const auto interrupted_sends = [&](int handler_end, int handler_begin) {
        run_sql(path, fmt::format("DELETE FROM core_intervals "
                                  "WHERE node = 0 AND begin_cycle BETWEEN 260 AND 389; "
                                  "INSERT INTO core_intervals VALUES (0, 260, {0}, {2}, 9), "
                                  "(0, {0}, {1}, {3}, NULL), (0, {1}, 390, {2}, 9)",
                                  handler_end, handler_begin, number_of(hw::CoreState::kHandler),
                                  number_of(hw::CoreState::kSend)));
        return logp_parameters(read_trace(path))[0].interrupted_sends - 1;
    };
    EXPECT_EQ(interrupted_sends(300, 309), 0);
    EXPECT_EQ(interrupted_sends(301, 309), 1);
    EXPECT_EQ(interrupted_sends(300, 308), 1);
}

TEST_F(MeasurementsTest, AnOverflowTrapInterruptsASendToo) {
    const auto path = hand_made_file();
    run_sql(path, fmt::format("UPDATE core_intervals SET state = {}, message_id = NULL "
                              "WHERE node = 0 AND begin_cycle = 503",
                              number_of(hw::CoreState::kTrap)));
    const auto parameters = logp_parameters(read_trace(path));
    EXPECT_EQ(parameters[0].interrupted_sends, 1);
    EXPECT_EQ(parameters[0].send_overhead.count, 4);
}

TEST_F(MeasurementsTest, MessagesWithABodyHaveNoLogpParameters) {
    const auto path = file_of(HandMadeLongMessages());
    const auto parameters = logp_parameters(read_trace(path));
    ASSERT_EQ(parameters.size(), 1);
    EXPECT_EQ(parameters[0].message_bytes, hw::Bytes(8));
    EXPECT_EQ(parameters[0].messages, 2);
    expect_summary(parameters[0].receive_overhead, 2, (50 + 20) / 2.0, 20, 50);
    EXPECT_EQ(latencies(read_trace(path)).count(), 2);
    // The core intervals of the senders are not needed either.
    run_sql(path, "DELETE FROM core_intervals WHERE node = 0");
    EXPECT_EQ(logp_parameters(read_trace(path)).size(), 1);
}

TEST_F(MeasurementsTest, AllSendsInterruptedLeaveNoSendOverhead) {
    const Trace trace = read_trace(hand_made_file());
    const auto parameters = logp_parameters(trace, {hw::Cycles(645), hw::Cycles(646)});
    ASSERT_EQ(parameters.size(), 1);
    EXPECT_EQ(parameters[0].interrupted_sends, 1);
    expect_summary(parameters[0].send_overhead, 0, 0, 0, 0);
}

TEST_F(MeasurementsTest, LogpParametersWithoutASendersIntervalsAreAnError) {
    const auto path = hand_made_file();
    run_sql(path, "DELETE FROM core_intervals WHERE node = 1");
    EXPECT_THAT(error_of([&] { logp_parameters(read_trace(path)); }),
                AllOf(HasSubstr(path.string()), Names("intervals", "node 1")));
}

TEST_F(MeasurementsTest, GapsAtSendersAndReceivers) {
    const Gaps measured = gaps(read_trace(hand_made_file()));
    expect_summary(measured.sender, 6, (250 + 239 + 77 + 173 + 107 + 138) / 6.0, 77, 250);
    expect_summary(measured.receiver, 6, (88 + 160 + 113 + 137 + 250 + 245) / 6.0, 88, 250);

    ASSERT_EQ(measured.sender_by_node.size(), 2);
    EXPECT_EQ(measured.sender_by_node[0].node, hw::NodeId(0));
    expect_summary(measured.sender_by_node[0].gap, 2, 244.5, 239, 250);
    EXPECT_EQ(measured.sender_by_node[1].node, hw::NodeId(1));
    expect_summary(measured.sender_by_node[1].gap, 4, 123.75, 77, 173);
    ASSERT_EQ(measured.receiver_by_node.size(), 2);
    expect_summary(measured.receiver_by_node[0].gap, 4, 124.5, 88, 160);
    expect_summary(measured.receiver_by_node[1].gap, 2, 247.5, 245, 250);
}

TEST_F(MeasurementsTest, AGapInTheWindowReachesBackToItsTruePredecessor) {
    // Node 1 launches at 122, 199 and 372; only the last message is handled inside the window.
    const Gaps measured = gaps(read_trace(hand_made_file()), {hw::Cycles(450), hw::Cycles(451)});
    expect_summary(measured.sender, 1, 173, 173, 173);
    expect_summary(measured.receiver, 1, 160, 160, 160);
}

TEST_F(MeasurementsTest, CoreStatesAreSharedOutToTheLastCycle) {
    const auto shares = core_state_share(read_trace(hand_made_file()));
    std::vector<std::string> found;
    hw::Cycles node_0;
    for (const CoreStateShare& share : shares) {
        if (share.node == hw::NodeId(0)) {
            found.push_back(share.state + " " + std::to_string(share.total.count()));
            EXPECT_DOUBLE_EQ(share.share, static_cast<double>(share.total.count()) / 800);
            node_0 += share.total;
        }
    }
    EXPECT_THAT(found, ElementsAre("compute 171", "send 40", "blocked 5", "wait 266", "handler 238",
                                   "done 80"));
    EXPECT_EQ(node_0, hw::Cycles(800));
}

TEST_F(MeasurementsTest, TheWindowCutsCoreIntervals) {
    const auto shares =
        core_state_share(read_trace(hand_made_file()), {hw::Cycles(140), hw::Cycles(205)});
    std::vector<std::string> found;
    found.reserve(shares.size());
    for (const CoreStateShare& share : shares) {
        found.push_back(std::to_string(share.node.index()) + " " + share.state + " " +
                        std::to_string(share.total.count()));
    }
    EXPECT_THAT(found, ElementsAre("0 compute 5", "0 wait 2", "0 handler 58", "1 compute 45",
                                   "1 send 10", "1 handler 10"));
    EXPECT_DOUBLE_EQ(shares[2].share, 58.0 / 65);
}

TEST_F(MeasurementsTest, MarksAreFoundFirstAndLast) {
    const Trace trace = read_trace(hand_made_file());
    const auto trips = mark_spans(trace, "round_trip");
    ASSERT_EQ(trips.size(), 1);
    EXPECT_EQ(trips[0].node, hw::NodeId(0));
    EXPECT_EQ(trips[0].occurrences, 3);
    EXPECT_EQ(trips[0].first, hw::Cycles(200));
    EXPECT_EQ(trips[0].last, hw::Cycles(700));
    EXPECT_EQ(mark_spans(trace, "start").size(), 2);
    EXPECT_THAT(mark_names(trace), ElementsAre("round_trip", "start"));
}

TEST_F(MeasurementsTest, AMarkThatIsNotThereIsAnErrorThatNamesTheOthers) {
    const Trace trace = read_trace(hand_made_file());
    EXPECT_THAT(error_of([&] { mark_spans(trace, "stop"); }),
                Names("'stop'", "round_trip", "start"));
}

}  // namespace
}  // namespace weir::experiments::trace
