#include "experiments/running/processes/progress_line.h"

#include <gtest/gtest.h>

#include "experiments/running/processes/time_left.h"

namespace weir::experiments::running {
namespace {

std::string seed_name(std::size_t index) { return "remap, seed " + std::to_string(index + 1); }

TEST(ProgressLineTest, SaysHowFarItIsWhatRunsAndHowLongItTakesStill) {
    EXPECT_EQ(
        ProgressLine::text({.count = 48, .ended = 12, .share_done = 0.25}, 0, 90.0, seed_name),
        "12 of 48 runs done, 25 %, 1:30 left");
    EXPECT_EQ(ProgressLine::text({.count = 48,
                                  .ended = 12,
                                  .share_done = 0.509,
                                  .simulated_cycles = 30'240'000,
                                  .running = {{.index = 12}, {.index = 13}}},
                                 2, 9.0, seed_name),
              "12 of 48 runs done, 2 not ok, 50 %, 30.2 M cycles, 0:09 left; "
              "now remap, seed 13 and 1 more");
    EXPECT_EQ(ProgressLine::text(
                  {.count = 1, .share_done = 1.0, .running = {{.index = 0, .share_done = 1.0}}}, 0,
                  std::nullopt, seed_name),
              "0 of 1 runs done, 99 %; now measuring remap, seed 1");
    EXPECT_EQ(
        ProgressLine::text({.count = 4, .ended = 1, .share_done = 0.25}, 0, 10'800.0, seed_name),
        "1 of 4 runs done, 25 %, 3:00:00 left");
}

TEST(ProgressLineTest, BeforeAnythingIsDoneItGuessesNothing) {
    TimeLeft left;
    const PoolProgress begin{.count = 4, .seconds = 10, .running = {{0, 0.01, 10.0}}};
    EXPECT_EQ(left.after(begin), std::nullopt);
    EXPECT_EQ(ProgressLine::text(begin, 0, std::nullopt, seed_name),
              "0 of 4 runs done, 0 %; now remap, seed 1");
    EXPECT_EQ(ProgressLine::text({.count = 4, .ended = 4, .share_done = 1}, 0, 0.0, seed_name),
              "4 of 4 runs done, 100 %");
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
    // Two of ten have ended after 4 s each; two run, half done; six wait, for two workers.
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
