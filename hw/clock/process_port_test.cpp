#include "hw/clock/process_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/controller/message_controller.h"
#include "hw/testing/names.h"
#include "hw/testing/plain_dram.h"
#include "hw/testing/scripted_part.h"

namespace weir::hw {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;

constexpr std::uint64_t kDescriptor = WEIR_OUTPUT_DESCRIPTOR;
constexpr std::int64_t kMemoryBytes = 4096;

// An SC_THREAD that executes the test's function.
class Process final : public sc_core::sc_module {
  public:
    Process(const sc_core::sc_module_name& name, std::function<void()> deeds)
        : sc_module(name), deeds_(std::move(deeds)) {
        SC_HAS_PROCESS(Process);
        SC_THREAD(run);
    }

  private:
    void run() { deeds_(); }

    std::function<void()> deeds_;
};

// A controller with a process in place of its core, and the test in place of the network.
class ProcessPortTest : public ::testing::Test {
  public:
    // Makes the machine with the clock of `parameters`.
    void make() {
        domain = std::make_unique<ClockDomain>("clock", parameters);
        memory_port = std::make_unique<MemoryPort>("memory_port", *domain, port_parameters);
        controller = std::make_unique<MessageController>(
            "controller", *domain, controller_parameters, dma_parameters, NodeId(0), 2, messages,
            MessageController::Traces{});
        controller->connect_memory(*memory_port, Bytes(kMemoryBytes));
        memory_port->dram_socket.bind(dram.socket);
        port = std::make_unique<ProcessPort>("port", *domain);
        port->bus_socket.bind(controller->bus_socket);
        network = std::make_unique<testing::ScriptedPart>(*domain);
        domain->follow_kernel();
    }
    void run(std::function<void()> deeds) {
        const Process process("process", std::move(deeds));
        sc_core::sc_start();
    }
    // Current cycle by the kernel's time; -1 if that time lies between two cycles.
    [[nodiscard]] std::int64_t cycle() const {
        const Cycles cycles = domain->to_cycles(sc_core::sc_time_stamp());
        return domain->to_time(cycles) == sc_core::sc_time_stamp() ? cycles.count() : -1;
    }
    void store(std::uint64_t address, std::uint32_t word) {
        port->store(address, word);
        ended.push_back(cycle());
    }
    // Sends a message without arguments by three stores.
    void send() {
        store(kDescriptor, WEIR_HEADER(1, 2, 1));
        store(kDescriptor + WEIR_WORD_BYTES, 100);
        store(WEIR_LAUNCH, 2);
    }
    // Delivers a message of two words, as four flits of two bytes, from `first_cycle` on.
    void deliver(std::int64_t first_cycle) {
        const MessageSlot slot = messages.allocate();
        Message& message = messages[slot];
        message.id = MessageId{NodeId(1), 0};
        message.word_count = 2;
        message.bytes = Bytes(8);
        message.words[1] = 4711;
        for (std::int64_t flit = 0; flit < 4; ++flit) {
            network->at(first_cycle + flit, [this, slot, flit](Cycles now) {
                if (flit == 0) {
                    controller->input_queue().begin_message(slot, now);
                }
                controller->input_queue().push(Bytes(2), now);
                if (flit == 3) {
                    controller->header_arrived(messages[slot], now);
                }
            });
        }
    }

