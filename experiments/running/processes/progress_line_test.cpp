#include "experiments/running/processes/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/running/processes/time_left.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

std::string seed_name(std::size_t index) { return "remap, seed " + std::to_string(index + 1); }

TEST(ProgressLineTest, SaysHowFarItIsWhatRunsAndHowLongItTakesStill) {
    EXPECT_THAT(
        ProgressLine::text({.count = 48, .ended = 12, .share_done = 0.25}, 0, 90.0, seed_name),
        Names("12", "48", "25 %", "1:30"));
    EXPECT_THAT(ProgressLine::text({.count = 48,
                                    .ended = 12,
                                    .share_done = 0.509,
                                    .simulated_cycles = 30'240'000,
                                    .running = {{.index = 12}, {.index = 13}}},
                                   2, 9.0, seed_name),
                Names("12", "48", "2", "50 %", "30.2 M", "0:09", seed_name(12), "1"));
    EXPECT_THAT(ProgressLine::text(
                    {.count = 1, .share_done = 1.0, .running = {{.index = 0, .share_done = 1.0}}},
                    0, std::nullopt, seed_name),
                Names("0", "1", "99 %", "measuring", seed_name(0)));
    EXPECT_THAT(
        ProgressLine::text({.count = 4, .ended = 1, .share_done = 0.25}, 0, 10'800.0, seed_name),
        Names("1", "4", "25 %", "3:00:00"));
}

TEST(ProgressLineTest, BeforeAnythingIsDoneItGuessesNothing) {
    TimeLeft left;
    const PoolProgress begin{.count = 4, .seconds = 10, .running = {{0, 0.01, 10.0}}};
    EXPECT_EQ(left.after(begin), std::nullopt);
    EXPECT_THAT(ProgressLine::text(begin, 0, std::nullopt, seed_name),
                AllOf(Names("0", "4", "0 %", seed_name(0)), Not(HasSubstr(":"))));
    EXPECT_THAT(ProgressLine::text({.count = 4, .ended = 4, .share_done = 1}, 0, 0.0, seed_name),
                AllOf(Names("4", "4", "100 %"), Not(HasSubstr(":"))));
}

TEST(ProgressLineTest, ALineFitsIntoTheTerminal) {
    EXPECT_EQ(ProgressLine::cut("8 × 4 mesh", 10), "8 × 4 mesh");
    EXPECT_EQ(ProgressLine::cut("8 × 4 mesh", 9), "8 × 4 me…");
    EXPECT_EQ(ProgressLine::cut("8 × 4 mesh", 3), "8 …");
}

TEST(TimeLeftTest, OneRunLastsAsLongAsItsShareSays) {
    TimeLeft left;
    EXPECT_DOUBLE_EQ(left.after({.count = 1, .running = {{0, 0.25, 10.0}}}).value(), 30.0);
    EXPECT_DOUBLE_EQ(left.after({.count = 1, .running = {{0, 0.5, 20.0}}}).value(), 20.0);
}

TEST(TimeLeftTest, RunsThatWaitLastAsLongAsThoseThatEnded) {
    TimeLeft left;
    // Two of ten pieces have ended after 4 s each; two run and are half done; six wait for two
    // workers.
    EXPECT_DOUBLE_EQ(left.after({.count = 10,
                                 .ended = 2,
                                 .ended_seconds = 8.0,
                                 .workers = 2,
                                 .running = {{2, 0.5, 2.0}, {3, 0.5, 2.0}}})
                         .value(),
                     (6 * 4.0 + 2 * 2.0) / 2);
}

TEST(TimeLeftTest, NoShorterThanTheRunThatLastsLongest) {
    TimeLeft left;
    EXPECT_DOUBLE_EQ(
        left.after({.count = 2, .workers = 2, .running = {{0, 0.1, 10.0}, {1, 0.5, 10.0}}}).value(),
        90.0);
}

TEST(TimeLeftTest, DoesNotGrow) {
    TimeLeft left;
    EXPECT_DOUBLE_EQ(left.after({.count = 1, .running = {{0, 0.5, 10.0}}}).value(), 10.0);
    EXPECT_DOUBLE_EQ(left.after({.count = 1, .running = {{0, 0.5, 15.0}}}).value(), 10.0);
    EXPECT_EQ(left.after({.count = 1, .running = {{0, 0.5, 30.0}}}), std::nullopt)
        << "what was said was far off, and is said no more";
    EXPECT_DOUBLE_EQ(left.after({.count = 1, .running = {{0, 0.9, 36.0}}}).value(), 4.0);
}

}  // namespace
}  // namespace weir::experiments::running
