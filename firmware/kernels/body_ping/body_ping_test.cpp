#include "firmware/kernels/body_ping/body_ping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

// A machine of two nodes. A node's memory holds the bytes that it sends, as long as the longest
// body, followed by the bodies that it receives.
class BodyPingTest : public ::testing::Test {
  protected:
    BodyPingTest() { bench_.set_dimensions({2, 1}); }

    void set_lengths(const std::vector<std::int64_t>& lengths) {
        bench_.set_workload("body_bytes", lengths);
    }
    void set_memory(std::int64_t bytes) { bench_.set(bench_.configuration.memory, "bytes", bytes); }
    void load() { bench_.load(); }
    void run() { ASSERT_EQ(bench_.run(), nodes::RunEnd::kFinished); }
    [[nodiscard]] std::string wrong() { return bench_.check().value_or("right"); }
    [[nodiscard]] std::string fault_of_data() { return bench_.fault_of_data(); }
    [[nodiscard]] std::uint8_t byte_at(std::int32_t node, std::uint32_t address) {
        std::uint8_t byte = 0;
        bench_.machine().read_memory(hw::NodeId(node), address, {&byte, 1});
        return byte;
    }
    void flip_bit(std::int32_t node, std::uint32_t address) { bench_.flip_bit(node, address); }

    firmware::testing::KernelBench bench_{"body-ping"};
};

TEST_F(BodyPingTest, BodiesOfEveryLengthArriveByteByByte) {
    set_lengths({8, 16, 24, 32, 40, 248, 256, 264, 1000, 320'000});
    load();
    run();
    EXPECT_EQ(wrong(), "right");
    EXPECT_EQ(bench_.kernel().progress(), 1.0);
    ASSERT_EQ(bench_.trace.messages.size(), 2U * 10);
    // The first byte of the first received body, and the last byte of the last one, equal the
    // sender's.
    EXPECT_EQ(byte_at(1, 320'000), byte_at(0, 0));
    EXPECT_EQ(byte_at(1, 320'000 + 1888 + 319'999), byte_at(0, 319'999));
    EXPECT_NE(byte_at(1, 320'000 + 1888 + 319'999), byte_at(1, 319'999)) << "of another sender";
}

TEST_F(BodyPingTest, NothingIsThereBeforeTheRun) {
    set_lengths({8});
    load();
    EXPECT_THAT(wrong(), Names("8", "node 0", "node 1", "byte 0"));
}

class BodyPingCompletionTest : public BodyPingTest,
                               public ::testing::WithParamInterface<std::string> {};

TEST_P(BodyPingCompletionTest, EveryWayToWaitForTheEnginesMovesTheSame) {
    set_lengths({8, 4096});
    bench_.set(bench_.firmware_parameters, "body_send", GetParam());
    bench_.set(bench_.firmware_parameters, "body_receive", GetParam());
    load();
    run();
    EXPECT_EQ(wrong(), "right");
}

INSTANTIATE_TEST_SUITE_P(BodyPing, BodyPingCompletionTest,
                         ::testing::Values("blocking", "status", "interrupt"),
                         [](const auto& test) { return test.param; });

// Planted faults: one bit of any byte of any body.
TEST_F(BodyPingTest, AFlippedBitInAnyReceivedByteIsFound) {
    set_lengths({8, 64});
    load();
    run();
    for (std::uint32_t byte = 0; byte < 72; ++byte) {
        const bool in_first = byte < 8;
        flip_bit(1, 64 + byte);
        EXPECT_THAT(wrong(), Names(in_first ? "8" : "64", "node 0", "node 1",
                                   "byte " + std::to_string(in_first ? byte : byte - 8)));
        flip_bit(1, 64 + byte);
    }
    EXPECT_EQ(wrong(), "right");
}

TEST_F(BodyPingTest, BodiesThatJustFitIntoMemory) {
    set_lengths({2048});
    set_memory(4096);
    EXPECT_EQ(fault_of_data(), "no fault");
}

TEST_F(BodyPingTest, BodiesThatDoNotFitIntoMemory) {
    set_lengths({2048, 8});
    set_memory(4096);
    EXPECT_THAT(fault_of_data(), Names("workload.body_bytes: ", "4104", "4096", "memory.bytes"));
}

TEST_F(BodyPingTest, LengthsThatAreNotMultiplesOf8) {
    set_lengths({8, 12});
    EXPECT_THAT(fault_of_data(), Names("workload.body_bytes: ", "12", "multiples", "8"));
}

}  // namespace
}  // namespace weir::firmware
