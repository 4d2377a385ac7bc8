#include "experiments/trace/measurements/program_times.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/trace/testing/hand_made_trace.h"

namespace weir::experiments::trace {
namespace {

class ProgramTimesTest : public TraceTest {
  protected:
    ProgramTimesTest() : times_(program_times(read_trace(hand_made_file()), 2)) {}

    [[nodiscard]] const TimedMessage& sent_at(int cycle) const {
        return *std::find_if(
            times_.messages.begin(), times_.messages.end(),
            [cycle](const TimedMessage& each) { return each.send_begin == hw::Cycles(cycle); });
    }

    ProgramTimes times_;
};

// The ninth message never arrives.
TEST_F(ProgramTimesTest, MessagesThatWereHandledHaveTheirFourTimes) {
    ASSERT_EQ(times_.messages.size(), 8);
    const TimedMessage& request = sent_at(50);
    EXPECT_EQ(request.send_end, hw::Cycles(59));
    EXPECT_EQ(request.handler_begin, hw::Cycles(80));
    EXPECT_EQ(request.handler_end, hw::Cycles(150));
    EXPECT_EQ(request.request, TimedMessage::kNone);
    EXPECT_EQ(request.reply_cycles, 12);
    EXPECT_EQ(&times_.messages[sent_at(110).request], &request);
    EXPECT_EQ(times_.sent_by_thread[0].size(), 3);
    EXPECT_EQ(times_.handled[0].size(), 5);
}

TEST_F(ProgramTimesTest, AHandlerDuringASendDisturbsBoth) {
    EXPECT_TRUE(sent_at(500).send_was_interrupted);
    EXPECT_TRUE(sent_at(466).interrupted_a_send);
    EXPECT_FALSE(sent_at(50).send_was_interrupted);
    EXPECT_FALSE(sent_at(110).interrupted_a_send);
}

// Ten mean handlers of 57.25 cycles are 572 cycles. Before node 0's handler of cycle 640, its other
// four took 58, 30, 60 and 30 cycles, all of them in this time.
TEST_F(ProgramTimesTest, LoadIsTheShareOfHandlersBefore) {
    EXPECT_EQ(sent_at(50).load, 0.0);
    EXPECT_NEAR(sent_at(605).load, (58 + 30 + 60 + 30) / 572.0, 0.02);
    EXPECT_FALSE(sent_at(605).waited_for_handler);
}

}  // namespace
}  // namespace weir::experiments::trace
