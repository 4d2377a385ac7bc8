// Full input queues, with and without the overflow trap: exact cycles, and the end of a protocol
// deadlock with the right answer. The checks detect planted faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "nodes/testing/explained_waits.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using firmware::testing::ScriptBench;
using hw::Bytes;
using hw::CoreState;
using hw::Cycles;
using hw::NodeId;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::RecordedTrace;
using weir::testing::Names;
using weir::testing::NamesMatcher;

constexpr std::int32_t kArguments = ActiveMessages::kMostArguments;

void use_small_queues(ScriptBench& bench) {
    bench.set_dimensions({2});
    bench.set(bench.configuration.controller, "input_queue_bytes", std::int64_t{64});
    bench.set(bench.configuration.controller, "output_queue_bytes", std::int64_t{64});
}

void use_trap(ScriptBench& bench, std::int64_t timeout_cycles) {
    bench.set(bench.configuration.controller, "overflow_trap", true);
    bench.set(bench.configuration.controller, "overflow_timeout_cycles", timeout_cycles);
}

// Arguments of a message: fourteen words, of which its handler reads the first and the last.
ActiveMessages::Arguments fourteen(std::uint32_t number) {
    ActiveMessages::Arguments arguments;
    for (std::int32_t i = 0; i < kArguments; ++i) {
        arguments.push_back(1000 * number + static_cast<std::uint32_t>(i));
    }
    return arguments;
}

// --- Cost of one trap

// Node 0 sends messages of 64 bytes, which fill node 1's input queue. Node 1 polls only after its
// work.
class SavedMessageTest : public ::testing::Test {
  protected:
    static constexpr Cycles kWork{5000};
    static constexpr Cycles kTimeout{100};

    void run(int messages_sent, std::int64_t timeout_cycles = kTimeout.count()) {
        use_small_queues(bench_);
        use_trap(bench_, timeout_cycles);
        bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
        bench_.handlers.emplace_back([this](Processor&, ActiveMessages& messages) -> Task {
            const std::uint32_t first = co_await messages.argument(0);
            const std::uint32_t last = co_await messages.argument(kArguments - 1);
            received_.push_back(first);
            received_.push_back(last);
        });
        bench_.thread = [messages_sent](Processor& processor, ActiveMessages& messages) -> Task {
            if (processor.node() == NodeId(1)) {
                co_await processor.compute(kWork);
                co_return;
            }
            for (int i = 0; i < messages_sent; ++i) {
                co_await messages.send(NodeId(1), 0, fourteen(static_cast<std::uint32_t>(i)));
            }
        };
        ASSERT_EQ(bench_.run(), RunEnd::kFinished);
        EXPECT_EQ(bench_.machine().account().fault(true), std::nullopt);
    }
    [[nodiscard]] std::vector<RecordedTrace::Interval> traps() const {
        std::vector<RecordedTrace::Interval> found;
        std::copy_if(bench_.trace.intervals.begin(), bench_.trace.intervals.end(),
                     std::back_inserter(found),
                     [](const auto& interval) { return interval.state == CoreState::kTrap; });
        return found;
    }
    const hw::Message& message(std::int64_t number) {
        return bench_.trace.messages[hw::MessageId{NodeId(0), number}];
    }

    ScriptBench bench_;
    std::vector<std::uint32_t> received_;
};

// Cycles of saving a message in the trap: the header, whose load follows that of the status, and
// fifteen words more, each loaded and stored.
constexpr Cycles kSaving(3 + 3 + 15 * (2 + 3) + 3);

