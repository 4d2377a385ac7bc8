#include "firmware/kernels/diamond_dag/diamond_dag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "firmware/kernels/diamond_dag/fasta.h"
#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using ::testing::AllOf;
using ::testing::StartsWith;
using weir::testing::Names;
using weir::testing::NamesMatcher;

// 32 x 32 tasks on four nodes, with four blocks in a stripe: an edge has 8 values, 64 bytes. A
// node's memory holds four receive buffers, then four send buffers.
class DiamondDagTest : public ::testing::Test {
  protected:
    static constexpr std::int64_t kTasks = 32;
    static constexpr std::int64_t kBlocks = 4;
    static constexpr std::int64_t kEdgeBytes = 64;

    DiamondDagTest() {
        bench_.set_dimensions({2, 2});
        set("tasks_per_side", kTasks);
        set("blocks", kBlocks);
    }

    void set(const char* name, const hw::ParameterValue& value) {
        bench_.set_workload(name, value);
    }
    void set_message_bytes(std::int64_t bytes) {
        message_bytes_ = bytes;
        set("message_bytes", bytes);
    }

    void load(std::uint64_t seed = 1) { bench_.load(seed); }
    void run() { ASSERT_EQ(bench_.run(), nodes::RunEnd::kFinished); }
    [[nodiscard]] std::string wrong() { return bench_.check().value_or("right"); }
    [[nodiscard]] std::string fault_of_data() { return bench_.fault_of_data(); }

    /// Expects the parameters' check to refuse this parameter.
    void expect_refused(const std::string& parameter, const NamesMatcher& what) {
        const auto fault = bench_.kernel().parameters().check();
        ASSERT_TRUE(fault.has_value());
        EXPECT_EQ(fault->key, parameter);
        EXPECT_THAT(hw::text_of(*fault), what);
    }

    [[nodiscard]] std::uint32_t receive_buffer(std::int64_t block) const {
        return static_cast<std::uint32_t>(block * message_bytes_);
    }
    [[nodiscard]] std::uint32_t send_buffer(std::int64_t block) const {
        return static_cast<std::uint32_t>((kBlocks + block) * message_bytes_);
    }
    void flip_bit(std::int32_t node, std::uint32_t address, int bit = 0) {
        bench_.flip_bit(node, address, bit);
    }
    [[nodiscard]] double score() {
        double value = std::nan("");
        bench_.machine().read<double>(
            last_node_, send_buffer(kBlocks - 1) + static_cast<std::uint32_t>(kEdgeBytes - 8),
            {&value, 1});
        return value;
    }

    firmware::testing::KernelBench bench_{"diamond-dag"};
    std::int64_t message_bytes_ = kEdgeBytes;
    // Node of the last stripe: the snake visits 2 x 2 nodes in the order 0, 1, 3, 2.
    hw::NodeId last_node_{2};
};

TEST_F(DiamondDagTest, ScoreIsThatOfTheSequentialProgram) {
    load(5);
    run();
    EXPECT_EQ(wrong(), "right");
    const AlignmentScores scores{.match = 1.0, .mismatch = -1.0, .gap = -2.0};
    const auto rows = alignment_rows(scores, random_sequence(kTasks, 5, "first sequence"),
                                     random_sequence(kTasks, 5, "second sequence"), kTasks);
    EXPECT_EQ(score(), rows.back().back());
    const DiamondDag::Facts facts = dynamic_cast<DiamondDag&>(bench_.kernel()).facts();
    EXPECT_EQ(facts.rows, 32.0);
    EXPECT_EQ(facts.columns, 32.0);
    EXPECT_EQ(facts.blocks, 4.0);
    EXPECT_EQ(facts.task_cycles, 100.0);
    EXPECT_EQ(facts.aggregation_cycles_per_value, 0.0);
    EXPECT_EQ(bench_.kernel().message_pattern().body_bytes, 64.0);
    EXPECT_EQ(dynamic_cast<DiamondDag&>(bench_.kernel()).score(), score());
    EXPECT_EQ(bench_.kernel().progress(), 1.0);
}

TEST_F(DiamondDagTest, EachStripeSendsEveryBlockToTheNext) {
    load();
    run();
    ASSERT_EQ(bench_.trace.messages.size(), 3U * kBlocks);
    for (const auto& [id, message] : bench_.trace.messages) {
        EXPECT_EQ(message.hops, 1);
    }
    EXPECT_EQ(bench_.trace.marks.size(), 8U);
}

TEST_F(DiamondDagTest, WhatWasNotComputedIsNoAnswer) {
    load();
    EXPECT_THAT(wrong(), Names("score", "nan", "sequential"));
}

// Planted faults: a wrong score, and a wrong value in any stripe's edge.
TEST_F(DiamondDagTest, AWrongScoreIsFound) {
    load();
    run();
    // The score's sign bit.
    flip_bit(last_node_.index(), send_buffer(kBlocks - 1) + kEdgeBytes - 1, 7);
    EXPECT_THAT(wrong(), Names("score"));
}

