// The published calibration, and the laws that hold in any run of the machine. Each law has a
// planted fault that its check detects.
#include "nodes/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "firmware/testing/machine_bench.h"
#include "hw/random_stream.h"
#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "hw/testing/test_cost.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using firmware::testing::KernelBench;
using firmware::testing::ScriptBench;
using hw::Cycles;
using hw::MessageTimes;
using hw::NodeId;
using hw::testing::result_of_separate_run;
using ::testing::HasSubstr;
using testing::RecordedTrace;
using ::testing::StartsWith;
using weir::testing::Names;

// LoGPC Table 1: o_s = 9 / 12 / 15, o_r = 117 / 119 / 122, L = 21 in the mean over all pairs.
// Larger messages continue the pattern: an argument takes 3 cycles to store, and 3 to load after
// the first.
TEST(MachineTest, UnloadedMessagesCostWhatTable1Says) {
    KernelBench bench("ping");
    bench.set_workload("argument_words", std::vector<std::int64_t>{0, 1, 2, 7, 14});
    ASSERT_EQ(bench.fault_of_run(), "");
    ASSERT_EQ(bench.trace.messages.size(), 992U * 5);
    std::int64_t latency = 0;
    for (const auto& [id, message] : bench.trace.messages) {
        const std::int64_t arguments = message.word_count - 2;
        const MessageTimes& times = message.times;
        EXPECT_EQ(times.launch - times.compose, Cycles(9 + 3 * arguments));
        EXPECT_EQ(times.handler_end - times.handler_begin,
                  Cycles(117 + (arguments > 0 ? 3 * arguments - 1 : 0)));
        EXPECT_EQ(times.handler_begin - times.launch, Cycles(17 + message.hops));
        latency += (times.notify - times.launch).count();
    }
    EXPECT_EQ(latency, std::int64_t{21} * 992 * 5);
}

// LoGPC Table 2: the first byte after 4 + hops cycles, 8 in the mean; then two bytes a cycle.
TEST(MachineTest, UnloadedTripInClosedForm) {
    KernelBench bench("ping");
    bench.set_workload("argument_words", std::vector<std::int64_t>{0, 1, 5, 14});
    bench.load();
    ASSERT_EQ(bench.run(), RunEnd::kFinished);
    for (const auto& [id, message] : bench.trace.messages) {
        const MessageTimes& times = message.times;
        const std::int64_t flits = message.bytes.count() / 2;
        EXPECT_EQ(times.network_entry, times.launch);
        EXPECT_EQ(times.tail_entry, times.launch + Cycles(flits - 1));
        EXPECT_EQ(times.first_arrival, times.launch + Cycles(4 + message.hops));
        EXPECT_EQ(times.header_arrival, times.first_arrival + Cycles(3));
        EXPECT_EQ(times.header_arrival - times.launch, message.unloaded);
        EXPECT_EQ(times.tail_arrival, times.first_arrival + Cycles(flits - 1));
        EXPECT_EQ(times.notify, times.header_arrival + Cycles(10));
    }
}

// A busy machine: each node sends requests to all others.
class BusyMachineTest : public ::testing::Test {
  protected:
    BusyMachineTest() {
        bench_.set_workload("iterations", std::int64_t{60});
        bench_.load();
    }
    KernelBench bench_{"remap"};
};

TEST_F(BusyMachineTest, EveryRequestIsAnsweredOnceAndRightly) {
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.check(), std::nullopt);
    EXPECT_EQ(bench_.machine().account().fault(true), std::nullopt);
    EXPECT_EQ(bench_.trace.messages.size(), 2U * 32 * 60);
}

// A SystemC thread has a stack of its own, and a system limits their number to some ten thousand
// (vm.max_map_count).
std::int64_t threads_in(const std::vector<sc_core::sc_object*>& objects) {
    std::int64_t count = 0;
    for (const sc_core::sc_object* object : objects) {
        count += std::string_view(object->kind()) == "sc_thread_process" ? 1 : 0;
        count += threads_in(object->get_child_objects());
    }
    return count;
}

TEST_F(BusyMachineTest, HasNoThreads) {
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(threads_in(sc_core::sc_get_top_level_objects()), 0);
}

