// LogP, Section 3: latency, gap and capacity, each in exact cycles.
#include "network/ideal/logp_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using hw::Cycles;
using hw::NodeId;
using ::testing::ElementsAre;

constexpr Cycles kLaunch(3);

struct LogpSettings {
    std::int64_t latency = 10;
    std::int64_t gap = 4;  // gives the capacity ceil(10/4) = 3 messages in transit
    std::int64_t least_latency = 0;
};

// Nodes that request launches, launch when granted, and record the cycles.
class LogpBench final : public hw::LaunchRequester {
  public:
    struct Trip {
        NodeId from;
        NodeId to;
        Cycles asked;
        Cycles launched = hw::kNever;  // end of the launch
        Cycles arrived = hw::kNever;
        Cycles received = hw::kNever;
        hw::MessageId holder;
    };

    explicit LogpBench(hw::ClockDomain& domain, const LogpSettings& settings = {})
        : domain_(domain), script_(domain) {
        EXPECT_TRUE(parameters_.dimensions.set(std::vector<std::int64_t>{8}));
        EXPECT_TRUE(parameters_.logp_latency_cycles.set(settings.latency));
        EXPECT_TRUE(parameters_.logp_gap_cycles.set(settings.gap));
        EXPECT_TRUE(parameters_.logp_least_latency_cycles.set(settings.least_latency));
        network_ =
            std::make_unique<LogpNetwork>("network", domain, parameters_, 8, kLaunch, 1, messages_);
        network_->receive_by(
            [this](hw::MessageSlot slot, Cycles received) { receive(slot, received); });
    }

    // Makes a node request a launch from this cycle on; each request is at a port of its own.
    void ask(std::int64_t cycle, std::int32_t from, std::int32_t to) {
        const auto port = static_cast<int>(trips.size());
        trips.push_back({NodeId(from), NodeId(to), Cycles(cycle)});
        script_.at(cycle, [this, port](Cycles) {
            const Trip& trip = trips[static_cast<std::size_t>(port)];
            network_->request({trip.from, port, trip.to}, *this);
        });
    }
    void withdraw(std::int64_t cycle, std::size_t trip) {
        script_.at(cycle, [this, trip](Cycles) {
            network_->withdraw(trips[trip].from, static_cast<int>(trip));
        });
    }
    void at(std::int64_t cycle, hw::testing::ScriptedPart::Deed deed) {
        script_.at(cycle, std::move(deed));
    }
    // Puts a message into the network, with or without a granted request.
    void put(std::size_t trip, Cycles now) {
        const hw::MessageSlot slot = messages_.allocate();
        messages_[slot].id = {trips[trip].from, static_cast<std::int64_t>(trip)};
        messages_[slot].source = trips[trip].from;
        messages_[slot].destination = trips[trip].to;
        trips[trip].launched = now + kLaunch;
        network_->carry(slot, now);
    }

    void launch_granted(int port, hw::MessageId holder, Cycles now) override {
        trips[static_cast<std::size_t>(port)].holder = holder;
        put(static_cast<std::size_t>(port), now);
    }
    void launch_withdrawn(int port, Cycles now) override { withdrawn[port] = now; }

    void run() { domain_.run_until(Cycles(1'000'000)); }
    LogpNetwork& network() { return *network_; }

    [[nodiscard]] std::vector<std::int64_t> launches() const {
        std::vector<std::int64_t> cycles;
        for (const Trip& trip : trips) {
            cycles.push_back(trip.launched.count());
        }
        return cycles;
    }
    [[nodiscard]] std::vector<std::int64_t> receptions() const {
        std::vector<std::int64_t> cycles;
        for (const Trip& trip : trips) {
            cycles.push_back(trip.received.count());
        }
        return cycles;
    }
    [[nodiscard]] std::optional<std::string> fault() const {
        hw::ConservationAccount account;
        network_->add_to(account);
        return account.fault(false);
    }

