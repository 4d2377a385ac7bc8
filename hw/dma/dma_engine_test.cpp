#include "hw/dma/dma_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "hw/dma/memory_port.h"
#include "hw/testing/plain_dram.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/waveform.h"
#include "nodes/testing/recorded_trace.h"

namespace weir::hw {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::int64_t kQueueBytes = 1 << 16;
constexpr Cycles kRunEnd(1'000'000);

/// Both engines of a node at one memory port, each with an unlimited queue.
class DmaEngineTest : public ::testing::Test {
  public:
    DmaEngineTest() {
        send.memory_socket.bind(port.requester_socket);
        receive.memory_socket.bind(port.requester_socket);
        port.dram_socket.bind(dram.socket);
        std::iota(dram.bytes.begin(), dram.bytes.end(), std::uint8_t{0});
    }
    MessageSlot message_with_body(std::int64_t bytes) {
        const MessageSlot slot = messages.allocate();
        messages[slot].id = {NodeId(0), slot};
        messages[slot].body_bytes = Bytes(bytes);
        messages[slot].bytes = Bytes(8 + bytes);
        return slot;
    }
    void start_send(MessageSlot slot, std::vector<DmaEngine::Piece> pieces, std::int64_t cycle) {
        starter.at(cycle - 1, [this, slot, pieces, cycle](Cycles /*now*/) {
            send.start(slot, pieces, Cycles(cycle));
        });
    }
    /// Starts the receiving engine in `cycle`; the whole message is already in the input queue.
    void start_receive(MessageSlot slot, std::uint32_t address, std::int64_t cycle) {
        input_queue.begin_message(slot, Cycles(0));
        input_queue.push(messages[slot].bytes, Cycles(0));
        starter.at(cycle - 1, [this, slot, address, cycle](Cycles /*now*/) {
            receive.start(slot, address, Cycles(cycle));
        });
    }
    void run() { domain.run_until(kRunEnd); }
    [[nodiscard]] std::int64_t send_cycles(MessageSlot slot, std::int64_t from) const {
        return messages[slot].times.send_dma_end.count() - from;
    }
    [[nodiscard]] std::int64_t receive_cycles(MessageSlot slot) const {
        const MessageTimes& times = messages[slot].times;
        return (times.receive_dma_end - times.receive_dma_begin).count();
    }

    ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    DmaParameters parameters;
    MemoryPortParameters port_parameters;
    MessagePool messages;
    ByteQueue output_queue{NodeId(0), QueueKind::kOutput, Bytes(kQueueBytes), nullptr};
    ByteQueue input_queue{NodeId(0), QueueKind::kInput, Bytes(kQueueBytes), nullptr};
    MemoryPort port{"port", domain, port_parameters};
    testing::PlainDram dram{"dram", 1 << 17};
    const DmaMemory memory{Bytes(1 << 20)};
    SendDma send{"send", domain, parameters, NodeId(0), memory, messages, output_queue, nullptr};
    ReceiveDma receive{"receive", domain,   parameters,  NodeId(0),
                       memory,    messages, input_queue, nullptr};
    testing::ScriptedPart starter{domain};
};

TEST_F(DmaEngineTest, ABurstTakesOneCycleToBeSeenFourBeatsOfTwoAndTwoToTurnAround) {
    testing::Waveform bytes(domain, Cycles(60),
                            [&](Cycles now) { return output_queue.available(now).count(); });
    start_send(message_with_body(96), {{0, 96}}, 10);
    run();
    // The first burst is requested in cycle 10 and granted in 11; its last byte moves in 19 and is
    // seen in 20. The next burst is requested in 21.
    EXPECT_THAT(bytes.changes(), ElementsAre(Pair(20, 32), Pair(31, 64), Pair(42, 96)));
}

TEST_F(DmaEngineTest, AlonePasses11CyclesForEachBurstOf32Bytes) {
    const MessageSlot slot = message_with_body(32'000);
    start_send(slot, {{0, 32'000}}, 10);
    run();
    EXPECT_EQ(send_cycles(slot, 10), 11 * 1000 - 2);
    EXPECT_EQ(port.statistics().bursts.value(), 1000);
    EXPECT_EQ(port.statistics().busy_cycles.value(), 8000);
}

TEST_F(DmaEngineTest, BothAtOnceTake1Point45TimesAsLongEach) {
    const MessageSlot sent = message_with_body(32'000);
    const MessageSlot received = message_with_body(32'000);
    start_send(sent, {{0, 32'000}}, 10);
    start_receive(received, 1 << 16, 10);
    run();
    constexpr double kAlone = 11 * 1000 - 2;
    EXPECT_NEAR(static_cast<double>(send_cycles(sent, 10)) / kAlone, 1.45, 0.05);
    EXPECT_NEAR(static_cast<double>(receive_cycles(received)) / kAlone, 1.45, 0.05);
    // The port is never free, and serves the engines in turn.
    EXPECT_EQ(port.statistics().busy_cycles.value(), 16'000);
    EXPECT_GT(send.statistics().port_wait_cycles.value(), 4'900);
}

TEST_F(DmaEngineTest, PlantedSecondPortLetsBothRunAtFullSpeed) {
    // Planted fault that the law above must detect: each engine has a port of its own.
    MemoryPort other_port("other_port", domain, port_parameters);
    testing::PlainDram other_dram("other_dram", 1 << 17);
    ReceiveDma other("other", domain, parameters, NodeId(0), memory, messages, input_queue,
                     nullptr);
    other.memory_socket.bind(other_port.requester_socket);
    other_port.dram_socket.bind(other_dram.socket);
    const MessageSlot sent = message_with_body(32'000);
    const MessageSlot received = message_with_body(32'000);
    start_send(sent, {{0, 32'000}}, 10);
    input_queue.begin_message(received, Cycles(0));
    input_queue.push(messages[received].bytes, Cycles(0));
    starter.at(9, [&](Cycles /*now*/) { other.start(received, 1 << 16, Cycles(10)); });
    run();
    EXPECT_EQ(send_cycles(sent, 10), 11 * 1000 - 2);
    EXPECT_EQ(receive_cycles(received), 11 * 1000 - 2);
}

TEST_F(DmaEngineTest, GathersPiecesInTheirOrderAndStoresThemTogether) {
    const MessageSlot slot = message_with_body(72);
    start_send(slot, {{1000, 40}, {24, 32}}, 10);
    run();
    start_receive(slot, 2048, domain.now().count() + 10);
    run();
    std::vector<std::uint8_t> expected(dram.bytes.begin() + 1000, dram.bytes.begin() + 1040);
    expected.insert(expected.end(), dram.bytes.begin() + 24, dram.bytes.begin() + 56);
    EXPECT_EQ(std::vector<std::uint8_t>(dram.bytes.begin() + 2048, dram.bytes.begin() + 2120),
              expected);
}

TEST_F(DmaEngineTest, ABurstEndsAtItsBoundary) {
    start_send(message_with_body(48), {{24, 48}}, 10);
    run();
    EXPECT_EQ(send.statistics().bursts.value(), 3);  // at addresses 24-32, 32-64 and 64-72
}

TEST_F(DmaEngineTest, WaitsForRoomForAWholeBurst) {
    ByteQueue small(NodeId(0), QueueKind::kOutput, Bytes(48), nullptr);
    SendDma engine("small_send", domain, parameters, NodeId(0), memory, messages, small, nullptr);
    engine.memory_socket.bind(port.requester_socket);
    const MessageSlot slot = message_with_body(64);
    starter.at(9, [&](Cycles /*now*/) {
        const std::array<DmaEngine::Piece, 1> piece{{{0, 64}}};
        engine.start(slot, piece, Cycles(10));
    });
    starter.at(100, [&](Cycles now) { small.pop(Bytes(15), now); });
    starter.at(200, [&](Cycles now) { small.pop(Bytes(1), now); });
    run();
    // The queue has room for 32 bytes from cycle 201 on; the burst is granted in 202, and moved by
    // 210.
    EXPECT_EQ(messages[slot].times.send_dma_end, Cycles(210));
    EXPECT_EQ(engine.statistics().queue_wait_cycles.value(), 201 - 21);
}

TEST_F(DmaEngineTest, IsIdleFromTheCycleAfterItsLastByte) {
    const MessageSlot slot = message_with_body(32);
    start_send(slot, {{0, 32}}, 10);
    testing::Waveform idle(domain, Cycles(60), [&](Cycles now) { return send.idle(now); });
    run();
    EXPECT_EQ(messages[slot].times.send_dma_end, Cycles(19));
    EXPECT_EQ(idle.changes().back(), (std::pair<std::int64_t, std::int64_t>(20, 1)));
}

TEST_F(DmaEngineTest, TellsTheTraceWhatItMovedAndWhatItWaitedFor) {
    nodes::testing::RecordedTrace trace;
    ByteQueue small(NodeId(0), QueueKind::kOutput, Bytes(48), nullptr);
    SendDma engine("small_send", domain, parameters, NodeId(0), memory, messages, small, &trace);
    engine.memory_socket.bind(port.requester_socket);
    const MessageSlot slot = message_with_body(64);
    starter.at(9, [&](Cycles /*now*/) {
        const std::array<DmaEngine::Piece, 1> piece{{{0, 64}}};
        engine.start(slot, piece, Cycles(10));
    });
    domain.run_until(Cycles(100));
    engine.end_of_run(Cycles(100));  // the queue had no room for the body's second half
    ASSERT_EQ(trace.transfers.size(), 1U);
    const DmaTransfer& transfer = trace.transfers.front();
    EXPECT_EQ(transfer.engine, DmaKind::kSend);
    EXPECT_EQ(transfer.message, messages[slot].id);
    EXPECT_EQ(transfer.begin, Cycles(10));
    EXPECT_EQ(transfer.end, Cycles(100));
    EXPECT_EQ(transfer.bytes, Bytes(32));
    EXPECT_EQ(transfer.port_wait, Cycles(0));
    EXPECT_EQ(transfer.queue_wait, Cycles(100 - 21));
    EXPECT_EQ(engine.statistics().bytes.value(), 32);
    EXPECT_EQ(engine.statistics().busy_cycles.value(), 90);
}

TEST_F(DmaEngineTest, WhatBeginsInTheLastCycleIsNotTold) {
    nodes::testing::RecordedTrace trace;
    SendDma engine("late_send", domain, parameters, NodeId(0), memory, messages, output_queue,
                   &trace);
    engine.memory_socket.bind(port.requester_socket);
    const MessageSlot slot = message_with_body(64);
    starter.at(9, [&](Cycles /*now*/) {
        const std::array<DmaEngine::Piece, 1> piece{{{0, 64}}};
        engine.start(slot, piece, Cycles(10));
    });
    domain.run_until(Cycles(9));
    engine.end_of_run(Cycles(10));
    EXPECT_TRUE(trace.transfers.empty());
}

// An engine alone takes 11 cycles for a burst of 32 bytes, as measured above. The memory's access
// time is added: with row_bytes, that of an open row.
TEST(DmaParametersTest, SayWhatAByteTakes) {
    DmaParameters engine;
    MemoryPortParameters port;
    EXPECT_DOUBLE_EQ(dma_cycles_per_byte(engine, port), 11.0 / 32.0);
    ASSERT_TRUE(port.access_cycles.set(std::int64_t{5}));
    EXPECT_DOUBLE_EQ(dma_cycles_per_byte(engine, port), 16.0 / 32.0);
    ASSERT_TRUE(port.row_bytes.set(std::int64_t{1024}));
    ASSERT_TRUE(port.row_access_cycles.set(std::int64_t{3}));
    EXPECT_DOUBLE_EQ(dma_cycles_per_byte(engine, port), 14.0 / 32.0);
}

TEST(DmaParametersTest, ABurstIsSomeTimesEightBytes) {
    DmaParameters parameters;
    for (const std::int64_t bytes : {8, 24, 256}) {
        ASSERT_TRUE(parameters.burst_bytes.set(bytes));
        EXPECT_EQ(parameters.check(), std::nullopt) << bytes;
    }
    for (const std::int64_t bytes : {9, 12, 15, 28}) {
        ASSERT_TRUE(parameters.burst_bytes.set(bytes));
        EXPECT_NE(parameters.check(), std::nullopt) << bytes;
    }
}

}  // namespace
}  // namespace weir::hw
