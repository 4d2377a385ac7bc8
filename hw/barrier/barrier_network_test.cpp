// The hardware barrier between scripted cores, in exact cycles: a store takes 3, a load 2.
#include "hw/barrier/barrier_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/bus_initiator.h"
#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"

namespace weir::hw {
namespace {

using testing::BusAccess;
using weir::testing::Names;

constexpr Cycles kBarrier(20);

class BarrierBench {
  public:
    explicit BarrierBench(ClockDomain& domain, std::int32_t cores = 3, Cycles barrier = kBarrier)
        : script(domain), domain_(domain) {
        barrier_ = std::make_unique<BarrierNetwork>("barrier", domain, barrier, parameters_, cores);
        for (std::int32_t i = 0; i < cores; ++i) {
            cores_.push_back(std::make_unique<testing::BusInitiator>(
                ("core_" + std::to_string(i)).c_str(), domain));
            cores_.back()->bus_socket.bind(barrier_->node_socket);
        }
    }
    const BusAccess& arrive(std::size_t core, std::int64_t cycle = 0) {
        return cores_[core]->store(WEIR_BARRIER_ARRIVE, 1, Cycles(cycle));
    }
    const BusAccess& wait(std::size_t core, std::int64_t cycle = 0) {
        return cores_[core]->load(WEIR_BARRIER_WAIT, Cycles(cycle));
    }
    const BusAccess& ask(std::size_t core, std::int64_t cycle) {
        return cores_[core]->load(WEIR_BARRIER_ARRIVED, Cycles(cycle));
    }
    testing::BusInitiator& core(std::size_t i) { return *cores_[i]; }
    BarrierNetwork& barrier() { return *barrier_; }
    void run() { domain_.run_until(Cycles(1'000'000)); }

    testing::ScriptedPart script;

