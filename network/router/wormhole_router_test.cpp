#include "network/router/wormhole_router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "network/testing/flit_ends.h"

namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using testing::cycles_of;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::FlitPassage;
using testing::FlitSink;
using testing::FlitSource;
using ::testing::SizeIs;
using weir::testing::Names;

constexpr int kPorts = 5;
constexpr Cycles kEnd(100'000);

// A router of five ports between ideal senders and receivers; destination d is at port d.
class RouterBench {
  public:
    explicit RouterBench(ClockDomain& clock, std::int64_t output_link_cycles = 1,
                         std::int64_t buffer_flits = 4)
        : domain(clock), router("router", clock, kPorts, {0, 1, 2, 3, 4}) {
        for (int port = 0; port < kPorts; ++port) {
            inputs_.push_back(std::make_unique<FlitChannel>("input " + std::to_string(port),
                                                            Cycles(1), Flits(buffer_flits)));
            outputs_.push_back(std::make_unique<FlitChannel>(
                "output " + std::to_string(port), Cycles(output_link_cycles), Flits(buffer_flits)));
            sources_.push_back(std::make_unique<FlitSource>(clock, *inputs_.back()));
            sinks_.push_back(std::make_unique<FlitSink>(clock, *outputs_.back()));
            inputs_.back()->connect(*sources_.back(), router);
            outputs_.back()->connect(router, *sinks_.back());
            router.connect_input(port, *inputs_.back());
            router.connect_output(port, *outputs_.back());
        }
    }
    FlitSource& source(int port) { return *sources_[static_cast<std::size_t>(port)]; }
    FlitSink& sink(int port) { return *sinks_[static_cast<std::size_t>(port)]; }
    FlitChannel& input(int port) { return *inputs_[static_cast<std::size_t>(port)]; }
    FlitChannel& output(int port) { return *outputs_[static_cast<std::size_t>(port)]; }
    void run() { domain.run_until(kEnd); }

    ClockDomain& domain;
    WormholeRouter router;

  private:
    std::vector<std::unique_ptr<FlitChannel>> inputs_;
    std::vector<std::unique_ptr<FlitChannel>> outputs_;
    std::vector<std::unique_ptr<FlitSource>> sources_;
    std::vector<std::unique_ptr<FlitSink>> sinks_;
};

class WormholeRouterTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters parameters;
    ClockDomain domain{"clock", parameters};
};

// Messages in the order in which their headers passed.
std::vector<hw::MessageSlot> headers(const std::vector<FlitPassage>& passages) {
    std::vector<hw::MessageSlot> messages;
    for (const FlitPassage& passage : passages) {
        if (passage.is_header) {
            messages.push_back(passage.message);
        }
    }
    return messages;
}

// True if every worm passed whole: header, body and tail of one message before the next message.
bool worms_are_whole(const std::vector<FlitPassage>& passages) {
    bool inside = false;
    hw::MessageSlot message = 0;
    for (const FlitPassage& passage : passages) {
        if (passage.is_header == inside || (inside && passage.message != message)) {
            return false;
        }
        message = passage.message;
        inside = !passage.is_tail;
    }
    return !inside;
}

std::vector<std::int64_t> consecutive(std::int64_t first, std::size_t count) {
    std::vector<std::int64_t> cycles(count);
    std::iota(cycles.begin(), cycles.end(), first);
    return cycles;
}

// --- A hop --------------------------------------------------------------------------------------

TEST_F(WormholeRouterTest, AHopCostsTheLinksCyclesAndNothingElse) {
    RouterBench bench(domain);
    bench.source(0).worm(1, 2, 3, 10);  // the header is in the input buffer from cycle 11 on
    bench.run();
    EXPECT_THAT(cycles_of(bench.sink(2).taken), ElementsAre(12, 13, 14));
}

TEST_F(WormholeRouterTest, ALongLinkCostsItsCycles) {
    RouterBench bench(domain, 7);
    bench.source(0).worm(1, 2, 3, 10);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sink(2).taken), ElementsAre(18, 19, 20));
}

TEST_F(WormholeRouterTest, SendsAWormWhereItsRouteNames) {
    RouterBench bench(domain);
    for (std::uint16_t destination = 0; destination < kPorts; ++destination) {
        bench.source(0).worm(10U + destination, destination, 2);
    }
    bench.run();
    for (int port = 0; port < kPorts; ++port) {
        EXPECT_THAT(headers(bench.sink(port).taken), ElementsAre(10 + port));
    }
    EXPECT_EQ(bench.router.statistics().headers_routed.value(), kPorts);
    EXPECT_EQ(bench.router.statistics().flits_forwarded.value(), 2 * kPorts);
}

TEST_F(WormholeRouterTest, WormsForDifferentOutputsPassAtTheSameTime) {
    RouterBench bench(domain);
    for (int port = 0; port < kPorts; ++port) {
        const auto destination = static_cast<std::uint16_t>((port + 1) % kPorts);
        bench.source(port).worm(static_cast<hw::MessageSlot>(port), destination, 20, 10);
    }
    bench.run();
    for (int port = 0; port < kPorts; ++port) {
        EXPECT_EQ(cycles_of(bench.sink(port).taken), consecutive(12, 20)) << "port " << port;
    }
}

