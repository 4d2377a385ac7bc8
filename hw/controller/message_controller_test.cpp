#include "hw/controller/message_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/bus_initiator.h"
#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/plain_dram.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/waveform.h"

namespace weir::hw {
namespace {

using testing::BusAccess;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using weir::testing::Names;
using weir::testing::NamesMatcher;

constexpr std::int32_t kNodeCount = 32;
constexpr Cycles kLastSample(1000);
constexpr std::uint64_t word_of(std::uint64_t base, std::uint64_t index) {
    return base + WEIR_WORD_BYTES * index;
}

// The controller of node 5 between a scripted core and a scripted network.
class ControllerBench {
  public:
    explicit ControllerBench(ClockDomain& clock, const MessageController::Parameters& parameters)
        : domain(clock),
          controller("controller", clock, parameters, dma_parameters, NodeId(5), kNodeCount,
                     messages, {}) {
        core.bus_socket.bind(controller.bus_socket);
        controller.connect_memory(port, Bytes(kMemoryBytes));
        port.dram_socket.bind(dram.socket);
    }

    /// Stores the header, handler address and arguments of a message of `words` words, one after
    /// the other.
    void compose(std::uint64_t words, Cycles not_before = Cycles(0),
                 std::uint64_t destination = 3) {
        core.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, words, destination), not_before);
        for (std::uint64_t index = 1; index < words; ++index) {
            core.store(word_of(WEIR_OUTPUT_DESCRIPTOR, index), 100 + index);
        }
    }
    const BusAccess& send(std::uint64_t words, Cycles not_before = Cycles(0)) {
        compose(words, not_before);
        return core.store(WEIR_LAUNCH, words);
    }

    /// The network takes `bytes` from the output queue in `cycle`.
    void drain(Bytes bytes, std::int64_t cycle) {
        network.at(cycle, [this, bytes](Cycles now) { controller.output_queue().pop(bytes, now); });
    }

    /// The network delivers a message of `words` words, a flit of two bytes per cycle from
    /// `first_cycle` on. It reports the header with the fourth flit.
    MessageSlot deliver(std::int32_t words, std::int64_t first_cycle, bool tell_of_header = true) {
        const MessageSlot slot = messages.allocate();
        Message& message = messages[slot];
        message.id = MessageId{NodeId(1), static_cast<std::int64_t>(slot)};
        message.word_count = words;
        message.bytes = Bytes(std::int64_t{words} * WEIR_WORD_BYTES);
        for (std::uint32_t index = 0; index < static_cast<std::uint32_t>(words); ++index) {
            message.words[index] = 1000 * slot + index;
        }
        const std::int64_t flits = std::int64_t{words} * 2;
        for (std::int64_t flit = 0; flit < flits; ++flit) {
            network.at(first_cycle + flit, [this, slot, flit, tell_of_header](Cycles now) {
                if (flit == 0) {
                    controller.input_queue().begin_message(slot, now);
                }
                controller.input_queue().push(Bytes(2), now);
                if (flit == 3 && tell_of_header) {
                    controller.header_arrived(messages[slot], now);
                }
            });
        }
        return slot;
    }

