#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

TEST(Mm1Test, HalfLoadDoublesTheService) {
    const Asked mm1("mm1", {{"interarrival_cycles", 20.0}, {"service_cycles", 10.0}});
    EXPECT_DOUBLE_EQ(mm1["response_cycles"], 20.0);
}

TEST(Mm1Test, AFullServerIsRefused) {
    EXPECT_THAT(model_refusal("mm1", {{"interarrival_cycles", 10.0}, {"service_cycles", 10.0}}),
                weir::testing::Names("service_cycles", "interarrival_cycles"));
}

}  // namespace
}  // namespace weir::experiments::models