TEST_F(WormholeRouterTest, WormsOfOneInputFollowEachOtherAtFullRate) {
    RouterBench bench(domain);
    for (hw::MessageSlot message = 0; message < 5; ++message) {
        bench.source(0).worm(message, 2, 4, 10);
    }
    bench.run();
    EXPECT_EQ(cycles_of(bench.sink(2).taken), consecutive(12, 20));
}

TEST_F(WormholeRouterTest, WormsOfDifferentInputsFollowEachOtherAtFullRate) {
    RouterBench bench(domain);
    for (int port = 0; port < kPorts; ++port) {
        bench.source(port).worm(static_cast<hw::MessageSlot>(port), 2, 4, 10);
    }
    bench.run();
    EXPECT_EQ(cycles_of(bench.sink(2).taken), consecutive(12, 20));
}

TEST_F(WormholeRouterTest, AWormOfOneFlitIsHeaderAndTail) {
    RouterBench bench(domain);
    for (hw::MessageSlot message = 0; message < 3; ++message) {
        bench.source(0).worm(message, 2, 1, 10);
        bench.source(1).worm(10 + message, 2, 1, 10);
    }
    bench.run();
    EXPECT_THAT(headers(bench.sink(2).taken), ElementsAre(10, 0, 11, 1, 12, 2));
    EXPECT_EQ(cycles_of(bench.sink(2).taken), consecutive(12, 6));
}

TEST_F(WormholeRouterTest, BuffersOfOneFlitGiveHalfRate) {
    RouterBench bench(domain, 1, 1);
    bench.source(0).worm(1, 2, 4, 10);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sink(2).taken), ElementsAre(12, 14, 16, 18));
}

// --- A channel is held from header to tail ------------------------------------------------------

TEST_F(WormholeRouterTest, HoldsTheOutputUntilTheTailHasPassed) {
    RouterBench bench(domain);
    bench.source(0).worm(1, 2, 10, 10);
    bench.source(1).worm(2, 2, 10, 11);  // sent a cycle after the first worm
    bench.run();
    EXPECT_THAT(headers(bench.sink(2).taken), ElementsAre(1, 2));
    EXPECT_TRUE(worms_are_whole(bench.sink(2).taken));
    EXPECT_EQ(cycles_of(bench.sink(2).taken), consecutive(12, 20));
}

TEST_F(WormholeRouterTest, HoldsTheOutputEvenWhileTheWormHasNothingToSend) {
    RouterBench bench(domain);
    bench.source(0).flit({1, 2, true, false}, 10);
    // the tail of worm 1, 40 cycles after its header
    bench.source(0).flit({1, 2, false, true}, 50);
    bench.source(1).worm(2, 2, 2, 20);
    bench.run();
    EXPECT_THAT(bench.sink(2).taken,
                ElementsAre(FlitPassage{12, 1, true, false}, FlitPassage{52, 1, false, true},
                            FlitPassage{53, 2, true, false}, FlitPassage{54, 2, false, true}));
}

TEST_F(WormholeRouterTest, PlantedWormWithoutATailKeepsAllOthersOut) {
    RouterBench bench(domain);
    bench.source(0).flit({1, 2, true, false}, 10);
    bench.source(1).worm(2, 2, 2, 20);
    bench.run();
    EXPECT_THAT(bench.sink(2).taken, SizeIs(1));
    EXPECT_FALSE(worms_are_whole(bench.sink(2).taken));
    hw::WaitReport report;
    bench.router.report_waits(report);
    ASSERT_THAT(report, SizeIs(1));
    EXPECT_EQ(report[0].who, "input 1");
    EXPECT_EQ(report[0].for_whom, "input 0");
    EXPECT_THAT(report[0].why, Names("node 2", "output 2", "holds"));
}

// --- Fairness -----------------------------------------------------------------------------------

TEST_F(WormholeRouterTest, GivesAContestedOutputToItsInputsInTurn) {
    RouterBench bench(domain);
    for (int port = 0; port < kPorts; ++port) {
        for (int worm = 0; worm < 4; ++worm) {
            bench.source(port).worm(static_cast<hw::MessageSlot>(port), 2, 3, 10);
        }
    }
    bench.run();
    // The output goes to the input after the last winner; before the first grant, input 0 counts as
    // the last winner.
    EXPECT_THAT(headers(bench.sink(2).taken),
                ElementsAre(1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0));
}

TEST_F(WormholeRouterTest, PassesOverInputsThatDoNotAsk) {
    RouterBench bench(domain);
    for (int worm = 0; worm < 4; ++worm) {
        bench.source(1).worm(1, 2, 3, 10);
        bench.source(4).worm(4, 2, 3, 10);
        bench.source(3).worm(3, 0, 3, 10);
    }
    bench.run();
    EXPECT_THAT(headers(bench.sink(2).taken), ElementsAre(1, 4, 1, 4, 1, 4, 1, 4));
    EXPECT_THAT(headers(bench.sink(0).taken), ElementsAre(3, 3, 3, 3));
}