// Little's law: the sum of residence times is the integral of the queue's length. Residence times
// come from time stamps: a flit that arrives or leaves in cycle t changes the queue in t + 1.
std::int64_t output_residence(const RecordedTrace& trace, NodeId node) {
    std::int64_t sum = 0;
    for (const auto& [id, message] : trace.messages) {
        if (message.source == node) {
            sum += (message.times.tail_entry + Cycles(1) - message.times.launch).count();
        }
    }
    return sum;
}
std::int64_t input_residence(const RecordedTrace& trace, NodeId node) {
    std::int64_t sum = 0;
    for (const auto& [id, message] : trace.messages) {
        if (message.destination == node) {
            sum += (message.times.dispose - message.times.first_arrival - Cycles(1)).count();
        }
    }
    return sum;
}

TEST_F(BusyMachineTest, LittlesLawHoldsInEveryQueue) {
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    for (std::int32_t i = 0; i < 32; ++i) {
        const auto& statistics = firmware::testing::controller(bench_.machine(), i).statistics();
        EXPECT_EQ(statistics.output_queue_message_cycles.value(),
                  output_residence(bench_.trace, NodeId(i)));
        EXPECT_EQ(statistics.input_queue_message_cycles.value(),
                  input_residence(bench_.trace, NodeId(i)));
    }
    // planted fault: one message's time stamp is a cycle late
    hw::Message& first = bench_.trace.messages.begin()->second;
    first.times.dispose += Cycles(1);
    const auto& receiver =
        firmware::testing::controller(bench_.machine(), first.destination.index()).statistics();
    EXPECT_NE(receiver.input_queue_message_cycles.value(),
              input_residence(bench_.trace, first.destination));
}

// True if the intervals of a core follow each other without gap or overlap.
bool partition_time(std::vector<RecordedTrace::Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::map<NodeId, Cycles> end;
    return std::all_of(intervals.begin(), intervals.end(), [&end](const auto& interval) {
        const bool follows = interval.begin == end[interval.node];
        end[interval.node] = interval.end;
        return follows && interval.begin < interval.end;
    });
}

TEST_F(BusyMachineTest, CoreIntervalsPartitionTime) {
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_TRUE(partition_time(bench_.trace.intervals));
    bench_.trace.intervals[7].end += Cycles(1);  // planted fault: an overlap
    EXPECT_FALSE(partition_time(bench_.trace.intervals));
}

// LoPC Section 2: handlers are atomic, and messages are taken in the order of arrival.
bool atomic_and_in_order(const RecordedTrace& trace) {
    std::map<NodeId, std::vector<hw::Message>> handled;
    for (const auto& [id, message] : trace.messages) {
        handled[message.destination].push_back(message);
    }
    for (auto& [node, messages] : handled) {
        std::sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) {
            return a.times.first_arrival < b.times.first_arrival;
        });
        for (std::size_t i = 1; i < messages.size(); ++i) {
            if (messages[i].times.handler_begin < messages[i - 1].times.handler_end) {
                return false;
            }
        }
    }
    return true;
}

TEST_F(BusyMachineTest, HandlersAreAtomicAndFirstComeFirstServed) {
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_TRUE(atomic_and_in_order(bench_.trace));
    // Planted fault: the first and the last message's handlers begin in exchanged cycles.
    std::swap(bench_.trace.messages.begin()->second.times.handler_begin,
              bench_.trace.messages.rbegin()->second.times.handler_begin);
    EXPECT_FALSE(atomic_and_in_order(bench_.trace));
}

// LoPC Section 2: each queued message interrupts again, at once, and pays its whole o_r.
TEST_F(BusyMachineTest, QueuedMessagesAreTakenBackToBack) {
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    std::int64_t back_to_back = 0;
    for (const auto& [id, message] : bench_.trace.messages) {
        if (message.times.handler_begin > message.times.notify) {
            ++back_to_back;
            const bool previous_ended_then =
                std::any_of(bench_.trace.intervals.begin(), bench_.trace.intervals.end(),
                            [&message = message](const auto& interval) {
                                return interval.node == message.destination &&
                                       interval.end == message.times.handler_begin &&
                                       (interval.state == hw::CoreState::kHandler ||
                                        interval.state == hw::CoreState::kSend);
                            });
            EXPECT_TRUE(previous_ended_then);
        }
    }
    EXPECT_GT(back_to_back, 1000);
}

