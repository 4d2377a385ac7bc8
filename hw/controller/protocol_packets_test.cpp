// Packets of the coherence protocol share the message controller's queues with messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "hw/controller/message_controller.h"
#include "hw/controller/protocol_port.h"
#include "hw/testing/bus_initiator.h"
#include "hw/testing/plain_dram.h"
#include "hw/testing/scripted_part.h"

namespace weir::hw {
namespace {

using ::testing::ElementsAre;

// Records received packets with their cycles, and sends those that the test posts.
class KeepingPort final : public ProtocolPort {
  public:
    explicit KeepingPort(const ClockDomain& domain) : domain_(domain) {}

    [[nodiscard]] bool may_receive() const override { return domain_.now() >= takes_from; }
    void receive(const ProtocolPacket& packet) override {
        received.push_back(packet);
        received_at.push_back(domain_.now().count());
    }
    [[nodiscard]] const ProtocolPacket* to_send() const override {
        return waiting.empty() ? nullptr : &waiting.front();
    }
    void sent() override {
        waiting.pop_front();
        sent_at.push_back(domain_.now().count());
    }

    std::deque<ProtocolPacket> waiting;
    std::vector<ProtocolPacket> received;
    std::vector<std::int64_t> received_at;
    std::vector<std::int64_t> sent_at;
    Cycles takes_from{0};