    ClockDomainParameters parameters;
    ControllerParameters controller_parameters;
    DmaParameters dma_parameters;
    MemoryPortParameters port_parameters;
    MessagePool messages;
    testing::PlainDram dram{"dram", static_cast<std::size_t>(kMemoryBytes)};
    std::unique_ptr<ClockDomain> domain;
    std::unique_ptr<MemoryPort> memory_port;
    std::unique_ptr<MessageController> controller;
    std::unique_ptr<ProcessPort> port;
    std::unique_ptr<testing::ScriptedPart> network;
    std::vector<std::int64_t> ended;  // cycles in which stores ended
};

// LoGPC Table 1: o_s is 9 without arguments.
TEST_F(ProcessPortTest, AccessesFollowEachOtherAsACoresDo) {
    make();
    run([this] { send(); });
    EXPECT_THAT(ended, ElementsAre(3, 6, 9));
    EXPECT_EQ(controller->statistics().messages_launched.value(), 1);
}

TEST_F(ProcessPortTest, AnAccessBeginsAtTheProcessesTime) {
    make();
    run([this] {
        sc_core::wait(domain->to_time(Cycles(1'000'000)));
        send();
    });
    EXPECT_THAT(ended, ElementsAre(1'000'003, 1'000'006, 1'000'009));
}

TEST_F(ProcessPortTest, AnAccessBetweenCyclesWaitsForTheNext) {
    make();
    run([this] {
        sc_core::wait(domain->to_time(Cycles(5)) / 2);
        store(kDescriptor, WEIR_HEADER(1, 2, 1));
    });
    EXPECT_THAT(ended, ElementsAre(6));
}

TEST_F(ProcessPortTest, OtherPartsAtWorkChangeNothing) {
    make();
    int ticks = 0;
    for (std::int64_t at = 0; at < 20; ++at) {
        network->at(at, [&ticks](Cycles) { ++ticks; });
    }
    run([this] { send(); });
    EXPECT_THAT(ended, ElementsAre(3, 6, 9));
    EXPECT_EQ(ticks, 20);
}

TEST_F(ProcessPortTest, TheClockBeginsWithItsFirstWakeUp) {
    make();
    network->at(1000, [](Cycles) {});
    run([] {});
    EXPECT_EQ(domain->now(), Cycles(1000));
    EXPECT_EQ(domain->active_cycles(), 1);
}

class ProcessPortInAnyOrderTest : public ProcessPortTest,
                                  public ::testing::WithParamInterface<const char*> {};

TEST_P(ProcessPortInAnyOrderTest, TheTicksOrderChangesNothing) {
    ASSERT_TRUE(parameters.tick_order.set(std::string(GetParam())));
    make();
    for (std::int64_t at = 0; at < 20; ++at) {
        network->at(at, [](Cycles) {});
    }
    run([this] { send(); });
    EXPECT_THAT(ended, ElementsAre(3, 6, 9));
}

INSTANTIATE_TEST_SUITE_P(Orders, ProcessPortInAnyOrderTest,
                         ::testing::Values("wake", "reversed", "shuffled"),
                         [](const auto& order) { return std::string(order.param); });

TEST_F(ProcessPortTest, WithoutSleepingTheSame) {
    ASSERT_TRUE(parameters.sleeping.set(false));
    make();
    run([this] {
        sc_core::wait(domain->to_time(Cycles(7)));
        send();
        domain->stop();
    });
    EXPECT_THAT(ended, ElementsAre(10, 13, 16));
}

// 32 messages of 8 bytes fill the queue of 256 bytes. A message leaves it in cycle 1000; the
// waiting launch sees the room a cycle later, and takes 3 cycles.
TEST_F(ProcessPortTest, AnAccessIsAnsweredWhenThereIsRoom) {
    make();
    network->at(1000, [this](Cycles now) { controller->output_queue().pop(Bytes(8), now); });
    run([this] {
        for (int message = 0; message < 33; ++message) {
            send();
        }
    });
    EXPECT_EQ(ended[95], 32 * 9);
    EXPECT_EQ(ended.back(), 1004);
}

// The header's last flit arrives in cycle 23, and the interrupt line rises notify_cycles = 10
// later.
TEST_F(ProcessPortTest, AnInterruptWakesTheProcess) {
    make();
    deliver(20);
    std::int64_t interrupted = -1;
    std::uint32_t word = 0;
    run([&] {
        port->wait_for_interrupt(*controller);
        interrupted = cycle();
        word = port->load(WEIR_INPUT_WINDOW + WEIR_WORD_BYTES);
        ended.push_back(cycle());
        store(WEIR_DISPOSE, 0);
    });
    EXPECT_EQ(interrupted, 33);
    EXPECT_EQ(word, 4711U);
    EXPECT_THAT(ended, ElementsAre(34 + 2, 36 + 3));
    EXPECT_EQ(controller->statistics().messages_disposed.value(), 1);
}

TEST_F(ProcessPortTest, AnInterruptThatIsThereIsSeenAtOnce) {
    make();
    deliver(20);
    std::int64_t interrupted = -1;
    run([&] {
        sc_core::wait(domain->to_time(Cycles(500)));
        port->wait_for_interrupt(*controller);
        interrupted = cycle();
    });
    EXPECT_EQ(interrupted, 500);
}

// The error leaves a SystemC thread as an exception. The address sanitizer does not know that
// thread's stack, and would report overflows.
#ifdef WEIR_HAS_SANITIZERS
#define SKIP_WITH_SANITIZER() GTEST_SKIP() << "exceptions out of SystemC's threads mislead it"
#else
#define SKIP_WITH_SANITIZER() static_cast<void>(0)
#endif

TEST_F(ProcessPortTest, ARefusedAccessIsAnError) {
    SKIP_WITH_SANITIZER();
    make();
    try {
        run([this] { port->store(WEIR_CONTROLLER_BASE + 0xf0, 0); });
        FAIL() << "no error";
    } catch (const sc_core::sc_report& report) {
        EXPECT_THAT(report.get_msg(), Names("store", "0xffff00f0", "TLM_ADDRESS_ERROR_RESPONSE"));
    }
}

TEST_F(ProcessPortTest, TwoProcessesAtATimeAreAnError) {
    SKIP_WITH_SANITIZER();
    make();
    const Process other("other", [this] { port->store(kDescriptor, 1); });
    try {
        run([this] { port->store(kDescriptor, 2); });
        FAIL() << "no error";
    } catch (const sc_core::sc_report& report) {
        EXPECT_THAT(report.get_msg(), Names("two", "processes"));
    }
}

}  // namespace
}  // namespace weir::hw