// Planted fault: takes a body flit out of a channel.
class FlitThief final : public hw::ClockedPart {
  public:
    explicit FlitThief(Machine& machine) : ClockedPart(machine.domain()), machine_(machine) {
        wake_at(Cycles(1000));
    }
    void tick(Cycles now) override {
        for (network::FlitChannel* channel : machine_.network().all_channels()) {
            if (channel->has_flit(now) && !channel->front().is_header &&
                !channel->front().is_tail) {
                channel->take(now);
                stolen = true;
                return;
            }
        }
        wake_at(now + Cycles(1));
    }
    bool stolen = false;

  private:
    Machine& machine_;
};

// The network is emulated flit by flit, since a network emulated by worms has no single flits to
// take.
TEST(MachineTest, ALostFlitIsMissed) {
    KernelBench bench("remap");
    bench.set(bench.configuration.network, "flit_by_flit", true);
    bench.set_workload("iterations", std::int64_t{60});
    bench.load();
    FlitThief thief(bench.machine());
    EXPECT_EQ(bench.run(), RunEnd::kDeadlock);
    ASSERT_TRUE(thief.stolen);
    const auto fault = bench.machine().account().fault(false);
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(*fault, Names("flits", "network"));
}

// Planted fault: flips a bit of the last argument of the first message that it finds in flight.
class BitFlipper final : public hw::ClockedPart {
  public:
    explicit BitFlipper(Machine& machine) : ClockedPart(machine.domain()), machine_(machine) {
        wake_at(Cycles(20));
    }
    void tick(Cycles /*now*/) override {
        hw::Message& message = machine_.messages()[0];
        message.words[static_cast<std::size_t>(message.word_count - 1)] ^= 1;
    }

  private:
    Machine& machine_;
};

TEST(MachineTest, AFlippedBitIsAWrongAnswer) {
    KernelBench bench("flood");
    bench.set_workload("messages", std::int64_t{3});
    const BitFlipper flipper(bench.load());
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_THAT(bench.check().value_or("right"), Names("not", "sent"));
}

// Returns the trace of a run as text.
std::string story(const RecordedTrace& trace) {
    std::ostringstream text;
    for (const auto& [id, message] : trace.messages) {
        const MessageTimes& t = message.times;
        text << id.source << ' ' << id.sequence << ' ' << message.destination << ' ' << t.compose
             << ' ' << t.launch << ' ' << t.tail_entry << ' ' << t.first_arrival << ' '
             << t.tail_arrival << ' ' << t.handler_begin << ' ' << t.dispose << ' ' << t.handler_end
             << '\n';
    }
    std::vector<RecordedTrace::Interval> intervals = trace.intervals;
    std::sort(intervals.begin(), intervals.end());
    for (const auto& interval : intervals) {
        text << interval.node << ' ' << static_cast<int>(interval.state) << ' ' << interval.begin
             << ' ' << interval.end << '\n';
    }
    return text.str();
}

struct Order {
    const char* tick_order;
    bool sleeping;
};
constexpr Order kWake{"wake", true};
constexpr Order kReversed{"reversed", true};
constexpr Order kShuffled{"shuffled", true};
constexpr Order kShuffledSleepless{"shuffled", false};

std::string remap_story(Order order) {
    return result_of_separate_run([order] {
        KernelBench bench("remap");
        bench.set_workload("iterations", std::int64_t{20});
        // Two-flit buffers and small queues let parts block one another.
        bench.set(bench.configuration.network, "buffer_flits", std::int64_t{2});
        bench.set(bench.configuration.controller, "input_queue_bytes", std::int64_t{64});
        bench.set_ticks(order.tick_order, order.sleeping);
        bench.load();
        bench.run();
        std::ostringstream head;
        head << "finished at " << bench.machine().now() << '\n';
        const bool reordered = bench.machine().domain().reordered_cycles() > 1000;
        return (reordered ? "reordered\n" : "unchanged\n") + head.str() + story(bench.trace);
    });
}