    void run() { domain.run_until(Cycles(100'000)); }

    static constexpr std::int64_t kMemoryBytes = 4096;

    ClockDomain& domain;
    MessagePool messages;
    DmaParameters dma_parameters;
    MemoryPortParameters port_parameters;
    MemoryPort port{"port", domain, port_parameters};
    testing::PlainDram dram{"dram", static_cast<std::size_t>(kMemoryBytes)};
    MessageController controller;
    testing::BusInitiator core{"core", domain};
    testing::ScriptedPart network{domain};
};

class MessageControllerTest : public ::testing::Test {
  public:
    ControllerBench& bench() {
        if (!bench_) {
            bench_ = std::make_unique<ControllerBench>(domain, parameters);
        }
        return *bench_;
    }
    // Bytes in the output queue as the network interface sees them.
    testing::Waveform& output_bytes() {
        waveforms_.push_back(
            std::make_unique<testing::Waveform>(domain, kLastSample, [this](Cycles now) {
                return bench().controller.output_queue().available(now).count();
            }));
        return *waveforms_.back();
    }
    // The interrupt line as the core sees it.
    testing::Waveform& interrupts() {
        waveforms_.push_back(std::make_unique<testing::Waveform>(
            domain, kLastSample,
            [this](Cycles now) { return bench().controller.interrupt_line().raised(now); }));
        return *waveforms_.back();
    }

    ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    MessageController::Parameters parameters;

  private:
    std::unique_ptr<ControllerBench> bench_;
    std::vector<std::unique_ptr<testing::Waveform>> waveforms_;
};

// --- Costs of accesses --------------------------------------------------------------------------

// LoGPC Table 1: o_s is 9, 12, 15 for no, one and two arguments.
TEST_F(MessageControllerTest, SendingCostsThreeCyclesAStoreAndThreeTheLaunch) {
    std::vector<const BusAccess*> launches;
    for (const std::uint64_t words : {2U, 3U, 4U}) {
        launches.push_back(&bench().send(words, Cycles(static_cast<std::int64_t>(100 * words))));
    }
    bench().run();
    EXPECT_THAT(
        bench().core.accesses(),
        Each(::testing::ResultOf([](const BusAccess& access) { return access.cost(); }, 3)));
    EXPECT_EQ(launches[0]->end, Cycles(200 + 9));
    EXPECT_EQ(launches[1]->end, Cycles(300 + 12));
    EXPECT_EQ(launches[2]->end, Cycles(400 + 15));
}

TEST_F(MessageControllerTest, ALoadCostsTwoCyclesAndRightAfterAnotherThree) {
    auto& core = bench().core;
    core.load(WEIR_COMPOSED_WORDS, Cycles(10));
    core.load(WEIR_OUTPUT_DESCRIPTOR);           // directly follows a load
    core.load(WEIR_MESSAGE_WAITING);             // directly follows a load again
    core.load(WEIR_COMPOSED_WORDS, Cycles(19));  // a cycle after the end of the previous load
    core.store(WEIR_OUTPUT_DESCRIPTOR, 0);
    core.load(WEIR_COMPOSED_WORDS);  // directly follows a store
    bench().run();
    std::vector<std::int64_t> costs;
    for (const BusAccess& access : core.accesses()) {
        EXPECT_TRUE(access.ok() && access.at_once);
        costs.push_back(access.cost());
    }
    EXPECT_THAT(costs, ElementsAre(2, 3, 3, 2, 3, 2));
}

TEST_F(MessageControllerTest, TwoWordsOfTheDescriptorTakeACycleMoreThanOne) {
    auto& core = bench().core;
    core.append(
        {tlm::TLM_WRITE_COMMAND, WEIR_OUTPUT_DESCRIPTOR + 8, 0x0000'0007'0000'0005, 8, Cycles(10)});
    const BusAccess& composed = core.load(WEIR_COMPOSED_WORDS);
    const BusAccess& second = core.load(word_of(WEIR_OUTPUT_DESCRIPTOR, 3), Cycles(30));
    const BusAccess& both =
        core.append({tlm::TLM_READ_COMMAND, WEIR_OUTPUT_DESCRIPTOR + 8, 0, 8, Cycles(0)});
    core.load(WEIR_COMPOSED_WORDS);  // directly follows a load of two words
    core.append({tlm::TLM_READ_COMMAND, WEIR_OUTPUT_DESCRIPTOR + 8, 0, 8, Cycles(60)});
    bench().run();
    EXPECT_EQ(composed.data, 4U);
    EXPECT_EQ(second.data, 7U);
    EXPECT_EQ(both.data, 0x0000'0007'0000'0005U);
    std::vector<std::int64_t> costs;
    for (const BusAccess& access : core.accesses()) {
        EXPECT_TRUE(access.ok() && access.at_once);
        costs.push_back(access.cost());
    }
    EXPECT_THAT(costs, ElementsAre(4, 2, 2, 4, 3, 3));
}

TEST_F(MessageControllerTest, TheFirstLoadOfARunIsRightAfterNoOther) {
    const BusAccess& load = bench().core.load(WEIR_COMPOSED_WORDS);
    bench().run();
    EXPECT_LE(load.issued, Cycles(1));
    EXPECT_EQ(load.cost(), 2);
}

// A message of 4 words takes 16 of the output queue's 256 bytes from the cycle of its launch on.
TEST_F(MessageControllerTest, TheOutputQueueTellsItsRoom) {
    const BusAccess& before = bench().core.load(WEIR_OUTPUT_ROOM, Cycles(10));
    bench().send(4, Cycles(20));
    const BusAccess& after = bench().core.load(WEIR_OUTPUT_ROOM);
    bench().run();
    EXPECT_EQ(before.data, 256U);
    EXPECT_EQ(before.cost(), 2);
    EXPECT_EQ(after.data, 240U);
}

TEST_F(MessageControllerTest, LoadsOfTwoPortsAreNotConsecutive) {
    testing::BusInitiator other("other", domain);
    other.bus_socket.bind(bench().controller.bus_socket);
    bench().core.load(WEIR_COMPOSED_WORDS, Cycles(10));
    const BusAccess& of_other_port = other.load(WEIR_COMPOSED_WORDS, Cycles(12));
    bench().run();
    EXPECT_EQ(of_other_port.cost(), 2);
}

TEST_F(MessageControllerTest, CostsAreItsParameters) {
    ASSERT_TRUE(parameters.store_cycles.set(std::int64_t{5}));
    ASSERT_TRUE(parameters.launch_cycles.set(std::int64_t{20}));
    ASSERT_TRUE(parameters.load_cycles.set(std::int64_t{7}));
    ASSERT_TRUE(parameters.consecutive_load_cycles.set(std::int64_t{4}));
    testing::Waveform& output = output_bytes();
    const BusAccess& launch = bench().send(2);
    bench().core.load(WEIR_COMPOSED_WORDS);
    bench().core.load(WEIR_COMPOSED_WORDS);
    bench().run();
    std::vector<std::int64_t> costs;
    for (const BusAccess& access : bench().core.accesses()) {
        costs.push_back(access.cost());
    }
    EXPECT_THAT(costs, ElementsAre(5, 5, 20, 7, 11));
    EXPECT_THAT(output.changes(), ElementsAre(Pair(launch.end.count(), 8)));
}

// --- Sending ------------------------------------------------------------------------------------

TEST_F(MessageControllerTest, TheMessageIsInTheOutputQueueInTheCycleTheLaunchCompletes) {
    testing::Waveform& output = output_bytes();
    const BusAccess& launch = bench().send(3, Cycles(10));
    bench().run();
    EXPECT_EQ(launch.end, Cycles(10 + 12));
    EXPECT_THAT(output.changes(), ElementsAre(Pair(22, 12)));
}

TEST_F(MessageControllerTest, TheMessageCarriesTheDescriptorsWordsAndItsTimes) {
    bench().send(4, Cycles(10));
    bench().run();
    const Message& message = bench().messages[bench().controller.output_queue().front()];
    EXPECT_EQ(message.id, (MessageId{NodeId(5), 0}));
    EXPECT_FALSE(message.parent.valid());
    EXPECT_EQ(message.source, NodeId(5));
    EXPECT_EQ(message.destination, NodeId(3));
    EXPECT_EQ(message.word_count, 4);
    EXPECT_EQ(message.bytes, Bytes(16));
    EXPECT_EQ(message.words[0], WEIR_HEADER(1, 4, 3));
    EXPECT_EQ(message.words[1], 101U);
    EXPECT_EQ(message.words[3], 103U);
    EXPECT_EQ(message.times.compose, Cycles(10));
    EXPECT_EQ(message.times.launch, Cycles(25));
    EXPECT_EQ(message.launch_blocked, Cycles(0));
    EXPECT_EQ(bench().controller.bytes_to_send(), Bytes(16));
}

TEST_F(MessageControllerTest, AMessageSentFromAHandlerNamesTheMessageHandled) {
    bench().controller.trace_context().in_handler = true;
    bench().controller.trace_context().handled = MessageId{NodeId(9), 4};
    bench().send(2);
    bench().run();
    EXPECT_EQ(bench().messages[0].parent, (MessageId{NodeId(9), 4}));
}

TEST_F(MessageControllerTest, ALaunchWithoutRoomIsAnsweredTheCycleAfterTheLastByteItNeedsLeft) {
    ASSERT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    testing::Waveform& output = output_bytes();
    bench().send(16);
    const BusAccess& blocked = bench().send(2, Cycles(100));
    bench().drain(Bytes(6), 150);  // two bytes fewer than the blocked launch needs
    bench().drain(Bytes(2), 200);
    bench().run();
    EXPECT_FALSE(blocked.at_once);
    EXPECT_EQ(blocked.issued, Cycles(106));
    EXPECT_EQ(blocked.answered, Cycles(201));
    EXPECT_EQ(blocked.end, Cycles(204));
    EXPECT_TRUE(blocked.ok());
    EXPECT_EQ(output.changes().back(), testing::Waveform::Change(204, 64));
    const auto& statistics = bench().controller.statistics();
    EXPECT_EQ(statistics.blocked_launches.value(), 1);
    EXPECT_EQ(statistics.launch_blocked_cycles.value(), 201 - 106);
    EXPECT_EQ(bench().messages[1].launch_blocked, Cycles(201 - 106));
}

TEST_F(MessageControllerTest, PlantedNetworkThatTakesAByteTooFewLeavesTheLaunchBlocked) {
    ASSERT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    bench().send(16);
    const BusAccess& blocked = bench().send(2, Cycles(100));
    bench().drain(Bytes(7), 150);
    bench().run();
    EXPECT_EQ(blocked.answered, kNever);
    EXPECT_TRUE(bench().core.waits());
    WaitReport report;
    bench().controller.report_waits(report, "interface_3", "core_3");
    ASSERT_EQ(report.size(), 2U);
    EXPECT_EQ(report[0].who, "core_3");
    EXPECT_THAT(report[0].why, Names("node 3", "launch", "output"));
    EXPECT_EQ(report[1].for_whom, "interface_3");
    EXPECT_THAT(report[1].why, Names("output", "57", "64"));
}

TEST_F(MessageControllerTest, TheRoomOfALaunchUnderWayIsTaken) {
    ASSERT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    ASSERT_TRUE(parameters.launch_cycles.set(std::int64_t{20}));
    testing::BusInitiator other("other", domain);
    other.bus_socket.bind(bench().controller.bus_socket);
    const BusAccess& first = bench().send(16, Cycles(10));
    other.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, 2, 3), Cycles(60));
    other.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 1), 7);
    const BusAccess& second = other.store(WEIR_LAUNCH, 2);
    bench().drain(Bytes(8), 90);
    bench().run();
    ASSERT_EQ(first.issued, Cycles(58));
    ASSERT_EQ(second.issued, Cycles(66)) << "before the first is in the queue, at 78";
    EXPECT_EQ(second.answered, Cycles(91));
}

TEST_F(MessageControllerTest, EachPortHasADescriptorOfItsOwn) {
    testing::BusInitiator other("other", domain);
    other.bus_socket.bind(bench().controller.bus_socket);
    bench().compose(3, Cycles(10));
    other.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(2, 2, 4), Cycles(50));
    other.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 1), 7);
    const BusAccess& composed = other.load(WEIR_COMPOSED_WORDS);
    other.store(WEIR_LAUNCH, 2);
    const BusAccess& launch = bench().core.store(WEIR_LAUNCH, 3, Cycles(100));
    bench().run();
    EXPECT_EQ(composed.data, 2U);
    EXPECT_TRUE(launch.ok());
    EXPECT_EQ(bench().messages[0].words[1], 7U);
    EXPECT_EQ(bench().messages[1].words[2], 102U);
}

