#include "network/fabric/flit_interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"
#include "network/testing/flit_ends.h"
#include "network/testing/recorded_stops.h"

namespace weir::network {
namespace {

using hw::ByteQueue;
using hw::Bytes;
using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using hw::MessageSlot;
using hw::NodeId;
using hw::QueueKind;
using testing::cycles_of;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::FlitPassage;
using testing::FlitSink;
using testing::FlitSource;
using ::testing::Pair;
using ::testing::SizeIs;
using weir::testing::Names;

constexpr Cycles kInterfaceEnd(10'000);

// A network interface between the queues of a scripted controller and ideal ends of its channels.
// Each channel has a delay of one cycle.
class InterfaceBench {
  public:
    InterfaceBench(ClockDomain& clock, std::int64_t flit_bytes,
                   std::int64_t input_queue_bytes = 256, std::int64_t buffer_flits = 4)
        : domain(clock),
          output_queue(NodeId(5), QueueKind::kOutput, Bytes(256), nullptr),
          input_queue(NodeId(5), QueueKind::kInput, Bytes(input_queue_bytes), nullptr),
          injection("injection", Cycles(1), Flits(buffer_flits)),
          ejection("ejection", Cycles(1), Flits(buffer_flits)),
          interface("interface", clock, NodeId(5), Bytes(flit_bytes), messages, injection, ejection,
                    [](const hw::Message&, int) {
                        return UnloadedTrip{6, Cycles(13)};
                    }) {
        injection.connect(interface, sink);
        ejection.connect(source, interface);
        interface.attach(
            output_queue, input_queue,
            [this](hw::Message& message, Cycles now) {
                headers_told.emplace_back(message.id.sequence, now.count());
            },
            &trace);
    }

    MessageSlot message(std::int64_t bytes, std::int32_t destination = 9) {
        const MessageSlot slot = messages.allocate();
        messages[slot].id = hw::MessageId{NodeId(1), slot};
        messages[slot].destination = NodeId(destination);
        messages[slot].bytes = Bytes(bytes);
        return slot;
    }
    /// Puts a message of `bytes` bytes into the output queue in cycle `cycle`.
    MessageSlot launch(std::int64_t bytes, std::int64_t cycle) {
        const MessageSlot slot = message(bytes);
        controller.at(cycle - 1, [this, slot, bytes](Cycles now) {
            output_queue.begin_message(slot, now);
            output_queue.push(Bytes(bytes), now);
        });
        return slot;
    }
    /// Sends a message of `bytes` bytes in `flits` flits, which arrives at the interface from cycle
    /// `cycle` on.
    MessageSlot arrive(std::int64_t bytes, int flits, std::int64_t cycle) {
        const MessageSlot slot = message(bytes);
        source.worm(slot, 5, flits, cycle - 1);
        return slot;
    }
    void pop(std::int64_t bytes, std::int64_t cycle) {
        controller.at(cycle, [this, bytes](Cycles now) { input_queue.pop(Bytes(bytes), now); });
    }
    /// Removes the whole message at the head of the input queue.
    void take_message(std::int64_t cycle) {
        controller.at(cycle, [this](Cycles now) {
            input_queue.pop(messages[input_queue.front()].bytes, now);
            input_queue.end_message(now);
        });
    }
    void run() {
        domain.run_until(kInterfaceEnd);
        interface.end_of_run(kInterfaceEnd);
    }

    ClockDomain& domain;
    hw::MessagePool messages;
    testing::RecordedStops trace;
    ByteQueue output_queue;
    ByteQueue input_queue;
    FlitChannel injection;
    FlitChannel ejection;
    FlitSink sink{domain, injection};
    FlitSource source{domain, ejection};
    FlitInterface interface;
    hw::testing::ScriptedPart controller{domain};
    // number of the message, and cycle in which its header was reported
    std::vector<std::pair<std::int64_t, std::int64_t>> headers_told;
};

class FlitInterfaceTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters parameters;
    ClockDomain domain{"clock", parameters};
};

// Two more copies of the network, besides the bench's own.
struct MoreCopies {
    explicit MoreCopies(InterfaceBench& bench) : second(bench, "second"), third(bench, "third") {}
    struct Copy {
        Copy(InterfaceBench& bench, const std::string& name)
            : injection(name + "_injection", Cycles(1), Flits(4)),
              ejection(name + "_ejection", Cycles(1), Flits(4)),
              sink(bench.domain, injection),
              source(bench.domain, ejection) {
            injection.connect(bench.interface, sink);
            ejection.connect(source, bench.interface);
            bench.interface.add_copy(injection, ejection);
        }
        FlitChannel injection;
        FlitChannel ejection;
        FlitSink sink;
        FlitSource source;
    };
    Copy second;
    Copy third;
};

TEST_F(FlitInterfaceTest, MessagesTakeTheCopiesInTurn) {
    InterfaceBench bench(domain, 2);
    MoreCopies copies(bench);
    for (int message = 0; message < 4; ++message) {
        bench.launch(4, 10 + 10 * message);
    }
    bench.run();
    EXPECT_THAT(bench.sink.taken, SizeIs(2 * 2));
    EXPECT_THAT(copies.second.sink.taken, SizeIs(2));
    EXPECT_THAT(copies.third.sink.taken, SizeIs(2));
}

TEST_F(FlitInterfaceTest, MessagesComeByAnyCopy) {
    InterfaceBench bench(domain, 2);
    MoreCopies copies(bench);
    copies.third.source.worm(bench.message(4), 5, 2, 10);
    bench.run();
    EXPECT_EQ(bench.input_queue.held(), Bytes(4));
}

// --- Into the network ---------------------------------------------------------------------------

TEST_F(FlitInterfaceTest, SendsAFlitACycleFromTheCycleTheMessageIsInTheQueue) {
    InterfaceBench bench(domain, 2);
    const MessageSlot slot = bench.launch(8, 10);
    bench.run();
    EXPECT_THAT(
        bench.sink.taken,
        ElementsAre(FlitPassage{11, slot, true, false}, FlitPassage{12, slot, false, false},
                    FlitPassage{13, slot, false, false}, FlitPassage{14, slot, false, true}));
    const hw::Message& message = bench.messages[slot];
    EXPECT_EQ(message.times.network_entry, Cycles(10));
    EXPECT_EQ(message.times.tail_entry, Cycles(13));
    EXPECT_EQ(message.hops, 6);
    EXPECT_EQ(message.unloaded, Cycles(13));
    EXPECT_EQ(bench.output_queue.held(), Bytes(0));
    EXPECT_TRUE(bench.output_queue.messages().empty());
}

TEST_F(FlitInterfaceTest, GivesEachHeaderItsDestination) {
    InterfaceBench bench(domain, 2);
    bench.sink.refuse(0, 100);
    bench.launch(8, 10);
    domain.run_until(Cycles(50));
    EXPECT_EQ(bench.injection.front().destination, 9);
}

TEST_F(FlitInterfaceTest, SendsMessagesOneRightBehindTheOther) {
    InterfaceBench bench(domain, 2);
    bench.launch(8, 10);
    bench.launch(12, 11);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sink.taken), ElementsAre(11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
}

TEST_F(FlitInterfaceTest, WaitsForAllTheBytesOfAFlit) {
    InterfaceBench bench(domain, 2);
    const MessageSlot slot = bench.message(4);
    bench.controller.at(9, [&](Cycles now) { bench.output_queue.begin_message(slot, now); });
    for (const std::int64_t cycle : {9, 20, 30, 31}) {
        bench.controller.at(cycle, [&](Cycles now) { bench.output_queue.push(Bytes(1), now); });
    }
    bench.run();
    EXPECT_THAT(cycles_of(bench.sink.taken), ElementsAre(22, 33));
}

TEST_F(FlitInterfaceTest, WaitsForACredit) {
    InterfaceBench bench(domain, 2);
    bench.sink.refuse(0, 100);
    bench.launch(16, 10);
    bench.run();
    // Four flits fill the channel. Each flit taken, the first in cycle 100, returns a credit a
    // cycle later, and the flit sent with this credit arrives after another cycle. So four slots
    // suffice for one flit per cycle.
    EXPECT_THAT(cycles_of(bench.sink.taken), ElementsAre(100, 101, 102, 103, 104, 105, 106, 107));
}

TEST_F(FlitInterfaceTest, AWaitingInterfaceSaysThatItsChannelHasNoRoom) {
    InterfaceBench bench(domain, 2);
    bench.sink.refuse(0, 100);
    bench.launch(16, 10);
    domain.run_until(Cycles(50));
    hw::WaitReport report;
    bench.interface.report_waits(report, "input_queue");
    ASSERT_THAT(report, SizeIs(1));
    EXPECT_EQ(report[0].for_whom, "injection");
    EXPECT_THAT(report[0].why, Names("8", "bytes", "message 0", "node 1", "channel", "room"));
}

// --- Out of the network -------------------------------------------------------------------------

TEST_F(FlitInterfaceTest, PutsAFlitACycleIntoTheInputQueueAndTellsOfTheWholeHeader) {
    InterfaceBench bench(domain, 2);
    const MessageSlot slot = bench.arrive(12, 6, 10);
    bench.run();
    const hw::Message& message = bench.messages[slot];
    EXPECT_EQ(message.times.first_arrival, Cycles(10));
    EXPECT_THAT(bench.headers_told, ElementsAre(Pair(slot, 13))) << "with its fourth flit";
    EXPECT_EQ(message.times.tail_arrival, Cycles(15));
    EXPECT_EQ(bench.input_queue.held(), Bytes(12));
    EXPECT_EQ(bench.input_queue.front(), slot);
    EXPECT_EQ(bench.interface.statistics().input_queue_full_stops.value(), 0);
}

TEST_F(FlitInterfaceTest, TakesMessagesOneRightBehindTheOther) {
    InterfaceBench bench(domain, 2);
    const MessageSlot first = bench.arrive(8, 4, 10);
    const MessageSlot second = bench.arrive(8, 4, 10);
    bench.run();
    EXPECT_THAT(bench.headers_told, ElementsAre(Pair(first, 13), Pair(second, 17)));
}

TEST_F(FlitInterfaceTest, WithoutRoomTheFlitStaysAndTheNetworkBehindItStops) {
    InterfaceBench bench(domain, 2, 8);
    bench.arrive(40, 20, 10);
    bench.run();
    EXPECT_EQ(bench.input_queue.held(), Bytes(8));
    EXPECT_EQ(bench.ejection.held(), Flits(4));
    EXPECT_THAT(bench.source.sent, SizeIs(8));
    EXPECT_EQ(bench.interface.statistics().input_queue_full_stops.value(), 1);
    hw::WaitReport report;
    bench.interface.report_waits(report, "input_queue");
    ASSERT_THAT(report, SizeIs(1));
    EXPECT_EQ(report[0].who, "ejection");
    EXPECT_EQ(report[0].for_whom, "input_queue");
    EXPECT_THAT(report[0].why, Names("flits", "message 0", "node 1", "room", "input"));
}

// A queue of 8 bytes: the fifth flit finds no room in cycle 14 unless two bytes have been removed
// before, in cycle `popped`.
struct Relief {
    std::int64_t popped;
    std::int64_t taken;
    std::int64_t stops;
    friend std::ostream& operator<<(std::ostream& out, const Relief& relief) {
        return out << "popped at " << relief.popped;
    }
};
class FullInputQueueTest : public FlitInterfaceTest,
                           public ::testing::WithParamInterface<Relief> {};

TEST_P(FullInputQueueTest, TheFlitGoesOnInTheCycleInWhichRoomIsSeen) {
    InterfaceBench bench(domain, 2, 8);
    const MessageSlot slot = bench.arrive(10, 5, 10);
    bench.pop(2, GetParam().popped);
    bench.run();
    EXPECT_EQ(bench.messages[slot].times.tail_arrival, Cycles(GetParam().taken));
    EXPECT_EQ(bench.interface.statistics().input_queue_full_stops.value(), GetParam().stops);
}

INSTANTIATE_TEST_SUITE_P(ByCycleOfRelief, FullInputQueueTest,
                         ::testing::Values(Relief{13, 14, 0}, Relief{14, 15, 1}, Relief{15, 16, 1},
                                           Relief{500, 501, 1}),
                         [](const auto& test) {
                             return "PoppedAt" + std::to_string(test.param.popped);
                         });

TEST_F(FlitInterfaceTest, PlantedControllerThatMakesRoomForHalfAFlitLeavesItWaiting) {
    InterfaceBench bench(domain, 2, 8);
    const MessageSlot slot = bench.arrive(10, 5, 10);
    bench.pop(1, 100);
    bench.run();
    EXPECT_EQ(bench.messages[slot].times.tail_arrival, hw::kNever);
}

TEST_F(FlitInterfaceTest, CountsAStopForEachFlitThatHadToWait) {
    InterfaceBench bench(domain, 2, 8);
    bench.arrive(12, 6, 10);
    bench.pop(2, 100);
    bench.pop(2, 200);
    bench.run();
    EXPECT_EQ(bench.interface.statistics().input_queue_full_stops.value(), 2);
}

// --- Stops in the trace ------------------------------------------------------------

// Three messages of 8 bytes for a queue of 16 bytes arrive one after the other, one flit per cycle
// from cycle 10 on. The third message's first flit waits from cycle 18 on.
TEST_F(FlitInterfaceTest, AStopIsToldWithItsCyclesTheMessageStoppedAndTheOneItWaitsFor) {
    InterfaceBench bench(domain, 2, 16);
    for (int message = 0; message < 3; ++message) {
        bench.arrive(8, 4, 10);
    }
    bench.take_message(100);
    bench.run();
    EXPECT_THAT(bench.trace.stops, ElementsAre("5: 18-101, 1.2 for 1.0"));
    EXPECT_EQ(bench.interface.statistics().input_stalled_cycles.value(), 101 - 18);
    EXPECT_EQ(bench.messages[2].times.first_arrival, Cycles(101));
}

// The message at the head of the queue leaves in the first cycle of the stop, but was in the queue
// when that cycle began.
TEST_F(FlitInterfaceTest, AStopOfOneCycleIsForTheMessageThatLeavesInIt) {
    InterfaceBench bench(domain, 2, 16);
    for (int message = 0; message < 3; ++message) {
        bench.arrive(8, 4, 10);
    }
    bench.take_message(18);
    bench.run();
    EXPECT_THAT(bench.trace.stops, ElementsAre("5: 18-19, 1.2 for 1.0"));
}

TEST_F(FlitInterfaceTest, WithRoomInTimeThereIsNoStop) {
    InterfaceBench bench(domain, 2, 16);
    for (int message = 0; message < 3; ++message) {
        bench.arrive(8, 4, 10);
    }
    bench.take_message(17);
    bench.run();
    EXPECT_THAT(bench.trace.stops, ElementsAre());
    EXPECT_EQ(bench.interface.statistics().input_stalled_cycles.value(), 0);
}

// Three removals of two bytes. The fifth and the seventh flit wait, each in a stop of its own; the
// sixth finds room at once.
TEST_F(FlitInterfaceTest, AMessageLongerThanTheQueueWaitsForItself) {
    InterfaceBench bench(domain, 2, 8);
    bench.arrive(14, 7, 10);
    bench.pop(2, 100);
    bench.pop(2, 101);
    bench.pop(2, 200);
    bench.run();
    EXPECT_THAT(bench.trace.stops,
                ElementsAre("5: 14-101, 1.0 for 1.0", "5: 103-201, 1.0 for 1.0"));
    EXPECT_EQ(bench.interface.statistics().input_stalled_cycles.value(), 87 + 98);
}

TEST_F(FlitInterfaceTest, TheRunsEndEndsAStop) {
    InterfaceBench bench(domain, 2, 8);
    bench.arrive(40, 20, 10);
    bench.run();
    EXPECT_THAT(bench.trace.stops, ElementsAre("5: 14-10000, 1.0 for 1.0"));
    EXPECT_EQ(bench.interface.statistics().input_stalled_cycles.value(), 10'000 - 14);
}

// --- Flits of other sizes -----------------------------------------------------------------------

struct FlitSize {
    std::int64_t flit_bytes;
    std::int64_t message_bytes;
    int flits;
    int header_flits;  // flits that carry the 8 bytes of the header
    friend std::ostream& operator<<(std::ostream& out, const FlitSize& size) {
        return out << size.message_bytes << " bytes in flits of " << size.flit_bytes;
    }
};
class FlitSizeTest : public FlitInterfaceTest, public ::testing::WithParamInterface<FlitSize> {};

TEST_P(FlitSizeTest, CutsEachMessageIntoWholeFlits) {
    const FlitSize& size = GetParam();
    InterfaceBench bench(domain, size.flit_bytes);
    bench.launch(size.message_bytes, 10);
    bench.launch(size.message_bytes, 10);
    bench.run();
    ASSERT_THAT(bench.sink.taken, SizeIs(2 * size.flits)) << "no flit carries parts of both";
    EXPECT_EQ(bench.sink.taken.back().cycle, 11 + 2 * size.flits - 1);
    EXPECT_EQ(bench.interface.statistics().flits_injected.value(), 2 * size.flits);
    EXPECT_EQ(bench.interface.statistics().bytes_injected.value(), 2 * size.message_bytes);
}

TEST_P(FlitSizeTest, TellsOfTheHeaderWithTheFlitThatCompletesIt) {
    const FlitSize& size = GetParam();
    InterfaceBench bench(domain, size.flit_bytes);
    const MessageSlot slot = bench.arrive(size.message_bytes, size.flits, 10);
    bench.run();
    EXPECT_THAT(bench.headers_told, ElementsAre(Pair(slot, 10 + size.header_flits - 1)));
    EXPECT_EQ(bench.input_queue.held(), Bytes(size.message_bytes));
    EXPECT_EQ(bench.interface.statistics().flits_ejected.value(), size.flits);
    EXPECT_EQ(bench.interface.statistics().bytes_ejected.value(), size.message_bytes);
}

INSTANTIATE_TEST_SUITE_P(WholeAndBroken, FlitSizeTest,
                         ::testing::Values(FlitSize{1, 12, 12, 8}, FlitSize{2, 12, 6, 4},
                                           FlitSize{3, 8, 3, 3}, FlitSize{3, 16, 6, 3},
                                           FlitSize{5, 12, 3, 2}, FlitSize{8, 8, 1, 1},
                                           FlitSize{16, 12, 1, 1}),
                         [](const auto& test) {
                             return std::to_string(test.param.message_bytes) + "BytesIn" +
                                    std::to_string(test.param.flit_bytes);
                         });

// --- No result depends on the order of ticks ----------------------------------------------------

std::string busy_interface(ClockDomain& domain) {
    InterfaceBench bench(domain, 2, 16, 2);
    bench.sink.refuse(30, 60);
    for (int message = 0; message < 8; ++message) {
        bench.launch(12 + 4 * (message % 2), 10 + 12 * message);
        bench.arrive(12 + 4 * (message % 2), 6 + 2 * (message % 2), 10);
    }
    for (std::int64_t cycle = 20; cycle < 400; cycle += 3) {
        bench.controller.at(cycle, [&bench](Cycles now) {
            bench.input_queue.pop(std::min(Bytes(3), bench.input_queue.available(now)), now);
        });
    }
    bench.run();
    std::ostringstream result;
    for (const FlitPassage& passage : bench.sink.taken) {
        result << passage << "; ";
    }
    for (MessageSlot slot = 0; slot < 16; ++slot) {
        const hw::MessageTimes& times = bench.messages[slot].times;
        result << times.network_entry << " " << times.tail_entry << " " << times.first_arrival
               << " " << times.tail_arrival << "; ";
    }
    for (const std::string& stop : bench.trace.stops) {
        result << stop << "; ";
    }
    EXPECT_THAT(bench.trace.stops, SizeIs(::testing::Gt(10U)));
    EXPECT_EQ(bench.interface.statistics().bytes_ejected.value(), 8 * 14);
    return result.str();
}

TEST(NetworkInterfaceOrderTest, MessagesPassAtTheSameTimesInEveryOrder) {
    const auto results = hw::testing::results_in_every_order(busy_interface);
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_NE(results.front(), "failed");
}

}  // namespace
}  // namespace weir::network
