#include "network/mesh_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "hw/controller/controller.h"
#include "hw/refusal.h"
#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"

namespace weir::network {
namespace {

using weir::testing::Names;

using hw::ByteQueue;
using hw::Bytes;
using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using hw::MessageSlot;
using hw::NodeId;
using hw::QueueKind;
using ::testing::Each;

constexpr Cycles kMeshEnd(100'000'000);

// An ideal node: unbounded queues, and arriving messages are removed at once.
class IdealNode final : public hw::ClockedPart {
  public:
    IdealNode(ClockDomain& domain, NodeId node)
        : ClockedPart(domain),
          output_queue(node, QueueKind::kOutput, Bytes(1 << 20), nullptr),
          input_queue(node, QueueKind::kInput, Bytes(1 << 20), nullptr),
          sender(domain) {
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        const Bytes arrived = input_queue.available(now);
        if (arrived > Bytes(0)) {
            input_queue.pop(arrived, now);
        }
        input_queue.expect_bytes(*this, Bytes(1), now);
    }
    ByteQueue output_queue;
    ByteQueue input_queue;
    hw::testing::ScriptedPart sender;
};

// A mesh between ideal nodes.
class MeshBench {
  public:
    MeshBench(ClockDomain& clock, const NetworkParameters& parameters)
        : domain(clock), network("network", clock, parameters, messages) {
        for (std::int32_t i = 0; i < network.node_count(); ++i) {
            nodes_.push_back(std::make_unique<IdealNode>(clock, NodeId(i)));
            network.interface(NodeId(i)).attach(
                nodes_.back()->output_queue, nodes_.back()->input_queue,
                [](hw::Message& message, Cycles now) { message.times.header_arrival = now; });
        }
    }

    /// Puts a message into the output queue of `source` in cycle `cycle`.
    MessageSlot send(std::int32_t source, std::int32_t destination, std::int64_t bytes,
                     std::int64_t cycle) {
        const MessageSlot slot = messages.allocate();
        hw::Message& message = messages[slot];
        message.id = hw::MessageId{NodeId(source), slot};
        message.source = NodeId(source);
        message.destination = NodeId(destination);
        message.bytes = Bytes(bytes);
        message.times.launch = Cycles(cycle);
        IdealNode& node = *nodes_[static_cast<std::size_t>(source)];
        node.sender.at(cycle - 1, [&node, slot, bytes](Cycles now) {
            node.output_queue.begin_message(slot, now);
            node.output_queue.push(Bytes(bytes), now);
        });
        return slot;
    }
    void run() { domain.run_until(kMeshEnd); }

    /// Compares the flits and bytes that were injected, ejected and in flight.
    [[nodiscard]] std::optional<std::string> conservation_fault(bool finished) const {
        hw::ConservationAccount account;
        network.add_to(account);
        for (const auto& node : nodes_) {
            account.bytes_launched += node->output_queue.bytes_pushed();
            account.bytes_in_output_queues += node->output_queue.held().count();
            account.bytes_into_input_queues += node->input_queue.bytes_pushed();
        }
        return account.fault(finished);
    }

    ClockDomain& domain;
    hw::MessagePool messages;
    MeshNetwork network;

