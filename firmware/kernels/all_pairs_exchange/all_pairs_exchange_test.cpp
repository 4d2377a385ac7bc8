#include "firmware/kernels/all_pairs_exchange/all_pairs_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;

class AllPairsBench : public firmware::testing::KernelBench {
  public:
    static constexpr std::int64_t kRounds = 3;

    explicit AllPairsBench(const std::vector<std::int64_t>& dimensions = {4, 2})
        : KernelBench("all-pairs") {
        set_dimensions(dimensions);
        set_workload("rounds", kRounds);
    }
    void set_order(const char* order) { set_workload("order", std::string(order)); }
    void set_bytes(std::int64_t bytes) { set_workload("body_bytes", bytes); }
    [[nodiscard]] std::string outcome() {
        load();
        return run() == nodes::RunEnd::kFinished ? wrong() : "stuck";
    }
    [[nodiscard]] std::string wrong() { return check().value_or("right"); }
    /// Destinations of a node in the order of its launches.
    [[nodiscard]] std::vector<std::int32_t> destinations(std::int32_t node) const {
        std::vector<std::pair<hw::Cycles, std::int32_t>> launches;
        for (const auto& [id, message] : trace.messages) {
            if (message.source.index() == node) {
                launches.emplace_back(message.times.launch, message.destination.index());
            }
        }
        std::sort(launches.begin(), launches.end());
        std::vector<std::int32_t> destinations;
        for (const auto& launch : launches) {
            destinations.push_back(launch.second);
        }
        return destinations;
    }
    /// Cycle in which the last node's program ended.
    [[nodiscard]] std::int64_t end() const {
        hw::Cycles last(0);
        for (const auto& mark : trace.marks) {
            last = mark.name == kProgramEnds ? std::max(last, mark.cycle) : last;
        }
        return last.count();
    }
};

struct Case {
    const char* order;
    std::int64_t body_bytes;
    bool barrier;
    const char* receive_mode;
    const char* completion;  // value of firmware.body_send and firmware.body_receive
};

class AllPairsCaseTest : public ::testing::TestWithParam<Case> {};

TEST_P(AllPairsCaseTest, EveryNodeGetsAMessageOfEveryOtherInEachRound) {
    AllPairsBench bench;
    bench.set_order(GetParam().order);
    bench.set_bytes(GetParam().body_bytes);
    bench.set_workload("barrier", GetParam().barrier);
    bench.set(bench.configuration.network, "barrier", GetParam().barrier);
    bench.set(bench.configuration.core, "receive_mode", std::string(GetParam().receive_mode));
    for (const char* body : {"body_send", "body_receive"}) {
        bench.set(bench.firmware_parameters, body, std::string(GetParam().completion));
    }
    ASSERT_EQ(bench.outcome(), "right");
    EXPECT_EQ(bench.kernel().progress(), 1.0);
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> messages;
    for (const auto& [id, message] : bench.trace.messages) {
        ++messages[{message.source.index(), message.destination.index()}];
    }
    EXPECT_EQ(messages.size(), 8U * 7);
    for (const auto& [pair, count] : messages) {
        EXPECT_NE(pair.first, pair.second);
        EXPECT_EQ(count, AllPairsBench::kRounds);
    }
}

// Bodies of 512 bytes are longer than a queue.
INSTANTIATE_TEST_SUITE_P(AllPairs, AllPairsCaseTest,
                         ::testing::Values(Case{"staggered", 0, false, "interrupt", "status"},
                                           Case{"naive", 0, false, "interrupt", "status"},
                                           Case{"pairwise", 0, false, "interrupt", "status"},
                                           Case{"naive", 0, true, "interrupt", "status"},
                                           Case{"staggered", 0, true, "polling", "status"},
                                           Case{"naive", 0, false, "polling", "status"},
                                           Case{"naive", 0, false, "protocol_processor", "status"},
                                           Case{"staggered", 512, false, "interrupt", "blocking"},
                                           Case{"naive", 512, false, "interrupt", "status"},
                                           Case{"pairwise", 512, true, "interrupt", "interrupt"}),
                         [](const auto& test) {
                             return std::string(test.param.order) +
                                    (test.param.body_bytes > 0 ? "_long_" : "_short_") +
                                    (test.param.barrier ? "barrier_" : "") +
                                    test.param.receive_mode + "_" + test.param.completion;
                         });

TEST(AllPairsExchangeTest, Staggered) {
    AllPairsBench bench({4, 1});
    bench.set_workload("rounds", std::int64_t{1});
    ASSERT_EQ(bench.outcome(), "right");
    EXPECT_THAT(bench.destinations(0), ElementsAre(1, 2, 3));
    EXPECT_THAT(bench.destinations(2), ElementsAre(3, 0, 1));
}

TEST(AllPairsExchangeTest, Naive) {
    AllPairsBench bench({4, 1});
    bench.set_order("naive");
    ASSERT_EQ(bench.outcome(), "right");
    EXPECT_THAT(bench.destinations(0), ElementsAre(1, 2, 3, 1, 2, 3, 1, 2, 3));
    EXPECT_THAT(bench.destinations(2), ElementsAre(0, 1, 3, 0, 1, 3, 0, 1, 3));
}

TEST(AllPairsExchangeTest, Pairwise) {
    AllPairsBench bench({4, 1});
    bench.set_order("pairwise");
    bench.set_workload("rounds", std::int64_t{1});
    ASSERT_EQ(bench.outcome(), "right");
    EXPECT_THAT(bench.destinations(0), ElementsAre(1, 2, 3));
    EXPECT_THAT(bench.destinations(2), ElementsAre(3, 0, 1));
    EXPECT_THAT(bench.destinations(3), ElementsAre(2, 1, 0));
}

