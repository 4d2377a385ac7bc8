#include "network/fabric/flit_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <tuple>

#include "hw/testing/every_order.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/waveform.h"
#include "network/testing/flit_ends.h"

namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using testing::cycles_of;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::FlitSink;
using testing::FlitSource;
using ::testing::Not;
using ::testing::Pair;

// A channel between an ideal sender and an ideal receiver.
struct ChannelBench {
    ChannelBench(ClockDomain& clock, std::int64_t link_cycles, std::int64_t buffer_flits)
        : channel("channel", Cycles(link_cycles), Flits(buffer_flits)),
          source(clock, channel),
          sink(clock, channel) {
        channel.connect(source, sink);
    }
    FlitChannel channel;
    FlitSource source;
    FlitSink sink;
};

class FlitChannelTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters parameters;
    ClockDomain domain{"clock", parameters};
};

TEST_F(FlitChannelTest, AFlitIsSeenAfterTheLinksCycles) {
    for (const std::int64_t link : {1, 2, 5}) {
        FlitChannel channel("channel", Cycles(link), Flits(1));
        FlitSource unused(domain, channel);
        FlitSink receiver(domain, channel);
        channel.connect(unused, receiver);
        channel.send({}, Cycles(10));
        EXPECT_FALSE(channel.has_flit(Cycles(10 + link - 1))) << "link of " << link;
        EXPECT_TRUE(channel.has_flit(Cycles(10 + link))) << "link of " << link;
    }
}

TEST_F(FlitChannelTest, WakesTheReceiverWhenTheFlitArrives) {
    ChannelBench bench(domain, 7, 2);
    bench.source.worm(1, 0, 1, 10);
    domain.run_until(Cycles(100));
    EXPECT_THAT(cycles_of(bench.sink.taken), ElementsAre(17));
    EXPECT_EQ(domain.now(), Cycles(17)) << "nobody waits for the credit";
}

// A sender that requests one credit, in cycle 20, and records its ticks.
class AskingSender final : public hw::ClockedPart {
  public:
    AskingSender(ClockDomain& clock, FlitChannel& channel) : ClockedPart(clock), channel_(channel) {
        wake_at(Cycles(20));
    }
    void tick(Cycles now) override {
        ticks.push_back(now.count());
        if (now == Cycles(20)) {
            channel_.expect_credits(hw::Flits(1), now);
        }
    }
    std::vector<std::int64_t> ticks;

  private:
    FlitChannel& channel_;
};

TEST_F(FlitChannelTest, WakesTheSenderThatWaitsInTheCycleOfTheCredit) {
    FlitChannel channel("channel", Cycles(1), Flits(1));
    AskingSender sender(domain, channel);
    hw::testing::ScriptedPart receiver(domain);
    channel.connect(sender, receiver);
    channel.send({}, Cycles(-1));
    receiver.at(30, [&](Cycles now) { channel.take(now); });
    domain.run_until(Cycles(100));
    EXPECT_THAT(sender.ticks, ElementsAre(20, 31));
}

TEST_F(FlitChannelTest, WakesTheSenderForACreditOfTheCycleInWhichItAsks) {
    for (const bool receiver_is_first : {true, false}) {
        const std::string ticks = hw::testing::result_of_separate_run([&] {
            FlitChannel channel("channel", Cycles(1), Flits(1));
            hw::testing::ScriptedPart receiver(domain);
            const auto take = [&](Cycles now) { channel.take(now); };
            if (receiver_is_first) {
                receiver.at(20, take);
            }
            AskingSender sender(domain, channel);
            if (!receiver_is_first) {
                receiver.at(20, take);
            }
            channel.connect(sender, receiver);
            channel.send({}, Cycles(-1));
            domain.run_until(Cycles(100));
            return ::testing::PrintToString(sender.ticks);
        });
        EXPECT_EQ(ticks, "{ 20, 21 }") << (receiver_is_first ? "taken first" : "asked first");
    }
}

TEST_F(FlitChannelTest, KeepsTheFlitsInOrderAndAsTheyWere) {
    ChannelBench bench(domain, 1, 4);
    bench.source.worm(7, 9, 3, 10);
    domain.run_until(Cycles(100));
    using Passage = testing::FlitPassage;
    EXPECT_THAT(bench.sink.taken,
                ElementsAre(Passage{11, 7, true, false}, Passage{12, 7, false, false},
                            Passage{13, 7, false, true}));
}