// --- The overflow trap --------------------------------------------------------------------------

class OverflowTrapLineTest : public MessageControllerTest {
  protected:
    OverflowTrapLineTest() {
        EXPECT_TRUE(parameters.overflow_trap.set(true));
        EXPECT_TRUE(parameters.overflow_timeout_cycles.set(std::int64_t{100}));
    }
    void stop(std::int64_t from, std::int64_t until) {
        bench().network.at(from,
                           [this](Cycles now) { bench().controller.network_stopped(now, now); });
        bench().network.at(until,
                           [this](Cycles now) { bench().controller.network_stopped(kNever, now); });
    }
    // Changes of the line as the core sees them.
    std::vector<testing::Waveform::Change> line() {
        testing::Waveform waveform(domain, kLastSample, [this](Cycles now) {
            return std::int64_t{bench().controller.overflow_raised(now)};
        });
        bench().run();
        return waveform.changes();
    }
    using Change = testing::Waveform::Change;
};

// Cycle 149 is the last of the hundred cycles from 50 on in which the flit finds no room.
TEST_F(OverflowTrapLineTest, IsHighTwoCyclesAfterTheTimeoutUntilTwoAfterTheFlitGoesOn) {
    stop(50, 300);
    EXPECT_THAT(line(), ElementsAre(Change(151, 1), Change(302, 0)));
}

TEST_F(OverflowTrapLineTest, IsHighForACycleWhenTheFlitGoesOnRightAfterIt) {
    stop(50, 150);
    EXPECT_THAT(line(), ElementsAre(Change(151, 1), Change(152, 0)));
}

TEST_F(OverflowTrapLineTest, StaysLowWhenTheFlitGoesOnInTime) {
    stop(50, 149);
    EXPECT_THAT(line(), IsEmpty());
}

TEST_F(OverflowTrapLineTest, EachStopIsTimedFromItsOwnBegin) {
    stop(50, 149);
    stop(151, 400);
    EXPECT_THAT(line(), ElementsAre(Change(252, 1), Change(402, 0)));
}

TEST_F(OverflowTrapLineTest, StaysLowOnAMachineWithoutTheTrap) {
    EXPECT_TRUE(parameters.overflow_trap.set(false));
    stop(50, 500);
    EXPECT_THAT(line(), IsEmpty());
}

TEST_F(OverflowTrapLineTest, SavedMessagesInterruptFromTheCycleAfterTheirCountIsStored) {
    testing::Waveform waveform(domain, kLastSample, [this](Cycles now) {
        return std::int64_t{bench().controller.saved_messages_raised(now)};
    });
    bench().core.store(WEIR_SAVED_MESSAGES, 2, Cycles(100));
    bench().core.store(WEIR_SAVED_MESSAGES, 1, Cycles(200));
    bench().core.store(WEIR_SAVED_MESSAGES, 0, Cycles(300));
    bench().run();
    EXPECT_THAT(waveform.changes(), ElementsAre(Change(101, 1), Change(301, 0)));
}

// The second message's handler has begun, so the message is not a saved one.
TEST_F(OverflowTrapLineTest, MessagesDisposedOfBeforeTheirHandlersAreHandedOutInTheirOrder) {
    const MessageSlot first = bench().deliver(4, 10);
    const MessageSlot second = bench().deliver(2, 20);
    const MessageSlot third = bench().deliver(3, 30);
    bench().messages[second].times.handler_begin = Cycles(60);
    for (const std::int64_t cycle : {100, 110, 120}) {
        bench().core.store(WEIR_DISPOSE, 0, Cycles(cycle));
    }
    bench().run();
    MessageController& controller = bench().controller;
    EXPECT_EQ(controller.statistics().messages_saved.value(), 2);
    EXPECT_EQ(controller.statistics().bytes_saved.value(), 16 + 12);
    EXPECT_EQ(controller.statistics().saved_peak_messages.value(), 2);
    ConservationAccount account;
    controller.add_to(account);
    EXPECT_EQ(account.messages_in_overflow_buffers, 2);
    EXPECT_EQ(account.bytes_in_overflow_buffers, 16 + 12);
    EXPECT_EQ(controller.take_saved_message(), first);
    EXPECT_EQ(controller.take_saved_message(), third);
    EXPECT_TRUE(controller.handler_ended(first, Cycles(200))) << "it has left the queue before";
}

// --- Withdrawal ---------------------------------------------------------------------------------

