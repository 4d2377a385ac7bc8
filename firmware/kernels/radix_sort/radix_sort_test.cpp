#include "firmware/kernels/radix_sort/radix_sort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

class RadixSortTest : public ::testing::Test {
  protected:
    RadixSortTest() {
        bench_.set_dimensions({3, 2});
        bench_.set_workload("keys", std::int64_t{120});
        bench_.set_workload("key_bits", std::int64_t{12});
    }
    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    firmware::testing::KernelBench bench_{"radix-sort"};
};

TEST_F(RadixSortTest, AnOddNumberOfPasses) { run(); }

TEST_F(RadixSortTest, AnEvenNumberOfPasses) {
    bench_.set_workload("radix_bits", std::int64_t{6});
    run();
}

TEST_F(RadixSortTest, KeysThatAreAllAlike) {
    bench_.set_workload("key_bits", std::int64_t{1});
    bench_.set_workload("radix_bits", std::int64_t{1});
    run();
}

// A node that has ended a pass sends its counts of the next pass to nodes that still read counts of
// this pass. With few keys, many nodes get no key from a slower node, so they do not wait for it.
TEST_F(RadixSortTest, CountsOfTheNextPassComeBeforeThisOneIsThrough) {
    for (const std::int64_t keys : {6, 12, 24, 48}) {
        for (const std::int64_t digit_cycles : {0, 5, 50, 200}) {
            const std::string outcome = hw::testing::result_of_separate_run([keys, digit_cycles] {
                firmware::testing::KernelBench bench("radix-sort");
                bench.set_dimensions({3, 2});
                bench.set_workload("keys", keys);
                bench.set_workload("digit_cycles", digit_cycles);
                bench.load();
                return bench.run() == nodes::RunEnd::kFinished ? bench.check().value_or("right")
                                                               : "not finished";
            });
            EXPECT_EQ(outcome, "right") << keys << " keys, " << digit_cycles << " cycles a digit";
        }
    }
}

TEST_F(RadixSortTest, AWrongKeyIsSeen) {
    run();
    bench_.flip_bit(4, 20 * 4 + 7 * 4);  // after three passes, keys are in the second area
    EXPECT_THAT(bench_.check().value_or(""), Names("key 87", "node 4"));
}

TEST_F(RadixSortTest, SizesThatDoNotDivideAreRefused) {
    bench_.set_workload("keys", std::int64_t{121});
    EXPECT_THAT(bench_.fault_of_data(), Names("121", "6", "nodes"));
    bench_.set_workload("key_bits", std::int64_t{13});
    const auto fault = bench_.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(fault->found, Names("13", "digits", "4"));
}

}  // namespace
}  // namespace weir::firmware
