#include "network/router/allocator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "network/router/arbiter.h"
#include "network/router/input_first_allocator.h"

namespace weir::network {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Requests = std::vector<Allocator::Request>;

// --- Arbiters -----------------------------------------------------------------------------------

// Inputs of an arbiter, in the order of their ranks.
std::vector<std::int32_t> order_of(Arbitration arbitration, std::int32_t last_winner,
                                   std::size_t count) {
    std::vector<std::int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t one, std::int32_t other) {
        return rank_of(arbitration, one, last_winner, count, 7) <
               rank_of(arbitration, other, last_winner, count, 7);
    });
    return order;
}

TEST(ArbiterTest, RoundRobinBeginsBehindTheLastWinner) {
    EXPECT_THAT(order_of(Arbitration::kRoundRobin, 3, 5), ElementsAre(4, 0, 1, 2, 3));
    EXPECT_THAT(order_of(Arbitration::kRoundRobin, 4, 5), ElementsAre(0, 1, 2, 3, 4));
}

TEST(ArbiterTest, SkewedRoundRobinBeginsOneFurther) {
    EXPECT_THAT(order_of(Arbitration::kSkewedRoundRobin, 0, 5), ElementsAre(2, 3, 4, 0, 1));
    EXPECT_THAT(order_of(Arbitration::kSkewedRoundRobin, 3, 5), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(order_of(Arbitration::kSkewedRoundRobin, 4, 5), ElementsAre(1, 2, 3, 4, 0));
    EXPECT_THAT(
        order_of(Arbitration::kSkewedRoundRobin, no_winner(Arbitration::kSkewedRoundRobin), 5),
        ElementsAre(1, 2, 3, 4, 0));
}

TEST(ArbiterTest, SkewedRoundRobinOfTwoKeepsItsWinner) {
    EXPECT_THAT(order_of(Arbitration::kSkewedRoundRobin, 0, 2), ElementsAre(0, 1));
    EXPECT_THAT(order_of(Arbitration::kSkewedRoundRobin, 1, 2), ElementsAre(1, 0));
}

TEST(ArbiterTest, TheOldestComesFirstAndOfEqualsTheLowest) {
    for (const Arbitration age :
         {Arbitration::kOldest, Arbitration::kOldestGenerated, Arbitration::kOldestHere}) {
        EXPECT_LT(rank_of(age, 4, 0, 5, 10), rank_of(age, 0, 0, 5, 11));
        EXPECT_LT(rank_of(age, 1, 0, 5, 10), rank_of(age, 2, 0, 5, 10));
    }
}

TEST(ArbiterTest, WhoBeganToAskFirstComesFirst) {
    First first;
    EXPECT_TRUE(first.compare(3, 0, 20));
    EXPECT_FALSE(first.compare(1, 5, 19));
    EXPECT_FALSE(first.compare(2, 4, 19));
    EXPECT_EQ(first.take(), 2);
    EXPECT_EQ(first.take(), First::kNone);
}

// --- All allocators -----------------------------------------------------------------------------

constexpr std::int32_t kPorts = 5;
constexpr std::int32_t kVirtualChannels = 3;

class AllocatorTest : public ::testing::TestWithParam<const AllocatorKind*> {
  protected:
    std::unique_ptr<Allocator> allocator_ =
        GetParam()->make({kPorts, kVirtualChannels, Arbitration::kRoundRobin});
};

std::vector<const AllocatorKind*> kinds_with_a_part() {
    std::vector<const AllocatorKind*> kinds = allocator_kinds();
    std::erase_if(kinds, [](const AllocatorKind* kind) {
        return kind->make({kPorts, kVirtualChannels, Arbitration::kRoundRobin}) == nullptr;
    });
    return kinds;
}

Requests random_requests(hw::RandomStream& random, bool one_per_vc) {
    Requests requests;
    for (std::int32_t input = 0; input < kPorts * kVirtualChannels; ++input) {
        for (std::int32_t output = 0; output < kPorts * kVirtualChannels; ++output) {
            const bool is_made = random.below(6) == 0;
            const bool may_be_made =
                !one_per_vc || requests.empty() || requests.back().input != input;
            if (is_made && may_be_made) {
                requests.push_back({input, output, 0});
            }
        }
    }
    return requests;
}

TEST_P(AllocatorTest, GivesEachVirtualChannelToOneAndEachOneAVirtualChannel) {
    hw::RandomStream random(1, hw::NodeId(0), "lanes");
    for (int cycle = 0; cycle < 200; ++cycle) {
        const Requests requests = random_requests(random, false);
        Allocator::Grants grants;
        allocator_->allocate_vcs(requests, grants);
        std::set<std::int32_t> inputs;
        std::set<std::int32_t> outputs;
        for (const std::int32_t grant : grants) {
            EXPECT_TRUE(inputs.insert(requests[grant].input).second);
            EXPECT_TRUE(outputs.insert(requests[grant].output).second);
        }
        EXPECT_EQ(grants.empty(), requests.empty());
    }
}

TEST_P(AllocatorTest, GivesTheSwitchToOneOfEachPortForEachPort) {
    hw::RandomStream random(2, hw::NodeId(0), "switch");
    for (int cycle = 0; cycle < 200; ++cycle) {
        const Requests requests = random_requests(random, true);
        Allocator::Grants grants;
        allocator_->allocate_switch(requests, grants);
        std::set<std::int32_t> inputs;
        std::set<std::int32_t> outputs;
        for (const std::int32_t grant : grants) {
            EXPECT_TRUE(inputs.insert(requests[grant].input / kVirtualChannels).second);
            EXPECT_TRUE(outputs.insert(requests[grant].output / kVirtualChannels).second);
        }
        EXPECT_EQ(grants.empty(), requests.empty());
    }
}

// Two virtual channels of a port with the same permanent request are served in turn.
TEST_P(AllocatorTest, ServesTheVirtualChannelsOfAPortInTurn) {
    const Requests requests{{0, 4, 0}, {1, 4, 0}};
    std::vector<std::int32_t> served;
    for (int cycle = 0; cycle < 4; ++cycle) {
        Allocator::Grants grants;
        allocator_->allocate_switch(requests, grants);
        ASSERT_EQ(grants.size(), 1U);
        served.push_back(grants.front());
    }
    EXPECT_THAT(served, ElementsAre(1, 0, 1, 0));
}

INSTANTIATE_TEST_SUITE_P(Kinds, AllocatorTest, ::testing::ValuesIn(kinds_with_a_part()),
                         [](const auto& test) { return test.param->name(); });

// --- One by one ---------------------------------------------------------------------------------

const AllocatorKind& kind_named(const std::string& name) {
    return **std::find_if(allocator_kinds().begin(), allocator_kinds().end(),
                          [&name](const AllocatorKind* kind) { return kind->name() == name; });
}

// Virtual channels 1 and 2 of input port 0 request output ports 1 and 0; virtual channel 3 of port
// 1 requests output port 1.
const Requests kTwoCouldGo{{1, 3, 0}, {2, 0, 0}, {3, 4, 0}};

TEST(InputFirstAllocatorTest, AnInputThatChoosesATakenOutputGetsNothing) {
    const auto allocator = kind_named("input_first").make({2, 3, Arbitration::kRoundRobin});
    Allocator::Grants grants;
    allocator->allocate_switch(kTwoCouldGo, grants);
    // input port 0 chose virtual channel 1, whose output port granted input port 1
    EXPECT_THAT(grants, ElementsAre(2));
}

TEST(InputFirstAllocatorTest, OnlyWinnersMoveTheInputsOn) {
    const auto allocator = kind_named("input_first").make({2, 3, Arbitration::kRoundRobin});
    Allocator::Grants grants;
    allocator->allocate_switch(kTwoCouldGo, grants);
    grants.clear();
    allocator->allocate_switch(kTwoCouldGo, grants);
    // input port 0 chooses virtual channel 1 again, which is next at output port 1
    EXPECT_THAT(grants, ElementsAre(0));
}

TEST(InputFirstAllocatorTest, AnOutputVirtualChannelChoosesAmongPortsBehindTheirVirtualChannels) {
    const auto allocator = kind_named("input_first").make({3, 2, Arbitration::kFixed});
    const Requests requests{{3, 5, 0}, {2, 5, 0}, {4, 5, 0}};
    Allocator::Grants grants;
    allocator->allocate_vcs(requests, grants);
    EXPECT_THAT(grants, ElementsAre(1));
}

TEST(WavefrontAllocatorTest, LeavesNoRequestThatCouldBeGranted) {
    const auto allocator =
        kind_named("wavefront").make({kPorts, kVirtualChannels, Arbitration::kRoundRobin});
    hw::RandomStream random(3, hw::NodeId(0), "wavefront");
    for (int cycle = 0; cycle < 200; ++cycle) {
        const Requests requests = random_requests(random, true);
        Allocator::Grants grants;
        allocator->allocate_switch(requests, grants);
        std::set<std::int32_t> inputs;
        std::set<std::int32_t> outputs;
        for (const std::int32_t grant : grants) {
            inputs.insert(requests[grant].input / kVirtualChannels);
            outputs.insert(requests[grant].output / kVirtualChannels);
        }
        for (const Allocator::Request& request : requests) {
            EXPECT_TRUE(inputs.contains(request.input / kVirtualChannels) ||
                        outputs.contains(request.output / kVirtualChannels));
        }
    }
}

TEST(WavefrontAllocatorTest, AnotherDiagonalComesFirstAfterEachGrant) {
    const auto allocator = kind_named("wavefront").make({2, 1, Arbitration::kRoundRobin});
    const Requests both{{0, 0, 0}, {1, 0, 0}};
    Allocator::Grants first;
    allocator->allocate_vcs(both, first);
    Allocator::Grants second;
    allocator->allocate_vcs(both, second);
    EXPECT_THAT(first, ElementsAre(0));
    EXPECT_THAT(second, ElementsAre(1));
    Allocator::Grants none;
    allocator->allocate_vcs({}, none);
    EXPECT_THAT(none, IsEmpty());
}

}  // namespace
}  // namespace weir::network