    std::vector<Trip> trips;
    std::map<int, Cycles> withdrawn;

  private:
    void receive(hw::MessageSlot slot, Cycles received) {
        EXPECT_GT(received, domain_.now());
        Trip& trip = trips[static_cast<std::size_t>(messages_[slot].id.sequence)];
        trip.arrived = messages_[slot].times.first_arrival;
        trip.received = received;
        messages_.release(slot);
    }

    hw::ClockDomain& domain_;
    hw::testing::ScriptedPart script_;
    hw::MessagePool messages_;
    NetworkParameters parameters_;
    std::unique_ptr<LogpNetwork> network_;
};

class LogpNetworkTest : public ::testing::Test {
  protected:
    hw::ClockDomainParameters clock_;
    hw::ClockDomain domain_{"clock", clock_};
};

TEST_F(LogpNetworkTest, AMessageTakesTheLatencyFromTheEndOfItsLaunch) {
    LogpBench bench(domain_);
    bench.ask(5, 0, 1);
    bench.run();
    EXPECT_THAT(bench.launches(), ElementsAre(5 + 3));
    EXPECT_THAT(bench.receptions(), ElementsAre(5 + 3 + 10));
    EXPECT_EQ(bench.network().statistics().stalled_launches.value(), 0);
}

TEST_F(LogpNetworkTest, TheFirstLaunchWaitsForNoGap) {
    LogpBench bench(domain_);
    bench.ask(0, 0, 1);
    bench.run();
    EXPECT_THAT(bench.launches(), ElementsAre(0 + 3));
}

TEST_F(LogpNetworkTest, LaunchesOfANodeAreAGapApart) {
    LogpBench bench(domain_);
    bench.ask(5, 0, 1);
    bench.ask(6, 0, 2);  // begins in cycle 9, a gap of 4 cycles after the first launch began
    bench.ask(20, 0, 3);
    bench.run();
    EXPECT_THAT(bench.launches(), ElementsAre(8, 12, 23));
    EXPECT_EQ(bench.network().statistics().stalled_launches.value(), 1);
    EXPECT_EQ(bench.network().statistics().stalled_cycles.value(), 9 - 6);
}

TEST_F(LogpNetworkTest, ReceptionsAtANodeAreAGapApart) {
    LogpBench bench(domain_);
    bench.ask(5, 2, 0);
    bench.ask(5, 1, 0);
    bench.run();
    EXPECT_THAT(bench.launches(), ElementsAre(8, 8));
    // two arrivals in a cycle: the lower sender's message is received first
    EXPECT_THAT(bench.receptions(), ElementsAre(18 + 4, 18));
    EXPECT_EQ(bench.trips[0].arrived, Cycles(18));
    EXPECT_EQ(bench.network().statistics().reception_wait_cycles.value(), 4);
}

// Capacity ceil(10/4) = 3: the fourth launch waits until the first message is received, and the
// fifth launch a gap longer.
TEST_F(LogpNetworkTest, NoMoreThanTheCapacityIsInTransitToANode) {
    LogpBench bench(domain_);
    for (std::int32_t node = 1; node <= 5; ++node) {
        bench.ask(0 + 5, node, 0);
    }
    bench.run();
    EXPECT_EQ(bench.network().capacity(), 3);
    EXPECT_THAT(bench.launches(), ElementsAre(8, 8, 8, 18, 22));
    EXPECT_THAT(bench.receptions(), ElementsAre(18, 22, 26, 30, 34));
    EXPECT_EQ(bench.network().statistics().most_in_transit_to.value(), 3);
    EXPECT_EQ(bench.network().statistics().stalled_cycles.value(), 10 + 14);
    EXPECT_EQ(bench.trips[2].holder, hw::MessageId{});
    EXPECT_EQ(bench.trips[3].holder, (hw::MessageId{NodeId(1), 0}));
    EXPECT_EQ(bench.fault(), std::nullopt);
}