TEST_F(MessageControllerTest, AWithdrawnLaunchIsGivenBackTheNextCycleAndCanBeIssuedAgain) {
    ASSERT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    bench().send(16);
    const BusAccess& withdrawn = bench().send(2, Cycles(100));
    const BusAccess& again = bench().core.store(WEIR_LAUNCH, 2, Cycles(300));
    bench().network.at(150, [this](Cycles) { bench().core.withdraw(); });
    bench().drain(Bytes(8), 200);
    bench().run();
    EXPECT_EQ(withdrawn.answered, Cycles(151));
    EXPECT_EQ(withdrawn.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(withdrawn.end, Cycles(152));
    EXPECT_TRUE(again.ok() && again.at_once);
    EXPECT_EQ(again.end, Cycles(303));
    const auto& statistics = bench().controller.statistics();
    EXPECT_EQ(statistics.withdrawn_launches.value(), 1);
    EXPECT_EQ(statistics.launch_blocked_cycles.value(), 151 - 106);
    EXPECT_EQ(statistics.messages_launched.value(), 2);
}

TEST_F(MessageControllerTest, ALaunchThatFindsRoomInTheCycleOfItsWithdrawalIsDone) {
    ASSERT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    bench().send(16);
    const BusAccess& launch = bench().send(2, Cycles(100));
    bench().network.at(150, [this](Cycles) { bench().core.withdraw(); });
    bench().drain(Bytes(8), 150);
    bench().run();
    EXPECT_TRUE(launch.ok());
    EXPECT_EQ(launch.answered, Cycles(151));
    EXPECT_EQ(launch.end, Cycles(154));
    EXPECT_EQ(bench().controller.statistics().withdrawn_launches.value(), 0);
}

// --- Saving and restoring the descriptor --------------------------------------------------------

TEST_F(MessageControllerTest, TheDescriptorKeepsItsWordsAndCountsThemUntilTheLaunch) {
    bench().compose(3);
    const BusAccess& composed = bench().core.load(WEIR_COMPOSED_WORDS);
    const BusAccess& header = bench().core.load(WEIR_OUTPUT_DESCRIPTOR);
    const BusAccess& argument = bench().core.load(word_of(WEIR_OUTPUT_DESCRIPTOR, 2));
    bench().core.store(WEIR_LAUNCH, 3);
    const BusAccess& after_launch = bench().core.load(WEIR_COMPOSED_WORDS);
    bench().run();
    EXPECT_EQ(composed.data, 3U);
    EXPECT_EQ(header.data, WEIR_HEADER(1, 3, 3));
    EXPECT_EQ(argument.data, 102U);
    EXPECT_EQ(after_launch.data, 0U);
}

TEST_F(MessageControllerTest, AMessageBeingComposedIsTheCoresAndNotTheHandlers) {
    testing::BusInitiator handlers("handlers", domain);
    bench();
    handlers.bus_socket.bind(bench().controller.bus_socket);
    handlers.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, 2, 3), Cycles(10));
    bench().run();
    EXPECT_EQ(bench().controller.composed_words(), 0U);
    bench().core.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, 2, 3));
    bench().run();
    EXPECT_EQ(bench().controller.composed_words(), 1U);
}

TEST_F(MessageControllerTest, AccountsForWhatItLaunchedAndDisposedOf) {
    bench().send(4);
    bench().deliver(2, 40);
    bench().core.store(WEIR_DISPOSE, 0, Cycles(100));
    bench().run();
    ConservationAccount account;
    account.messages_launched = 5;  // launches of other nodes, already in the account
    account.messages_disposed = 7;
    bench().controller.add_to(account);
    EXPECT_EQ(account.messages_launched, 6);
    EXPECT_EQ(account.messages_disposed, 8);
    EXPECT_EQ(account.bytes_launched, 16);
    EXPECT_EQ(account.bytes_in_output_queues, 16);
    EXPECT_EQ(account.bytes_into_input_queues, 8);
}

TEST_F(MessageControllerTest, ComposedWordsReachUpToTheHighestStored) {
    bench().core.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 15), 1);
    bench().core.store(WEIR_OUTPUT_DESCRIPTOR, 1);
    const BusAccess& composed = bench().core.load(WEIR_COMPOSED_WORDS);
    bench().run();
    EXPECT_EQ(composed.data, 16U);
}

TEST_F(MessageControllerTest, AHandlerThatSavesAndRestoresTheWordsCanSendInBetween) {
    auto& core = bench().core;
    bench().compose(3);  // the thread composes three words and is interrupted
    const BusAccess& saved = core.load(word_of(WEIR_OUTPUT_DESCRIPTOR, 1));
    bench().send(2);     // the handler sends its own message
    bench().compose(2);  // the handler restores header and handler address
    core.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, 3, 3));
    core.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 2), 102);  // the handler restores the argument
    const BusAccess& launch = core.store(WEIR_LAUNCH, 3);
    bench().run();
    EXPECT_EQ(saved.data, 101U);
    EXPECT_TRUE(launch.ok());
    EXPECT_EQ(bench().messages[1].words[2], 102U);
}

TEST_F(MessageControllerTest, ADebuggerReadsItsRegistersWithoutTime) {
    bench().compose(3);
    bench().run();
    std::uint32_t word = 0;
    auto* data = reinterpret_cast<std::uint8_t*>(&word);
    auto& core = bench().core;
    EXPECT_EQ(core.debug(tlm::TLM_READ_COMMAND, WEIR_COMPOSED_WORDS, data, 4), 4U);
    EXPECT_EQ(word, 3U);
    EXPECT_EQ(core.debug(tlm::TLM_READ_COMMAND, word_of(WEIR_OUTPUT_DESCRIPTOR, 1), data, 4), 4U);
    EXPECT_EQ(word, 101U);
    EXPECT_EQ(core.debug(tlm::TLM_READ_COMMAND, WEIR_MESSAGE_WAITING, data, 4), 4U);
    EXPECT_EQ(word, 0U);
    EXPECT_EQ(core.debug(tlm::TLM_READ_COMMAND, WEIR_LAUNCH, data, 4), 0U);
    EXPECT_EQ(core.debug(tlm::TLM_READ_COMMAND, WEIR_OUTPUT_DESCRIPTOR, data, 2), 0U);
    EXPECT_EQ(core.debug(tlm::TLM_WRITE_COMMAND, WEIR_OUTPUT_DESCRIPTOR, data, 4), 0U);
}

// --- Receiving ----------------------------------------------------------------------------------

TEST_F(MessageControllerTest, InterruptsTheNotifyDelayAfterTheLastFlitOfTheHeader) {
    testing::Waveform& line = interrupts();
    const MessageSlot message = bench().deliver(4, 50);
    bench().run();
    EXPECT_EQ(bench().messages[message].times.header_arrival, Cycles(53));
    EXPECT_THAT(line.changes(), ElementsAre(Pair(63, 1)));
    EXPECT_EQ(bench().messages[message].times.notify, Cycles(63));
}

TEST_F(MessageControllerTest, TheNotifyDelayIsAParameter) {
    ASSERT_TRUE(parameters.notify_cycles.set(std::int64_t{2}));
    testing::Waveform& line = interrupts();
    bench().deliver(2, 50);
    bench().run();
    EXPECT_THAT(line.changes(), ElementsAre(Pair(55, 1)));
}