TEST_F(SavedMessageTest, OneMessageIsTakenToMemoryInATrapOfSoManyCycles) {
    run(2);
    ASSERT_EQ(bench_.trace.stalls.size(), 1U);
    const hw::Stall& stop = bench_.trace.stalls.front();
    EXPECT_EQ(stop.place, hw::StallPlace::kInputQueue);
    EXPECT_EQ(stop.waiting, (hw::MessageId{NodeId(0), 1}));
    EXPECT_EQ(stop.holder, (hw::MessageId{NodeId(0), 0}));
    EXPECT_EQ(stop.begin, message(1).times.launch + Cycles(4 + 1)) << "one hop, nothing in the way";

    ASSERT_EQ(traps().size(), 1U);
    const Cycles begin = stop.begin + kTimeout + Cycles(1);
    EXPECT_EQ(traps()[0].begin, begin);
    // Cycles of the trap: entry, status, message, status, count of saved messages, exit.
    EXPECT_EQ(traps()[0].end - begin, Cycles(60 + 2) + kSaving + Cycles(2 + 3 + 42));
    // The last store, which disposes of the message, is issued three cycles before the saving ends.
    // The queue has room two cycles later.
    EXPECT_EQ(message(0).times.dispose, begin + Cycles(60 + 2) + kSaving - Cycles(3) + Cycles(2));
    EXPECT_EQ(stop.end, message(0).times.dispose);
}

TEST_F(SavedMessageTest, TheThreadGoesOnWithWhatWasLeftAndPollsTheSavedOneFirst) {
    run(2);
    const Cycles work_end = kWork + (traps()[0].end - traps()[0].begin);
    EXPECT_EQ(message(0).times.handler_begin, work_end);
    // Cycles of the saved message: status, entry, the handler's address and two arguments from
    // memory, dispatch, count, exit.
    EXPECT_EQ(message(0).times.handler_end, work_end + Cycles(2 + 5 + 2 + 7 + 2 + 2 + 3 + 2));
    EXPECT_EQ(message(1).times.handler_begin, message(0).times.handler_end);
    // From the window come the next message's address and two arguments, the second directly after
    // the first: 3 cycles.
    EXPECT_EQ(message(1).times.handler_end,
              message(1).times.handler_begin + Cycles(2 + 5 + 2 + 7 + 2 + 3 + 3 + 2));
    EXPECT_THAT(received_, ElementsAre(0, 13, 1000, 1013));
}

// Each stopped message causes a trap, until all but the last message are in memory.
TEST_F(SavedMessageTest, SavedMessagesAreHandledInTheirOrderAndBeforeTheQueue) {
    run(6);
    EXPECT_EQ(traps().size(), 5U);
    const auto& statistics = firmware::testing::controller(bench_.machine(), 1).statistics();
    EXPECT_EQ(statistics.messages_saved.value(), 5);
    EXPECT_EQ(statistics.bytes_saved.value(), 5 * 64);
    EXPECT_EQ(statistics.saved_peak_messages.value(), 5);
    EXPECT_EQ(bench_.machine().node(NodeId(1)).core.statistics().overflow_traps.value(), 5);
    EXPECT_THAT(received_,
                ElementsAre(0, 13, 1000, 1013, 2000, 2013, 3000, 3013, 4000, 4013, 5000, 5013));
}

TEST_F(SavedMessageTest, AStopShorterThanTheTimeoutIsLeftAlone) {
    run(2, 6000);
    EXPECT_TRUE(traps().empty());
    EXPECT_EQ(message(0).times.handler_begin, kWork);
    EXPECT_THAT(received_, ElementsAre(0, 13, 1000, 1013));
}

TEST_F(SavedMessageTest, ABufferThatIsFullEndsTheRunWithOneMessage) {
    bench_.set(bench_.firmware_parameters, "overflow_buffer_bytes", std::int64_t{256});
    try {
        run(6);
        ADD_FAILURE() << "five messages found room";
    } catch (const firmware::InputFault& fault) {
        EXPECT_THAT(fault.what(),
                    Names("overflow", "room", "64", "4", "firmware.overflow_buffer_bytes", "256"));
    }
}

// --- A protocol deadlock ------------------------------------------------------------------------