  private:
    std::vector<std::unique_ptr<IdealNode>> nodes_;
};

class MeshNetworkTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    NetworkParameters parameters;
};

// --- Zero load ----------------------------------------------------------------------------------

struct Timing {
    std::string name;
    std::int64_t injection_cycles;
    std::int64_t hop_cycles;
    std::int64_t ejection_cycles;
    std::int64_t flit_bytes;
    std::int64_t buffer_flits;
};
std::ostream& operator<<(std::ostream& out, const Timing& timing) { return out << timing.name; }

class ZeroLoadTest : public MeshNetworkTest, public ::testing::WithParamInterface<Timing> {};

// The first flit takes the cycles of injection, hops and ejection; the last flits of header and
// message follow at one cycle per flit.
TEST_P(ZeroLoadTest, LatencyOfEveryPairIsItsClosedForm) {
    const Timing& timing = GetParam();
    ASSERT_TRUE(parameters.injection_cycles.set(timing.injection_cycles));
    ASSERT_TRUE(parameters.hop_cycles.set(timing.hop_cycles));
    ASSERT_TRUE(parameters.ejection_cycles.set(timing.ejection_cycles));
    ASSERT_TRUE(parameters.flit_bytes.set(timing.flit_bytes));
    ASSERT_TRUE(parameters.buffer_flits.set(timing.buffer_flits));
    MeshBench bench(domain, parameters);
    // cycles between launches, so that each message arrives before the next launch
    const std::int64_t apart = 200 + 20 * timing.hop_cycles;
    std::int64_t cycle = 1;
    for (std::int32_t source = 0; source < 32; ++source) {
        for (std::int32_t destination = 0; destination < 32; ++destination) {
            for (const std::int64_t bytes : {8, 12, 64}) {
                bench.send(source, destination, bytes, cycle);
                cycle += apart;
            }
        }
    }
    bench.run();
    bench.messages.for_each([&](const hw::Message& message) {
        const int from = message.source.index();
        const int to = message.destination.index();
        const int hops = std::abs(from % 8 - to % 8) + std::abs(from / 8 - to / 8);
        const auto flits_of = [&](std::int64_t bytes) {
            return (bytes + timing.flit_bytes - 1) / timing.flit_bytes;
        };
        const Cycles first(timing.injection_cycles + hops * timing.hop_cycles +
                           timing.ejection_cycles);
        const Cycles header = first + Cycles(flits_of(8) - 1);
        const Cycles tail = first + Cycles(flits_of(message.bytes.count()) - 1);
        const hw::MessageTimes& times = message.times;
        ASSERT_EQ(times.network_entry, times.launch);
        ASSERT_EQ(times.first_arrival - times.launch, first) << from << " to " << to;
        ASSERT_EQ(times.header_arrival - times.launch, header) << from << " to " << to;
        ASSERT_EQ(times.tail_arrival - times.launch, tail) << from << " to " << to;
        ASSERT_EQ(message.hops, hops);
        ASSERT_EQ(message.unloaded, header);
    });
}

// Alewife's timing: the first byte takes 4 + hops cycles, the header's last flit 3 cycles more
// (LoGPC Tables 1 and 2).
INSTANTIATE_TEST_SUITE_P(
    EveryPairOfFourByEight, ZeroLoadTest,
    ::testing::Values(Timing{"Alewife", 2, 1, 2, 2, 4}, Timing{"TwoFlitBuffers", 2, 1, 2, 2, 2},
                      Timing{"LongHops", 2, 5, 2, 2, 4}, Timing{"ShortEdges", 1, 1, 1, 2, 2},
                      Timing{"UnevenEdges", 7, 2, 3, 2, 2}, Timing{"ByteFlits", 2, 1, 2, 1, 4},
                      Timing{"BrokenFlits", 2, 1, 2, 3, 4}, Timing{"WideFlits", 2, 1, 2, 64, 4}),
    [](const auto& test) { return test.param.name; });

TEST_F(MeshNetworkTest, PlantedMessageInTheWayMakesAnotherLate) {
    MeshBench bench(domain, parameters);
    bench.send(0, 3, 64, 10);
    // reaches router 1 after the first message's header
    const MessageSlot second = bench.send(1, 3, 8, 12);
    bench.run();
    const hw::Message& late = bench.messages[second];
    EXPECT_GT(late.times.header_arrival - late.times.launch, late.unloaded);
}

// --- MeshRate
// ---------------------------------------------------------------------------------------

struct MeshRate {
    std::int64_t buffer_flits;
    std::int64_t cycles_a_flit;
    friend std::ostream& operator<<(std::ostream& out, const MeshRate& rate) {
        return out << rate.buffer_flits << " places, " << rate.cycles_a_flit << " cycles a flit";
    }
};
class BufferRateTest : public MeshNetworkTest, public ::testing::WithParamInterface<MeshRate> {};

TEST_P(BufferRateTest, OfOneCycleLinks) {
    ASSERT_TRUE(parameters.buffer_flits.set(GetParam().buffer_flits));
    ASSERT_TRUE(parameters.injection_cycles.set(std::int64_t{1}));
    ASSERT_TRUE(parameters.ejection_cycles.set(std::int64_t{1}));
    MeshBench bench(domain, parameters);
    const MessageSlot slot = bench.send(0, 31, 1000, 10);
    bench.run();
    const hw::MessageTimes& times = bench.messages[slot].times;
    EXPECT_EQ(times.first_arrival - times.launch, Cycles(12));
    EXPECT_EQ(times.tail_arrival - times.first_arrival, Cycles(GetParam().cycles_a_flit * 499));
    EXPECT_EQ(times.tail_entry - times.network_entry, Cycles(GetParam().cycles_a_flit * 499));
}

INSTANTIATE_TEST_SUITE_P(OneFlitGivesHalfRate, BufferRateTest, ::testing::Values(MeshRate{1, 2}));
INSTANTIATE_TEST_SUITE_P(TwoFlitsGiveFullRate, BufferRateTest,
                         ::testing::Values(MeshRate{2, 1}, MeshRate{4, 1}));

// --- Conservation and order under random traffic ------------------------------------------------

// Each node sends 40 messages of 8 to 64 bytes, a third of them to node 9.
void send_random_traffic(MeshBench& bench) {
    for (std::int32_t source = 0; source < bench.network.node_count(); ++source) {
        hw::RandomStream random(1, NodeId(source), "mesh network test");
        std::int64_t cycle = 1;
        for (int i = 0; i < 40; ++i) {
            cycle += static_cast<std::int64_t>(random.below(60)) + 1;
            const auto anywhere = static_cast<std::int32_t>(
                random.below(static_cast<std::uint64_t>(bench.network.node_count())));
            const auto bytes = 4 * static_cast<std::int64_t>(random.below(15) + 2);
            bench.send(source, random.below(3) == 0 ? 9 : anywhere, bytes, cycle);
        }
    }
}

TEST_F(MeshNetworkTest, ConservesFlitsAndBytesAtEveryMomentOfRandomTraffic) {
    MeshBench bench(domain, parameters);
    send_random_traffic(bench);
    Flits most_in_flight;
    for (std::int64_t cycle = 0; domain.has_wake_ups(); cycle += 10) {
        domain.run_until(Cycles(cycle));
        ASSERT_EQ(bench.conservation_fault(false), std::nullopt) << "at cycle " << cycle;
        most_in_flight = std::max(most_in_flight, bench.network.flits_in_flight());
    }
    EXPECT_GT(most_in_flight, Flits(200)) << "the traffic is to be heavy";
    EXPECT_EQ(bench.network.flits_in_flight(), Flits(0));
    bench.messages.for_each([](const hw::Message& message) {
        EXPECT_NE(message.times.tail_arrival, hw::kNever);
        EXPECT_GE(message.times.header_arrival - message.times.launch, message.unloaded);
    });
}

// Planted fault: removes one flit from the middle of the first worm that passes.
class Thief final : public hw::ClockedPart {
  public:
    Thief(ClockDomain& domain, FlitChannel& channel) : ClockedPart(domain), channel_(channel) {
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (stolen) {
            return;
        }
        if (channel_.has_flit(now) && !channel_.front().is_header && !channel_.front().is_tail) {
            channel_.take(now);
            stolen = true;
            return;
        }
        wake_at(now + Cycles(1));
    }
    bool stolen = false;