// Other nodes' messages fill node 7, so that node 0's messages to it stay in transit beyond L. With
// two messages of node 0 in transit, its capacity, it can't launch a third, even to an idle node.
TEST_F(LogpNetworkTest, NoMoreThanTheCapacityIsInTransitFromANode) {
    // capacity: ceil(8/4) = 2 messages in transit
    LogpBench bench(domain_, {.latency = 8, .gap = 4});
    bench.ask(5, 1, 7);  // launched in cycle 8, received in 16
    // launched in cycle 9, arrives in 17, received in 20
    bench.ask(6, 0, 7);
    bench.ask(10, 0, 6);  // launched in cycle 13, received in 21
    bench.ask(14, 0, 5);  // would be launched in cycle 17 if node 0 had only one message in transit
    bench.run();
    EXPECT_THAT(bench.receptions(), ElementsAre(16, 20, 21, 20 + 8));
    EXPECT_THAT(bench.launches(), ElementsAre(8, 9, 13, 20));
    EXPECT_EQ(bench.network().statistics().most_in_transit_from.value(), 2);
}

TEST_F(LogpNetworkTest, WhoeverWaitsLongestGoesFirstThenTheLowerNode) {
    // capacity: ceil(4/4) = 1 message in transit
    LogpBench bench(domain_, {.latency = 4, .gap = 4});
    bench.ask(5, 7, 0);
    bench.ask(7, 6, 0);
    bench.ask(8, 1, 0);
    bench.ask(7, 5, 0);
    bench.run();
    EXPECT_THAT(bench.launches(), ElementsAre(8, 16, 20, 12));
}

TEST_F(LogpNetworkTest, WhoCannotBeginHoldsUpNobodyElse) {
    LogpBench bench(domain_, {.latency = 4, .gap = 4});
    bench.ask(5, 1, 0);
    bench.ask(5, 2, 0);
    bench.ask(6, 3, 4);
    bench.run();
    EXPECT_THAT(bench.launches(), ElementsAre(8, 12, 9));
}

TEST_F(LogpNetworkTest, AWithdrawnLaunchIsGivenUpIfItCannotBegin) {
    LogpBench bench(domain_, {.latency = 10, .gap = 10});
    bench.ask(5, 1, 0);
    bench.ask(5, 2, 0);
    bench.ask(6, 3, 0);
    bench.withdraw(9, 1);
    bench.withdraw(15, 2);  // has no effect: this launch begins in cycle 15
    bench.run();
    EXPECT_THAT(bench.withdrawn, ElementsAre(::testing::Pair(1, Cycles(9))));
    EXPECT_EQ(bench.trips[1].launched, hw::kNever);
    EXPECT_EQ(bench.trips[2].launched, Cycles(18));
}

// Messages overtake one another, but never take more than L, nor less than a lower bound if given.
TEST_F(LogpNetworkTest, RandomLatenciesReorderAndNeverExceedL) {
    LogpBench bench(domain_, {.latency = 100, .gap = 2, .least_latency = 20});
    for (std::int64_t i = 0; i < 200; ++i) {
        bench.ask(10 * i, 0, static_cast<std::int32_t>(1 + i % 2));
    }
    bench.run();
    std::int64_t overtaken = 0;
    std::map<std::int64_t, int> latencies;
    for (std::size_t i = 0; i < bench.trips.size(); ++i) {
        const std::int64_t latency = (bench.trips[i].arrived - bench.trips[i].launched).count();
        EXPECT_GE(latency, 20);
        EXPECT_LE(latency, 100);
        ++latencies[latency];
        overtaken += i >= 2 && bench.trips[i].received < bench.trips[i - 2].received ? 1 : 0;
    }
    EXPECT_GT(overtaken, 20);
    EXPECT_GT(latencies.size(), 60U);
}