// --- Blocking -----------------------------------------------------------------------------------

TEST_F(WormholeRouterTest, ABlockedWormStopsInPlaceAndGoesOnWhenTheCreditReturns) {
    RouterBench bench(domain);
    bench.sink(2).refuse(0, 200);
    bench.source(0).worm(1, 2, 20, 10);
    domain.run_until(Cycles(199));
    EXPECT_EQ(bench.output(2).held(), Flits(4));
    EXPECT_EQ(bench.input(0).held(), Flits(4));
    EXPECT_THAT(bench.source(0).sent, SizeIs(8));
    hw::WaitReport report;
    bench.router.report_waits(report);
    ASSERT_THAT(report, SizeIs(1));
    EXPECT_EQ(report[0].who, "input 0");
    EXPECT_EQ(report[0].for_whom, "output 2");
    EXPECT_THAT(report[0].why, Names("node 2", "output 2", "room", "4", "flits"));
    bench.run();
    // The sink takes a flit in cycle 200. The router can use its credit in 201, and the source the
    // next buffer's credit in 202.
    EXPECT_EQ(cycles_of(bench.sink(2).taken), consecutive(200, 20));
    EXPECT_EQ(bench.source(0).sent[8].cycle, 202);
}

TEST_F(WormholeRouterTest, ABlockedHeaderBlocksItsInputAndNoOther) {
    RouterBench bench(domain);
    bench.sink(2).refuse(0, 200);
    bench.source(0).worm(1, 2, 10, 10);
    bench.source(1).worm(2, 2, 4, 20);  // message 2 waits for output 2
    bench.source(1).worm(3, 3, 4, 20);  // message 3 waits behind message 2, though output 3 is free
    bench.source(4).worm(4, 3, 4, 20);
    domain.run_until(Cycles(199));
    EXPECT_THAT(headers(bench.sink(3).taken), ElementsAre(4));
    EXPECT_EQ(bench.input(1).held(), Flits(4));
    bench.run();
    EXPECT_THAT(headers(bench.sink(3).taken), ElementsAre(4, 3));
    EXPECT_THAT(headers(bench.sink(2).taken), ElementsAre(1, 2));
}

TEST_F(WormholeRouterTest, SleepsWhileItsFlitsCannotMove) {
    RouterBench bench(domain);
    bench.sink(2).refuse(0, 50'000);
    bench.source(0).worm(1, 2, 20, 10);
    bench.source(1).worm(2, 2, 20, 10);
    domain.run_until(Cycles(49'999));
    EXPECT_EQ(bench.input(1).held(), Flits(4));
    EXPECT_LT(domain.active_cycles(), 30);
    bench.run();
    EXPECT_EQ(cycles_of(bench.sink(2).taken), consecutive(50'000, 40));
}

TEST_F(WormholeRouterTest, PortsAtTheEdgeMayBeUnconnected) {
    FlitChannel input("input", Cycles(1), Flits(4));
    FlitChannel output("output", Cycles(1), Flits(4));
    WormholeRouter router("router", domain, kPorts, {3});
    FlitSource source(domain, input);
    FlitSink sink(domain, output);
    input.connect(source, router);
    output.connect(router, sink);
    router.connect_input(1, input);
    router.connect_output(3, output);
    source.worm(1, 0, 2, 10);
    domain.run_until(kEnd);
    EXPECT_THAT(cycles_of(sink.taken), ElementsAre(12, 13));
}

// --- No result depends on the order of ticks ----------------------------------------------------

std::string contended_router(ClockDomain& domain) {
    RouterBench bench(domain, 2, 2);
    hw::RandomStream random(1, hw::NodeId(0), "router test");
    bench.sink(3).refuse(40, 90);
    for (hw::MessageSlot message = 0; message < 200; ++message) {
        bench.source(static_cast<int>(random.below(kPorts)))
            .worm(message, static_cast<std::uint16_t>(random.below(kPorts)),
                  static_cast<int>(random.below(9)) + 1,
                  static_cast<std::int64_t>(random.below(3)) * 5 * message);
    }
    bench.run();
    std::ostringstream result;
    std::size_t worms = 0;
    for (int port = 0; port < kPorts; ++port) {
        EXPECT_TRUE(worms_are_whole(bench.sink(port).taken)) << "port " << port;
        worms += headers(bench.sink(port).taken).size();
        for (const FlitPassage& passage : bench.sink(port).taken) {
            result << passage << "; ";
        }
    }
    EXPECT_EQ(worms, 200U);
    return result.str();
}

TEST(WormholeRouterOrderTest, PassagesAreTheSameInEveryOrder) {
    const auto results = hw::testing::results_in_every_order(contended_router);
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_NE(results.front(), "failed");
}

}  // namespace
}  // namespace weir::network
