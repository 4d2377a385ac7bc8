#include "experiments/running/sweeps/sweep_progress.h"

#include <gtest/gtest.h>

namespace weir::experiments::running {
namespace {

TEST(SweepProgressTest, SaysHowFarItIsAndHowLongItTakesStill) {
    EXPECT_EQ(SweepProgress::text({.count = 48, .ended = 12, .share_done = 0.25, .seconds = 30}, 0),
              "12 of 48 runs done, 25 %, 1:30 left");
    EXPECT_EQ(SweepProgress::text({.count = 48, .ended = 12, .share_done = 0.5, .seconds = 9}, 2),
              "12 of 48 runs done, 2 not ok, 50 %, 0:09 left");
    EXPECT_EQ(SweepProgress::text({.count = 4, .ended = 1, .share_done = 0.25, .seconds = 3600}, 0),
              "1 of 4 runs done, 25 %, 3:00:00 left");
}

TEST(SweepProgressTest, BeforeAnythingIsDoneItGuessesNothing) {
    EXPECT_EQ(SweepProgress::text({.count = 4, .seconds = 10}, 0), "0 of 4 runs done, 0 %");
    EXPECT_EQ(SweepProgress::text({.count = 4, .ended = 4, .share_done = 1, .seconds = 10}, 0),
              "4 of 4 runs done, 100 %");
}

}  // namespace
}  // namespace weir::experiments::running