TEST_F(FlitChannelTest, ACreditIsSeenTheCycleAfterTheFlitIsTaken) {
    FlitChannel channel("channel", Cycles(1), Flits(1));
    hw::testing::ScriptedPart sender(domain);
    hw::testing::ScriptedPart receiver(domain);
    channel.connect(sender, receiver);
    hw::testing::Waveform credit(domain, Cycles(50),
                                 [&](Cycles now) { return channel.has_credit(now); });
    channel.send({}, Cycles(-1));
    receiver.at(20, [&](Cycles now) { channel.take(now); });
    domain.run_until(Cycles(100));
    EXPECT_THAT(credit.changes(), ElementsAre(Pair(21, 1)));
}

TEST_F(FlitChannelTest, HoldsItsBufferAndTheLinksRegistersAndNoMore) {
    ChannelBench bench(domain, 3, 4);
    bench.sink.refuse(0, 100);
    bench.source.worm(1, 0, 20);
    domain.run_until(Cycles(99));
    EXPECT_THAT(cycles_of(bench.source.sent), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(bench.channel.held(), Flits(4 + 2));
    domain.run_until(Cycles(1000));
    EXPECT_EQ(bench.source.sent[6].cycle, 101) << "the first credit returns after 100";
    EXPECT_EQ(bench.channel.sent(), Flits(20));
    EXPECT_EQ(bench.channel.taken(), Flits(20));
    EXPECT_EQ(bench.channel.held(), Flits(0));
}

// Link cycles, buffer slots, number of flits sent, and cycles from sending the first flit to
// sending the last one.
using Rate = std::tuple<std::int64_t, std::int64_t, int, std::int64_t>;
class FlitChannelRateTest : public FlitChannelTest, public ::testing::WithParamInterface<Rate> {};

TEST_P(FlitChannelRateTest, IsLimitedByTheCreditsRoundTrip) {
    const auto [link, buffer, flits, cycles] = GetParam();
    ChannelBench bench(domain, link, buffer);
    bench.source.worm(1, 0, flits);
    domain.run_until(Cycles(1000));
    ASSERT_EQ(bench.sink.taken.size(), static_cast<std::size_t>(flits));
    EXPECT_EQ(bench.source.sent.back().cycle, cycles);
    EXPECT_EQ(bench.sink.taken.back().cycle, cycles + link);
}

// A buffer slot is used again after link + 1 cycles; the sender has buffer + link - 1 credits.
INSTANTIATE_TEST_SUITE_P(OnePlaceGivesHalfRate, FlitChannelRateTest,
                         ::testing::Values(Rate{1, 1, 20, 2 * 19}));
INSTANTIATE_TEST_SUITE_P(TwoPlacesGiveFullRate, FlitChannelRateTest,
                         ::testing::Values(Rate{1, 2, 20, 19}, Rate{1, 4, 20, 19},
                                           Rate{2, 2, 20, 19}, Rate{5, 2, 20, 19}));
INSTANTIATE_TEST_SUITE_P(OnePlaceBehindALongLinkLosesOneCycleOfEachRoundTrip, FlitChannelRateTest,
                         ::testing::Values(Rate{2, 1, 20, 9 * 3 + 1}, Rate{4, 1, 20, 4 * 5 + 3}));

// --- Sender and receiver may be ticked in any order ----------------------------------------------

std::string passages(ClockDomain& domain,
                     const std::function<bool(const FlitChannel&, Cycles)>& has_credit) {
    ChannelBench bench(domain, 1, 2);
    if (has_credit) {
        bench.source.has_credit = has_credit;
    }
    bench.sink.refuse(5, 12);
    bench.source.worm(1, 0, 10);
    bench.source.worm(2, 0, 5, 30);
    domain.run_until(Cycles(1000));
    std::ostringstream result;
    for (const auto& passage : bench.source.sent) {
        result << passage << "; ";
    }
    for (const auto& passage : bench.sink.taken) {
        result << passage << "; ";
    }
    return result.str();
}

TEST(FlitChannelOrderTest, PassagesAreTheSameInEveryOrder) {
    const auto results = hw::testing::results_in_every_order(
        [](ClockDomain& domain) { return passages(domain, nullptr); });
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_NE(results.front(), "failed");
}

TEST(FlitChannelOrderTest, PlantedSenderThatSeesACreditInTheTickOfItsReturnIsCaught) {
    const auto results = hw::testing::results_in_every_order([](ClockDomain& domain) {
        return passages(
            domain, [](const FlitChannel& channel, Cycles) { return channel.held() < Flits(2); });
    });
    EXPECT_THAT(results, Not(Each(results.front())));
}

}  // namespace
}  // namespace weir::network
