#include "firmware/kernels/goal/goal_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "firmware/kernel.h"
#include "hw/input_limits.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using Kind = GoalOperation::Kind;
using weir::testing::Names;

GoalSchedule read(const std::string& text) {
    hw::testing::note_seed("goal", text);
    return parse_goal(text, "a.goal");
}

std::string refusal(const std::string& text) {
    try {
        read(text);
    } catch (const InputFault& fault) {
        return fault.what();
    }
    return "accepted";
}

TEST(GoalScheduleTest, OperationsAndRequirements) {
    const GoalSchedule schedule = read(
        "/* two\nranks */ num_ranks 2\n"
        "rank 1 { // the receiver\nl1: recv 16 b from -1 tag -1 cpu 0 nic 0\nl2: calc 7 cpu 0\n"
        "l2 irequires l1\n}\r\n"
        "rank 0 {\ncalc 100\na_1: send 16b to 1 tag 5\nb: send 8b to 1\nb requires a_1\n}");
    ASSERT_EQ(schedule.size(), 2U);
    EXPECT_EQ(schedule[0][1].kind, Kind::kSend);
    EXPECT_EQ(schedule[0][1].amount, 16);
    EXPECT_EQ(schedule[0][1].peer, 1);
    EXPECT_EQ(schedule[0][1].tag, 5);
    EXPECT_EQ(schedule[0][1].after_end, std::vector<std::size_t>{2});
    EXPECT_EQ(schedule[0][2].conditions, 1U);
    EXPECT_EQ(schedule[0][2].tag, 0);
    EXPECT_EQ(schedule[1][0].kind, Kind::kReceive);
    EXPECT_EQ(schedule[1][0].peer, GoalOperation::kAny);
    EXPECT_EQ(schedule[1][0].tag, GoalOperation::kAny);
    EXPECT_EQ(schedule[1][0].after_start, std::vector<std::size_t>{1});
    EXPECT_EQ(schedule[1][1].amount, 7);
}

TEST(GoalScheduleTest, ARankMayHaveNoOperations) {
    EXPECT_TRUE(read("num_ranks 3\nrank 2 { }").at(0).empty());
}

TEST(GoalScheduleTest, RefusesWithLineAndColumn) {
    const std::string head = "num_ranks 2\nrank 0 {\n";
    EXPECT_THAT(refusal(""), Names("a.goal:1:1", "end of the file", "num_ranks"));
    EXPECT_THAT(refusal("num_ranks 0\n"), Names("a.goal:1:11", "\"0\"", "1"));
    EXPECT_THAT(refusal("num_ranks 99999999999999999999\n"), Names("a.goal:1:11", "16384"));
    EXPECT_THAT(refusal("num_ranks 2\nrank 2 {\n}"), Names("a.goal:2:6", "\"2\"", "1"));
    EXPECT_THAT(refusal("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}"), Names("a.goal:4:6", "second"));
    EXPECT_THAT(refusal(head), Names("a.goal:3:1", "end of the file", "calc"));
    EXPECT_THAT(refusal(head + "clac 5\n}"), Names("a.goal:3:1", "clac", "calc"));
    EXPECT_THAT(refusal(head + "calc -5\n}"), Names("a.goal:3:6", "\"-\"", "whole number"));
    EXPECT_THAT(refusal(head + "calc 5 }"), Names("a.goal:3:8", "\"}\"", "line"));
    EXPECT_THAT(refusal(head + "calc 5 cpu 1\n}"), Names("a.goal:3:12", "cpu", "0"));
    EXPECT_THAT(refusal(head + "send 5 to 1\n}"), Names("a.goal:3:8", "\"to\"", "b"));
    EXPECT_THAT(refusal(head + "send 5b from 1\n}"), Names("a.goal:3:9", "from", "to"));
    EXPECT_THAT(refusal(head + "send 5b to -1\n}"), Names("a.goal:3:12", "-1", "0"));
    EXPECT_THAT(refusal(head + "send 5b to 2\n}"), Names("a.goal:3:12", "\"2\"", "1"));
    EXPECT_THAT(refusal(head + "a requires b\n}"), Names("a.goal:3:1", "\"a\"", "label"));
    EXPECT_THAT(refusal(head + "a: calc 1\na: calc 2\n}"), Names("a.goal:4:1", "a", "once"));
    EXPECT_THAT(refusal(head + "/* calc 1\n}"), Names("a.goal:3:1", "comment", "*/"));
    EXPECT_THAT(refusal(head + "a: calc 1\nb: calc 2\na requires b\nb irequires a\n}"),
                Names("a.goal:2:6", "line 3", "circular"));
    EXPECT_THAT(refusal(std::string(hw::kGoalLimits.bytes + 1, ' ')), Names("a.goal", "bytes"));
}

}  // namespace
}  // namespace weir::firmware
