#include "firmware/kernels/pointer_chase/pointer_chase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

class PointerChaseTest : public ::testing::Test {
  protected:
    PointerChaseTest() {
        bench_.set_dimensions({3, 2});
        bench_.set_workload("requests", std::int64_t{7});
        bench_.set_workload("elements", std::int64_t{10});
        bench_.set_workload("visits_per_request", std::int64_t{3});
    }
    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    // Nodes that each request visits, beginning with the requester, in the order of the messages.
    [[nodiscard]] std::vector<std::vector<std::int32_t>> ways() const {
        std::map<hw::MessageId, hw::MessageId> next;
        for (const auto& [id, message] : bench_.trace.messages) {
            if (message.parent.valid()) {
                next[message.parent] = id;
            }
        }
        std::vector<std::vector<std::int32_t>> found;
        for (const auto& [id, message] : bench_.trace.messages) {
            if (message.parent.valid()) {
                continue;
            }
            found.push_back({message.source.index(), message.destination.index()});
            for (auto at = next.find(id); at != next.end(); at = next.find(at->second)) {
                found.back().push_back(bench_.trace.messages.at(at->second).destination.index());
            }
        }
        return found;
    }
    firmware::testing::KernelBench bench_{"pointer-chase"};
};

TEST_F(PointerChaseTest, ARequestVisitsSoManyOtherNodesAndComesBack) {
    run();
    const auto found = ways();
    ASSERT_EQ(found.size(), 6U * 7);
    for (const std::vector<std::int32_t>& way : found) {
        ASSERT_EQ(way.size(), 5U);  // requester, three visited nodes, and the requester again
        EXPECT_EQ(way.front(), way.back());
        for (std::size_t i = 1; i + 1 < way.size(); ++i) {
            EXPECT_NE(way[i], way.front());
            EXPECT_NE(way[i], way[i - 1]);
        }
    }
}

// A send of four arguments takes 21 cycles; 18 cycles later the other node is interrupted. The
// interrupt takes 72 cycles until the handler begins, 11 for the arguments, 6 for the element, 18
// for the reply and 45 to return. Meanwhile the other node's reply waits; it then takes 125 cycles,
// and the store of the sum takes 3.
TEST_F(PointerChaseTest, TwoNodesTakeTheCyclesOfTheirMessages) {
    bench_.set_dimensions({2});
    bench_.set_workload("visits_per_request", std::int64_t{1});
    run();
    for (const auto& mark : bench_.trace.marks) {
        EXPECT_EQ(mark.cycle.count(), 7 * (21 + 18 + 72 + 11 + 6 + 18 + 45 + 125 + 3));
    }
    EXPECT_EQ(bench_.trace.marks.size(), 2U);
}

// For each request, a thread works 100 cycles and stores the sum in 3 cycles.
TEST_F(PointerChaseTest, ThreadsWorkBetweenRequests) {
    bench_.set_workload("work_cycles", std::int64_t{100});
    run();
    for (std::int32_t node = 0; node < 6; ++node) {
        const auto& core = bench_.machine().node(hw::NodeId(node)).core;
        EXPECT_EQ(core.statistics().compute_cycles.value(), 7 * 103);
    }
}

TEST_F(PointerChaseTest, PollingNodesGetTheSame) {
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    run();
}

TEST_F(PointerChaseTest, AWrongSumIsSeen) {
    run();
    bench_.flip_bit(4, 5 * 4);
    EXPECT_THAT(bench_.check().value_or(""), Names("sum 5", "node 4"));
}

TEST_F(PointerChaseTest, AWrongNumberInAnElementIsSeen) {
    bench_.load();
    // Number of the element that follows the node's 7 sums in memory.
    bench_.flip_bit(2, 7 * 4 + 8);
    ASSERT_EQ(bench_.run(), nodes::RunEnd::kFinished);
    EXPECT_THAT(bench_.check().value_or(""), Names("sum", "node", "walk"));
}

TEST_F(PointerChaseTest, MachinesTooSmallForTheVisitsAreRefused) {
    bench_.set_dimensions({3});
    EXPECT_THAT(bench_.fault_of_data(),
                Names("workload.visits_per_request: ", "3", "3", "nodes", "1", "4", "nodes"));
}

TEST_F(PointerChaseTest, AMachineOfOneNodeHasNoListElsewhere) {
    bench_.set_dimensions({1});
    EXPECT_THAT(bench_.fault_of_data(),
                Names("workload.visits_per_request: ", "3", "1", "nodes", "accepted"));
}

TEST_F(PointerChaseTest, MoreVisitsThanElementsAreRefused) {
    bench_.set_workload("visits_per_request", std::int64_t{11});
    const auto fault = bench_.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(hw::text_of(*fault), Names("11", "visits", "10", "elements", "workload.elements"));
}

}  // namespace
}  // namespace weir::firmware