// Both nodes send requests without waiting, and handlers answer each request with a message of the
// same length. Handlers block while the other node's queues are full, which keeps their own queues
// full.
class Exchange {
  public:
    static constexpr std::uint32_t kRequests = 40;
    static constexpr std::uint32_t kBodyBytes = 200;

    explicit Exchange(bool with_bodies) : with_bodies_(with_bodies) {
        use_small_queues(bench);
        // A late interrupt lets the threads send several requests before the first handler runs.
        bench.set(bench.configuration.controller, "notify_cycles", std::int64_t{120});
        bench.set(bench.firmware_parameters, "body_receive", std::string("blocking"));
        bench.handlers.emplace_back([this](Processor& processor, ActiveMessages& messages) -> Task {
            co_await request(processor, messages);
        });
        bench.handlers.emplace_back([this](Processor& processor, ActiveMessages& messages) -> Task {
            co_await reply(processor, messages);
        });
        bench.thread = [this](Processor& processor, ActiveMessages& messages) -> Task {
            co_await send_all(processor, messages);
        };
    }

    [[nodiscard]] bool answer_is_right() const {
        return std::all_of(nodes_.begin(), nodes_.end(), [](const NodeData& node) {
            std::vector<std::uint32_t> in_order(kRequests);
            std::iota(in_order.begin(), in_order.end(), 0U);
            return node.requests == in_order && node.replies == in_order && node.faults == 0;
        });
    }
    /// Returns the trace of the run as text, with its last cycle.
    [[nodiscard]] std::string story() {
        std::ostringstream text;
        text << bench.machine().now() << '\n';
        for (const auto& [id, message] : bench.trace.messages) {
            const hw::MessageTimes& t = message.times;
            text << id.source << ' ' << id.sequence << ' ' << t.launch << ' ' << t.tail_arrival
                 << ' ' << t.handler_begin << ' ' << t.dispose << ' ' << t.handler_end << '\n';
        }
        std::vector<std::string> rows;
        const auto add = [&rows](const auto&... parts) {
            std::ostringstream row;
            ((row << parts << ' '), ...);
            rows.push_back(row.str());
        };
        for (const auto& i : bench.trace.intervals) {
            add("state", i.node, static_cast<int>(i.state), i.begin, i.end, i.message.sequence);
        }
        for (const hw::Stall& s : bench.trace.stalls) {
            add("stall", s.node, static_cast<int>(s.place), s.begin, s.end, s.waiting.sequence,
                s.holder.sequence);
        }
        std::sort(rows.begin(), rows.end());
        for (const std::string& row : rows) {
            text << row << '\n';
        }
        return text.str();
    }
    [[nodiscard]] std::int64_t traps() {
        std::int64_t sum = 0;
        for (const int node : {0, 1}) {
            sum += bench.machine().node(NodeId(node)).core.statistics().overflow_traps.value();
        }
        return sum;
    }

    ScriptBench bench;

  private:
    // Values that a node has received, and addresses in its memory: a body to send, two to receive.
    struct NodeData {
        std::vector<std::uint32_t> requests;
        std::vector<std::uint32_t> replies;
        int faults = 0;
        bool stored = false;
    };
    static constexpr std::uint32_t kSent = 0;
    static constexpr std::uint32_t kRequestBody = 1024;
    static constexpr std::uint32_t kReplyBody = 2048;

