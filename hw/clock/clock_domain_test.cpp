#include "hw/clock/clock_domain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <set>
#include <sstream>

#include "hw/clock/clocked_register.h"
#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"

namespace weir::hw {
namespace {

using weir::testing::Names;

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Cycles kEnd(1'000'000'000);

// Records the cycles of its ticks, and requests the next of its wake-ups in each.
class Sleeper final : public ClockedPart {
  public:
    explicit Sleeper(ClockDomain& domain, std::vector<std::int64_t> wake_ups = {})
        : ClockedPart(domain), wake_ups_(std::move(wake_ups)) {
        ask();
    }
    void tick(Cycles now) override {
        ticks.push_back(now.count());
        ask();
    }
    std::vector<std::int64_t> ticks;

  private:
    void ask() {
        if (asked_ < wake_ups_.size()) {
            wake_at(Cycles(wake_ups_[asked_++]));
        }
    }
    std::vector<std::int64_t> wake_ups_;
    std::size_t asked_ = 0;
};

class ClockDomainTest : public ::testing::Test {
  public:
    ClockDomain& domain() {
        if (!domain_) {
            domain_ = std::make_unique<ClockDomain>("clock", parameters);
        }
        return *domain_;
    }
    ClockDomainParameters parameters;

  private:
    std::unique_ptr<ClockDomain> domain_;
};

TEST_F(ClockDomainTest, TicksAPartInExactlyTheCyclesItAskedForBeforehand) {
    // Cycles around the size of the occupancy map (64) and of the wheel (1,024), and far beyond.
    const std::vector<std::int64_t> asked{0,    1,    63,   64,   65,   1022,   1023,     1024,
                                          1025, 1086, 2047, 2048, 4095, 90'000, 1'000'000};
    Sleeper part(domain());
    for (const std::int64_t cycle : asked) {
        part.wake_at(Cycles(cycle));
    }
    domain().run_until(kEnd);
    EXPECT_THAT(part.ticks, ElementsAreArray(asked));
    EXPECT_EQ(domain().now(), Cycles(1'000'000));
}

TEST_F(ClockDomainTest, TicksAPartInExactlyTheCyclesItAskedForOnItsWay) {
    std::vector<std::int64_t> asked{5};
    for (const std::int64_t step : {1, 63, 64, 65, 1022, 1023, 1024, 1025, 2048, 50'000, 1, 1023}) {
        asked.push_back(asked.back() + step);
    }
    Sleeper part(domain(), asked);
    domain().run_until(kEnd);
    EXPECT_THAT(part.ticks, ElementsAreArray(asked));
}

TEST_F(ClockDomainTest, KeepsTheWakeUpsOfManyPartsApart) {
    RandomStream random(1, NodeId(0), "clock domain test");
    std::vector<std::vector<std::int64_t>> asked(50);
    std::vector<std::unique_ptr<Sleeper>> parts;
    std::size_t wake_ups = 0;
    for (auto& cycles : asked) {
        for (std::int64_t cycle = 0; cycles.size() < 200; cycle = cycles.back() + 1) {
            cycles.push_back(cycle + static_cast<std::int64_t>(random.below(3000)));
        }
        wake_ups += cycles.size();
        parts.push_back(std::make_unique<Sleeper>(domain(), cycles));
    }
    domain().run_until(kEnd);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_THAT(parts[i]->ticks, ElementsAreArray(asked[i])) << "part " << i;
    }
    EXPECT_EQ(domain().ticks(), static_cast<std::int64_t>(wake_ups));
}

TEST_F(ClockDomainTest, JumpsOverTheCyclesNobodyAskedFor) {
    Sleeper one(domain(), {7, 5000, 1'000'000});
    Sleeper other(domain(), {7, 300'000});
    domain().run_until(kEnd);
    EXPECT_EQ(domain().active_cycles(), 4);
    EXPECT_EQ(domain().ticks(), 5);
}

TEST_F(ClockDomainTest, TicksAPartOnceInACycleHoweverOftenItAsked) {
    Sleeper part(domain());
    for (const std::int64_t cycle : {5, 9, 5, 9, 2000, 9, 5, 2000}) {
        part.wake_at(Cycles(cycle));
    }
    domain().run_until(kEnd);
    EXPECT_THAT(part.ticks, ElementsAre(5, 9, 2000));
}

TEST_F(ClockDomainTest, LetsAnyPartWakeAnother) {
    Sleeper woken(domain());
    testing::ScriptedPart waker(domain());
    waker.at(3, [&](Cycles now) {
        woken.wake_at(now + Cycles(1));
        woken.wake_at(now + Cycles(4000));
    });
    domain().run_until(kEnd);
    EXPECT_THAT(woken.ticks, ElementsAre(4, 4003));
}

TEST_F(ClockDomainTest, EndsWhenNobodyWaits) {
    Sleeper part(domain(), {12});
    EXPECT_TRUE(domain().has_wake_ups());
    domain().run_until(kEnd);
    EXPECT_FALSE(domain().has_wake_ups());
    EXPECT_EQ(domain().now(), Cycles(12));
}

TEST_F(ClockDomainTest, RunsUpToItsLimitAndGoesOnFromThere) {
    Sleeper part(domain(), {10, 11, 3000});
    domain().run_until(Cycles(9));
    EXPECT_THAT(part.ticks, IsEmpty());
    domain().run_until(Cycles(10));
    EXPECT_THAT(part.ticks, ElementsAre(10));
    EXPECT_TRUE(domain().has_wake_ups());
    domain().run_until(Cycles(2999));
    EXPECT_THAT(part.ticks, ElementsAre(10, 11));
    part.wake_at(Cycles(2998));  // requested while the domain does not run
    domain().run_until(Cycles(2999));
    EXPECT_THAT(part.ticks, ElementsAre(10, 11, 2998));
    domain().run_until(Cycles(3000));
    EXPECT_THAT(part.ticks, ElementsAre(10, 11, 2998, 3000));
    EXPECT_FALSE(domain().has_wake_ups());
}

TEST_F(ClockDomainTest, TimeHasCaughtUpWhenARunEnds) {
    Sleeper part(domain(), {10, 11, 12, 13, 3000});
    domain().run_until(Cycles(20));
    EXPECT_EQ(sc_core::sc_time_stamp(), domain().to_time(Cycles(13)));
    domain().run_until(kEnd);
    EXPECT_EQ(sc_core::sc_time_stamp(), domain().to_time(Cycles(3000)));
}

TEST_F(ClockDomainTest, FinishesTheCycleInWhichItIsStopped) {
    testing::ScriptedPart stopper(domain());
    Sleeper part(domain(), {4, 5});
    stopper.at(4, [&](Cycles) { domain().stop(); });
    domain().run_until(kEnd);
    EXPECT_TRUE(domain().stopped());
    EXPECT_THAT(part.ticks, ElementsAre(4));
    domain().run_until(kEnd);
    EXPECT_THAT(part.ticks, ElementsAre(4)) << "a stopped run does not go on";
}

TEST_F(ClockDomainTest, WithoutSleepingTicksEveryPartInEveryCycleWhileAnybodyWaits) {
    ASSERT_TRUE(parameters.sleeping.set(false));
    Sleeper busy(domain(), {9});
    Sleeper idle(domain());
    domain().run_until(kEnd);
    EXPECT_THAT(idle.ticks, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_THAT(busy.ticks, ElementsAreArray(idle.ticks));
}

TEST_F(ClockDomainTest, ConvertsCyclesToTimeAndBackExactly) {
    // The period is 30303.03 ps, rounded to the 1 ps of the kernel's time.
    ASSERT_TRUE(parameters.processor_mhz.set(33.0));
    for (const std::int64_t cycles : {0, 1, 3, 999'999'999}) {
        EXPECT_EQ(domain().to_cycles(domain().to_time(Cycles(cycles))), Cycles(cycles));
    }
    Sleeper part(domain(), {1'000'003});
    domain().run_until(kEnd);
    EXPECT_THAT(part.ticks, ElementsAre(1'000'003));
    EXPECT_EQ(sc_core::sc_time_stamp(), domain().to_time(Cycles(1'000'003)));
}

TEST_F(ClockDomainTest, CountsTwentyMegahertzAsFiftyNanoseconds) {
    EXPECT_EQ(domain().to_time(Cycles(3)), sc_core::sc_time(150, sc_core::SC_NS));
}

TEST_F(ClockDomainTest, CountsTheWholeCyclesOfATime) {
    EXPECT_EQ(domain().to_cycles(sc_core::sc_time(149, sc_core::SC_NS)), Cycles(2));
    EXPECT_EQ(domain().to_cycles(sc_core::sc_time(49, sc_core::SC_NS)), Cycles(0));
}

// Cancels near and far wake-ups; another part's wake-up in the same cycle stays.
TEST_F(ClockDomainTest, AWakeUpThatIsForgottenIsNoTick) {
    testing::ScriptedPart part(domain());
    Sleeper forgets(domain(), {5, 900});
    Sleeper other(domain(), {900});
    part.at(2, [&](Cycles) { forgets.forget_wake_up(Cycles(5)); });
    domain().run_until(Cycles(100));
    EXPECT_THAT(forgets.ticks, IsEmpty());
    forgets.wake_at(Cycles(900));
    part.at(101, [&](Cycles) { forgets.forget_wake_up(Cycles(900)); });
    domain().run_until(kEnd);
    EXPECT_THAT(forgets.ticks, IsEmpty());
    EXPECT_THAT(other.ticks, ElementsAre(900));
    EXPECT_EQ(domain().now(), Cycles(900));
    EXPECT_FALSE(domain().has_wake_ups());
}

TEST_F(ClockDomainTest, RemembersTheLatestProgress) {
    domain().note_progress(Cycles(40));
    domain().note_progress(Cycles(30));
    EXPECT_EQ(domain().last_progress(), Cycles(40));
}

TEST_F(ClockDomainTest, ProgressNotedAheadMakesItsCyclesActiveOnes) {
    testing::ScriptedPart part(domain());
    part.at(5, [&](Cycles) { domain().note_progress(Cycles(1500)); });
    Sleeper far(domain(), {1600, 1700});
    domain().run_until(Cycles(4));
    EXPECT_EQ(domain().now(), Cycles(-1));
    domain().run_until(Cycles(900));
    EXPECT_EQ(domain().now(), Cycles(900));
    // Cycle 1650 lies in the wheel; 1600, requested earlier, is in the map of far cycles.
    Sleeper added(domain(), {1650});
    domain().run_until(Cycles(1550));
    EXPECT_EQ(domain().now(), Cycles(1500)) << "nothing was said of later ones";
    domain().run_until(kEnd);
    EXPECT_THAT(far.ticks, ElementsAre(1600, 1700));
    EXPECT_THAT(added.ticks, ElementsAre(1650));
    EXPECT_EQ(domain().now(), Cycles(1700));
}

// A part that requests end_of_cycle() twice in cycle 3, and reads its neighbour's value in it.
class Onlooker final : public ClockedPart {
  public:
    Onlooker(ClockDomain& domain, const std::int64_t& seen) : ClockedPart(domain), seen_(seen) {
        wake_at(Cycles(3));
    }
    void tick(Cycles now) override {
        if (now == Cycles(3)) {
            domain().after_ticks(*this);
            domain().after_ticks(*this);
        }
    }
    void end_of_cycle(Cycles now) override {
        text += std::to_string(seen_) + " at " + std::to_string(now.count()) + " ";
        wake_at(now + Cycles(1));
    }
    std::string text;

  private:
    const std::int64_t& seen_;
};

TEST(ClockDomainOrderTest, TheEndOfACycleSeesAllThatItsTicksDid) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        std::int64_t value = 0;
        Onlooker early(domain, value);
        testing::ScriptedPart writer(domain);
        for (std::int64_t cycle = 0; cycle < 6; ++cycle) {
            writer.at(cycle, [&](Cycles now) { value = now.count() + 10; });
        }
        Onlooker late(domain, value);
        domain.run_until(Cycles(100));
        return early.text + late.text;
    });
    EXPECT_THAT(results, Each("13 at 3 13 at 3 "));
}

// --- The order of ticks in a cycle -------------------------------------------------------------

// Order of the ticks of eight parts, each ticked in 100 cycles.
std::string order_of_ticks(ClockDomain& domain) {
    std::string order;
    std::vector<std::unique_ptr<testing::ScriptedPart>> parts;
    for (char name = 'a'; name <= 'h'; ++name) {
        parts.push_back(std::make_unique<testing::ScriptedPart>(domain));
        for (std::int64_t cycle = 0; cycle < 100; ++cycle) {
            parts.back()->at(cycle, [&order, name](Cycles) { order += name; });
        }
    }
    domain.run_until(kEnd);
    return order;
}

TEST_F(ClockDomainTest, TicksInTheOrderOfWakingUnlessToldOtherwise) {
    EXPECT_EQ(order_of_ticks(domain()).substr(0, 16), "abcdefghabcdefgh");
    EXPECT_EQ(domain().reordered_cycles(), 0);
}

TEST_F(ClockDomainTest, ReversedTicksLastWokenFirst) {
    ASSERT_TRUE(parameters.tick_order.set(std::string("reversed")));
    EXPECT_EQ(order_of_ticks(domain()).substr(0, 16), "hgfedcbahgfedcba");
    EXPECT_EQ(domain().reordered_cycles(), 100);
}

TEST_F(ClockDomainTest, ShuffledReallyShuffles) {
    ASSERT_TRUE(parameters.tick_order.set(std::string("shuffled")));
    const std::string order = order_of_ticks(domain());
    std::set<std::string> orders;
    for (std::size_t cycle = 0; cycle < 100; ++cycle) {
        orders.insert(order.substr(cycle * 8, 8));
    }
    // Eight parts have 40,320 orders. A correct shuffle draws the wake order at least once in 100
    // cycles for one seed in 400; the seed is fixed.
    EXPECT_EQ(domain().reordered_cycles(), 100);
    EXPECT_EQ(orders.size(), 100U);
}

TEST_F(ClockDomainTest, ShufflesTwoAsWell) {
    ASSERT_TRUE(parameters.tick_order.set(std::string("shuffled")));
    std::vector<std::int64_t> cycles(100);
    std::iota(cycles.begin(), cycles.end(), 10);
    Sleeper one(domain(), cycles);
    Sleeper other(domain(), cycles);
    domain().run_until(kEnd);
    EXPECT_THAT(one.ticks, ElementsAreArray(cycles));
    EXPECT_GT(domain().reordered_cycles(), 30);
    EXPECT_LT(domain().reordered_cycles(), 70);
}

TEST_F(ClockDomainTest, ShufflesAnotherWayWithAnotherSeed) {
    const auto orders = testing::results_in_every_order(order_of_ticks);
    EXPECT_NE(orders[2], orders[3]);
}

// --- No result may depend on the order of ticks, nor on sleeping -------------------------------

// Two parts that each add the other's register to their own, for 20 cycles.
using Read = std::function<std::int64_t(const ClockedRegister<std::int64_t>&, Cycles)>;

std::string sums_of_two_parts(ClockDomain& domain, const Read& read) {
    ClockedRegister<std::int64_t> one(1);
    ClockedRegister<std::int64_t> other(2);
    testing::ScriptedPart first(domain);
    testing::ScriptedPart second(domain);
    std::ostringstream result;
    for (std::int64_t cycle = 0; cycle < 20; ++cycle) {
        first.at(cycle, [&](Cycles now) { one.write(one.latest() + read(other, now), now); });
        second.at(cycle, [&](Cycles now) { other.write(other.latest() + read(one, now), now); });
    }
    domain.run_until(kEnd);
    result << one.latest() << " " << other.latest();
    return result.str();
}

TEST(TickOrderTest, PartsThatReadWhatWasStableGiveOneResult) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        return sums_of_two_parts(domain,
                                 [](const auto& source, Cycles now) { return source.read(now); });
    });
    EXPECT_THAT(results, Each(results.front()));
    // Both read the other's value at the beginning of the cycle, so the sum doubles each cycle: 3 *
    // 2^20 at the end.
    EXPECT_EQ(results.front(), "1572864 1572864");
}

TEST(TickOrderTest, PlantedReadInTheTickOfTheWriteIsCaught) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        return sums_of_two_parts(domain,
                                 [](const auto& source, Cycles) { return source.latest(); });
    });
    EXPECT_THAT(results, Not(Each(results.front())));
    EXPECT_NE(results[0], results[1]) << "wake order against reversed";
}

TEST(TickOrderTest, PlantedPartThatCountsItsTicksIsCaughtByNeverSleeping) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        Sleeper counter(domain, {0, 10});
        Sleeper other(domain, {5});
        domain.run_until(kEnd);
        return std::to_string(counter.ticks.size());
    });
    EXPECT_EQ(results[0], "2");
    EXPECT_EQ(results[4], "11") << "never sleeping";
}

// Planted fault: requests end_of_cycle() after the ticks, and would never be called.
class LateOnlooker final : public ClockedPart {
  public:
    explicit LateOnlooker(ClockDomain& domain) : ClockedPart(domain) { wake_at(Cycles(3)); }
    void tick(Cycles /*now*/) override { domain().after_ticks(*this); }
    void end_of_cycle(Cycles /*now*/) override { domain().after_ticks(*this); }
};

TEST_F(ClockDomainTest, TheEndOfACycleIsAskedForInATickOnly) {
    LateOnlooker late(domain());
    try {
        domain().run_until(kEnd);
        FAIL() << "it ran";
    } catch (const std::exception& fault) {
        EXPECT_THAT(fault.what(), Names("cycle 3", "end", "tick"));
    }
}

}  // namespace
}  // namespace weir::hw
