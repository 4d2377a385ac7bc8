#include "firmware/kernels/sample_sort/sample_sort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

class SampleSortTest : public ::testing::Test {
  protected:
    SampleSortTest() {
        bench_.set_dimensions({3, 2});
        bench_.set_workload("keys", std::int64_t{180});
    }
    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    firmware::testing::KernelBench bench_{"sample-sort"};
};

TEST_F(SampleSortTest, KeysAreSorted) { run(); }

TEST_F(SampleSortTest, OneSampleIsEnoughToBeRight) {
    bench_.set_workload("samples", std::int64_t{1});
    run();
}

TEST_F(SampleSortTest, AWrongKeyIsSeen) {
    run();
    // The sorted keys follow 30 keys, 48 samples, two times 6 counts and space for 180 keys.
    bench_.flip_bit(0, (30 + 48 + 12 + 180) * 4 + 3, 7);
    EXPECT_THAT(bench_.check().value_or(""), Names("key 0", "node 0"));
}

TEST_F(SampleSortTest, SizesThatDoNotFitAreRefused) {
    bench_.set_workload("keys", std::int64_t{181});
    EXPECT_THAT(bench_.fault_of_data(), Names("181", "6", "nodes"));
}

TEST_F(SampleSortTest, MoreSamplesThanKeysAreRefused) {
    bench_.set_workload("samples", std::int64_t{31});
    EXPECT_THAT(bench_.fault_of_data(), HasSubstr("workload.samples: found 31 of 30 keys"));
}

}  // namespace
}  // namespace weir::firmware