    NodeData& data(const Processor& processor) {
        return nodes_[static_cast<std::size_t>(processor.node().index())];
    }
    static NodeId other(const Processor& processor) { return NodeId(1 - processor.node().index()); }
    Task send(Processor& processor, ActiveMessages& messages, std::uint32_t handler,
              std::uint32_t number, std::uint32_t body_address) {
        if (!with_bodies_) {
            co_await messages.send(other(processor), handler, fourteen(number));
            co_return;
        }
        const ActiveMessages::Body body{body_address, kBodyBytes};
        ActiveMessages::Arguments arguments{number};
        co_await messages.send_body(other(processor), handler, arguments, body);
    }
    Task send_all(Processor& processor, ActiveMessages& messages) {
        for (std::uint32_t word = 0; word < kBodyBytes; word += WEIR_WORD_BYTES) {
            co_await processor.store(kSent + word, 7 * word + 1);
        }
        for (std::uint32_t i = 0; i < kRequests; ++i) {
            co_await send(processor, messages, 0, i, kSent);
        }
        co_await messages.wait_body_sent();
    }
    // Takes the number out of the handled message, and checks all words and bytes against it.
    Task take(Processor& processor, ActiveMessages& messages, std::uint32_t body_address,
              std::uint32_t& number) {
        const std::uint32_t first = co_await messages.argument(0);
        if (with_bodies_) {
            NodeData& node = data(processor);
            node.stored = false;
            co_await messages.receive_body(body_address, node.stored);
            for (std::uint32_t word = 0; word < kBodyBytes; word += WEIR_WORD_BYTES) {
                const std::uint32_t value = co_await processor.load(body_address + word);
                node.faults += value == 7 * word + 1 ? 0 : 1;
            }
            node.faults += node.stored ? 0 : 1;
            number = first;
            co_return;
        }
        const std::uint32_t last = co_await messages.argument(kArguments - 1);
        data(processor).faults += last - first == kArguments - 1 ? 0 : 1;
        number = first / 1000;
    }
    Task request(Processor& processor, ActiveMessages& messages) {
        std::uint32_t number = 0;
        co_await take(processor, messages, kRequestBody, number);
        data(processor).requests.push_back(number);
        co_await send(processor, messages, 1, number, kRequestBody);
        // A handler that was blocked still reads its own message.
        const std::uint32_t again = co_await messages.argument(0);
        data(processor).faults += again == (with_bodies_ ? number : 1000 * number) ? 0 : 1;
    }
    Task reply(Processor& processor, ActiveMessages& messages) {
        std::uint32_t number = 0;
        co_await take(processor, messages, kReplyBody, number);
        data(processor).replies.push_back(number);
    }

    bool with_bodies_;
    std::array<NodeData, 2> nodes_;
};

TEST(ProtocolDeadlockTest, WithoutTheTrapItIsFoundAndExplained) {
    Exchange exchange(false);
    ASSERT_EQ(exchange.bench.run(), RunEnd::kDeadlock);
    // Each waiting part, the part that it waits for, and the reason.
    const std::vector<NamesMatcher> steps{
        Names("machine.network.interface_0", "router_0.injection: ", "36", "message 1", "node 0"),
        Names("router_0.injection", "router_0.+x: ", "node 1", "router_0.+x", "room", "4", "flits"),
        Names("router_0.+x", "router_1.ejection: ", "node 1", "router_1.ejection", "room", "5",
              "flits"),
        Names("router_1.ejection", "machine.node_1.controller.input: ", "message 1", "node 0",
              "room"),
        Names("machine.node_1.controller.input", "machine.node_1.core: ", "message 0", "node 0",
              "64", "64"),
        Names("machine.node_1.core", "machine.node_1.controller: ", "message 0", "node 0",
              "message", "node 0", "launch", "output"),
        Names("machine.node_1.controller", "machine.network.interface_1: ", "36", "64"),
        Names("machine.network.interface_1", "router_1.injection: ", "36", "message 1", "node 1"),
        Names("router_1.injection", "router_1.-x: ", "node 0", "router_1.-x", "room", "4", "flits"),
        Names("router_1.-x", "router_0.ejection: ", "node 0", "router_0.ejection", "room", "5",
              "flits"),
        Names("router_0.ejection", "machine.node_0.controller.input: ", "message 1", "node 1",
              "room"),
        Names("machine.node_0.controller.input", "machine.node_0.core: ", "message 0", "node 1",
              "64", "64"),
        Names("machine.node_0.core", "machine.node_0.controller: ", "message 0", "node 1",
              "message", "node 1", "launch", "output"),
        Names("machine.node_0.controller", "machine.network.interface_0: ", "36", "64"),
    };
    const testing::ExplainedWaits explained(exchange.bench.machine().explain_waits());
    EXPECT_THAT(explained.sentences, ::testing::ElementsAre(Names("a", "cycle")));
    EXPECT_THAT(explained.steps, ::testing::ElementsAreArray(steps));
}