  private:
    const ClockDomain& domain_;
};

ProtocolPacket packet(std::uint32_t operation, bool has_line = false) {
    return {.node = NodeId(3),
            .operation = operation,
            .address = 0x8000'0040,
            .has_line = has_line,
            .empty_words = static_cast<std::uint8_t>(has_line ? 5 : 0),
            .line = {1, 2, 3, 4}};
}

// Node 5's controller between a scripted core and a scripted network.
class ProtocolPacketsTest : public ::testing::Test {
  protected:
    ProtocolPacketsTest() {
        core.bus_socket.bind(controller.bus_socket);
        controller.set_core(core);
        controller.connect_memory(port, Bytes(4096));
        port.dram_socket.bind(dram.socket);
        controller.connect_protocol(protocol);
    }
    // Offers packets for sending, from `cycle` on.
    void post(std::int64_t cycle, const std::vector<ProtocolPacket>& packets) {
        network.at(cycle, [this, packets](Cycles now) {
            protocol.waiting.insert(protocol.waiting.end(), packets.begin(), packets.end());
            controller.wake_at(now + Cycles(1));
        });
    }
    // A whole message or packet arrives in one cycle.
    MessageSlot deliver(std::int64_t cycle, std::uint32_t operation) {
        const MessageSlot slot = messages.allocate();
        Message& message = messages[slot];
        message.id = MessageId{NodeId(1), static_cast<std::int64_t>(slot)};
        message.source = NodeId(1);
        message.word_count = 2;
        message.bytes = Bytes(8);
        message.words[0] = WEIR_HEADER(operation, 2, 5);
        message.words[1] = 0x8000'0040;
        network.at(cycle, [this, slot](Cycles now) {
            controller.input_queue().begin_message(slot, now);
            controller.input_queue().push(Bytes(8), now);
            controller.header_arrived(messages[slot], now);
        });
        return slot;
    }
    void run() { domain.run_until(Cycles(10'000)); }

    ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    MessagePool messages;
    DmaParameters dma_parameters;
    MemoryPortParameters port_parameters;
    MemoryPort port{"port", domain, port_parameters};
    testing::PlainDram dram{"dram", 4096};
    MessageController::Parameters parameters;
    KeepingPort protocol{domain};
    MessageController controller{"controller", domain, parameters, dma_parameters,
                                 NodeId(5),    32,     messages,   {}};
    testing::BusInitiator core{"core", domain};
    testing::ScriptedPart network{domain};
};

TEST_F(ProtocolPacketsTest, APacketIsInTheOutputQueueTheCycleAfterItWasPosted) {
    post(50, {packet(2), packet(3, true)});
    run();
    EXPECT_THAT(protocol.sent_at, ElementsAre(51, 52));
    EXPECT_EQ(controller.output_queue().held(), Bytes(8 + 24));
    const Message& first = messages[controller.output_queue().messages()[0]];
    EXPECT_EQ(first.times.launch, Cycles(52));
    EXPECT_EQ(first.times.compose, Cycles(52));
    EXPECT_EQ(first.destination, NodeId(3));
    EXPECT_TRUE(first.is_of_protocol());
    const Message& second = messages[controller.output_queue().messages()[1]];
    EXPECT_EQ(second.times.launch, Cycles(53));
    EXPECT_EQ(second.word_count, 6);
    EXPECT_EQ(second.words[1], 0x8000'0045U) << "the line's bits stand where its address has none";
    EXPECT_EQ(second.words[5], 4U);
    EXPECT_EQ(controller.statistics().protocol_packets.value(), 2);
    EXPECT_EQ(controller.statistics().messages_launched.value(), 2);
    EXPECT_EQ(controller.statistics().bytes_launched.value(), 8 + 24);
}

// Ten packets with a line and two without fill the queue's 256 bytes.
TEST_F(ProtocolPacketsTest, APacketWaitsForRoom) {
    std::vector<ProtocolPacket> packets(10, packet(3, true));
    packets.insert(packets.end(), 3, packet(2));
    post(50, packets);
    network.at(100, [this](Cycles now) { controller.output_queue().pop(Bytes(7), now); });
    network.at(200, [this](Cycles now) { controller.output_queue().pop(Bytes(1), now); });
    run();
    ASSERT_EQ(protocol.sent_at.size(), 13U);
    EXPECT_EQ(protocol.sent_at[11], 62);
    EXPECT_EQ(protocol.sent_at[12], 201);
}

TEST_F(ProtocolPacketsTest, WholePacketsLeaveTheInputQueueOneInACycle) {
    deliver(50, WEIR_PROTOCOL_OPERATION | 7U);
    deliver(50, WEIR_PROTOCOL_OPERATION | 9U);
    run();
    EXPECT_THAT(protocol.received_at, ElementsAre(51, 52));
    EXPECT_EQ(protocol.received[0].operation, 7U);
    EXPECT_EQ(protocol.received[1].operation, 9U);
    EXPECT_EQ(protocol.received[0].node, NodeId(1));
    EXPECT_EQ(protocol.received[0].address, 0x8000'0040U);
    EXPECT_FALSE(protocol.received[0].has_line);
    EXPECT_EQ(controller.input_queue().held(), Bytes(0));
    EXPECT_EQ(controller.statistics().messages_disposed.value(), 2);
    EXPECT_FALSE(controller.interrupt_line().raised(domain.now()));
    EXPECT_EQ(messages.in_use(), 0U);
}

TEST_F(ProtocolPacketsTest, APacketWaitsUntilThePortTakesIt) {
    protocol.takes_from = Cycles(80);
    deliver(50, WEIR_PROTOCOL_OPERATION | 7U);
    network.at(79, [this](Cycles now) { controller.wake_at(now + Cycles(1)); });
    run();
    EXPECT_THAT(protocol.received_at, ElementsAre(80));
}

// The packet leaves the input queue in the first cycle in which the message before it is gone.
TEST_F(ProtocolPacketsTest, APacketBehindAMessageWaitsForItsDisposal) {
    const MessageSlot message = deliver(50, 1);
    deliver(51, WEIR_PROTOCOL_OPERATION | 7U);
    core.store(WEIR_DISPOSE, 0, Cycles(200));
    run();
    EXPECT_THAT(protocol.received_at, ElementsAre(messages[message].times.dispose.count()));
    EXPECT_GE(messages[message].times.dispose, Cycles(201));
    EXPECT_EQ(controller.statistics().messages_disposed.value(), 2);
}

TEST_F(ProtocolPacketsTest, NoRegisterShowsAPacket) {
    protocol.takes_from = Cycles(5000);
    deliver(50, WEIR_PROTOCOL_OPERATION | 7U);
    run();
    EXPECT_TRUE(controller.packet_at_head(domain.now()).has_value());
    EXPECT_EQ(controller.packet_at_head(domain.now())->operation, 7U);
    EXPECT_FALSE(controller.interrupt_raised(domain.now()));
}

}  // namespace
}  // namespace weir::hw
