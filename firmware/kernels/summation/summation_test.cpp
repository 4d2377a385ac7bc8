#include "firmware/kernels/summation/summation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

const TreeMachine kFigure4{hw::Cycles(5), hw::Cycles(2), hw::Cycles(4), 8};

TEST(SummationScheduleTest, Figure4SumsSeventyNineValues) {
    const SummationPlan plan = optimal_summation(kFigure4, hw::Cycles(28));
    EXPECT_EQ(values_of(plan), 79);
    // The last child completes 5 + 2 * 2 + 1 before the root, each earlier child 4 cycles sooner.
    ASSERT_EQ(plan[0].children.size(), 4U);
    EXPECT_EQ(plan[0].children.back().node, 1);
    for (std::size_t i = 0; i + 1 < plan[0].children.size(); ++i) {
        // Cycles between two receptions that are free for own values: g - o - 1.
        EXPECT_EQ(plan[0].children[i].values_after, 1);
    }
    EXPECT_EQ(plan[0].children.back().values_after, 0);
}

TEST(SummationScheduleTest, AShortTimeLeavesNodesOut) {
    const SummationPlan plan =
        optimal_summation(kFigure4, hw::Cycles(12));  // a child would complete at 12 - 10 <= o
    EXPECT_EQ(plan[0].values_first, 13);
    EXPECT_TRUE(plan[0].children.empty());
    EXPECT_EQ(plan[1].parent, -1);
    EXPECT_EQ(values_of(optimal_summation(kFigure4, hw::Cycles(13))), 14 + 1);
}

TEST(SummationScheduleTest, ValuesThatDoNotDivideGoToTheFirstNodes) {
    const SummationPlan plan = even_summation(TreeKind::kBinary, kFigure4, 19);
    EXPECT_EQ(plan[2].values(), 3);
    EXPECT_EQ(plan[3].values(), 2);
    EXPECT_EQ(plan[3].parent, 1);
    EXPECT_EQ(values_of(plan), 19);
}

class SummationTest : public ::testing::Test {
  protected:
    // LogP's abstract machine, with the given parameters.
    void make(std::int64_t nodes, std::int64_t latency, std::int64_t overhead, std::int64_t gap) {
        bench_.make_abstract_machine(nodes, latency, overhead, gap);
        bench_.set_workload("tree_latency_cycles", latency);
        bench_.set_workload("tree_overhead_cycles", overhead);
        bench_.set_workload("tree_gap_cycles", gap);
    }
    std::int64_t run() {
        EXPECT_EQ(bench_.fault_of_run(), "");
        for (const auto& mark : bench_.trace.marks) {
            if (mark.name == kProgramEnds) {
                return mark.cycle.count();
            }
        }
        return -1;
    }
    firmware::testing::KernelBench bench_{"summation"};
};

TEST_F(SummationTest, TheOptimalScheduleTakesT) {
    make(8, 5, 2, 4);
    EXPECT_EQ(run(), 28);
}

TEST_F(SummationTest, TheOptimalScheduleOfAnotherMachineTakesT) {
    make(20, 13, 3, 2);  // with g < o + 1, children's sums follow each other at intervals of o + 1
    bench_.set_workload("time_cycles", std::int64_t{97});
    EXPECT_EQ(run(), 97);
}

// 10 values each: 9 additions, then three rounds of L + 2o + 1 = 10.
TEST_F(SummationTest, ABinomialTreeTakesARoundForEachDoubling) {
    make(8, 5, 2, 4);
    bench_.set_workload("tree", std::string("binomial"));
    bench_.set_workload("values", std::int64_t{80});
    EXPECT_EQ(run(), 9 + 3 * 10);
}

TEST_F(SummationTest, AFlatTreeReceivesOneAfterTheOther) {
    make(4, 5, 2, 4);
    bench_.set_workload("tree", std::string("flat"));
    bench_.set_workload("values", std::int64_t{4});
    // Three children send at 0; node 0 receives at 7, 11 and 15. Each reception takes 2 cycles, and
    // an addition 1.
    EXPECT_EQ(run(), 15 + 2 + 1);
}

TEST_F(SummationTest, AWrongSumIsSeen) {
    make(8, 5, 2, 4);
    static_cast<void>(run());
    bench_.flip_bit(0, 0, 3);
    EXPECT_THAT(bench_.check().value_or(""), Names("node 0", "sum", "addition"));
}

}  // namespace
}  // namespace weir::firmware
