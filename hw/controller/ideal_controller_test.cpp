#include "hw/controller/ideal_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/bus_initiator.h"
#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/waveform.h"
#include "nodes/testing/recorded_trace.h"

namespace weir::hw {
namespace {

using testing::BusAccess;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using weir::testing::Names;

// Records requests, and grants them when the test says so.
class ScriptedGate final : public LaunchGate {
  public:
    void request(const Request& request, LaunchRequester& /*requester*/) override {
        requests.push_back(request);
    }
    void withdraw(NodeId node, int port) override { withdrawn.emplace_back(node, port); }
    std::vector<Request> requests;
    std::vector<std::pair<NodeId, int>> withdrawn;
};

/// The controller of node 5 of 32, a scripted core, and the messages passed to the network.
class IdealControllerTest : public ::testing::Test {
  public:
    IdealController& controller() {
        if (!controller_) {
            controller_.emplace(
                "controller", domain, parameters, NodeId(5), 32, messages, &trace,
                [this](MessageSlot slot) { launched.push_back(slot); }, gate);
            core.bus_socket.bind(controller_->bus_socket);
            controller_->set_core(woken);
        }
        return *controller_;
    }
    const BusAccess& send(std::uint64_t words, Cycles not_before) {
        core.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, words, 3), not_before);
        for (std::uint64_t index = 1; index < words; ++index) {
            core.store(WEIR_OUTPUT_DESCRIPTOR + WEIR_WORD_BYTES * index, 100 + index);
        }
        return core.store(WEIR_LAUNCH, words);
    }
    /// Has the network report in `cycle` a message of node `source` that arrives in `arrival`.
    MessageSlot arrive(std::int32_t source, std::int64_t arrival, std::int64_t cycle,
                       std::int32_t words = 3) {
        const MessageSlot slot = messages.allocate();
        Message& message = messages[slot];
        message.id = MessageId{NodeId(source), 0};
        message.word_count = words;
        message.bytes = Bytes(std::int64_t{words} * WEIR_WORD_BYTES);
        for (std::size_t index = 0; index < static_cast<std::size_t>(words); ++index) {
            message.words[index] = static_cast<std::uint32_t>(1000 + index);
        }
        network.at(cycle, [this, slot, arrival](Cycles /*now*/) {
            controller().arrive(slot, Cycles(arrival));
        });
        return slot;
    }
    [[nodiscard]] ConservationAccount account() {
        ConservationAccount account;
        controller().add_to(account);
        return account;
    }
    void run() { domain.run_until(Cycles(10'000)); }

    ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    ControllerParameters parameters;
    MessagePool messages;
    nodes::testing::RecordedTrace trace;
    ScriptedGate* gate = nullptr;
    std::vector<MessageSlot> launched;
    testing::BusInitiator core{"core", domain};
    testing::ScriptedPart woken{domain};
    testing::ScriptedPart network{domain};

  private:
    std::optional<IdealController> controller_;
};

TEST_F(IdealControllerTest, AMessageIsInTheNetworkWhenItsLaunchEnds) {
    controller();
    const BusAccess& launch = send(3, Cycles(10));
    run();
    EXPECT_EQ(launch.end, Cycles(10 + 12)) << "four stores of three cycles";
    ASSERT_EQ(launched.size(), 1U);
    const Message& message = messages[launched.front()];
    EXPECT_EQ(message.destination, NodeId(3));
    EXPECT_EQ(message.bytes, Bytes(12));
    EXPECT_EQ(message.launch_blocked, Cycles(0));
    EXPECT_EQ(message.times.launch, Cycles(22));
    EXPECT_EQ(message.times.network_entry, Cycles(22));
    EXPECT_EQ(message.times.tail_entry, Cycles(22));
    EXPECT_EQ(controller().statistics().messages_launched.value(), 1);
    EXPECT_EQ(controller().statistics().bytes_launched.value(), 12);
    EXPECT_EQ(account().messages_launched, 1);
    EXPECT_EQ(account().bytes_launched, 12);
    EXPECT_EQ(account().bytes_injected, 12);
    EXPECT_THAT(trace.stalls, IsEmpty());
}

TEST_F(IdealControllerTest, AMessageHasNoHopsButThoseThatItsNetworkCounts) {
    EXPECT_EQ(Message().hops, 0);
}

TEST_F(IdealControllerTest, InterruptsTheNotifyDelayAfterTheArrival) {
    testing::Waveform line(domain, Cycles(200), [this](Cycles now) {
        return controller().interrupt_raised(now) ? 1 : 0;
    });
    controller();
    const MessageSlot slot = arrive(1, 60, 50);
    run();
    EXPECT_THAT(line.changes(), ElementsAre(Pair(60 + 10, 1)));
    EXPECT_EQ(messages[slot].times.first_arrival, Cycles(60));
    EXPECT_EQ(messages[slot].times.header_arrival, Cycles(60));
    EXPECT_EQ(messages[slot].times.tail_arrival, Cycles(60));
    EXPECT_EQ(controller().statistics().messages_delivered.value(), 1);
    EXPECT_EQ(controller().statistics().bytes_delivered.value(), 12);
    EXPECT_EQ(account().bytes_ejected, 12);
    EXPECT_EQ(account().bytes_into_input_queues, 12);
}

TEST_F(IdealControllerTest, HasNoQueuesThatCouldOverflow) {
    controller();
    arrive(1, 60, 50);
    run();
    EXPECT_FALSE(controller().overflow_raised(domain.now()));
    EXPECT_FALSE(controller().saved_messages_raised(domain.now()));
    EXPECT_FALSE(controller().has_saved_messages());
    EXPECT_FALSE(controller().answers_a_cycle_later());
}

TEST_F(IdealControllerTest, NeverInterruptsInTheCycleInWhichItIsTold) {
    testing::Waveform line(domain, Cycles(200), [this](Cycles now) {
        return controller().interrupt_raised(now) ? 1 : 0;
    });
    ASSERT_TRUE(parameters.notify_cycles.set(std::int64_t{0}));
    controller();
    arrive(1, 50, 50);
    run();
    EXPECT_THAT(line.changes(), ElementsAre(Pair(51, 1)));
}

TEST_F(IdealControllerTest, TheWindowShowsTheMessageThatInterruptsUntilItIsDisposedOf) {
    controller();
    const MessageSlot slot = arrive(1, 60, 50);
    const BusAccess& early = core.load(WEIR_INPUT_WINDOW, Cycles(69));
    const BusAccess& first = core.load(WEIR_INPUT_WINDOW, Cycles(80));
    const BusAccess& last = core.load(WEIR_INPUT_WINDOW + 2 * WEIR_WORD_BYTES, Cycles(90));
    const BusAccess& behind = core.load(WEIR_INPUT_WINDOW + 3 * WEIR_WORD_BYTES, Cycles(100));
    network.at(105, [&](Cycles now) { EXPECT_FALSE(controller().handler_ended(slot, now)); });
    const BusAccess& dispose = core.store(WEIR_DISPOSE, 0, Cycles(110));
    const BusAccess& again = core.store(WEIR_DISPOSE, 0, Cycles(120));
    network.at(130, [&](Cycles now) {
        EXPECT_EQ(messages[slot].times.dispose, Cycles(110));
        EXPECT_TRUE(controller().handler_ended(slot, now));
    });
    run();
    EXPECT_FALSE(early.ok());
    EXPECT_EQ(first.data, 1000U);
    EXPECT_EQ(first.cost(), 2);
    EXPECT_EQ(last.data, 1002U);
    EXPECT_FALSE(behind.ok());
    EXPECT_EQ(dispose.cost(), 3);
    EXPECT_FALSE(again.ok());
    EXPECT_EQ(controller().statistics().messages_disposed.value(), 1);
    EXPECT_EQ(account().messages_disposed, 1);
    EXPECT_EQ(account().bytes_handled, 12);
    EXPECT_EQ(trace.messages.size(), 1U);
}

TEST_F(IdealControllerTest, TakesMessagesByTheirInterruptsThoseOfACycleByTheirSenders) {
    controller();
    const MessageSlot late = arrive(0, 61, 50);
    const MessageSlot of_seven = arrive(7, 60, 50);
    const MessageSlot of_one = arrive(1, 60, 50);
    std::vector<MessageSlot> order;
    for (const std::int64_t cycle : {100, 120, 140}) {
        network.at(cycle - 1,
                   [&](Cycles /*now*/) { order.push_back(controller().head_message()); });
        core.store(WEIR_DISPOSE, 0, Cycles(cycle));
    }
    run();
    EXPECT_THAT(order, ElementsAre(of_one, of_seven, late));
}

TEST_F(IdealControllerTest, HasRoomForAllMessagesButNoBodies) {
    controller();
    const BusAccess& room = core.load(WEIR_OUTPUT_ROOM, Cycles(10));
    core.store(WEIR_OUTPUT_DESCRIPTOR, WEIR_HEADER(1, 2, 3));
    core.store(WEIR_OUTPUT_DESCRIPTOR + WEIR_WORD_BYTES, 1);
    core.store(WEIR_OUTPUT_DESCRIPTOR + 2 * WEIR_WORD_BYTES, 64);
    core.store(WEIR_OUTPUT_DESCRIPTOR + 3 * WEIR_WORD_BYTES, 8);
    const BusAccess& with_body = core.store(WEIR_LAUNCH, WEIR_LAUNCH_VALUE(2, 4, 0));
    run();
    EXPECT_EQ(room.data, std::uint64_t{std::numeric_limits<std::int32_t>::max()});
    EXPECT_FALSE(with_body.ok());
    EXPECT_THAT(launched, IsEmpty());
}

TEST_F(IdealControllerTest, ALaunchTakesItsCyclesFromWhereTheGateLetsItBegin) {
    ScriptedGate scripted;
    gate = &scripted;
    controller();
    const BusAccess& launch = send(2, Cycles(10));
    network.at(30, [&](Cycles now) {
        controller().launch_granted(0, MessageId{NodeId(9), 4}, now);
    });
    run();
    EXPECT_EQ(launch.issued, Cycles(16));
    EXPECT_EQ(launch.end, Cycles(33));
    EXPECT_TRUE(launch.ok());
    ASSERT_EQ(scripted.requests.size(), 1U);
    EXPECT_EQ(scripted.requests.front().node, NodeId(5));
    EXPECT_EQ(scripted.requests.front().destination, NodeId(3));
    ASSERT_EQ(launched.size(), 1U);
    EXPECT_EQ(messages[launched.front()].launch_blocked, Cycles(14));
    EXPECT_EQ(messages[launched.front()].times.launch, Cycles(33));
    EXPECT_EQ(controller().statistics().blocked_launches.value(), 1);
    EXPECT_EQ(controller().statistics().launch_blocked_cycles.value(), 14);
    ASSERT_EQ(trace.stalls.size(), 1U);
    EXPECT_EQ(trace.stalls.front().begin, Cycles(16));
    EXPECT_EQ(trace.stalls.front().end, Cycles(30));
    EXPECT_EQ(trace.stalls.front().waiting, messages[launched.front()].id);
    EXPECT_EQ(trace.stalls.front().holder, (MessageId{NodeId(9), 4}));
}

TEST_F(IdealControllerTest, AWithdrawnLaunchIsGivenBackTheNextCycle) {
    ScriptedGate scripted;
    gate = &scripted;
    controller();
    const BusAccess& launch = send(2, Cycles(10));
    network.at(40, [&](Cycles /*now*/) { core.withdraw(); });
    network.at(41, [&](Cycles now) { controller().launch_withdrawn(0, now); });
    run();
    EXPECT_THAT(scripted.withdrawn, ElementsAre(Pair(NodeId(5), 0)));
    EXPECT_EQ(launch.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(launch.end, Cycles(42));
    EXPECT_THAT(launched, IsEmpty());
    EXPECT_EQ(controller().statistics().withdrawn_launches.value(), 1);
    EXPECT_EQ(controller().statistics().launch_blocked_cycles.value(), 41 - 16);
}

TEST_F(IdealControllerTest, ALaunchThatStillWaitsAtTheEndWasBlockedUntilThen) {
    ScriptedGate scripted;
    gate = &scripted;
    controller();
    send(2, Cycles(10));
    run();
    controller().end_of_run(Cycles(50));
    EXPECT_EQ(controller().statistics().launch_blocked_cycles.value(), 50 - 16);
}

// --- Conservation of messages and bytes ---------------------------------------------------------

ConservationAccount balanced_account() {
    ConservationAccount account;
    account.bytes_launched = 100;
    account.bytes_injected = 100;
    account.flits_injected = 50;
    account.flits_ejected = 50;
    account.bytes_ejected = 100;
    account.bytes_into_input_queues = 100;
    account.messages_launched = 10;
    account.messages_disposed = 10;
    account.bytes_handled = 100;
    return account;
}

TEST(ConservationAccountTest, HoldsOnItsWayAndAtTheEnd) {
    EXPECT_EQ(balanced_account().fault(true), std::nullopt);
    ConservationAccount on_its_way = balanced_account();
    on_its_way.bytes_injected = 90;
    on_its_way.bytes_in_output_queues = 10;
    on_its_way.flits_ejected = 48;
    on_its_way.flits_in_channels = 2;
    on_its_way.messages_disposed = 9;
    on_its_way.bytes_handled = 80;
    EXPECT_EQ(on_its_way.fault(false), std::nullopt);
    ConservationAccount saved = balanced_account();
    saved.bytes_handled = 88;
    saved.bytes_in_overflow_buffers = 12;
    EXPECT_EQ(saved.fault(true), std::nullopt);
}

TEST(ConservationAccountTest, SaysWhatIsLost) {
    const auto fault = [](std::int64_t ConservationAccount::*member, bool finished = true) {
        ConservationAccount account = balanced_account();
        account.*member += 1;
        return account.fault(finished).value_or("none");
    };
    EXPECT_THAT(fault(&ConservationAccount::bytes_launched, false),
                Names("bytes", "output", "queues", "101", "100"));
    EXPECT_THAT(fault(&ConservationAccount::flits_injected, false),
                Names("flits", "network", "51", "50"));
    EXPECT_THAT(fault(&ConservationAccount::bytes_ejected, false),
                Names("bytes", "input", "queues", "101", "100"));
    EXPECT_THAT(fault(&ConservationAccount::messages_launched), Names("messages", "11", "10"));
    EXPECT_THAT(fault(&ConservationAccount::messages_held), Names("messages", "left", "0", "1"));
    EXPECT_THAT(fault(&ConservationAccount::messages_in_overflow_buffers),
                Names("messages", "overflow", "0", "1"));
    EXPECT_THAT(fault(&ConservationAccount::bytes_handled),
                Names("bytes", "handlers", "100", "101"));
    EXPECT_EQ(fault(&ConservationAccount::messages_launched, false), "none");
    EXPECT_EQ(fault(&ConservationAccount::bytes_handled, false), "none");
}

TEST(ConservationAccountTest, NoMoreMayBeInTransitThanTheNetworkHolds) {
    ConservationAccount account = balanced_account();
    account.transit_capacity = 4;
    account.most_in_transit = 4;
    EXPECT_EQ(account.fault(false), std::nullopt);
    account.most_in_transit = 5;
    EXPECT_THAT(*account.fault(false), Names("messages", "transit", "5", "4"));
}

}  // namespace
}  // namespace weir::hw