  private:
    ClockDomain& domain_;
    ControllerParameters parameters_;
    std::unique_ptr<BarrierNetwork> barrier_;
    std::deque<std::unique_ptr<testing::BusInitiator>> cores_;
};

class BarrierNetworkTest : public ::testing::Test {
  protected:
    ClockDomainParameters clock_;
    ClockDomain domain_{"clock", clock_};
};

TEST_F(BarrierNetworkTest, ReleasesAllSoManyCyclesAfterTheLastArrival) {
    BarrierBench bench(domain_);
    const BusAccess& first = bench.arrive(0, 5);
    const BusAccess& first_wait = bench.wait(0);
    bench.arrive(1, 9);
    const BusAccess& second_wait = bench.wait(1);
    bench.arrive(2, 30);  // arrives in cycle 33; all nodes are released in 53
    const BusAccess& last_wait = bench.wait(2);
    bench.run();
    EXPECT_EQ(first.cost(), 3);
    for (const BusAccess* wait : {&first_wait, &second_wait, &last_wait}) {
        EXPECT_TRUE(wait->ok());
        EXPECT_EQ(wait->data, 1U);
        EXPECT_EQ(wait->end, Cycles(53 + 2));
    }
    EXPECT_EQ(bench.barrier().statistics().barriers.value(), 1);
    EXPECT_EQ(bench.barrier().statistics().early_node_cycles.value(), (33 - 8) + (33 - 12));
}

TEST_F(BarrierNetworkTest, ALoadThatComesLateWaitsForNothing) {
    BarrierBench bench(domain_);
    for (std::size_t core = 0; core < 3; ++core) {
        bench.arrive(core, 30);  // all nodes are released in cycle 53
    }
    const BusAccess& a_cycle_early = bench.wait(0, 52);
    const BusAccess& at_the_release = bench.wait(1, 53);
    const BusAccess& late = bench.wait(2, 60);
    bench.run();
    EXPECT_EQ(a_cycle_early.end, Cycles(55));
    EXPECT_EQ(at_the_release.end, Cycles(55));
    EXPECT_EQ(late.end, Cycles(62));
}

TEST_F(BarrierNetworkTest, SaysAtOnceWhetherANodeStillWaits) {
    BarrierBench bench(domain_);
    const BusAccess& before = bench.ask(0, 5);
    bench.arrive(0, 10);
    const BusAccess& waits = bench.ask(0, 13);
    bench.arrive(1, 30);
    bench.arrive(2, 30);
    const BusAccess& waits_still = bench.ask(0, 52);
    const BusAccess& released = bench.ask(1, 53);
    bench.run();
    EXPECT_EQ(before.data, 0U);
    EXPECT_EQ(waits.data, 1U);
    EXPECT_EQ(waits_still.data, 1U);
    EXPECT_EQ(released.data, 0U);
    EXPECT_EQ(released.cost(), 2);
}

TEST_F(BarrierNetworkTest, ANodeArrivesAgainOnlyWhenItHasBeenReleased) {
    BarrierBench bench(domain_, 2);
    const BusAccess& unasked = bench.wait(0, 1);
    bench.arrive(0, 10);
    bench.arrive(1, 10);  // both nodes are released in cycle 33
    const BusAccess& too_early = bench.arrive(0, 32);
    const BusAccess& in_time = bench.arrive(1, 33);
    const BusAccess& too_late_in_script = bench.arrive(0, 33);
    const BusAccess& wait = bench.wait(1);
    const BusAccess& other_way = bench.core(0).store(WEIR_BARRIER_WAIT, 1, Cycles(100));
    bench.run();
    EXPECT_EQ(unasked.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(too_early.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_TRUE(in_time.ok());
    EXPECT_TRUE(too_late_in_script.ok());
    EXPECT_EQ(wait.end, Cycles(33 + 3 + 20 + 2));
    EXPECT_EQ(other_way.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.barrier().statistics().barriers.value(), 2);
}

TEST_F(BarrierNetworkTest, AWithdrawnLoadIsIssuedAgain) {
    BarrierBench bench(domain_, 2);
    bench.arrive(0, 5);
    const BusAccess& withdrawn = bench.wait(0);
    const BusAccess& again = bench.wait(0, 25);
    bench.arrive(1, 30);
    bench.script.at(20, [&bench](Cycles) { bench.core(0).withdraw(); });
    bench.run();
    EXPECT_EQ(withdrawn.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(withdrawn.end, Cycles(22));
    EXPECT_TRUE(again.ok());
    EXPECT_EQ(again.end, Cycles(55));
}

TEST_F(BarrierNetworkTest, NamesWhoHasNotArrived) {
    BarrierBench bench(domain_, 4);
    bench.arrive(0, 5);
    bench.wait(0);
    bench.arrive(2, 5);
    bench.run();
    WaitReport report;
    bench.barrier().report_waits(
        report, [](NodeId node) { return "core_" + std::to_string(node.index()); });
    ASSERT_EQ(report.size(), 2U);
    EXPECT_EQ(report[0].who + " > " + report[0].for_whom, "core_0 > core_1");
    EXPECT_EQ(report[1].who + " > " + report[1].for_whom, "core_2 > core_1");
    EXPECT_THAT(report[0].why, Names("barrier", "node 1", "1 other"));
}

TEST_F(BarrierNetworkTest, WhoArrivedAloneWaitsForTheOther) {
    BarrierBench bench(domain_, 2);
    const auto waits = [&bench] {
        WaitReport report;
        bench.barrier().report_waits(
            report, [](NodeId node) { return "core_" + std::to_string(node.index()); });
        return report;
    };
    EXPECT_TRUE(waits().empty());
    bench.arrive(1, 5);
    bench.run();
    ASSERT_EQ(waits().size(), 1U);
    EXPECT_EQ(waits()[0].who + " > " + waits()[0].for_whom, "core_1 > core_0");
    EXPECT_THAT(waits()[0].why, Names("barrier", "node 0"));
}

// Cores that pass ten barriers, each core after work of random length. Law: no core continues
// before the last arrival plus the barrier's cycles.
struct Meetings {
    std::string text;
    bool all_waited = true;
};
Meetings ten_meetings(ClockDomain& domain, Cycles barrier) {
    constexpr std::size_t kCores = 4;
    constexpr std::size_t kTimes = 10;
    BarrierBench bench(domain, kCores, barrier);
    for (std::size_t core = 0; core < kCores; ++core) {
        RandomStream work(3, NodeId(static_cast<std::int32_t>(core)), "test work");
        for (std::size_t time = 0; time < kTimes; ++time) {
            bench.arrive(core, static_cast<std::int64_t>(100 * time + work.below(40)));
            bench.wait(core);
        }
    }
    bench.run();
    Meetings meetings;
    std::ostringstream text;
    for (std::size_t time = 0; time < kTimes; ++time) {
        Cycles last(0);
        for (std::size_t core = 0; core < kCores; ++core) {
            last = std::max(last, bench.core(core).accesses()[2 * time].end);
        }
        for (std::size_t core = 0; core < kCores; ++core) {
            const BusAccess& wait = bench.core(core).accesses()[2 * time + 1];
            meetings.all_waited = meetings.all_waited && wait.ok() && wait.end >= last + kBarrier;
            text << wait.end << ' ';
        }
    }
    meetings.text = text.str();
    return meetings;
}

TEST(BarrierNetworkOrderTest, TheOrderOfTicksAndSleepChangeNothing) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        const Meetings meetings = ten_meetings(domain, kBarrier);
        EXPECT_TRUE(meetings.all_waited);
        return meetings.text;
    });
    for (const std::string& result : results) {
        EXPECT_EQ(result, results.front());
    }
    EXPECT_NE(results.front(), "failed");
}

// A load in the cycle before the release gives the same result whether the barrier was ticked
// before it or after it.
TEST(BarrierNetworkOrderTest, ALoadInTheCycleBeforeTheReleaseWaitsForNothing) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        BarrierBench bench(domain);
        std::vector<const BusAccess*> loads;
        for (std::size_t core = 0; core < 3; ++core) {
            bench.arrive(core, 30);  // all nodes are released in cycle 53
            loads.push_back(&bench.wait(core, 52));
        }
        bench.run();
        std::string ends;
        for (const BusAccess* load : loads) {
            ends += std::to_string(load->end.count()) + " ";
        }
        return ends;
    });
    EXPECT_THAT(results, ::testing::Each("55 55 55 "));
}

// Planted fault: a barrier that releases 3 cycles early. Less would not be found, since the last
// load ends 2 cycles after the release.
TEST_F(BarrierNetworkTest, ABarrierThatReleasesTooEarlyIsFoundOut) {
    EXPECT_FALSE(ten_meetings(domain_, kBarrier - Cycles(3)).all_waited);
}

}  // namespace
}  // namespace weir::hw