TEST_F(MessageControllerTest, InterruptsBeforeTheTailOfALongMessageIsThere) {
    testing::Waveform& line = interrupts();
    bench().deliver(16, 50);  // the message's 32nd flit arrives in cycle 81
    bench().run();
    EXPECT_THAT(line.changes(), ElementsAre(Pair(63, 1)));
}

TEST_F(MessageControllerTest, PlantedNetworkThatDoesNotTellOfTheHeaderNeverInterrupts) {
    testing::Waveform& line = interrupts();
    bench().deliver(2, 50, false);
    bench().run();
    EXPECT_THAT(line.changes(), IsEmpty());
}

TEST_F(MessageControllerTest, TheLineIsLowBeforeTheDisposeEnds) {
    testing::Waveform& line = interrupts();
    const MessageSlot message = bench().deliver(2, 50);
    const BusAccess& dispose = bench().core.store(WEIR_DISPOSE, 0, Cycles(100));
    bench().run();
    EXPECT_EQ(dispose.end, Cycles(103));
    // The message is removed in the cycle after the store was issued; the core sees the line fall
    // one cycle later.
    EXPECT_THAT(line.changes(), ElementsAre(Pair(63, 1), Pair(102, 0)));
    EXPECT_EQ(bench().messages[message].times.dispose, Cycles(102));
    EXPECT_EQ(bench().controller.input_queue().held(), Bytes(0));
    EXPECT_EQ(bench().controller.statistics().messages_disposed.value(), 1);
}

// LoPC Section 2: the notify delay runs while an earlier message is handled.
TEST_F(MessageControllerTest, AMessageQueuedBehindInterruptsAgainWithoutAnotherNotifyDelay) {
    testing::Waveform& line = interrupts();
    bench().deliver(2, 50);
    bench().deliver(2, 54);
    bench().core.store(WEIR_DISPOSE, 0, Cycles(100));
    bench().core.store(WEIR_DISPOSE, 0, Cycles(200));
    bench().run();
    EXPECT_THAT(line.changes(), ElementsAre(Pair(63, 1), Pair(202, 0)));
}

TEST_F(MessageControllerTest, AMessageThatCameLateKeepsItsOwnNotifyDelay) {
    testing::Waveform& line = interrupts();
    bench().deliver(2, 50);
    bench().deliver(2, 95);  // its whole header has arrived in cycle 98
    bench().core.store(WEIR_DISPOSE, 0, Cycles(100));
    bench().run();
    EXPECT_THAT(line.changes(), ElementsAre(Pair(63, 1), Pair(102, 0), Pair(108, 1)));
}

TEST_F(MessageControllerTest, AProgramCanPollTheLine) {
    bench().deliver(2, 50);
    const BusAccess& before = bench().core.load(WEIR_MESSAGE_WAITING, Cycles(62));
    const BusAccess& after = bench().core.load(WEIR_MESSAGE_WAITING, Cycles(70));
    bench().run();
    EXPECT_EQ(before.data, 0U);
    EXPECT_EQ(after.data, 1U);
}

TEST_F(MessageControllerTest, TheWindowShowsTheMessageAtTheHead) {
    const MessageSlot first = bench().deliver(3, 50);
    const MessageSlot second = bench().deliver(2, 60);
    const BusAccess& argument = bench().core.load(word_of(WEIR_INPUT_WINDOW, 2), Cycles(100));
    bench().core.store(WEIR_DISPOSE, 0);
    const BusAccess& next = bench().core.load(word_of(WEIR_INPUT_WINDOW, 1));
    bench().run();
    EXPECT_EQ(argument.data, 1000 * first + 2);
    EXPECT_EQ(argument.cost(), 2);
    EXPECT_EQ(next.data, 1000 * second + 1);
    EXPECT_EQ(next.cost(), 2) << "a store lies in between";
}

TEST_F(MessageControllerTest, AWindowLoadWaitsForItsWord) {
    const MessageSlot message = bench().deliver(16, 50);
    // Word 9 is bytes 36 to 39: its last flit, the 20th, arrives at 69 and is seen at 70.
    const BusAccess& early = bench().core.load(word_of(WEIR_INPUT_WINDOW, 9), Cycles(60));
    // Word 10's last flit is seen two cycles later, when the first load ends.
    const BusAccess& next = bench().core.load(word_of(WEIR_INPUT_WINDOW, 10));
    bench().run();
    EXPECT_FALSE(early.at_once);
    EXPECT_EQ(early.answered, Cycles(70));
    EXPECT_EQ(early.end, Cycles(72));
    EXPECT_EQ(early.data, 1000 * message + 9);
    EXPECT_TRUE(next.at_once);
    EXPECT_EQ(next.cost(), 3) << "right after another load";
    EXPECT_EQ(bench().controller.statistics().blocked_launches.value(), 0);
}

// A waiting load ends after its answer even if loads cost nothing: the core may have been ticked
// before the answer.
TEST_F(MessageControllerTest, ALoadThatWaitedTakesACycleMoreAtLeast) {
    ASSERT_TRUE(parameters.load_cycles.set(std::int64_t{0}));
    bench().deliver(16, 50);
    const BusAccess& early = bench().core.load(word_of(WEIR_INPUT_WINDOW, 9), Cycles(60));
    bench().run();
    EXPECT_EQ(early.answered, Cycles(70));
    EXPECT_EQ(early.end, Cycles(71));
}

TEST_F(MessageControllerTest, ADisposeWaitsForTheTail) {
    bench().deliver(16, 50);  // the last flit arrives in cycle 81 and is seen in 82
    const BusAccess& dispose = bench().core.store(WEIR_DISPOSE, 0, Cycles(70));
    bench().run();
    EXPECT_EQ(dispose.answered, Cycles(82));
    EXPECT_EQ(dispose.end, Cycles(85));
    EXPECT_TRUE(dispose.ok());
    EXPECT_EQ(bench().controller.input_queue().held(), Bytes(0));
}

