#include "firmware/kernels/boundary_exchange/boundary_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::StartsWith;

// Blocks of 5 x 5 values and three steps, on 2 x 2 nodes.
class ExchangeBench : public firmware::testing::KernelBench {
  public:
    static constexpr std::int64_t kSteps = 3;

    explicit ExchangeBench(const std::vector<std::int64_t>& dimensions = {2, 2},
                           std::int64_t block = 5)
        : KernelBench("boundary-exchange"), layout(block) {
        set_dimensions(dimensions);
        set_workload("block", block);
        set_workload("steps", kSteps);
    }
    void set_directions(const char* directions) {
        set_workload("directions", std::string(directions));
    }
    [[nodiscard]] std::string outcome(std::uint64_t seed = 1) {
        load(seed);
        return outcome_of_run();
    }
    [[nodiscard]] std::string outcome_of_run() {
        return run() == nodes::RunEnd::kFinished ? wrong() : "stuck";
    }
    [[nodiscard]] std::string wrong() { return check().value_or("right"); }
    /// Cycles of a node's marks with this name, by step.
    [[nodiscard]] std::vector<std::int64_t> marked(std::int32_t node, const char* name) const {
        std::vector<std::int64_t> cycles;
        for (const auto& mark : trace.marks) {
            if (mark.node == hw::NodeId(node) && mark.name == name) {
                EXPECT_EQ(mark.value, static_cast<std::int64_t>(cycles.size()));
                cycles.push_back(mark.cycle.count());
            }
        }
        return cycles;
    }

    BlockLayout layout;
};

struct BlocksCase {
    const char* name;
    std::vector<std::int64_t> dimensions;
    std::int64_t block;
    const char* directions;
    std::size_t messages;  // number of messages in each step
};

class BoundaryExchangeCaseTest : public ::testing::TestWithParam<BlocksCase> {};

TEST_P(BoundaryExchangeCaseTest, EveryBlockIsWhatTheSequentialProgramComputes) {
    ExchangeBench bench(GetParam().dimensions, GetParam().block);
    bench.set_directions(GetParam().directions);
    EXPECT_EQ(bench.outcome(5), "right");
    EXPECT_EQ(bench.trace.messages.size(), ExchangeBench::kSteps * GetParam().messages);
    EXPECT_EQ(bench.kernel().progress(), 1.0);
    for (const auto& [id, message] : bench.trace.messages) {
        EXPECT_EQ(message.hops, 1);
    }
}