  private:
    FlitChannel& channel_;
};

TEST_F(MeshNetworkTest, PlantedThiefOfASingleFlitIsCaught) {
    MeshBench bench(domain, parameters);
    send_random_traffic(bench);
    Thief thief(domain, bench.network.channels().front());
    for (std::int64_t cycle = 0; !thief.stolen && cycle < 100'000; cycle += 10) {
        domain.run_until(Cycles(cycle));
    }
    ASSERT_TRUE(thief.stolen);
    const std::optional<std::string> fault = bench.conservation_fault(false);
    ASSERT_NE(fault, std::nullopt);
    EXPECT_THAT(*fault, Names("flits", "network"));
}

std::string times_of_random_traffic(ClockDomain& domain) {
    NetworkParameters parameters;
    EXPECT_TRUE(parameters.buffer_flits.set(std::int64_t{2}));
    MeshBench bench(domain, parameters);
    send_random_traffic(bench);
    bench.run();
    std::ostringstream result;
    bench.messages.for_each([&](const hw::Message& message) {
        const hw::MessageTimes& times = message.times;
        result << times.network_entry << " " << times.tail_entry << " " << times.first_arrival
               << " " << times.header_arrival << " " << times.tail_arrival << "; ";
    });
    return result.str();
}

TEST(MeshNetworkOrderTest, RandomTrafficArrivesAtTheSameTimesInEveryOrder) {
    const auto results = hw::testing::results_in_every_order(times_of_random_traffic);
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_NE(results.front(), "failed");
}

// --- What the network accepts, and what it says of itself ---------------------------------------

TEST(NetworkParametersTest, RefuseMeshesThatAHeaderCannotAddress) {
    NetworkParameters parameters;
    const auto fault = [&](const std::vector<std::int64_t>& dimensions) {
        EXPECT_TRUE(parameters.dimensions.set(dimensions));
        const auto found = parameters.check();
        EXPECT_TRUE(!found || found->key == "dimensions");
        return found ? hw::text_of(*found) : "";
    };
    EXPECT_EQ(fault({8, 4}), "");
    EXPECT_EQ(fault({2}), "");
    EXPECT_EQ(fault({128, 128}), "");
    EXPECT_THAT(fault({129, 128}), Names("more", "16384"));
    EXPECT_THAT(fault({4096, 4096, 4096, 4096, 4096, 4096}), Names("more", "16384"));
    EXPECT_THAT(fault({1, 1}), Names("single"));
    EXPECT_THAT(fault({2, 1, 1, 1, 1, 1, 1, 1, 1}), Names("9", "dimensions", "1", "8"));
}

TEST_F(MeshNetworkTest, HasAChannelEachWayBetweenNeighboursAndTwoToEachNode) {
    MeshBench bench(domain, parameters);
    EXPECT_EQ(bench.network.node_count(), 32);
    EXPECT_EQ(bench.network.channels().size(), 2U * (7 * 4 + 8 * 3) + 2U * 32);
    std::vector<hw::PartStatistics> statistics;
    bench.network.add_statistics(statistics);
    EXPECT_EQ(statistics.size(), 2U * 32) << "routers and interfaces";
    EXPECT_EQ(statistics.front().part, "network.router_0");
}

}  // namespace
}  // namespace weir::network
