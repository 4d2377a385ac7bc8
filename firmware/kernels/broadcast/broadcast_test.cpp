#include "firmware/kernels/broadcast/broadcast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "firmware/testing/machine_bench.h"

namespace weir::firmware {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BroadcastTest : public ::testing::Test {
  protected:
    void make(std::int64_t nodes, std::int64_t latency, std::int64_t overhead, std::int64_t gap) {
        bench_.make_abstract_machine(nodes, latency, overhead, gap);
        bench_.set_workload("tree_latency_cycles", latency);
        bench_.set_workload("tree_overhead_cycles", overhead);
        bench_.set_workload("tree_gap_cycles", gap);
    }
    // Cycle in which each node has the datum.
    std::vector<std::int64_t> run() {
        EXPECT_EQ(bench_.fault_of_run(), "");
        std::vector<std::int64_t> times(static_cast<std::size_t>(bench_.machine().node_count()));
        for (const auto& mark : bench_.trace.marks) {
            if (mark.name == kProgramEnds) {
                times.at(static_cast<std::size_t>(mark.node.index())) = mark.cycle.count();
            }
        }
        return times;
    }
    firmware::testing::KernelBench bench_{"broadcast"};
};

// LogP Figure 3; processors are numbered here in the order in which they get the datum.
TEST_F(BroadcastTest, TheOptimalTreeIsThatOfFigure3) {
    make(8, 6, 2, 4);
    EXPECT_THAT(run(), ElementsAre(0, 10, 14, 18, 20, 22, 24, 24));
}

TEST_F(BroadcastTest, AFlatTreeSendsEveryGap) {
    make(5, 6, 2, 4);
    bench_.set_workload("tree", std::string("flat"));
    EXPECT_THAT(run(), ElementsAre(0, 10, 14, 18, 22));
}

TEST_F(BroadcastTest, ABinaryTreeSendsToTwo) {
    make(6, 6, 2, 4);
    bench_.set_workload("tree", std::string("binary"));
    EXPECT_THAT(run(), ElementsAre(0, 10, 14, 20, 24, 24));
}

TEST_F(BroadcastTest, ABinomialTreeDoublesItsSendersAsSoonAsTheyCan) {
    make(6, 6, 2, 4);
    bench_.set_workload("tree", std::string("binomial"));
    EXPECT_THAT(run(), ElementsAre(0, 10, 14, 20, 18, 24));
}

// If o exceeds g, a node sends every o cycles.
TEST_F(BroadcastTest, SendersThatAreSlowerThanTheNetwork) {
    make(4, 6, 5, 2);
    EXPECT_THAT(run(), ElementsAre(0, 16, 21, 26));
}

TEST_F(BroadcastTest, ANodeWithoutTheDatumIsNamed) {
    make(8, 6, 2, 4);
    static_cast<void>(run());
    bench_.flip_bit(5, 0);
    EXPECT_THAT(bench_.check().value_or(""), HasSubstr("node 5 has"));
}

TEST(BroadcastTreeTest, EveryNodeButTheRootIsReachedOnce) {
    for (const TreeKind kind :
         {TreeKind::kOptimal, TreeKind::kBinary, TreeKind::kBinomial, TreeKind::kFlat}) {
        const auto tree = broadcast_tree(kind, {hw::Cycles(9), hw::Cycles(3), hw::Cycles(2), 100});
        std::vector<std::int32_t> reached;
        for (const auto& children : tree) {
            reached.insert(reached.end(), children.begin(), children.end());
        }
        std::sort(reached.begin(), reached.end());
        ASSERT_EQ(reached.size(), 99U);
        for (std::size_t i = 0; i < reached.size(); ++i) {
            EXPECT_EQ(reached[i], static_cast<std::int32_t>(i) + 1);
        }
    }
}

}  // namespace
}  // namespace weir::firmware