std::string without_first_line(const std::string& text) { return text.substr(text.find('\n') + 1); }

TEST(MachineTest, TheOrderOfTicksAndSleepChangeNothing) {
    const std::string reference = remap_story(kWake);
    EXPECT_THAT(reference, StartsWith("unchanged\nfinished "));
    for (const Order order : {kReversed, kShuffled, kShuffledSleepless}) {
        const std::string other = remap_story(order);
        EXPECT_THAT(other, HasSubstr("reordered\n"));
        EXPECT_TRUE(without_first_line(other) == without_first_line(reference))
            << order.tick_order << (order.sleeping ? "" : ", sleepless");
    }
}

// Planted fault: nodes draw from a common random stream, so that the order of ticks decides which
// node gets the next number.
std::string shared_stream_story(Order order) {
    return result_of_separate_run([order] {
        ScriptBench bench;
        bench.set_ticks(order.tick_order, order.sleeping);
        hw::RandomStream shared(1, NodeId(0), "shared by mistake");
        bench.thread = [&shared](Processor& processor, ActiveMessages&) -> Task {
            for (int i = 0; i < 10; ++i) {
                co_await processor.compute(Cycles(static_cast<std::int64_t>(shared.below(100))));
            }
        };
        bench.run();
        return story(bench.trace);
    });
}

TEST(MachineTest, AProgramThatDependsOnTheOrderIsFoundOut) {
    EXPECT_NE(shared_stream_story(kWake), shared_stream_story(kShuffled));
}

TEST(MachineTest, TheSameSeedGivesTheSameRunAndAnotherSeedAnother) {
    const auto run = [](std::uint64_t seed) {
        return result_of_separate_run([seed] {
            KernelBench bench("remap");
            bench.set_workload("iterations", std::int64_t{10});
            bench.load(seed);
            bench.run();
            return story(bench.trace);
        });
    };
    const std::string first = run(1);
    EXPECT_EQ(first, run(1));
    EXPECT_NE(first, run(2));
}