TEST_F(DiamondDagTest, AFlippedBitInAnyEdgeIsFound) {
    set_message_bytes(96);
    load();
    run();
    const std::vector<std::int32_t> snake{0, 1, 3, 2};
    for (std::size_t stripe = 0; stripe < 4; ++stripe) {
        for (std::int64_t column = 0; column < kTasks - 1; ++column) {
            const auto address =
                static_cast<std::uint32_t>(send_buffer(column / 8) + column % 8 * 8);
            flip_bit(snake[stripe], address);
            EXPECT_THAT(wrong(), Names("column " + std::to_string(column), "edge",
                                       "stripe " + std::to_string(stripe)));
            flip_bit(snake[stripe], address);
        }
    }
    EXPECT_EQ(wrong(), "right");
}

TEST_F(DiamondDagTest, AFlippedBitInAnyByteOfAReceivedBodyIsFound) {
    set_message_bytes(128);
    load();
    run();
    for (const std::int32_t node : {1, 2, 3}) {
        for (std::int64_t block = 0; block < kBlocks; ++block) {
            for (std::uint32_t byte = 0; byte < 128; ++byte) {
                flip_bit(node, receive_buffer(block) + byte, static_cast<int>(byte % 8));
                EXPECT_THAT(wrong(), Names("body", "block " + std::to_string(block)));
                flip_bit(node, receive_buffer(block) + byte, static_cast<int>(byte % 8));
            }
        }
    }
    EXPECT_EQ(wrong(), "right");
}

// The padding is sent too: the sender's bytes arrive.
TEST_F(DiamondDagTest, AFlippedBitInThePaddingArrives) {
    set_message_bytes(128);
    load();
    flip_bit(1, send_buffer(2) + 127);
    run();
    EXPECT_THAT(wrong(), Names("body", "block 2", "stripe 2", "byte 120"));
}

// In these random mappings a stripe's message waits for channels that the message to the stripe
// holds. The stripe must therefore receive while it sends, although it polls and both block.
class PollingDiamondDag : public DiamondDagTest,
                          public ::testing::WithParamInterface<std::uint64_t> {};

TEST_P(PollingDiamondDag, AStripeReceivesWhileItSends) {
    bench_.set_dimensions({8, 4});
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    bench_.set(bench_.firmware_parameters, "body_send", std::string("blocking"));
    bench_.set(bench_.firmware_parameters, "body_receive", std::string("blocking"));
    set("tasks_per_side", std::int64_t{64});
    set("blocks", std::int64_t{8});
    set("task_cycles", std::int64_t{20});
    set("mapping", std::string("random"));
    set_message_bytes(4096);
    load(GetParam());
    run();
    EXPECT_EQ(wrong(), "right");
}

INSTANTIATE_TEST_SUITE_P(Mappings, PollingDiamondDag, ::testing::Values(2, 4));

TEST_F(DiamondDagTest, OwnSequencesNeedNotBeEquallyLong) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) /
                                         ("weir_diamond_dag_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "a.fa") << ">a\nACGTAAGT\n";
    std::ofstream(folder / "b.fa") << ">b\nACGT\n";
    set("first_sequence", (folder / "a.fa").string());
    set("second_sequence", (folder / "b.fa").string());
    load();
    run();
    std::filesystem::remove_all(folder);
    EXPECT_EQ(wrong(), "right");
    // ACGT aligned with ACGTAAGT: four matches and four gaps.
    EXPECT_EQ(dynamic_cast<DiamondDag&>(bench_.kernel()).score(), 4.0 - 4 * 2.0);
}

TEST_F(DiamondDagTest, RowsThatAreNotEqualStripes) {
    set("tasks_per_side", std::int64_t{34});
    set("blocks", std::int64_t{2});
    EXPECT_THAT(fault_of_data(),
                Names("workload.tasks_per_side: ", "34", "4", "multiple", "4", "36"));
}

TEST_F(DiamondDagTest, ColumnsThatAreNotEqualBlocks) {
    const NamesMatcher what = Names("5", "blocks", "32", "divisor", "32");
    set("blocks", std::int64_t{5});
    EXPECT_THAT(fault_of_data(), AllOf(StartsWith("workload.blocks: "), what));
    expect_refused("blocks", what);
}

TEST_F(DiamondDagTest, MessagesShorterThanTheEdge) {
    const NamesMatcher what = Names("56", "edge", "0", "64");
    set_message_bytes(56);
    EXPECT_THAT(fault_of_data(), AllOf(StartsWith("workload.message_bytes: "), what));
    expect_refused("message_bytes", what);
}

TEST_F(DiamondDagTest, MessagesOfPartsOfAValue) {
    set_message_bytes(100);
    expect_refused("message_bytes", Names("100", "whole", "multiple", "8"));
}

// One buffer for each received and sent block: eight of 512 bytes fill 4096 bytes; eight of 520
// bytes do not fit.
TEST_F(DiamondDagTest, BuffersThatDoNotFitIntoMemory) {
    bench_.set(bench_.configuration.memory, "bytes", std::int64_t{4096});
    set_message_bytes(512);
    EXPECT_EQ(fault_of_data(), "no fault");
}

TEST_F(DiamondDagTest, BuffersOneValueTooLong) {
    bench_.set(bench_.configuration.memory, "bytes", std::int64_t{4096});
    set_message_bytes(520);
    EXPECT_THAT(fault_of_data(), Names("workload.message_bytes: ", "8", "520",
                                       "memory.bytes = 4096", "512", "memory.bytes", "4160"));
}

}  // namespace
}  // namespace weir::firmware