// L = 8, o = 2, g = 4: a reception begins after the node's current send.
std::int64_t logp_cycles(std::int64_t nodes, const char* order, std::int64_t rounds = 1) {
    return std::stoll(hw::testing::result_of_separate_run([=] {
        AllPairsBench bench;
        bench.make_abstract_machine(nodes, 8, 2, 4);
        bench.set_order(order);
        bench.set_workload("rounds", rounds);
        return bench.outcome() == "right" ? std::to_string(bench.end()) : "-1";
    }));
}

// LogP Section 4.1.1: g (P - 1) + L, where g = 2o.
TEST(AllPairsExchangeTest, OnLogpsMachineNobodyWaitsInTheStaggeredOrder) {
    EXPECT_EQ(logp_cycles(2, "staggered"), 4 * 1 + 8);
    EXPECT_EQ(logp_cycles(4, "staggered"), 4 * 3 + 8);
    EXPECT_EQ(logp_cycles(8, "staggered"), 4 * 7 + 8);
    EXPECT_EQ(logp_cycles(8, "staggered", 3), 3 * (4 * 7 + 8));
    EXPECT_EQ(logp_cycles(8, "pairwise"), 4 * 7 + 8);
}

// LogP Section 4.1.2. Lower bound: (2P - 3) g + L. The last destination's first message comes after
// P - 2 others of its sender, and P - 1 messages arrive there. If senders took turns at each
// destination and reached the next one together, the time would be g P (P - 1)/2 + L
// (models/logp/fft.h).
TEST(AllPairsExchangeTest, OnLogpsMachineTheyWaitInTheNaiveOrder) {
    for (const std::int64_t nodes : {4, 8, 16}) {
        EXPECT_GE(logp_cycles(nodes, "naive"), 4 * (2 * nodes - 3) + 8) << nodes;
        EXPECT_LE(logp_cycles(nodes, "naive"), 4 * nodes * (nodes - 1) / 2 + 8) << nodes;
    }
}

class AllPairsCheckTest : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(AllPairsCheckTest, WhatHasNotComeIsMissed) {
    AllPairsBench bench;
    bench.set_bytes(GetParam());
    bench.load();
    EXPECT_THAT(bench.wrong(), Names("node 0", "node 1", "round 0", "0", "times"));
}

// Planted faults: a bit of a received message after the run, and a bit of a sent message before
// it.
TEST_P(AllPairsCheckTest, AFlippedBitInAnyMessageIsFound) {
    AllPairsBench bench;
    bench.set_bytes(GetParam());
    ASSERT_EQ(bench.outcome(), "right");
    const auto bytes = static_cast<std::uint32_t>(GetParam() > 0 ? GetParam() : 4);
    for (std::uint32_t place = 0; place < 3U * 8; ++place) {
        if (place % 8 == 5) {
            continue;  // node 5 sends no message to itself
        }
        bench.flip_bit(5, place * bytes + bytes - 1);
        EXPECT_THAT(bench.wrong(), Names("node " + std::to_string(place % 8), "node 5",
                                         "round " + std::to_string(place / 8), "wrong",
                                         "byte " + std::to_string(bytes - 4), "found"));
        bench.flip_bit(5, place * bytes + bytes - 1);
    }
    EXPECT_EQ(bench.wrong(), "right");
}

TEST_P(AllPairsCheckTest, WhatIsSentComesFromMemory) {
    AllPairsBench bench;
    bench.set_bytes(GetParam());
    bench.load();
    const auto bytes = static_cast<std::uint32_t>(GetParam() > 0 ? GetParam() : 4);
    // Last word of node 2's message to node 6 in round 1.
    bench.flip_bit(2, (3 * 8 + 8 + 6) * bytes);
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    EXPECT_THAT(bench.wrong(), Names("node 2", "node 6", "round 1", "wrong", "byte 0"));
}

INSTANTIATE_TEST_SUITE_P(AllPairs, AllPairsCheckTest, ::testing::Values(0, 64));

TEST(AllPairsExchangeTest, PairsNeedAPowerOfTwo) {
    AllPairsBench bench({3, 2});
    bench.set_order("pairwise");
    EXPECT_THAT(bench.fault_of_data(), Names("workload.order: ", "\"pairwise\"", "6",
                                             "\"staggered\"", "\"naive\"", "power", "two"));
}

TEST(AllPairsExchangeTest, MessagesThatJustFitIntoMemory) {
    AllPairsBench bench;
    bench.set(bench.configuration.memory, "bytes", std::int64_t{4096});
    bench.set_bytes(64);
    bench.set_workload("rounds", std::int64_t{4});
    EXPECT_EQ(bench.fault_of_data(), "no fault");
}

TEST(AllPairsExchangeTest, MessagesThatDoNotFitIntoMemory) {
    AllPairsBench bench;
    bench.set(bench.configuration.memory, "bytes", std::int64_t{4096});
    bench.set_bytes(64);
    bench.set_workload("rounds", std::int64_t{5});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.rounds: ", "5", "5120", "memory.bytes",
                                             "4096", "4", "memory.bytes", "5120"));
}

TEST(AllPairsExchangeTest, BodiesAreOfWholeDoubleWords) {
    AllPairsBench bench;
    bench.set_bytes(12);
    const auto fault = bench.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(fault->accepted, Names("0", "multiple", "8"));
}

}  // namespace
}  // namespace weir::firmware