// Each node sends requests to the next one without waiting, and each handler replies. Requests fill
// the queues, so that no handler can send its reply.
class FloodOfRequests : public ScriptBench {
  public:
    explicit FloodOfRequests(std::int64_t queue_bytes) {
        set_dimensions({4});
        set(configuration.machine, "nodes", std::int64_t{4});
        set(configuration.controller, "input_queue_bytes", queue_bytes);
        set(configuration.controller, "output_queue_bytes", queue_bytes);
        thread = [](Processor& processor, ActiveMessages& messages) -> Task {
            for (int i = 0; i < 40; ++i) {
                const int next = (processor.node().index() + 1) % 4;
                co_await messages.send(NodeId(next), 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
            }
        };
        handlers.emplace_back([](Processor& processor, ActiveMessages& messages) -> Task {
            const int previous = (processor.node().index() + 3) % 4;
            for (int i = 0; i < 8; ++i) {
                co_await messages.send(NodeId(previous), 1,
                                       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
            }
        });
        handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
    }
};

TEST(MachineTest, AProtocolDeadlockIsFoundAndItsCycleNamed) {
    FloodOfRequests bench(64);
    ASSERT_EQ(bench.run(), RunEnd::kDeadlock);
    EXPECT_EQ(bench.machine().account().fault(false), std::nullopt);
    const std::string text = bench.machine().explain_waits();
    EXPECT_THAT(text, StartsWith("a cycle "));
    EXPECT_THAT(text, Names("launch", "room", "output"));
    EXPECT_THAT(text, Names("input", "holds", "64", "64"));
}

TEST(MachineTest, TheSameProgramEndsWithQueuesThatHoldAllRequests) {
    FloodOfRequests bench(65'536);
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
}

TEST(MachineTest, AProgramThatOnlySpinsIsStoppedByTheWatchdog) {
    ScriptBench bench;
    bench.thread = [](Processor& processor, ActiveMessages&) -> Task {
        while (co_await processor.load(WEIR_MESSAGE_WAITING) == 0) {
        }
    };
    Machine::RunLimits limits;
    limits.watchdog_cycles = Cycles(20'000);
    EXPECT_EQ(bench.run(limits), RunEnd::kNoProgress);
}

// Stores are progress, even without any computation.
TEST(MachineTest, AProgramThatStoresIsNotStoppedByTheWatchdog) {
    ScriptBench bench;
    bench.thread = [](Processor& processor, ActiveMessages&) -> Task {
        for (std::uint32_t i = 0; i < 10'000; ++i) {
            co_await processor.store(0x100, co_await processor.load(0x100) + 1);
        }
    };
    Machine::RunLimits limits;
    limits.watchdog_cycles = Cycles(20'000);
    EXPECT_EQ(bench.run(limits), RunEnd::kFinished);
    EXPECT_GT(bench.machine().now(), Cycles(40'000));
}

TEST(MachineTest, ASparcleCoreHasNoProtocolProcessorBesideIt) {
    MachineConfiguration configuration;
    ASSERT_TRUE(configuration.core.receive_mode.set(std::string("protocol_processor")));
    EXPECT_FALSE(configuration.check().has_value());
    ASSERT_TRUE(configuration.core.kind.set(std::string("sparcle")));
    ASSERT_TRUE(configuration.check().has_value());
    EXPECT_EQ(configuration.check()->key, "core.receive_mode");
    ASSERT_TRUE(configuration.core.receive_mode.set(std::string("interrupt")));
    EXPECT_FALSE(configuration.check().has_value());
}

TEST(MachineConfigurationTest, SharedMemoryEndsBeforeTheControllersRegisters) {
    MachineConfiguration configuration;
    configuration.shares_memory = true;
    ASSERT_TRUE(configuration.memory.caches.set(std::int64_t{1}));
    EXPECT_FALSE(configuration.check().has_value());
    // Largest shared memory for each of 32 nodes: (2^31 - 65,536) / 32 bytes, in whole pages.
    ASSERT_TRUE(configuration.coherence.shared_bytes.set(std::int64_t{67'104'768}));
    EXPECT_FALSE(configuration.check().has_value());
    ASSERT_TRUE(configuration.coherence.shared_bytes.set(std::int64_t{67'108'864}));
    const auto fault = configuration.check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->key, "coherence.shared_bytes");
    EXPECT_THAT(fault->found, Names("coherence.shared_bytes", "2147483648"));
    EXPECT_THAT(fault->accepted, Names("most", "67104768", "32"));
}

// A program's MachineShape has shared memory exactly if the machine shares memory.
TEST(MachineTest, ItsShapeSaysWhatIsShared) {
    for (const bool shares : {false, true}) {
        EXPECT_EQ(result_of_separate_run([shares] {
                      ScriptBench bench;
                      bench.configuration.shares_memory = shares;
                      bench.set(bench.configuration.memory, "caches", std::int64_t{1});
                      bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{8192});
                      const MachineShape& shape = bench.build().shape();
                      return std::to_string(shape.shared_bytes.count()) +
                             (shape.shared_address_of
                                  ? " " + std::to_string(shape.shared_address(NodeId(1), 4))
                                  : "");
                  }),
                  shares ? "8192 " + std::to_string(0x8000'0000U + 8192 + 4) : "0");
    }
}

// The newest bytes are in a node's cache, for every word of the line.
TEST(MachineTest, SharedBytesAreReadWhereTheyAreNewest) {
    ScriptBench bench;
    bench.configuration.shares_memory = true;
    bench.set(bench.configuration.memory, "caches", std::int64_t{1});
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
    constexpr std::uint32_t kLine = 0x8000'0000U + 64;  // node 0 is its home
    bench.thread = [&](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node().index() == 1) {
            for (std::uint32_t word = 0; word < 4; ++word) {
                co_await processor.store(kLine + 4 * word, 100 + word);
            }
        }
    };
    ASSERT_EQ(bench.run(), RunEnd::kFinished);
    for (std::uint32_t word = 0; word < 4; ++word) {
        std::uint32_t newest = 0;
        bench.machine().read<std::uint32_t>(NodeId(2), kLine + 4 * word, {&newest, 1});
        EXPECT_EQ(newest, 100 + word);
    }
}

// The run pauses before the cycle of the failure, and continues.
TEST(MachineTest, ARunGoesOnBeyondAFailure) {
    for (const char* parameter : {"failing_channels", "failing_nodes"}) {
        EXPECT_EQ(result_of_separate_run([parameter] {
                      ScriptBench bench;
                      bench.set_dimensions({2, 1});
                      bench.set(bench.configuration.machine, "nodes", std::int64_t{2});
                      bench.set(bench.configuration.faults, parameter,
                                std::string(parameter == std::string_view("failing_nodes")
                                                ? "1 @ 500"
                                                : "(0,0) +x @ 500"));
                      bench.thread = [](Processor& processor, ActiveMessages&) -> Task {
                          co_await processor.compute(Cycles(1000));
                      };
                      const RunEnd end = bench.run();
                      return std::to_string(static_cast<int>(end)) + " " +
                             std::to_string(bench.machine().now().count());
                  }),
                  std::to_string(static_cast<int>(RunEnd::kFinished)) + " 1000")
            << parameter;
    }
}

TEST(MachineConfigurationTest, LoadsInFlightAreOfBehaviouralCoresWithCaches) {
    const Core::Parameters core;
    class Given final : public hw::Circumstances {
      public:
        Given(const char* kind, std::int64_t caches) : kind_(kind), caches_(caches) {}
        [[nodiscard]] std::optional<hw::ParameterValue> value_of(
            std::string_view key) const override {
            return key == "memory.caches" ? hw::ParameterValue(caches_) : hw::ParameterValue(kind_);
        }
        [[nodiscard]] bool is_so(hw::Fact /*fact*/) const override { return true; }

      private:
        std::string kind_;
        std::int64_t caches_;
    };
    EXPECT_TRUE(core.loads_in_flight.effective_when().holds(Given("behavioural", 1)));
    EXPECT_FALSE(core.loads_in_flight.effective_when().holds(Given("behavioural", 0)));
    EXPECT_FALSE(core.loads_in_flight.effective_when().holds(Given("sparcle", 1)));
}

TEST(MachineConfigurationTest, WithCachesAnAccessTakesACycleAtLeast) {
    MachineConfiguration configuration;
    ASSERT_TRUE(configuration.memory.caches.set(std::int64_t{1}));
    ASSERT_TRUE(configuration.memory.load_cycles.set(std::int64_t{1}));
    EXPECT_EQ(configuration.check(), std::nullopt);
    ASSERT_TRUE(configuration.memory.load_cycles.set(std::int64_t{0}));
    ASSERT_TRUE(configuration.check().has_value());
    EXPECT_EQ(configuration.check()->key, "memory.load_cycles");
}

// The default adds no overheads.
TEST(MachineConfigurationTest, NothingIsAddedForOverheadsThatNobodyGives) {
    const MachineConfiguration configuration;
    EXPECT_EQ(configuration.machine.unloaded_overheads_cycles.value(), Cycles(0));
}

// Both nodes send a body longer than the queues, and poll for its end by computations that messages
// do not interrupt. In polling mode neither node receives during these computations.
TEST(MachineTest, AsksForEverWhetherABodyHasGoneAndIsStoppedByTheWatchdog) {
    const auto end_of_run = [](bool by_flits, std::int64_t loop_cycles,
                               bool loads_take_time = true) {
        return result_of_separate_run([by_flits, loop_cycles, loads_take_time] {
            ScriptBench bench;
            if (!loads_take_time) {
                bench.set(bench.configuration.controller, "load_cycles", std::int64_t{0});
                bench.set(bench.configuration.controller, "consecutive_load_cycles",
                          std::int64_t{0});
            }
            bench.set_dimensions({2});
            bench.set(bench.configuration.network, "flit_by_flit", by_flits);
            bench.set(bench.configuration.core, "receive_mode", std::string("polling"));
            bench.set(bench.firmware_parameters, "body_send", std::string("status"));
            bench.set(bench.firmware_parameters, "status_loop_cycles", loop_cycles);
            bench.set(bench.firmware_parameters, "poll_to_send", false);
            bench.handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
            bench.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
                const ActiveMessages::Body body{0, 2048};
                co_await messages.send_body(NodeId(1 - processor.node().index()), 0, {}, body);
                co_await messages.wait_body_sent();
            };
            Machine::RunLimits limits;
            limits.watchdog_cycles = Cycles(20'000);
            limits.most_cycles = Cycles(100'000);
            std::ostringstream text;
            text << (bench.run(limits) == RunEnd::kNoProgress ? "stuck" : "another end");
            text << ", " << bench.machine().now() << ": " << bench.machine().explain_waits();
            return text.str();
        });
    };
    const std::string told = end_of_run(false, 2);
    // The last flit moves in about cycle 300, and the watchdog checks every 4096 cycles.
    EXPECT_THAT(told, StartsWith("stuck, 20480: a cycle "));
    EXPECT_THAT(told, Names("\n  machine.node_1.core",
                            "machine.node_1.controller.send_dma: ", "thread", "again", "ended\n"));
    EXPECT_THAT(told, Names("\n  machine.node_1.controller.input", "machine.node_1.core: "));
    EXPECT_EQ(end_of_run(true, 2), told);
    EXPECT_THAT(end_of_run(false, 0), Names("thread", "asks", "again"));
    EXPECT_THAT(end_of_run(false, 5000), StartsWith("stuck, "));
    EXPECT_THAT(end_of_run(false, 0, false), StartsWith("stuck, ")) << "a loop that takes no time";
}

struct ChannelSums {
    Cycles end;
    std::map<std::int64_t, hw::Flits> flits;
    std::map<std::int64_t, Cycles> header_waits;
};

// Sums the intervals of each channel. Fails if they do not tile the time up to `now` in steps of
// `interval`.
ChannelSums sums_of(const RecordedTrace& trace, Cycles interval, Cycles now) {
    ChannelSums sums{now + Cycles(1), {}, {}};
    for (const hw::ChannelInterval& each : trace.channel_intervals) {
        EXPECT_EQ(each.begin.count() % interval.count(), 0);
        EXPECT_EQ(each.end, std::min(each.begin + interval, sums.end));
        EXPECT_LE(each.flits, hw::Flits((each.end - each.begin).count()));
        sums.flits[each.channel] += each.flits;
        sums.header_waits[each.channel] += each.header_waits;
    }
    return sums;
}

// Channel statistics by interval are the same for worms and for flits. Traffic to a hot spot blocks
// headers, some for several intervals, and the run ends within an interval.
TEST(MachineTest, ChannelsAreToldByIntervals) {
    const auto told = [](bool by_flits) {
        return result_of_separate_run([by_flits] {
            constexpr Cycles kInterval(5);
            KernelBench bench("hot-spot");
            bench.set_dimensions({4, 2});
            bench.set(bench.configuration.network, "flit_by_flit", by_flits);
            bench.traced.channel_interval = kInterval;
            Machine& machine = bench.load();
            EXPECT_EQ(bench.run(), RunEnd::kFinished);
            const Cycles now = machine.now();
            const ChannelSums sums = sums_of(bench.trace, kInterval, now);
            const std::vector<network::ChannelCount> counts = machine.network().channel_counts(now);
            std::ostringstream text;
            for (std::size_t i = 0; i < counts.size(); ++i) {
                const auto channel = static_cast<std::int64_t>(i);
                const auto flits = sums.flits.find(channel);
                EXPECT_EQ(flits == sums.flits.end() ? hw::Flits(0) : flits->second, counts[i].sent);
                text << bench.trace.channel_names.at(i) << " waits "
                     << counts[i].header_waits.count() << "; ";
            }
            for (const hw::ChannelInterval& each : bench.trace.channel_intervals) {
                text << each.channel << " " << each.begin << " " << each.flits << " "
                     << each.header_waits << "\n";
            }
            return text.str();
        });
    };
    const std::string by_worm = told(false);
    EXPECT_THAT(by_worm, StartsWith("(0,0) +x waits "));
    EXPECT_THAT(by_worm, HasSubstr(" 5\n"));  // a header waited for a whole interval
    EXPECT_EQ(told(true), by_worm);
}

TEST(MachineTest, AMemoryEndsWithItsLastByte) {
    KernelBench bench("hot-spot");
    Machine& machine = bench.load();
    const auto bytes = static_cast<std::uint32_t>(bench.configuration.memory.bytes.value().count());
    std::uint8_t byte = 7;
    machine.write_memory(NodeId(0), bytes - 1, {&byte, 1});
    EXPECT_THROW(machine.write_memory(NodeId(0), bytes, {&byte, 1}), ProgramFault);
}

TEST(MachineTest, AnIntervalMayBeACycle) {
    KernelBench bench("hot-spot");
    bench.traced.channel_interval = Cycles(1);
    bench.load();
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_FALSE(bench.trace.channel_intervals.empty());
}

// Idle routers, interfaces, controllers and cores are not ticked: an exchange between two
// neighbours takes as many ticks among a thousand nodes as alone.
TEST(MachineTest, WhatIsIdleCostsNothing) {
    const auto ticks_on = [](const std::vector<std::int64_t>& dimensions) {
        return hw::testing::result_of_separate_run([&] {
            firmware::testing::ScriptBench bench;
            bench.set_dimensions(dimensions);
            bench.handlers = {[](Processor&, ActiveMessages&) -> Task { co_return; }};
            bench.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
                if (processor.node() == hw::NodeId(0)) {
                    const ActiveMessages::Arguments none;
                    for (int i = 0; i < 50; ++i) {
                        co_await messages.send(hw::NodeId(1), 0, none);
                        co_await processor.compute(hw::Cycles(500));
                    }
                }
            };
            EXPECT_EQ(bench.run(), RunEnd::kFinished);
            // At the start each core begins its program, and each interface looks into its queue.
            constexpr std::int64_t kFirstTicks = 2;
            return std::to_string(bench.machine().domain().ticks() -
                                  kFirstTicks * bench.machine().node_count());
        });
    };
    EXPECT_EQ(ticks_on({32, 32}), ticks_on({2, 1}));
}

TEST(MachineTest, TheCycleLimitEndsARun) {
    KernelBench bench("remap");
    bench.load();
    Machine::RunLimits limits;
    limits.most_cycles = Cycles(5'000);
    EXPECT_EQ(bench.run(limits), RunEnd::kCycleLimit);
    EXPECT_EQ(bench.machine().account().fault(false), std::nullopt);
}

// Most parts sleep when the limit comes; the run still ends in the limit's cycle.
TEST(MachineTest, TheCycleLimitEndsARunThatSleepsAsOneThatDoesNot) {
    const auto end_of = [](bool sleeps) {
        return result_of_separate_run([sleeps] {
            ScriptBench bench;
            bench.set(bench.configuration.clock, "sleeping", sleeps);
            bench.thread = [](Processor& processor, ActiveMessages&) -> Task {
                co_await processor.wait_until(Cycles(9'000));
            };
            Machine::RunLimits limits;
            limits.most_cycles = Cycles(5'000);
            std::string text = bench.run(limits) == RunEnd::kCycleLimit ? "limit" : "no limit";
            for (const RecordedTrace::Interval& interval : bench.trace.intervals) {
                text += " " + std::to_string(interval.end.count());
            }
            return text + " at " + std::to_string(bench.machine().now().count());
        });
    };
    EXPECT_THAT(end_of(true), StartsWith("limit 5000"));
    EXPECT_EQ(end_of(true), end_of(false));
}

TEST(MachineTest, ShapeIsWhatTheConfigurationSays) {
    ScriptBench bench;
    bench.set_dimensions({4, 3, 2});
    bench.set(bench.configuration.memory, "bytes", 8192);
    const MachineShape& shape = bench.build().shape();
    EXPECT_EQ(shape.mesh_extents, (std::vector<std::int32_t>{4, 3, 2}));
    EXPECT_EQ(shape.node_count(), bench.machine().node_count());
    EXPECT_EQ(shape.memory_bytes, hw::Bytes(8192));
}

WEIR_TESTS_COST("^MachineTest.AnIntervalMayBeACycle", 1, 9);

}  // namespace
}  // namespace weir::nodes
