#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "network/faults/fault_parameters.h"
#include "network/mesh_network.h"
#include "network/network.h"
#include "network/plan_fault.h"
#include "network/routed_network.h"
#include "network/testing/network_bench.h"
#include "network/testing/settings.h"

namespace weir::network {
namespace {

using hw::Bytes;
using hw::ClockDomain;
using hw::Cycles;
using ::testing::AllOf;
using ::testing::Contains;
using testing::counts_by_name;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::List;
using testing::NetworkBench;
using testing::set_all;
using testing::text;
using weir::testing::Names;
using weir::testing::NamesMatcher;

constexpr Cycles kEndOfFaults(100'000);
constexpr std::int64_t kBytes = 16;

// --- The parameters ------------------------------------------------------------------------------

std::string refusal_of(const char* name, const char* value) {
    FaultParameters faults;
    set_all(faults, {{name, text(value)}});
    const auto fault = faults.check();
    return fault ? fault->key + " " + hw::text_of(*fault) : "accepted";
}

TEST(FaultParametersTest, NoMoreThanAllFlitsFail) {
    FaultParameters faults;
    for (const char* share : {"lost_flits_per_million", "flipped_flits_per_million"}) {
        EXPECT_TRUE(faults.find(share)->set(1'000'000.0)) << share;
        EXPECT_FALSE(faults.find(share)->set(1'000'000.5)) << share;
        EXPECT_FALSE(faults.find(share)->set(-0.5)) << share;
    }
}

TEST(FaultParametersTest, ListsHaveEntriesBetweenSemicolons) {
    FaultParameters faults;
    set_all(faults, {{"lost_flits", text("(3,1) +x @ 5000;node 2 injection@0")}});
    EXPECT_FALSE(faults.check().has_value());
    EXPECT_THAT(FaultParameters::entries(faults.lost_flits),
                ElementsAre(ListedFault{"(3,1) +x", Cycles(5000)},
                            ListedFault{"node 2 injection", Cycles(0)}));
    EXPECT_THAT(FaultParameters::entries(faults.stuck_credits), IsEmpty());
}

TEST(FaultParametersTest, AnEntryThatSaysNoCycleOrNoPlaceIsRefused) {
    EXPECT_THAT(refusal_of("lost_flits", "(3,1) +x"),
                Names("lost_flits", "\"(3,1) +x\"", "\"(3,1) +x @ 5000\"", "semicolons"));
    EXPECT_THAT(refusal_of("stuck_credits", "(3,1) +x @ 5000;"), HasSubstr("has \"\""));
    EXPECT_THAT(refusal_of("failing_channels", "(3,1) +x @ soon"), HasSubstr("@ soon"));
    EXPECT_THAT(refusal_of("failing_nodes", "@ 10"), HasSubstr("as \"7 @ 5000\""));
    EXPECT_THAT(refusal_of("dead_channels", "(3,1) +x @ 5000"), HasSubstr("as \"(3,1) +x;"));
    EXPECT_EQ(refusal_of("dead_channels", "(3,1) +x; (2,0) -y"), "accepted");
}

TEST(FaultParametersTest, NothingFailsUnlessItIsAskedFor) {
    FaultParameters faults;
    EXPECT_FALSE(faults.any());
    set_all(faults, {{"failing_nodes", text("7 @ 5000")}});
    EXPECT_TRUE(faults.any());
    EXPECT_FALSE(faults.touch_flits());
}

// --- Flits that are lost or flipped --------------------------------------------------------------

class FaultsTest : public ::testing::Test {
  public:
    // A row of four routers.
    FaultsTest() { set_all(parameters, {{"dimensions", List{4, 1}}}); }

    RoutedNetwork& build() {
        network_ =
            std::make_unique<RoutedNetwork>("network", domain, parameters, messages, faults, 1);
        bench = std::make_unique<NetworkBench>(domain, *network_, messages);
        return *network_;
    }
    void run() {
        FaultSchedule failures;
        network_->add_failures(failures);
        failures.fail_by(Cycles(0));
        while (failures.next() < kEndOfFaults) {
            domain.run_until(failures.next() - Cycles(1));
            failures.fail_by(failures.next());
        }
        domain.run_until(kEndOfFaults);
        EXPECT_EQ(bench->conservation_fault(false), std::nullopt);
    }
    [[nodiscard]] bool has_arrived(hw::MessageSlot slot) const {
        return messages[slot].times.tail_arrival != hw::kNever;
    }
    [[nodiscard]] const FaultLog::Statistics& counted() const {
        return network_->fault_log()->statistics();
    }

    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    NetworkParameters parameters;
    FaultParameters faults;
    hw::MessagePool messages;
    std::unique_ptr<NetworkBench> bench;

  private:
    std::unique_ptr<RoutedNetwork> network_;
};

class FaultsBehind : public FaultsTest, public ::testing::WithParamInterface<const char*> {
  public:
    FaultsBehind() { set_all(parameters, {{"router", text(GetParam())}}); }

    /// One message over two networks: the first checks nothing, the second checks arriving flits.
    struct Twins {
        hw::MessageSlot unchecked;
        hw::MessageSlot checked;
    };
    Twins send_twins() {
        unchecked_ = std::make_unique<RoutedNetwork>("unchecked", domain, parameters, messages);
        plain_ = std::make_unique<NetworkBench>(domain, *unchecked_, messages);
        set_all(faults, {{"lost_flits", text("(1,0) +x @ 900")}});
        build();
        return {plain_->send(0, 3, kBytes, 10), bench->send(0, 3, kBytes, 10)};
    }

  private:
    std::unique_ptr<RoutedNetwork> unchecked_;
    std::unique_ptr<NetworkBench> plain_;
};

// Messages of eight flits from node 0. The first message enters the network in cycle 10; its flits
// enter (1,0) +x in cycles 13 to 20.
TEST_P(FaultsBehind, ALostHeaderLosesItsMessageAlone) {
    set_all(faults, {{"lost_flits", text("(1,0) +x @ 13")}});
    const RoutedNetwork& network = build();
    const auto first = bench->send(0, 3, kBytes, 10);
    const auto second = bench->send(0, 3, kBytes, 10);
    run();
    EXPECT_FALSE(has_arrived(first));
    EXPECT_TRUE(has_arrived(second));
    EXPECT_EQ(counted().flits_lost.value(), 1);
    EXPECT_EQ(counted().flits_discarded.value(), 8);
    EXPECT_EQ(counted().messages_lost.value(), 1);
    EXPECT_THAT(network.fault_log()->text(),
                Names("message 0", "node 0", "node 3", "header", "(1,0) +x", "cycle 13"));
    EXPECT_EQ(network.flits_in_flight(), hw::Flits(0));
}

TEST_P(FaultsBehind, AFlippedHeaderIsNoBetterThanALostOne) {
    set_all(faults, {{"flipped_flits", text("(1,0) +x @ 13")}});
    build();
    const auto first = bench->send(0, 3, kBytes, 10);
    const auto second = bench->send(0, 3, kBytes, 10);
    run();
    EXPECT_FALSE(has_arrived(first));
    EXPECT_TRUE(has_arrived(second));
    EXPECT_EQ(counted().flits_flipped.value(), 1);
    EXPECT_EQ(counted().messages_lost.value(), 1);
}

TEST_P(FaultsBehind, AMessageWithAWrongWordIsThrownAwayWhereItArrives) {
    set_all(faults, {{"flipped_flits", text("(1,0) +x @ 17")}});
    const RoutedNetwork& network = build();
    const auto first = bench->send(0, 3, kBytes, 10);
    const auto second = bench->send(0, 3, kBytes, 10);
    run();
    EXPECT_FALSE(has_arrived(first));
    // kNever: the controller was not notified of the message
    EXPECT_EQ(messages[first].times.header_arrival, hw::kNever);
    EXPECT_TRUE(has_arrived(second));
    EXPECT_EQ(counted().messages_lost.value(), 1);
    EXPECT_THAT(network.fault_log()->text(),
                Names("message 0", "node 0", "node 3", "wrong", "word"));
}

// The first message keeps its output at (2,0) until the next header arrives by the same channel. A
// message from (2,0) itself waits for this output until then.
TEST_P(FaultsBehind, BehindALostTailTheNextHeaderEndsTheMessage) {
    set_all(faults, {{"lost_flits", text("(1,0) +x @ 20")}});
    const RoutedNetwork& network = build();
    const auto first = bench->send(0, 3, kBytes, 10);
    const auto waiting = bench->send(2, 3, kBytes, 100);
    const auto next = bench->send(0, 3, kBytes, 400);
    run();
    EXPECT_FALSE(has_arrived(first));
    EXPECT_TRUE(has_arrived(waiting));
    EXPECT_TRUE(has_arrived(next));
    EXPECT_GT(messages[waiting].times.first_arrival, Cycles(400));
    EXPECT_EQ(network.flits_in_flight(), hw::Flits(0));
    EXPECT_THAT(
        network.fault_log()->text(),
        AllOf(Names("message 0", "node 0", "node 3", "tail", "(1,0) +x"), HasSubstr("cycle 2")));
}

// No header follows, so the message without its tail waits for ever in the next router.
TEST_P(FaultsBehind, AStoredMessageWithoutItsTailIsToldOf) {
    set_all(parameters,
            {{"switching", text("store_and_forward")}, {"buffer_flits", std::int64_t{16}}});
    set_all(faults, {{"lost_flits", text("(1,0) +x @ 34")}});
    const RoutedNetwork& network = build();
    bench->send(0, 3, kBytes, 10);
    run();
    EXPECT_GT(network.flits_in_flight(), hw::Flits(0));
    EXPECT_THAT(network.fault_log()->text(), Names("tail", "(1,0) +x"));
}

TEST_P(FaultsBehind, ABodyWithAWrongBitIsDeliveredAndToldOf) {
    set_all(faults, {{"flipped_flits", text("(1,0) +x @ 19")}});
    const RoutedNetwork& network = build();
    const auto slot = bench->send(0, 3, kBytes, 10);
    messages[slot].body_bytes = Bytes(8);
    const std::vector<std::uint8_t> sent{1, 2, 3, 4, 5, 6, 7, 8};
    messages.body(slot) = sent;
    run();
    EXPECT_TRUE(has_arrived(slot));
    const std::vector<std::uint8_t>& arrived = messages.body(slot);
    int wrong_bits = 0;
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const int bits = __builtin_popcount(static_cast<unsigned>(sent[i] ^ arrived[i]));
        wrong_bits += bits;
        // bytes 12 and 13 of the message, in the seventh flit
        EXPECT_TRUE(bits == 0 || i == 4 || i == 5) << i;
    }
    EXPECT_EQ(wrong_bits, 1);
    EXPECT_EQ(counted().messages_damaged.value(), 1);
    EXPECT_EQ(counted().messages_lost.value(), 0);
    EXPECT_THAT(network.fault_log()->text(), Names("wrong", "body"));
}

TEST_P(FaultsBehind, ZerosStandForWhatWasLostOfABody) {
    set_all(faults, {{"lost_flits", text("(1,0) +x @ 18")}});
    build();
    const auto slot = bench->send(0, 3, kBytes, 10);
    messages[slot].body_bytes = Bytes(8);
    messages.body(slot) = {1, 2, 3, 4, 5, 6, 7, 8};
    run();
    EXPECT_THAT(messages.body(slot), ElementsAre(1, 2, 0, 0, 5, 6, 7, 8));
    EXPECT_EQ(counted().messages_damaged.value(), 1);
}

// The message's words enter the queue when the last word has arrived, four cycles after the 8-byte
// header.
TEST_P(FaultsBehind, AnInterfaceThatChecksKeepsWordsUntilAllAreThere) {
    const auto [unchecked, checked] = send_twins();
    run();
    EXPECT_EQ(messages[checked].times.header_arrival - messages[unchecked].times.header_arrival,
              Cycles(4));
    EXPECT_EQ(messages[checked].times.tail_arrival, messages[unchecked].times.tail_arrival);
}

// Eight bytes of words, and a body: the controller is notified of the header with the last word.
TEST_P(FaultsBehind, AnInterfaceThatChecksTellsOfWordsOnceWhateverBodyFollows) {
    const auto [unchecked, checked] = send_twins();
    for (const auto each : {unchecked, checked}) {
        messages[each].body_bytes = Bytes(kBytes - 8);
        messages.body(each).assign(static_cast<std::size_t>(kBytes - 8), 1);
    }
    run();
    EXPECT_EQ(messages[checked].times.header_arrival, messages[unchecked].times.header_arrival);
    EXPECT_EQ(bench->arrived(), 1);
}

// Random faults: each message is right, or known to be wrong, or known to be lost.
class RandomFaults : public ::testing::TestWithParam<const char*> {};

TEST_P(RandomFaults, WhatIsDeliveredIsRightOrKnownToBeWrong) {
    for (const char* topology : {"mesh", "torus", "hypercube"}) {
        const auto results = hw::testing::results_in_every_order([&](ClockDomain& clock) {
            NetworkParameters network_parameters;
            set_all(network_parameters, {{"dimensions", List{4, 4}},
                                         {"topology", text(topology)},
                                         {"router", text(GetParam())}});
            FaultParameters some;
            set_all(some,
                    {{"lost_flits_per_million", 300.0}, {"flipped_flits_per_million", 700.0}});
            hw::MessagePool pool;
            RoutedNetwork network("network", clock, network_parameters, pool, some, 3);
            NetworkBench one(clock, network, pool);
            one.send_at_random(5, 60, 64, 60);
            hw::MessageSlot slots = 0;
            pool.for_each([&](const hw::Message& /*message*/) { ++slots; });
            for (hw::MessageSlot slot = 0; slot < slots; ++slot) {
                pool[slot].body_bytes = Bytes((pool[slot].bytes.count() - 8) / 2 * 2);
                std::iota(pool.body(slot).begin(), pool.body(slot).end(), std::uint8_t{1});
            }
            clock.run_until(kEndOfFaults);
            std::int64_t wrong = 0;
            std::int64_t arrived = 0;
            for (hw::MessageSlot slot = 0; slot < slots; ++slot) {
                if (pool[slot].times.tail_arrival == hw::kNever) {
                    continue;
                }
                ++arrived;
                std::vector<std::uint8_t> right(pool.body(slot).size());
                std::iota(right.begin(), right.end(), std::uint8_t{1});
                wrong += pool.body(slot) == right ? 0 : 1;
            }
            const FaultLog::Statistics& counts = network.fault_log()->statistics();
            EXPECT_GT(counts.messages_lost.value(), 5);
            EXPECT_GT(wrong, 5);
            // A wrong bit in an unused byte of a tail, and a lost byte whose value was 0, do no
            // harm.
            EXPECT_LE(wrong, counts.messages_damaged.value());
            EXPECT_GE(2 * wrong, counts.messages_damaged.value());
            EXPECT_LE(arrived + counts.messages_lost.value(), one.sent());
            EXPECT_EQ(one.conservation_fault(false), std::nullopt);
            return network.fault_log()->text() + "\n" + one.text();
        });
        EXPECT_THAT(results, Each(results.front()));
    }
}

const auto kRouters = ::testing::Values("virtual_channel", "output_queued");
std::string name_of(const ::testing::TestParamInfo<const char*>& router) { return router.param; }
INSTANTIATE_TEST_SUITE_P(Routers, FaultsBehind, kRouters, name_of);
INSTANTIATE_TEST_SUITE_P(Routers, RandomFaults, kRouters, name_of);

// --- Parts that fail -----------------------------------------------------------------------------

TEST_F(FaultsTest, AFailedChannelTakesNoFlitFromItsCycleOn) {
    set_all(faults, {{"failing_channels", text("(1,0) +x @ 16")}});
    const RoutedNetwork& network = build();
    const auto cut = bench->send(0, 3, kBytes, 10);
    const auto other_way = bench->send(3, 0, kBytes, 50);
    run();
    EXPECT_FALSE(has_arrived(cut));
    EXPECT_TRUE(has_arrived(other_way));
    const ChannelCount count = counts_by_name(network, domain.now()).at("(1,0) +x");
    EXPECT_EQ(count.sent, hw::Flits(3));  // the flits of cycles 13, 14 and 15
    hw::WaitReport report;
    network.report_waits(report, {});
    EXPECT_THAT(report,
                Contains(Field(&hw::Wait::why, Names("(1,0) +x", "room", "0", "flits", "dead"))));
    EXPECT_THAT(network.fault_log()->text(), Names("(1,0) +x", "failed", "cycle 16"));
}

// With one of four buffer slots left, the channel has half its rate.
TEST_F(FaultsTest, AStuckCreditIsMissedFromItsCycleOn) {
    set_all(parameters, {{"dimensions", List{2, 1}}});
    struct Row {
        explicit Row(FaultsTest& test, const std::string& stuck) {
            set_all(faults, {{"stuck_credits", stuck}});
            const std::string name = "row_" + std::to_string(test.messages.in_use());
            network = std::make_unique<RoutedNetwork>(name.c_str(), test.domain, test.parameters,
                                                      test.messages, faults, 1);
            bench = std::make_unique<NetworkBench>(test.domain, *network, test.messages);
            slot = bench->send(0, 1, 64, 10);
            FaultSchedule failures;
            network->add_failures(failures);
            failures.fail_by(Cycles(0));
        }
        FaultParameters faults;
        std::unique_ptr<RoutedNetwork> network;
        std::unique_ptr<NetworkBench> bench;
        hw::MessageSlot slot = 0;
    };
    const std::string stuck = "(0,0) +x @ 0";
    const Row whole(*this, "");
    const Row other_channel(*this, "(1,0) -x @ 0");
    const Row of_three(*this, stuck);
    const Row of_two(*this, stuck + "; " + stuck);
    const Row of_one(*this, stuck + "; " + stuck + "; " + stuck);
    domain.run_until(Cycles(1000));
    const auto tail = [this](const Row& row) { return messages[row.slot].times.tail_arrival; };
    EXPECT_EQ(tail(other_channel), tail(whole));
    EXPECT_EQ(tail(of_three), tail(whole));
    EXPECT_EQ(tail(of_two), tail(whole));  // two slots are enough for full rate
    EXPECT_EQ(tail(of_one) - tail(whole), Cycles(31));
}

TEST_F(FaultsTest, AFailedNodeTakesNothingMore) {
    set_all(faults, {{"failing_nodes", text("3 @ 101")}});
    RoutedNetwork& network = build();
    const auto before = bench->send(0, 3, kBytes, 10);
    const auto after = bench->send(0, 3, kBytes, 200);
    const auto from_it = bench->send(3, 0, kBytes, 200);
    domain.run_until(Cycles(100));
    network.fail_end(hw::NodeId(3), Cycles(101));
    run();
    EXPECT_TRUE(has_arrived(before));
    EXPECT_FALSE(has_arrived(after));
    EXPECT_FALSE(has_arrived(from_it));
    EXPECT_THAT(network.fault_log()->text(), Names("node 3", "failed", "cycle 101"));
}

// Faults after the last message's arrival change nothing: all times equal those of MeshNetwork, the
// plain mesh without faults.
TEST_F(FaultsTest, UntilSomethingFailsAllIsTheSame) {
    set_all(parameters, {{"dimensions", List{4, 4}}});
    const char* const late = "(1,0) +x @ 90000";
    set_all(faults, {{"failing_channels", text(late)}, {"stuck_credits", text(late)}});
    build();
    MeshNetwork mesh("mesh", domain, parameters, messages);
    NetworkBench plain(domain, mesh, messages);
    bench->send_at_random(5, 60, 64, 20);
    plain.send_at_random(5, 60, 64, 20);
    run();
    EXPECT_EQ(bench->arrived(), bench->sent());
    EXPECT_EQ(bench->text(), plain.text());
}

// --- Channels that are dead from the start -------------------------------------------------------

struct Damaged {
    const char* topology;
    List dimensions;
    std::vector<std::string> title;  // dead channels by name
};

class DeadLinks : public FaultsTest, public ::testing::WithParamInterface<Damaged> {
  public:
    DeadLinks() {
        set_all(parameters,
                {{"topology", text(GetParam().topology)}, {"dimensions", GetParam().dimensions}});
        set_all(faults, {{"dead_link_percent", 20.0}});
    }
};

TEST_P(DeadLinks, RoutesGoAroundThemAndAreProved) {
    const RoutedNetwork& network = build();
    EXPECT_THAT(network.plan().topology().title(), NamesMatcher(GetParam().title));
    const DeadlockProof proof = prove(network.plan().routing());
    EXPECT_TRUE(proof.is_free_of_deadlock()) << proof.text();
    bench->send_at_random(7, 200, 32, 20);
    run();
    EXPECT_EQ(bench->arrived(), bench->sent());
    EXPECT_EQ(network.fault_log()->text(), "");
}

TEST_P(DeadLinks, AnotherSeedDrawsOthersAndTheSameSeedTheSame) {
    const auto channels_of_seed = [this](std::uint64_t seed) {
        const NetworkPlan plan(parameters, faults, seed);
        std::vector<std::string> names;
        for (const Channel channel : channels_of(plan.topology().graph())) {
            names.push_back(plan.topology().channel_name(channel));
        }
        return names;
    };
    EXPECT_EQ(channels_of_seed(1), channels_of_seed(1));
    EXPECT_NE(channels_of_seed(1), channels_of_seed(2));
}

INSTANTIATE_TEST_SUITE_P(
    Topologies, DeadLinks,
    ::testing::Values(Damaged{"mesh", {4, 4}, {"mesh", "4", "4", "without", "10"}},
                      Damaged{"torus", {4, 4}, {"torus", "4", "4", "without", "12"}},
                      Damaged{"hypercube", {16}, {"hypercube", "4", "without", "12"}},
                      Damaged{"fat_tree", {64}, {"4-ary", "tree", "3", "without", "52"}}),
    [](const auto& network) { return std::string(network.param.topology); });

std::string plan_fault(const NetworkParameters& parameters, const FaultParameters& faults) {
    try {
        const NetworkPlan plan(parameters, faults);
    } catch (const PlanFault& fault) {
        return fault.what();
    }
    return "accepted";
}

TEST_F(FaultsTest, ANameThatNoChannelHasIsRefused) {
    set_all(faults, {{"dead_channels", text("(9,0) +x")}});
    EXPECT_THAT(plan_fault(parameters, faults),
                Names("faults.dead_channels", "\"(9,0) +x\"", "mesh 4 x 1", "\"(0,0) +x\""));
    set_all(faults, {{"dead_channels", text("node 0 injection")}});
    EXPECT_THAT(plan_fault(parameters, faults),
                Names("faults.dead_channels", "\"node 0 injection\"", "ejection"));
    set_all(faults, {{"dead_channels", text("")}, {"failing_nodes", text("4 @ 0")}});
    EXPECT_THAT(plan_fault(parameters, faults), Names("node's", "0", "3"));
}

TEST_F(FaultsTest, ChannelsWithoutWhichThereIsNoWayAreRefused) {
    set_all(faults, {{"dead_channels", text("(1,0) +x")}});
    EXPECT_THAT(plan_fault(parameters, faults), Names("no", "up", "down", "node 0", "node 2"));
    set_all(faults, {{"dead_channels", text("")}, {"dead_link_percent", 50.0}});
    EXPECT_THAT(plan_fault(parameters, faults),
                Names("faults.dead_link_percent", "2", "3", "mesh 4 x 1", "0", "links", "seed 1"));
}

// A share above 0 that rounds to no link is refused.
TEST_F(FaultsTest, AShareOfLinksIsOneAtLeast) {
    set_all(faults, {{"dead_link_percent", 16.6}});
    EXPECT_THAT(plan_fault(parameters, faults),
                Names("faults.dead_link_percent", "half", "3", "links"));
    set_all(faults, {{"dead_link_percent", 16.8}});
    EXPECT_THAT(plan_fault(parameters, faults),
                Names("faults.dead_link_percent", "1", "3", "links"));
}

// A butterfly's channels lead one way only, and its nodes have a single path to each other.
TEST_F(FaultsTest, DeadLinksOfAButterflyAreRefused) {
    set_all(parameters,
            {{"topology", text("butterfly")}, {"arity", std::int64_t{2}}, {"dimensions", List{8}}});
    set_all(faults, {{"dead_link_percent", 10.0}});
    EXPECT_THAT(plan_fault(parameters, faults),
                Names("faults.dead_link_percent", "no", "up", "down"));
}

TEST_F(FaultsTest, ARoutingThatKnowsNoOtherWayIsRefused) {
    set_all(parameters, {{"dimensions", List{4, 4}}, {"routing", text("dimension_order")}});
    set_all(faults, {{"dead_channels", text("(1,0) +x")}});
    EXPECT_THAT(plan_fault(parameters, faults), Names("network.routing", "dead"));
}

}  // namespace
}  // namespace weir::network