TEST_F(MessageControllerTest, AWaitingWindowLoadCanBeWithdrawn) {
    bench().deliver(16, 50);
    const BusAccess& load = bench().core.load(word_of(WEIR_INPUT_WINDOW, 15), Cycles(60));
    bench().network.at(65, [this](Cycles) { bench().core.withdraw(); });
    bench().run();
    EXPECT_EQ(load.answered, Cycles(66));
    EXPECT_EQ(load.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(bench().controller.statistics().withdrawn_launches.value(), 0);
}

TEST_F(MessageControllerTest, QueueStatisticsAreLevelsTimesCycles) {
    bench().send(2);              // 8 bytes, in the output queue from cycle 9 on
    bench().drain(Bytes(8), 19);  // the bytes have left it from cycle 20 on
    bench().network.at(19,
                       [this](Cycles now) { bench().controller.output_queue().end_message(now); });
    bench().deliver(2, 50);  // input queue: 2, 4, 6 bytes from cycles 51, 52, 53 on, 8 from 54 on
    bench().core.store(WEIR_DISPOSE, 0, Cycles(72));  // the message has left from cycle 74 on
    bench().run();
    bench().controller.end_of_run(Cycles(200));
    const auto& statistics = bench().controller.statistics();
    EXPECT_EQ(statistics.output_queue_byte_cycles.value(), 8 * 11);
    EXPECT_EQ(statistics.output_queue_message_cycles.value(), 11);
    EXPECT_EQ(statistics.output_queue_peak_bytes.value(), 8);
    EXPECT_EQ(statistics.input_queue_byte_cycles.value(), 2 + 4 + 6 + 8 * 20);
    EXPECT_EQ(statistics.input_queue_message_cycles.value(), 23);
    EXPECT_EQ(statistics.input_queue_peak_bytes.value(), 8);
    EXPECT_EQ(statistics.bytes_launched.value(), 8);
}

// --- Refused accesses ---------------------------------------------------------------------------

struct BadAccess {
    const char* name;
    tlm::tlm_command command;
    std::uint64_t address;
    std::uint64_t data;
    unsigned bytes;
    tlm::tlm_response_status status;
};

std::ostream& operator<<(std::ostream& out, const BadAccess& bad) { return out << bad.name; }

class BadAccessTest : public ::testing::TestWithParam<BadAccess> {};

// A message of three words is composed, with its header; the input queue is empty.
TEST_P(BadAccessTest, IsRefusedAtOnceAndChangesNothing) {
    const BadAccess& bad = GetParam();
    const ClockDomainParameters clock_parameters;
    ClockDomain domain("clock", clock_parameters);
    const MessageController::Parameters parameters;
    ControllerBench bench(domain, parameters);
    bench.compose(3);
    const BusAccess& refused =
        bench.core.append({bad.command, bad.address, bad.data, bad.bytes, Cycles(0)});
    const BusAccess& composed = bench.core.load(WEIR_COMPOSED_WORDS);
    const BusAccess& launch = bench.core.store(WEIR_LAUNCH, 3);
    bench.run();
    EXPECT_TRUE(refused.at_once);
    EXPECT_EQ(refused.status, bad.status);
    EXPECT_EQ(composed.data, 3U);
    EXPECT_TRUE(launch.ok());
    EXPECT_EQ(bench.controller.statistics().messages_launched.value(), 1);
    EXPECT_EQ(bench.messages[0].words[2], 102U);
}

constexpr auto kRead = tlm::TLM_READ_COMMAND;
constexpr auto kWrite = tlm::TLM_WRITE_COMMAND;
INSTANTIATE_TEST_SUITE_P(
    MessageController, BadAccessTest,
    ::testing::Values(
        BadAccess{"LaunchOfOneWord", kWrite, WEIR_LAUNCH, 1, 4, tlm::TLM_COMMAND_ERROR_RESPONSE},
        BadAccess{"LaunchOfOtherLengthThanTheHeaders", kWrite, WEIR_LAUNCH, 2, 4,
                  tlm::TLM_COMMAND_ERROR_RESPONSE},
        BadAccess{"LaunchOfMoreThanComposed", kWrite, WEIR_LAUNCH, 4, 4,
                  tlm::TLM_COMMAND_ERROR_RESPONSE},
        BadAccess{"LaunchOfMoreThanTheDescriptor", kWrite, WEIR_LAUNCH, 17, 4,
                  tlm::TLM_COMMAND_ERROR_RESPONSE},
        BadAccess{"DisposeOfNothing", kWrite, WEIR_DISPOSE, 0, 4, tlm::TLM_COMMAND_ERROR_RESPONSE},
        BadAccess{"EmptyWindow", kRead, WEIR_INPUT_WINDOW, 0, 4, tlm::TLM_COMMAND_ERROR_RESPONSE},
        BadAccess{"StoreToTheWindow", kWrite, WEIR_INPUT_WINDOW, 0, 4,
                  tlm::TLM_ADDRESS_ERROR_RESPONSE},
        BadAccess{"LoadOfTheLaunchRegister", kRead, WEIR_LAUNCH, 0, 4,
                  tlm::TLM_ADDRESS_ERROR_RESPONSE},
        BadAccess{"StoreToComposedWords", kWrite, WEIR_COMPOSED_WORDS, 0, 4,
                  tlm::TLM_ADDRESS_ERROR_RESPONSE},
        BadAccess{"LoadFromStoreBody", kRead, WEIR_STORE_BODY, 0, 4,
                  tlm::TLM_ADDRESS_ERROR_RESPONSE},
        BadAccess{"NoSuchRegister", kRead, WEIR_CONTROLLER_BASE + 0xb0U, 0, 4,
                  tlm::TLM_ADDRESS_ERROR_RESPONSE},
        BadAccess{"BehindTheRegisters", kWrite, WEIR_CONTROLLER_BASE + WEIR_CONTROLLER_BYTES, 0, 4,
                  tlm::TLM_ADDRESS_ERROR_RESPONSE},
        BadAccess{"BeforeTheRegisters", kRead, WEIR_CONTROLLER_BASE - 4, 0, 4,
                  tlm::TLM_ADDRESS_ERROR_RESPONSE},
        BadAccess{"Byte", kWrite, WEIR_OUTPUT_DESCRIPTOR, 0, 1, tlm::TLM_BURST_ERROR_RESPONSE},
        BadAccess{"DoubleWord", kRead, WEIR_INPUT_WINDOW, 0, 8, tlm::TLM_BURST_ERROR_RESPONSE},
        BadAccess{"UnalignedDoubleWord", kRead, WEIR_OUTPUT_DESCRIPTOR + 4, 0, 8,
                  tlm::TLM_BURST_ERROR_RESPONSE},
        BadAccess{"Unaligned", kWrite, WEIR_OUTPUT_DESCRIPTOR + 2, 0, 4,
                  tlm::TLM_BURST_ERROR_RESPONSE}),
    [](const auto& test) { return test.param.name; });

TEST_F(MessageControllerTest, SaysWhatARegisterIsForThatIsNotReadOrNotWritten) {
    bench().core.load(WEIR_LAUNCH);
    bench().run();
    EXPECT_THAT(bench().controller.refusal(), Names("stored", "Sends"));
}

TEST_F(MessageControllerTest, RefusesALaunchOfMoreWordsThanWereStored) {
    bench().compose(2);
    const BusAccess& launch = bench().core.store(WEIR_LAUNCH, WEIR_LAUNCH_VALUE(2, 4, false));
    bench().run();
    EXPECT_EQ(launch.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_THAT(bench().controller.refusal(), Names("descriptor", "words", "launch"));
}

TEST_F(MessageControllerTest, RefusesALaunchOfAnOperationOfTheCoherenceProtocol) {
    bench().core.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(WEIR_PROTOCOL_OPERATION, 2, 3));
    bench().core.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 1), 7);
    const BusAccess& launch = bench().core.store(WEIR_LAUNCH, 2);
    bench().core.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, 2, 3));
    bench().core.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 1), 0xffff'ffff);
    const BusAccess& after = bench().core.store(WEIR_LAUNCH, 2);
    bench().run();
    EXPECT_EQ(launch.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_THAT(bench().controller.refusal(), Names("operation", "coherence"));
    EXPECT_TRUE(after.ok()) << "the operation is the first word's";
}

