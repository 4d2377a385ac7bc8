#include "experiments/models/memory_logp/memory_logp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

// Section 2: a row of the array, and the whole array.
constexpr std::int64_t kRowBytes = 8192;
constexpr std::int64_t kArrayBytes = 1024 * kRowBytes;
// Section 6: the clocks of the two processors.
constexpr double kPentium3Megahertz = 933.0;
constexpr double kR10000Megahertz = 195.0;

// Section 4: cycles per byte times 4 and 8 bytes are cycles per word and per double word.
TEST(MemoryLogp, AWordCostsItsBytesTimesOverheadAndLatency) {
    EXPECT_EQ(memory_transfer({1.5, 2.25, 4}, 4).cycles_per_word, 4 * 3.75);
    EXPECT_EQ(memory_transfer({1.5, 2.25, 8}, 8).cycles_per_word, 8 * 3.75);
    EXPECT_EQ(memory_transfer({1.5, 2.25, 8}, 8).cycles, 30.0);
}

TEST(MemoryLogp, ContiguousDataCostTheOverheadAtEverySize) {
    for (const std::int64_t bytes : {4, 128, 128 * 1024}) {
        const MemoryTransfer transfer = memory_transfer({0.5, 0.0, 4}, bytes);
        EXPECT_EQ(transfer.cycles, transfer.contiguous_cycles);
        EXPECT_EQ(transfer.cycles / static_cast<double>(bytes), 0.5);
    }
}

TEST(MemoryLogp, MovesWholeWords) {
    EXPECT_EQ(memory_transfer({1.0, 0.0, 8}, 17).words, 3);
    EXPECT_EQ(memory_transfer({1.0, 0.0, 8}, 17).cycles, 24.0);
    EXPECT_EQ(memory_transfer({1.0, 0.0, 8}, 16).words, 2);
}

TEST(MemoryLogp, TheGapIsTheOverheadAndItsReciprocalTheBandwidth) {
    const MemoryTransfer transfer = memory_transfer({0.25, 0.75, 4}, 1024);
    EXPECT_EQ(transfer.gap_cycles_per_byte, 0.25);
    EXPECT_EQ(transfer.contiguous_bytes_per_cycle, 4.0);
    EXPECT_EQ(transfer.bytes_per_cycle, 1.0);
    EXPECT_FALSE(memory_transfer({0.0, 0.5, 4}, 4).contiguous_bytes_per_cycle.has_value());
    EXPECT_FALSE(memory_transfer({0.0, 0.0, 4}, 4).bytes_per_cycle.has_value());
}

// Section 2: 0.0083 s and 0.062 s, "a six-fold increase". The increase is 6.47 times the contiguous
// time, the ratio 7.47.
TEST(MemoryLogpMeasured, ReproducesTheSixFoldIncreaseOfSection2) {
    const MeasuredMemoryLogp all =
        measured_memory_logp({0.0083, 0.062, kArrayBytes, kPentium3Megahertz});
    EXPECT_NEAR(all.strided_to_contiguous, 7.4699, 5e-5);
    EXPECT_NEAR(all.latency_to_overhead, 6.4699, 5e-5);
    EXPECT_NEAR(all.overhead_cycles_per_byte, 0.9231, 5e-5);
    EXPECT_NEAR(all.latency_cycles_per_byte, 5.9726, 5e-5);
    // A single row, of which section 2 speaks, would take 7562 cycles for each double.
    const MeasuredMemoryLogp row =
        measured_memory_logp({0.0083, 0.062, kRowBytes, kPentium3Megahertz});
    EXPECT_NEAR(row.overhead_cycles_per_byte, 945.3, 0.05);
}