class TrappedExchangeTest : public ::testing::TestWithParam<const char*> {};

TEST_P(TrappedExchangeTest, EndsWithTheRightAnswer) {
    Exchange exchange(false);
    use_trap(exchange.bench, 200);
    exchange.bench.set(exchange.bench.configuration.core, "receive_mode", std::string(GetParam()));
    ASSERT_EQ(exchange.bench.run(), RunEnd::kFinished) << exchange.bench.machine().explain_waits();
    EXPECT_TRUE(exchange.answer_is_right());
    EXPECT_GT(exchange.traps(), 10);
    EXPECT_EQ(exchange.bench.machine().account().fault(true), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(ByReceiveMode, TrappedExchangeTest,
                         ::testing::Values("interrupt", "polling", "protocol_processor"),
                         [](const auto& test) { return std::string(test.param); });

// Bodies longer than both queues together.
class TrappedBodiesTest : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(TrappedBodiesTest, EndWithTheRightAnswer) {
    Exchange exchange(true);
    use_trap(exchange.bench, 100);
    exchange.bench.set(exchange.bench.configuration.core, "receive_mode",
                       std::string(GetParam().first));
    exchange.bench.set(exchange.bench.firmware_parameters, "body_send",
                       std::string(GetParam().second));
    ASSERT_EQ(exchange.bench.run(), RunEnd::kFinished) << exchange.bench.machine().explain_waits();
    EXPECT_TRUE(exchange.answer_is_right());
    EXPECT_GT(exchange.traps(), 10);
    EXPECT_EQ(exchange.bench.machine().account().fault(true), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    ByModes, TrappedBodiesTest,
    ::testing::Values(std::pair("interrupt", "blocking"), std::pair("interrupt", "status"),
                      std::pair("interrupt", "interrupt"), std::pair("polling", "status"),
                      std::pair("protocol_processor", "status")),
    [](const auto& test) { return std::string(test.param.first) + "_" + test.param.second; });

// A ring buffer of seven messages, which wraps around several times.
TEST(OverflowBufferTest, IsUsedAgain) {
    Exchange exchange(false);
    use_trap(exchange.bench, 200);
    exchange.bench.set(exchange.bench.configuration.controller, "input_queue_bytes",
                       std::int64_t{160});
    exchange.bench.set(exchange.bench.firmware_parameters, "overflow_buffer_bytes",
                       std::int64_t{7 * 64 + 8});
    ASSERT_EQ(exchange.bench.run(), RunEnd::kFinished);
    EXPECT_TRUE(exchange.answer_is_right());
    std::int64_t bytes = 0;
    for (const int node : {0, 1}) {
        bytes += firmware::testing::controller(exchange.bench.machine(), node)
                     .statistics()
                     .bytes_saved.value();
    }
    EXPECT_GT(bytes, 4 * 7 * 64);
}

// --- No result depends on the order of ticks ----------------------------------------------------

std::string exchange_story(const std::string& order, bool sleeping, bool with_bodies) {
    return hw::testing::result_of_separate_run([=] {
        Exchange exchange(with_bodies);
        use_trap(exchange.bench, 200);
        exchange.bench.set_ticks(order, sleeping);
        exchange.bench.run();
        return std::string(exchange.answer_is_right() ? "right at " : "wrong at ") +
               exchange.story();
    });
}

TEST(TrappedExchangeOrderTest, TheTraceIsTheSameInEveryOrderAndWithoutSleep) {
    for (const bool with_bodies : {false, true}) {
        const std::string reference = exchange_story("wake", true, with_bodies);
        EXPECT_THAT(reference, ::testing::StartsWith("right "));
        for (const std::string order : {"wake", "reversed", "shuffled"}) {
            for (const bool sleeping : {false, true}) {
                EXPECT_TRUE(exchange_story(order, sleeping, with_bodies) == reference)
                    << order << (sleeping ? "" : ", sleepless")
                    << (with_bodies ? ", with bodies" : "");
            }
        }
    }
}

// --- Planted faults -----------------------------------------------------------------------------

// Planted fault: a trap that makes room by discarding the message at the head of the queue, even a
// message whose handler is interrupted.
class ThrowAwayProgram final : public NodeProgram {
  public:
    ThrowAwayProgram(Processor& processor, const ActiveMessages::Parameters& parameters,
                     const ScriptBench& bench)
        : processor_(processor), program_(processor, parameters, bench.thread, bench.handlers) {}
    Task thread() override { return program_.thread(); }
    Task interrupt() override { return program_.interrupt(); }
    Task dma_interrupt() override { return program_.dma_interrupt(); }
    Task overflow_trap() override {
        co_await processor_.compute(Cycles(60));
        co_await processor_.store(WEIR_DISPOSE, 0);
        ++thrown_away;
    }
    int thrown_away = 0;

  private:
    Processor& processor_;
    firmware::testing::ScriptedProgram program_;
};

TEST(PlantedTrapTest, AMessageThatIsThrownAwayIsMissed) {
    Exchange exchange(false);
    use_trap(exchange.bench, 200);
    std::vector<const ThrowAwayProgram*> programs;
    exchange.bench.build().load([&](Processor& processor) {
        auto program = std::make_unique<ThrowAwayProgram>(
            processor, exchange.bench.firmware_parameters, exchange.bench);
        programs.push_back(program.get());
        return program;
    });
    bool is_found_out = false;
    try {
        const RunEnd end = exchange.bench.machine().run({});
        is_found_out = end != RunEnd::kFinished || !exchange.answer_is_right();
        EXPECT_NE(exchange.bench.machine().account().fault(true), std::nullopt);
    } catch (const ProgramFault& fault) {  // the handler reads on in another message
        is_found_out = true;
    }
    EXPECT_TRUE(is_found_out);
    EXPECT_GT(programs[0]->thrown_away + programs[1]->thrown_away, 0);
}

// LoPC Section 2: messages are handled in the order of arrival, saved or not.
bool are_handled_in_order(const RecordedTrace& trace, NodeId node) {
    std::vector<hw::MessageTimes> handled;
    for (const auto& [id, message] : trace.messages) {
        if (message.destination == node) {
            handled.push_back(message.times);
        }
    }
    std::sort(handled.begin(), handled.end(),
              [](const auto& a, const auto& b) { return a.first_arrival < b.first_arrival; });
    for (std::size_t i = 1; i < handled.size(); ++i) {
        if (handled[i].handler_begin < handled[i - 1].handler_end) {
            return false;
        }
    }
    return true;
}

TEST(PlantedTrapTest, ANewerMessageHandledFirstIsMissed) {
    Exchange exchange(false);
    use_trap(exchange.bench, 200);
    ASSERT_EQ(exchange.bench.run(), RunEnd::kFinished);
    EXPECT_TRUE(are_handled_in_order(exchange.bench.trace, NodeId(0)));
    EXPECT_TRUE(are_handled_in_order(exchange.bench.trace, NodeId(1)));
    auto& messages = exchange.bench.trace.messages;
    std::swap(messages[hw::MessageId{NodeId(0), 3}].times.handler_begin,
              messages[hw::MessageId{NodeId(0), 4}].times.handler_begin);
    EXPECT_FALSE(are_handled_in_order(exchange.bench.trace, NodeId(1)));
}

}  // namespace
}  // namespace weir::nodes