TEST_F(MessageControllerTest, RefusesALaunchToANodeThatIsNotThere) {
    bench().compose(2, Cycles(0), kNodeCount - 1);
    const BusAccess& last_node = bench().core.store(WEIR_LAUNCH, 2);
    bench().compose(2, Cycles(0), kNodeCount);
    const BusAccess& beyond = bench().core.store(WEIR_LAUNCH, 2);
    bench().run();
    EXPECT_TRUE(last_node.ok());
    EXPECT_EQ(beyond.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST_F(MessageControllerTest, RefusesAWindowLoadBehindTheMessagesEnd) {
    bench().deliver(3, 50);
    const BusAccess& last = bench().core.load(word_of(WEIR_INPUT_WINDOW, 2), Cycles(100));
    const BusAccess& behind = bench().core.load(word_of(WEIR_INPUT_WINDOW, 3));
    bench().run();
    EXPECT_TRUE(last.ok());
    EXPECT_EQ(behind.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
}

// --- Messages with a body -----------------------------------------------------------------------

// Launches a message of two operand words and these pairs of address and length.
const BusAccess& launch_body(ControllerBench& bench, std::vector<std::uint64_t> pairs,
                             Cycles not_before = Cycles(0), bool interrupts = false) {
    bench.compose(2, not_before);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        bench.core.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 2 + i), pairs[i]);
    }
    return bench.core.store(WEIR_LAUNCH, WEIR_LAUNCH_VALUE(2, 2 + pairs.size(), interrupts));
}

struct Descriptor {
    const char* name;
    std::vector<std::uint64_t> pairs;
    std::vector<std::string> refusal;  // words of the refusal; empty: accepted
};
std::ostream& operator<<(std::ostream& out, const Descriptor& descriptor) {
    return out << descriptor.name;
}

class DescriptorTest : public ::testing::TestWithParam<Descriptor> {};