// Blocks of 40 x 40 values have edges of 320 bytes, longer than a queue.
INSTANTIATE_TEST_SUITE_P(BoundaryExchange, BoundaryExchangeCaseTest,
                         ::testing::Values(BlocksCase{"2x2", {2, 2}, 5, "both", 8},
                                           BlocksCase{"4x2", {4, 2}, 5, "both", 20},
                                           BlocksCase{"long_edges", {4, 2}, 40, "both", 20},
                                           BlocksCase{"single_values", {3, 3}, 1, "both", 24},
                                           BlocksCase{"rows", {4, 2}, 5, "rows", 8},
                                           BlocksCase{"columns", {4, 2}, 5, "columns", 12},
                                           BlocksCase{"line", {5, 1}, 5, "both", 8}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(BoundaryExchangeTest, InMoreDimensionsItStillComputesTheSame) {
    ExchangeBench bench({2, 2, 2});
    EXPECT_EQ(bench.outcome(), "right");
    EXPECT_EQ(bench.kernel().message_pattern().body_bytes, 40.0);
}

struct Completions {
    const char* send;
    const char* receive;
};

class BoundaryExchangeCompletionTest : public ::testing::TestWithParam<Completions> {};

TEST_P(BoundaryExchangeCompletionTest, EveryWayToWaitForTheEnginesComputesTheSame) {
    ExchangeBench bench({3, 2}, 40);
    bench.set(bench.firmware_parameters, "body_send", std::string(GetParam().send));
    bench.set(bench.firmware_parameters, "body_receive", std::string(GetParam().receive));
    EXPECT_EQ(bench.outcome(), "right");
}

// A polling thread that waits for bodies must itself take the messages that carry them.
TEST_P(BoundaryExchangeCompletionTest, SoDoesAThreadThatPolls) {
    ExchangeBench bench({3, 2}, 5);
    bench.set(bench.configuration.core, "receive_mode", std::string("polling"));
    bench.set(bench.firmware_parameters, "body_send", std::string(GetParam().send));
    bench.set(bench.firmware_parameters, "body_receive", std::string(GetParam().receive));
    EXPECT_EQ(bench.outcome(), "right");
}

INSTANTIATE_TEST_SUITE_P(
    BoundaryExchange, BoundaryExchangeCompletionTest,
    ::testing::Values(Completions{"blocking", "blocking"}, Completions{"status", "status"},
                      Completions{"interrupt", "interrupt"}, Completions{"blocking", "interrupt"},
                      Completions{"interrupt", "status"}),
    [](const auto& test) { return std::string(test.param.send) + "_" + test.param.receive; });

TEST(BoundaryExchangeTest, AProtocolProcessorComputesTheSame) {
    ExchangeBench bench({3, 2}, 40);
    bench.set(bench.configuration.core, "receive_mode", std::string("protocol_processor"));
    EXPECT_EQ(bench.outcome(), "right");
}

// The thread may read the DMA engine's status after the handler has examined the message and before
// it has started the engine.
TEST(BoundaryExchangeTest, AThreadMayAskForTheStatusBesideAProtocolProcessor) {
    ExchangeBench bench({8, 4}, 16);
    bench.set(bench.configuration.core, "receive_mode", std::string("protocol_processor"));
    bench.set(bench.firmware_parameters, "body_receive", std::string("status"));
    EXPECT_EQ(bench.outcome(), "right");
}

TEST(BoundaryExchangeTest, OrderOfTicksAndSleepChangeNothing) {
    const auto story = [](const char* order, bool sleeping) {
        return hw::testing::result_of_separate_run([order, sleeping] {
            ExchangeBench bench({3, 2}, 20);
            bench.set_ticks(order, sleeping);
            const std::string outcome = bench.outcome();
            return outcome + " " + std::to_string(bench.machine().now().count()) + "\n" +
                   bench.trace.times();
        });
    };
    const std::string reference = story("wake", true);
    EXPECT_THAT(reference, StartsWith("right "));
    EXPECT_EQ(story("reversed", true), reference);
    EXPECT_EQ(story("shuffled", true), reference);
    EXPECT_EQ(story("shuffled", false), reference);
}

// Packing a value takes a load of 3, a store of 4 and 2 cycles for the loop. Nodes with two columns
// are still packing when their neighbours' messages interrupt.
TEST(BoundaryExchangeTest, EachPhaseOfAStepIsMarked) {
    ExchangeBench bench({4, 2});
    EXPECT_EQ(bench.outcome(), "right");
    for (std::int32_t node = 0; node < 8; ++node) {
        std::vector<std::vector<std::int64_t>> phases;
        for (const char* name : {"pack_begin", "pack_end", "send_begin", "send_end",
                                 "receive_begin", "receive_end", "unpack_begin", "unpack_end"}) {
            phases.push_back(bench.marked(node, name));
            ASSERT_EQ(phases.back().size(), static_cast<std::size_t>(ExchangeBench::kSteps));
        }
        const std::int64_t columns = node % 4 == 0 || node % 4 == 3 ? 1 : 2;
        EXPECT_EQ(phases[0][0], bench.marked(node, kProgramBegins).at(0));
        const std::int64_t packing = phases[1][0] - phases[0][0];
        EXPECT_GE(packing, columns * 5 * (3 + 4 + 2));
        if (columns == 1) {
            EXPECT_EQ(packing, 5 * (3 + 4 + 2)) << node;
        }
        for (std::size_t step = 0; step < phases[0].size(); ++step) {
            for (std::size_t phase = 1; phase < phases.size(); ++phase) {
                EXPECT_GE(phases[phase][step], phases[phase - 1][step]);
            }
            EXPECT_GE(phases[7][step] - phases[6][step], columns * 5 * (3 + 4 + 2));
            // Send overhead of two or three messages.
            EXPECT_GT(phases[3][step] - phases[2][step], 25);
        }
        EXPECT_GT(bench.marked(node, kProgramEnds).at(0), phases[7].back());
    }
}

TEST(BoundaryExchangeTest, RowsAreNeitherPackedNorUnpacked) {
    ExchangeBench bench({2, 2});
    bench.set_directions("rows");
    EXPECT_EQ(bench.outcome(), "right");
    EXPECT_EQ(bench.marked(0, "pack_end"), bench.marked(0, "pack_begin"));
    EXPECT_EQ(bench.marked(0, "unpack_end"), bench.marked(0, "unpack_begin"));
}

TEST(BoundaryExchangeTest, WhatWasNotComputedIsNoAnswer) {
    ExchangeBench bench;
    bench.load();
    EXPECT_THAT(bench.wrong(), Names("0", "halos", "24"));
}

// Planted faults: a bit of a sent edge, of an inner value, or of the answer.
TEST(BoundaryExchangeTest, AnEdgeThatIsNotTheSequentialProgramsIsFoundWhereItArrives) {
    ExchangeBench bench;
    bench.load();
    bench.flip_bit(1, bench.layout.value(0, 3, 0));
    EXPECT_THAT(bench.outcome_of_run(), Names("halo", "east", "node 0"));
    EXPECT_THAT(bench.wrong(), Names("step 0", "sequential"));
}

TEST(BoundaryExchangeTest, AWrongValueInsideIsFoundOnceItReachesAnEdge) {
    ExchangeBench bench;
    bench.load();
    bench.flip_bit(0, bench.layout.value(0, 3, 3) + 7, 3);  // a bit of the value's exponent
    EXPECT_THAT(bench.outcome_of_run(), Names("halo"));
    EXPECT_THAT(bench.wrong(), Names("step 1"));
}

TEST(BoundaryExchangeTest, AWrongRimIsFound) {
    ExchangeBench bench;
    bench.load();
    bench.flip_bit(0, bench.layout.halo(0, Side::kNorth) + 7, 3);
    EXPECT_THAT(bench.outcome_of_run(), Names("sequential"));
}

TEST(BoundaryExchangeTest, AFlippedBitInAnyValueOfAnyBlockIsFound) {
    ExchangeBench bench;
    ASSERT_EQ(bench.outcome(), "right");
    for (std::int32_t node = 0; node < 4; ++node) {
        for (std::int64_t row = 0; row < 5; ++row) {
            for (std::int64_t column = 0; column < 5; ++column) {
                const std::uint32_t address =
                    bench.layout.value(ExchangeBench::kSteps, row, column);
                bench.flip_bit(node, address);
                EXPECT_THAT(bench.wrong(),
                            Names("row " + std::to_string(row), "column " + std::to_string(column),
                                  "node " + std::to_string(node), "block"));
                bench.flip_bit(node, address);
            }
        }
    }
    EXPECT_EQ(bench.wrong(), "right");
}

TEST(BoundaryExchangeTest, BlocksThatJustFitIntoMemory) {
    // Memory: two arrays of 1,568 bytes, rounded up to 1,792, and six buffers of 256 bytes.
    ExchangeBench bench({2, 2}, 12);
    bench.set(bench.configuration.memory, "bytes", std::int64_t{2 * 1792 + 6 * 256});
    EXPECT_EQ(bench.fault_of_data(), "no fault");
}

TEST(BoundaryExchangeTest, BlocksThatDoNotFitIntoMemory) {
    ExchangeBench bench({2, 2}, 14);
    bench.set(bench.configuration.memory, "bytes", std::int64_t{2 * 1792 + 6 * 256});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.block: ", "14", "5632",
                                             "memory.bytes = 5120", "12", "memory.bytes", "5632"));
}

TEST(BoundaryExchangeTest, NobodyToExchangeWith) {
    ExchangeBench bench({4, 1});
    bench.set_directions("rows");
    EXPECT_THAT(bench.fault_of_data(),
                Names("workload.directions: ", "row", "\"both\"", "two", "dimensions"));
}

}  // namespace
}  // namespace weir::firmware