TEST_F(LogpNetworkTest, RandomLatenciesReachBothEndsOfTheirRange) {
    LogpBench bench(domain_, {.latency = 12, .gap = 2, .least_latency = 10});
    for (std::int64_t i = 0; i < 100; ++i) {
        bench.ask(20 * i, 0, 1);
    }
    bench.run();
    std::map<std::int64_t, int> latencies;
    for (const auto& trip : bench.trips) {
        ++latencies[(trip.arrived - trip.launched).count()];
    }
    EXPECT_EQ(latencies.size(), 3U);
    EXPECT_TRUE(latencies.contains(10) && latencies.contains(12));
}

// Planted fault: a sender that requests no launch.
TEST_F(LogpNetworkTest, ASenderThatDoesNotAskBreaksTheLawOfCapacity) {
    LogpBench bench(domain_);
    for (std::int32_t node = 1; node <= 4; ++node) {
        bench.ask(5, node, 0);
    }
    bench.trips.push_back({NodeId(5), NodeId(0), Cycles(5)});
    bench.at(6, [&bench](Cycles now) {
        EXPECT_EQ(bench.fault(), std::nullopt);
        bench.put(4, now);
    });
    bench.run();
    EXPECT_THAT(bench.fault().value_or(""), Names("messages", "transit", "4", "3"));
}

TEST_F(LogpNetworkTest, SaysWhoWaitsForWhom) {
    LogpBench bench(domain_);
    for (std::int32_t node = 1; node <= 4; ++node) {
        bench.ask(5, node, 0);
    }
    bench.ask(6, 1, 2);
    hw::WaitReport report;
    bench.at(8, [&](Cycles) {
        bench.network().report_waits(
            report, [](NodeId node) { return "core_" + std::to_string(node.index()); });
    });
    bench.run();
    ASSERT_EQ(report.size(), 2U);
    EXPECT_EQ(report[0].who + " > " + report[0].for_whom, "core_4 > core_0");
    EXPECT_THAT(report[0].why, Names("launch", "node 0", "transit", "3"));
    EXPECT_EQ(report[1].who + " > " + report[1].for_whom, "core_1 > network");
    EXPECT_THAT(report[1].why, Names("gap"));
}

TEST(LogpNetworkOrderTest, TheOrderOfTicksAndSleepChangeNothing) {
    const auto results = hw::testing::results_in_every_order([](hw::ClockDomain& domain) {
        LogpBench bench(domain, {.latency = 30, .gap = 7, .least_latency = 1});
        // Each node has a script of its own, so that the order of requests is that of ticks.
        std::vector<std::unique_ptr<hw::testing::ScriptedPart>> nodes;
        hw::RandomStream stream(5, NodeId(0), "test traffic");
        for (std::int32_t node = 0; node < 8; ++node) {
            nodes.push_back(std::make_unique<hw::testing::ScriptedPart>(domain));
        }
        for (std::int64_t i = 0; i < 400; ++i) {
            const auto from = static_cast<std::int32_t>(stream.below(8));
            const auto to = static_cast<std::int32_t>(stream.below(3));
            const auto cycle = static_cast<std::int64_t>(stream.below(800));
            const auto port = static_cast<int>(bench.trips.size());
            bench.trips.push_back({NodeId(from), NodeId(to), Cycles(cycle)});
            nodes[static_cast<std::size_t>(from)]->at(cycle, [&bench, port](Cycles) {
                const LogpBench::Trip& trip = bench.trips[static_cast<std::size_t>(port)];
                bench.network().request({trip.from, port, trip.to}, bench);
            });
        }
        bench.run();
        EXPECT_EQ(bench.fault(), std::nullopt);
        std::ostringstream text;
        for (const LogpBench::Trip& trip : bench.trips) {
            text << trip.launched << ' ' << trip.arrived << ' ' << trip.received << '\n';
        }
        text << bench.network().statistics().stalled_cycles.value();
        return text.str();
    });
    for (const std::string& result : results) {
        EXPECT_EQ(result, results.front());
    }
    EXPECT_NE(results.front(), "failed");
}

}  // namespace
}  // namespace weir::network
