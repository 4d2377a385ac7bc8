#include "experiments/models/logp/testing/abstract_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::experiments::models {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr LogpMachine kMachine = {
    .latency_cycles = 6.0, .overhead_cycles = 2.0, .gap_cycles = 4.0, .processors = 3};

// Each test keeps a rule of the machine exactly, and then breaks it by one cycle.
TEST(AbstractMachine, TakesAMessageOLAfterItsSendAndNotACycleEarlier) {
    EXPECT_THAT(broken_rules(kMachine, {{0, 1, 0.0, 8.0}}), IsEmpty());
    EXPECT_THAT(broken_rules(kMachine, {{0, 1, 0.0, 7.0}}),
                ElementsAre(HasSubstr("taken before it arrives")));
}

TEST(AbstractMachine, KeepsTheGapBetweenSendsAndBetweenReceptions) {
    EXPECT_THAT(broken_rules(kMachine, {{0, 1, 0.0, 8.0}, {0, 2, 4.0, 12.0}}), IsEmpty());
    EXPECT_THAT(broken_rules(kMachine, {{0, 1, 0.0, 8.0}, {0, 2, 3.0, 11.0}}),
                ElementsAre(HasSubstr("sends again")));
    EXPECT_THAT(broken_rules(kMachine, {{0, 2, 0.0, 8.0}, {1, 2, 0.0, 12.0}}), IsEmpty());
    EXPECT_THAT(broken_rules(kMachine, {{0, 2, 0.0, 8.0}, {1, 2, 0.0, 11.0}}),
                ElementsAre(HasSubstr("receives again")));
}

TEST(AbstractMachine, DoesOneThingAtATimeOnAProcessor) {
    EXPECT_THAT(broken_rules(kMachine, {{0, 1, 0.0, 8.0}}, {{1, 0.0, 8.0}, {1, 10.0, 12.0}}),
                IsEmpty());
    EXPECT_THAT(broken_rules(kMachine, {{0, 1, 0.0, 8.0}}, {{1, 9.0, 12.0}}),
                ElementsAre(HasSubstr("two things")));
}

TEST(AbstractMachine, HasRoomForCeilingOfLByGMessagesToAProcessor) {
    // Capacity ceil(6/4) = 2: a third message must wait until one of the first two has arrived.
    const LogpMachine four = {
        .latency_cycles = 6.0, .overhead_cycles = 2.0, .gap_cycles = 4.0, .processors = 4};
    EXPECT_THAT(broken_rules(four, {{0, 3, 0.0, 8.0}, {1, 3, 0.0, 12.0}, {2, 3, 6.0, 16.0}}),
                IsEmpty());
    EXPECT_THAT(broken_rules(four, {{0, 3, 0.0, 8.0}, {1, 3, 0.0, 12.0}, {2, 3, 5.0, 16.0}}),
                ElementsAre(HasSubstr("more messages")));
}

TEST(AbstractMachine, RunsOneMessageInTwoOverheadsAndALatency) {
    EXPECT_EQ(run_sends(kMachine, {{1}, {}, {}}, Arbitration::kLongestWaiting), 10);
    EXPECT_EQ(run_sends(kMachine, {{1, 1, 1}, {}, {}}, Arbitration::kLongestWaiting), 8 + 10);
}

}  // namespace
}  // namespace weir::experiments::models