// Section 2: 0.176 us and 0.551 us for 1 KB on the Origin, a "three-fold increase". The ratio
// is 3.13, the increase 2.13.
TEST(MemoryLogpMeasured, ReproducesTheThreeFoldIncreaseOfSection2AsARatio) {
    const MeasuredMemoryLogp origin =
        measured_memory_logp({0.176e-6, 0.551e-6, 1024, kR10000Megahertz});
    EXPECT_NEAR(origin.strided_to_contiguous, 3.1307, 5e-5);
    EXPECT_NEAR(origin.latency_to_overhead, 2.1307, 5e-5);
    // 34 cycles for 1024 bytes are 30 bytes per cycle, more than an R10000 can load.
    EXPECT_NEAR(cycles_of_seconds(0.176e-6, kR10000Megahertz), 34.32, 1e-9);
}

TEST(MemoryLogpMeasured, GivesBackBothTimes) {
    const MeasuredMemoryLogp measured =
        measured_memory_logp({2e-6, 5e-6, 4000, kPentium3Megahertz});
    const MemoryTransfer transfer = memory_transfer(
        {measured.overhead_cycles_per_byte, measured.latency_cycles_per_byte, 4}, 4000);
    EXPECT_NEAR(transfer.contiguous_cycles, cycles_of_seconds(2e-6, kPentium3Megahertz), 1e-9);
    EXPECT_NEAR(transfer.cycles, cycles_of_seconds(5e-6, kPentium3Megahertz), 1e-9);
}

// Section 6: 165 ns off-node and 110 ns per hop of CrayLink, in cycles of the R10000.
TEST(MemoryLogpMeasured, TurnsTheOriginsPenaltiesIntoCycles) {
    EXPECT_NEAR(cycles_of_seconds(165e-9, kR10000Megahertz), 32.175, 1e-9);
    EXPECT_NEAR(cycles_of_seconds(110e-9, kR10000Megahertz), 21.45, 1e-9);
}

constexpr MemoryLogpMessageInputs kMessage = {
    .memory = {0.5, 1.5, 4},
    .message_bytes = 1000,
    .network_packet_bytes = 64,
    .latency_cycles = 160.0,
    .overhead_cycles = 20.0,
    .gap_cycles = 30.0,
    .extra_copies = 0,
};

TEST(MemoryLogpMessage, EvaluatesLogpAsSection5PrintsIt) {
    const MemoryLogpMessage message = memory_logp_message(kMessage);
    EXPECT_EQ(message.packets, 16);
    EXPECT_EQ(message.logp_packet_cycles, 20.0 + 160.0 + 20.0);
    EXPECT_EQ(message.logp_message_cycles, 20.0 + 30.0 * 16 + 160.0 + 20.0);
}

TEST(MemoryLogpMessage, TheLargerOfGapAndOverheadSpacesThePackets) {
    MemoryLogpMessageInputs inputs = kMessage;
    inputs.gap_cycles = 5.0;
    EXPECT_EQ(memory_logp_message(inputs).logp_message_cycles, 20.0 + 20.0 * 16 + 160.0 + 20.0);
}

// For one packet, the formula for B bytes exceeds the formula for a packet by max{g, o}.
TEST(MemoryLogpMessage, OnePacketByTheLongFormulaHasAGapTooMany) {
    MemoryLogpMessageInputs inputs = kMessage;
    inputs.message_bytes = 64;
    const MemoryLogpMessage message = memory_logp_message(inputs);
    EXPECT_EQ(message.packets, 1);
    EXPECT_EQ(message.logp_message_cycles - message.logp_packet_cycles, 30.0);
}

TEST(MemoryLogpMessage, AByteCostsMemoryNetworkAndMemory) {
    const MemoryLogpMessage message = memory_logp_message(kMessage);
    EXPECT_EQ(message.cycles_per_byte, 2.0 + 160.0 / 64 + 2.0);
    EXPECT_EQ(message.memory_cycles_per_byte, 4.0);
    EXPECT_EQ(message.message_cycles, 6500.0);
}

