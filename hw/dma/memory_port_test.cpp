#include "hw/dma/memory_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/refusal.h"
#include "hw/testing/bus_initiator.h"
#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/plain_dram.h"

namespace weir::hw {
namespace {

using testing::BusAccess;
using weir::testing::Names;

class MemoryPortTest : public ::testing::Test {
  public:
    /// A requester of bursts of four bytes, a beat of two cycles each.
    testing::BusInitiator& requester(const char* name) {
        requesters_.push_back(std::make_unique<testing::BusInitiator>(name, domain));
        requesters_.back()->bus_socket.bind(port().requester_socket);
        return *requesters_.back();
    }
    MemoryPort& port() {
        if (!port_) {
            port_.emplace("port", domain, parameters);
            port_->dram_socket.bind(dram.socket);
        }
        return *port_;
    }
    void run() { domain.run_until(Cycles(10'000)); }

    ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    MemoryPortParameters parameters;
    testing::PlainDram dram{"dram", 1 << 16};

  private:
    std::optional<MemoryPort> port_;
    std::vector<std::unique_ptr<testing::BusInitiator>> requesters_;
};

TEST_F(MemoryPortTest, ABurstIsSeenInTheNextCycleAndTakesItsAccessAndItsBeats) {
    ASSERT_TRUE(parameters.access_cycles.set(std::int64_t{5}));
    testing::BusInitiator& core = requester("core");
    core.store(64, 0x1234, Cycles(10));
    const BusAccess& load = core.load(64, Cycles(30));
    run();
    EXPECT_EQ(core.accesses().front().answered, Cycles(11));
    EXPECT_EQ(core.accesses().front().end, Cycles(11 + 5 + 2));
    EXPECT_EQ(load.data, 0x1234U);
    EXPECT_EQ(port().statistics().bursts.value(), 2);
    EXPECT_EQ(port().statistics().bytes.value(), 8);
    EXPECT_EQ(port().statistics().busy_cycles.value(), 14);
    EXPECT_EQ(port().statistics().wait_cycles.value(), 0);
    EXPECT_EQ(port().statistics().open_row_bursts.value(), 0);
}

TEST_F(MemoryPortTest, BurstsOfTheSameCycleAreServedInTurn) {
    testing::BusInitiator& one = requester("one");
    testing::BusInitiator& other = requester("other");
    testing::BusInitiator& third = requester("third");
    for (int i = 0; i < 2; ++i) {
        third.load(0, Cycles(10));
        other.load(0, Cycles(10));
        one.load(0, Cycles(10));
    }
    run();
    // Initially port 0 counts as the last one served, so port 1 comes first. A requester asks again
    // too late to get two bursts in a row.
    const auto begin = [](const testing::BusInitiator& requester, std::size_t i) {
        return requester.accesses()[i].answered.count();
    };
    EXPECT_EQ(begin(other, 0), 11);
    EXPECT_EQ(begin(third, 0), 13);
    EXPECT_EQ(begin(one, 0), 15);
    EXPECT_EQ(begin(other, 1), 17);
    EXPECT_EQ(begin(third, 1), 19);
    EXPECT_EQ(begin(one, 1), 21);
    // The first three bursts wait 0, 2 and 4 cycles. Then each requester asks in the cycle in which
    // its previous burst ended, and waits while the two others are served.
    EXPECT_EQ(port().statistics().wait_cycles.value(), 0 + 2 + 4 + 3 + 3 + 3);
}

// A machine with the port's possible users: caches, or engines that move bodies through routers.
class PortsMachine final : public Circumstances {
  public:
    PortsMachine(std::int64_t caches, std::string model, bool has_bodies)
        : caches_(caches), model_(std::move(model)), has_bodies_(has_bodies) {}
    [[nodiscard]] std::optional<ParameterValue> value_of(std::string_view key) const override {
        return key == "memory.caches" ? ParameterValue(caches_) : ParameterValue(model_);
    }
    [[nodiscard]] bool is_so(Fact /*fact*/) const override { return has_bodies_; }

  private:
    std::int64_t caches_;
    std::string model_;
    bool has_bodies_;
};

TEST(MemoryPortParametersTest, MatterToCachesAndToBodies) {
    const MemoryPortParameters parameters;
    const auto matter = [&](std::int64_t caches, const char* model, bool has_bodies) {
        return parameters.effective_when().holds(PortsMachine(caches, model, has_bodies));
    };
    EXPECT_TRUE(matter(1, "logp", false));
    EXPECT_TRUE(matter(0, "wormhole", true));
    EXPECT_FALSE(matter(0, "wormhole", false));
    EXPECT_FALSE(matter(0, "logp", true));
}

// Runs two requesters, each with its next burst ready when the previous one ends; returns the ends
// of all bursts.
std::string two_requesters(ClockDomain& domain) {
    const MemoryPortParameters parameters;
    MemoryPort port("port", domain, parameters);
    testing::PlainDram dram("dram", 1 << 16);
    port.dram_socket.bind(dram.socket);
    testing::BusInitiator first("first", domain);
    testing::BusInitiator second("second", domain);
    first.bus_socket.bind(port.requester_socket);
    second.bus_socket.bind(port.requester_socket);
    for (std::int64_t burst = 0; burst < 40; ++burst) {
        first.load(64, Cycles(10 + 7 * burst));
        second.load(128, Cycles(10 + 5 * burst));
    }
    domain.run_until(Cycles(10'000));
    std::string ends;
    for (const testing::BusInitiator* one : {&first, &second}) {
        for (const BusAccess& access : one->accesses()) {
            ends += std::to_string(access.end.count()) + " ";
        }
    }
    return ends;
}

TEST(MemoryPortOrderTest, NoOrderOfTicksIsSeen) {
    const std::vector<std::string> results = testing::results_in_every_order(two_requesters);
    EXPECT_THAT(results, ::testing::Each(results.front()));
}

TEST_F(MemoryPortTest, ABurstInTheOpenRowTakesLess) {
    ASSERT_TRUE(parameters.access_cycles.set(std::int64_t{20}));
    ASSERT_TRUE(parameters.row_bytes.set(std::int64_t{1024}));
    ASSERT_TRUE(parameters.row_access_cycles.set(std::int64_t{4}));
    testing::BusInitiator& core = requester("core");
    const BusAccess& opens = core.load(1020, Cycles(100));
    const BusAccess& same = core.load(0, Cycles(200));
    const BusAccess& next = core.load(1024, Cycles(300));
    const BusAccess& last_of_next = core.load(2044, Cycles(400));
    const BusAccess& back = core.load(1020, Cycles(500));
    run();
    EXPECT_EQ(opens.cost(), 1 + 20 + 2);
    EXPECT_EQ(same.cost(), 1 + 4 + 2);
    EXPECT_EQ(next.cost(), 1 + 20 + 2);
    EXPECT_EQ(last_of_next.cost(), 1 + 4 + 2);
    EXPECT_EQ(back.cost(), 1 + 20 + 2);
    EXPECT_EQ(port().statistics().open_row_bursts.value(), 2);
}

// With two bursts in flight, the second one's access overlaps the first burst, and its beats follow
// the first one's. The third burst is granted when the first has ended.
TEST_F(MemoryPortTest, AccessesOfBurstsInFlightOverlapAndBeatsDoNot) {
    ASSERT_TRUE(parameters.access_cycles.set(std::int64_t{10}));
    ASSERT_TRUE(parameters.bursts_in_flight.set(std::int64_t{2}));
    testing::BusInitiator& one = requester("one");
    testing::BusInitiator& other = requester("other");
    testing::BusInitiator& third = requester("third");
    const BusAccess& first = other.load(0, Cycles(10));
    const BusAccess& second = third.load(64, Cycles(10));
    const BusAccess& last = one.load(128, Cycles(10));
    run();
    EXPECT_EQ(first.answered, Cycles(11));
    EXPECT_EQ(first.end, Cycles(11 + 10 + 2));
    EXPECT_EQ(second.answered, Cycles(12));
    EXPECT_EQ(second.end, Cycles(11 + 10 + 2 + 2));
    EXPECT_EQ(last.answered, Cycles(23));
    EXPECT_EQ(last.end, Cycles(23 + 10 + 2));
    // The port is busy from cycle 11 to 35 without a pause.
    EXPECT_EQ(port().statistics().busy_cycles.value(), 24);
}

// With bursts_in_flight = 2, a burst is granted a cycle after the previous one, even if the one
// before that ended long ago.
TEST_F(MemoryPortTest, ABurstOfLongAgoKeepsNobodyWaiting) {
    ASSERT_TRUE(parameters.bursts_in_flight.set(std::int64_t{2}));
    testing::BusInitiator& first = requester("first");
    testing::BusInitiator& second = requester("second");
    first.load(64, Cycles(10));
    const BusAccess& one = first.load(64, Cycles(100));
    const BusAccess& other = second.load(128, Cycles(100));
    run();
    EXPECT_EQ(std::min(one.answered, other.answered), Cycles(101));
    EXPECT_EQ(std::max(one.answered, other.answered), Cycles(102));
}

TEST_F(MemoryPortTest, RefusesRowsThatAreNoPowerOfTwoOrSlowerWhenOpen) {
    const auto fault = [&](std::int64_t row, std::int64_t access, std::int64_t in_row) {
        EXPECT_TRUE(parameters.row_bytes.set(row));
        EXPECT_TRUE(parameters.access_cycles.set(access));
        EXPECT_TRUE(parameters.row_access_cycles.set(in_row));
        const auto found = parameters.check();
        return found ? found->key + " " + hw::text_of(*found) : "";
    };
    EXPECT_EQ(fault(0, 5, 9), "") << "without rows nothing is said of them";
    EXPECT_EQ(fault(1, 5, 5), "");
    EXPECT_EQ(fault(1024, 5, 5), "");
    EXPECT_THAT(fault(1000, 5, 5), Names("row_bytes", "0, 1, 2, 4"));
    EXPECT_THAT(fault(1024, 5, 6),
                Names("row_access_cycles", "memory_port.access_cycles", "0", "5"));
}

}  // namespace
}  // namespace weir::hw
