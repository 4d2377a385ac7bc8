// LoPC's assumptions (Section 2): a trip's time is known when it begins, and other messages do not
// change it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "network/ideal/ideal_network.h"

namespace weir::network {
namespace {

using hw::Cycles;
using hw::NodeId;
using ::testing::ElementsAre;

// A mesh of 4 x 2 with hops of 3 cycles, injection of 2, ejection of 5, and a header of 4 flits.
class DelayNetworkTest : public ::testing::Test {
  public:
    DelayNetworkTest() {
        EXPECT_TRUE(parameters_.model.set(std::string("delay")));
        EXPECT_TRUE(parameters_.dimensions.set(std::vector<std::int64_t>{4, 2}));
        EXPECT_TRUE(parameters_.hop_cycles.set(std::int64_t{3}));
        EXPECT_TRUE(parameters_.injection_cycles.set(std::int64_t{2}));
        EXPECT_TRUE(parameters_.ejection_cycles.set(std::int64_t{5}));
    }
    /// Arrival cycles of messages that are launched in cycle 100, in the order of their launches.
    std::vector<std::int64_t> arrivals(
        const std::vector<std::pair<std::int32_t, std::int32_t>>& trips) {
        DelayNetwork network(parameters_, messages_);
        std::vector<std::int64_t> arrivals;
        network.receive_by(
            [&](hw::MessageSlot, Cycles arrival) { arrivals.push_back(arrival.count()); });
        for (const auto& [from, to] : trips) {
            const hw::MessageSlot slot = messages_.allocate();
            messages_[slot].source = NodeId(from);
            messages_[slot].destination = NodeId(to);
            messages_[slot].times.launch = Cycles(100);
            network.carry(slot, Cycles(97));
            hops.push_back(messages_[slot].hops);
        }
        return arrivals;
    }

    NetworkParameters parameters_;
    hw::MessagePool messages_;
    std::vector<std::int32_t> hops;
};

TEST_F(DelayNetworkTest, AMessageTakesItsHopsAndTheEnds) {
    constexpr std::int64_t kEnds = 2 + 5 + 3;
    EXPECT_THAT(arrivals({{0, 7}, {0, 1}, {5, 5}}),
                ElementsAre(100 + 4 * 3 + kEnds, 100 + 3 + kEnds, 100 + kEnds));
    EXPECT_THAT(hops, ElementsAre(4, 1, 0));
}

TEST_F(DelayNetworkTest, AConstantDelayIsThatOfEveryPair) {
    EXPECT_TRUE(parameters_.delay.set(std::string("constant")));
    EXPECT_TRUE(parameters_.delay_cycles.set(std::int64_t{6}));
    EXPECT_THAT(arrivals({{0, 7}, {0, 1}}), ElementsAre(116, 116));
    EXPECT_THAT(hops, ElementsAre(4, 1)) << "which are counted all the same";
}

TEST_F(DelayNetworkTest, MessagesToOneNodeDoNotMeet) {
    EXPECT_THAT(arrivals({{1, 0}, {4, 0}, {1, 0}}), ElementsAre(113, 113, 113));
}

}  // namespace
}  // namespace weir::network