// A refused launch changes nothing: a short message can be composed and launched afterwards.
TEST_P(DescriptorTest, IsLaunchedOrRefusedAtOnce) {
    const ClockDomainParameters clock_parameters;
    ClockDomain domain("clock", clock_parameters);
    const MessageController::Parameters parameters;
    ControllerBench bench(domain, parameters);
    const BusAccess& launch = launch_body(bench, GetParam().pairs);
    bench.run();
    EXPECT_TRUE(launch.at_once);
    const bool is_accepted = GetParam().refusal.empty();
    EXPECT_EQ(launch.ok(), is_accepted);
    EXPECT_EQ(bench.controller.statistics().messages_launched.value(), is_accepted ? 1 : 0);
    EXPECT_EQ(bench.controller.send_dma().idle(Cycles(100)), true);
    if (!is_accepted) {
        EXPECT_EQ(launch.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
        EXPECT_THAT(bench.controller.refusal(), NamesMatcher(GetParam().refusal));
    }
}

INSTANTIATE_TEST_SUITE_P(
    MessageController, DescriptorTest,
    ::testing::Values(
        Descriptor{"LastBytesOfMemory", {4088, 8}, {}},
        Descriptor{"SameBytesTwice", {64, 32, 64, 32}, {}},
        Descriptor{"OverlappingStretches", {64, 32, 80, 32}, {}},
        Descriptor{"NoBytes", {64, 0}, {"DMA", "no"}},
        Descriptor{"NoBytesBehindSome", {64, 8, 64, 0}, {"DMA", "no"}},
        Descriptor{"MisalignedAddress", {68, 8}, {"DMA", "8", "68", "multiples"}},
        Descriptor{"MisalignedLength", {64, 12}, {"DMA", "12", "64", "multiples"}},
        Descriptor{"BehindMemory", {4096, 8}, {"8", "4096", "beyond", "4096"}},
        Descriptor{"OverTheEndOfMemory", {4088, 16}, {"16", "4088", "beyond", "4096"}},
        Descriptor{
            "OverTheEndOfAddresses", {0xffff'fff8U, 16}, {"16", "4294967288", "beyond", "4096"}},
        Descriptor{"AddressWithoutALength", {64, 8, 64}, {"address", "length"}}),
    [](const auto& test) { return test.param.name; });

TEST_F(MessageControllerTest, RefusesToStoreABodyThatIsNotThere) {
    const BusAccess& no_message = bench().core.store(WEIR_STORE_BODY, 0);
    bench().deliver(2, 50);
    const BusAccess& no_body = bench().core.store(WEIR_STORE_BODY_AND_INTERRUPT, 0, Cycles(100));
    bench().run();
    for (const BusAccess* store : {&no_message, &no_body}) {
        EXPECT_TRUE(store->at_once);
        EXPECT_EQ(store->status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
    EXPECT_THAT(bench().controller.refusal(), Names("no", "message", "body"));
    EXPECT_TRUE(bench().controller.receive_dma().idle(Cycles(101)));
}

TEST_F(MessageControllerTest, TellsHowLongTheBodyAtTheHeadIs) {
    const BusAccess& no_message = bench().core.load(WEIR_BODY_BYTES);
    const MessageSlot slot = bench().deliver(4, 50);
    bench().messages[slot].word_count = 2;
    bench().messages[slot].body_bytes = Bytes(8);
    const BusAccess& body = bench().core.load(WEIR_BODY_BYTES, Cycles(100));
    bench().run();
    EXPECT_EQ(no_message.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_TRUE(body.ok());
    EXPECT_EQ(body.data, 8U);
}

// For a launch that requests it, the interrupt lasts from the cycle in which the engine is idle
// until the core clears the bit.
TEST_F(MessageControllerTest, AnEngineThatHasSentABodyInterrupts) {
    testing::Waveform line(domain, kLastSample, [this](Cycles now) {
        return bench().controller.dma_interrupt_raised(now);
    });
    launch_body(bench(), {0, 64});
    const BusAccess& none = bench().core.load(WEIR_DMA_STATUS, Cycles(400));
    bench().drain(Bytes(72), 399);
    launch_body(bench(), {0, 64}, Cycles(500), true);
    const BusAccess& sending = bench().core.load(WEIR_DMA_STATUS);
    const BusAccess& sent = bench().core.load(WEIR_DMA_STATUS, Cycles(700));
    bench().core.store(WEIR_DMA_STATUS, WEIR_DMA_SENT, Cycles(800));
    const BusAccess& cleared = bench().core.load(WEIR_DMA_STATUS);
    bench().run();
    EXPECT_EQ(none.data, 0U);
    EXPECT_EQ(sending.data, WEIR_DMA_SENDING);
    EXPECT_EQ(sent.data, WEIR_DMA_SENT);
    EXPECT_EQ(cleared.data, 0U);
    ASSERT_EQ(line.changes().size(), 2U) << "not for the first launch";
    EXPECT_GT(line.changes().front().first, sending.issued.count());
    EXPECT_LT(line.changes().front().first, sent.issued.count());
    EXPECT_GE(line.changes().back().first, 800);
}

TEST_F(MessageControllerTest, RefusesToLoseABodyOrToStoreItTwiceOrWhereNoMemoryIs) {
    // A message of two words with a body of eight bytes.
    const MessageSlot slot = bench().deliver(4, 50);
    bench().messages[slot].word_count = 2;
    bench().messages[slot].body_bytes = Bytes(8);
    bench().messages.body(slot).resize(8);
    const BusAccess& too_early = bench().core.store(WEIR_DISPOSE, 0, Cycles(100));
    const BusAccess& beyond = bench().core.store(WEIR_STORE_BODY, 4096);
    const BusAccess& misaligned = bench().core.store(WEIR_STORE_BODY, 4);
    const BusAccess& stored = bench().core.store(WEIR_STORE_BODY, 4088);
    const BusAccess& again = bench().core.store(WEIR_STORE_BODY, 0);
    const BusAccess& disposed = bench().core.store(WEIR_DISPOSE, 0);
    bench().run();
    for (const BusAccess* refused : {&too_early, &beyond, &misaligned, &again}) {
        EXPECT_EQ(refused->status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
    EXPECT_TRUE(stored.ok());
    EXPECT_TRUE(disposed.ok());
    EXPECT_EQ(bench().controller.receive_dma().statistics().bytes.value(), 8);
    EXPECT_EQ(bench().controller.statistics().messages_disposed.value(), 1);
}

// The free space of the output queue is kept for the body that the engine is sending. A launch that
// waits for the engine must not take the engine's wake-up, since the queue stores only one.
TEST_F(MessageControllerTest, ALaunchWaitsUntilTheEngineHasSentTheBodyBefore) {
    ASSERT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    const BusAccess& first = launch_body(bench(), {0, 64});
    const BusAccess& second = launch_body(bench(), {64, 8});
    // Eight bytes and one burst are in the queue; the other burst has no room until cycle 201.
    bench().drain(Bytes(40), 200);
    bench().run();
    EXPECT_EQ(first.end, Cycles(25));
    EXPECT_FALSE(second.at_once);
    // The last burst is requested in cycle 201, granted in 202 and moved by 210; the engine is idle
    // from 211 on.
    EXPECT_EQ(second.answered, Cycles(211));
    EXPECT_EQ(second.end, Cycles(211 + 3 + 10));
    EXPECT_EQ(bench().controller.statistics().messages_launched.value(), 2);
    EXPECT_EQ(bench().controller.send_dma().statistics().bytes.value(), 72);
}

// A core need not check the interrupt lines before settled_until(). Without a message, this is ten
// cycles ahead, when a header of the current cycle would interrupt. With a waiting access, it is
// the next cycle.
TEST_F(MessageControllerTest, SaysUntilWhenNothingReachesTheCore) {
    EXPECT_EQ(bench().controller.settled_until(Cycles(0)), Cycles(10));
    for (int message = 0; message < 33; ++message) {
        bench().send(2);  // the output queue is full after 32 messages
    }
    bench().run();
    ASSERT_TRUE(bench().core.waits());
    EXPECT_EQ(bench().controller.settled_until(Cycles(100'000)), Cycles(100'001));
}

// --- No result depends on the order of ticks ----------------------------------------------------

// Runs blocked launches, waiting loads and back-to-back messages. Returns the end of every access,
// and the changes of the interrupt line.
std::string busy_controller(ClockDomain& domain) {
    MessageController::Parameters parameters;
    EXPECT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    ControllerBench bench(domain, parameters);
    testing::Waveform line(domain, kLastSample, [&](Cycles now) {
        return bench.controller.interrupt_line().raised(now);
    });
    for (int message = 0; message < 6; ++message) {
        bench.send(14);
        bench.deliver(16, 40 + 45 * message);
        bench.core.load(word_of(WEIR_INPUT_WINDOW, 15), Cycles(60 + 45 * message));
        bench.core.store(WEIR_DISPOSE, 0);
    }
    ByteQueue& output = bench.controller.output_queue();
    for (std::int64_t cycle = 45; cycle < 1000; cycle += 5) {
        bench.network.at(cycle, [&output](Cycles now) {
            output.pop(std::min(Bytes(4), output.available(now)), now);
        });
    }
    bench.run();
    std::ostringstream result;
    for (const BusAccess& access : bench.core.accesses()) {
        EXPECT_TRUE(access.ok());
        result << access.end << " ";
    }
    for (const auto& [cycle, level] : line.changes()) {
        result << cycle << (level != 0 ? "+ " : "- ");
    }
    result << bench.controller.statistics().launch_blocked_cycles.value();
    return result.str();
}

// Launches 8 bytes on each of two ports in one cycle; the output queue of 64 bytes already holds
// 56.
std::string two_ports(ClockDomain& domain) {
    MessageController::Parameters parameters;
    EXPECT_TRUE(parameters.output_queue_bytes.set(std::int64_t{64}));
    ControllerBench bench(domain, parameters);
    testing::BusInitiator other("other", domain);
    other.bus_socket.bind(bench.controller.bus_socket);
    bench.controller.decide_launches_later();
    bench.send(14);
    bench.compose(2, Cycles(100));
    other.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(2, 2, 4), Cycles(100));
    other.store(word_of(WEIR_OUTPUT_DESCRIPTOR, 1), 7);
    const BusAccess& by_core = bench.core.store(WEIR_LAUNCH, 2);
    const BusAccess& by_other = other.store(WEIR_LAUNCH, 2);
    bench.drain(Bytes(8), 200);
    bench.run();
    std::ostringstream result;
    result << by_core.end << " " << by_other.end << ":";
    const Fifo<MessageSlot>& launched = bench.controller.output_queue().messages();
    for (std::size_t i = 0; i < launched.size(); ++i) {
        result << " " << bench.messages[launched[i]].id.sequence << " to "
               << bench.messages[launched[i]].destination;
    }
    return result.str();
}

TEST(MessageControllerOrderTest, LaunchesOfOneCycleAreOrderedByPort) {
    const auto results = testing::results_in_every_order(two_ports);
    EXPECT_THAT(results, Each("109 204: 0 to 3 1 to 3 2 to 4"));
}

TEST(MessageControllerOrderTest, AccessesAndInterruptsAreTheSameInEveryOrder) {
    const auto results = testing::results_in_every_order(busy_controller);
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_NE(results.front(), "failed");
}

}  // namespace
}  // namespace weir::hw