// Section 5: w_n (o_m + l) replaces o_n. The bytes of a packet at the cost per byte are then o + L
// + o.
TEST(MemoryLogpMessage, APacketsBytesCostLogpsPacketWithTheMemorysOverhead) {
    const MemoryLogpMessage message = memory_logp_message(kMessage);
    EXPECT_EQ(message.memory_overhead_cycles, 128.0);
    EXPECT_EQ(64 * message.cycles_per_byte, 128.0 + 160.0 + 128.0);
    EXPECT_EQ(message.logp_with_memory_overhead_cycles, 128.0 + 128.0 * 16 + 160.0 + 128.0);

    MemoryLogpMessageInputs replaced = kMessage;
    replaced.overhead_cycles = message.memory_overhead_cycles;
    EXPECT_EQ(memory_logp_message(replaced).logp_message_cycles,
              message.logp_with_memory_overhead_cycles);
}

TEST(MemoryLogpMessage, AnExtraCopyCostsTheOverheadAByte) {
    MemoryLogpMessageInputs inputs = kMessage;
    inputs.extra_copies = 3;
    EXPECT_EQ(memory_logp_message(inputs).cycles_per_byte,
              memory_logp_message(kMessage).cycles_per_byte + 3 * 0.5);
}

// Section 2: "four times the memory communication cost" for data that go through network buffers.
// No equation gives this; two extra copies of contiguous data do.
TEST(MemoryLogpMessage, TwoExtraCopiesMakeContiguousDataFourTimesTheOverhead) {
    MemoryLogpMessageInputs inputs = kMessage;
    inputs.memory.latency_cycles_per_byte = 0.0;
    inputs.extra_copies = 2;
    EXPECT_EQ(memory_logp_message(inputs).memory_cycles_per_byte, 4 * 0.5);
}

TEST(MemoryLogpMessage, WithoutMemoryCostIsTheNetworksAlone) {
    MemoryLogpMessageInputs inputs = kMessage;
    inputs.memory = {0.0, 0.0, 4};
    EXPECT_EQ(memory_logp_message(inputs).cycles_per_byte, 2.5);
}

template <typename Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const ModelError& error) {
        return error.what();
    }
    return "taken";
}

TEST(MemoryLogpMeasured, RefusesAStridedTransferThatIsFaster) {
    EXPECT_THAT(refusal([] {
                    (void)measured_memory_logp({2.0, 1.0, 4, 933.0});
                }),
                Names("strided_seconds", "1", "accepted", "2", "1e+06"));
}

TEST(MemoryLogpMessage, RefusesEachInputByName) {
    const auto with = [](auto change) {
        MemoryLogpMessageInputs inputs = kMessage;
        change(inputs);
        return refusal([&] { (void)memory_logp_message(inputs); });
    };
    EXPECT_THAT(with([](auto& i) { i.memory.latency_cycles_per_byte = -1.0; }),
                HasSubstr("memory_latency_cycles_per_byte (l) is -1"));
    EXPECT_THAT(with([](auto& i) { i.message_bytes = 0; }), HasSubstr("message_bytes (B) is 0"));
    EXPECT_THAT(with([](auto& i) { i.network_packet_bytes = 0; }),
                HasSubstr("network_packet_bytes (w_n) is 0"));
    EXPECT_THAT(with([](auto& i) { i.latency_cycles = -1.0; }),
                HasSubstr("latency_cycles (L_n) is -1"));
    EXPECT_THAT(with([](auto& i) { i.overhead_cycles = kNotGiven; }),
                Names("overhead_cycles (o_n)", "given"));
    EXPECT_THAT(with([](auto& i) { i.gap_cycles = std::numeric_limits<double>::infinity(); }),
                Names("gap_cycles (g_n)", "inf"));
    EXPECT_THAT(with([](auto& i) { i.extra_copies = -1; }), HasSubstr("extra_copies is -1"));
}

}  // namespace
}  // namespace weir::experiments::models
