#include "experiments/records/run_status.h"

#include <gtest/gtest.h>

namespace weir::experiments::records {
namespace {

TEST(RunStatusTest, AHeadlineDoesNotAnnounceTheListThatItLeavesOut) {
    EXPECT_EQ(headline_of("deadlock; waiting parts:\n  router_1 waits\n"),
              "deadlock; waiting parts");
    EXPECT_EQ(headline_of("wrong answer"), "wrong answer");
    EXPECT_EQ(headline_of(""), "");
}

}  // namespace
}  // namespace weir::experiments::records
