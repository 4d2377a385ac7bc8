// Bodies in the active-message layer, under interrupts at any moment.
#include "firmware/active_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "hw/testing/test_cost.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using hw::Cycles;
using hw::NodeId;
using nodes::Processor;
using nodes::RunEnd;
using nodes::Task;
using ::testing::StartsWith;

// Node 0 asks node 1 for a body; node 2 sends node 1 a second interrupt. When the handler's body is
// on its way, node 1's thread sends a body of its own. The thread waits until its body has left
// memory, and uses the memory again.
class TwoBodies {
  public:
    struct Times {
        Cycles second_request;  ///< cycles that node 2 computes before its message
        /// Cycles that node 1's thread computes before it sends its own body.
        Cycles own_body;
        std::uint32_t own_bytes = 512;
    };

    explicit TwoBodies(const Times& times) : times_(times) {
        bench.set_dimensions({3});
        bench.set(bench.firmware_parameters, "body_send", std::string("interrupt"));
        bench.set(bench.firmware_parameters, "body_receive", std::string("blocking"));
        bench.handlers = {
            [](Processor&, ActiveMessages& messages) -> Task {
                const ActiveMessages::Body body{kHandlersBody, kHandlersBytes};
                co_await messages.send_body(NodeId(0), kTakeBody, {}, body);
            },
            [this](Processor&, ActiveMessages& messages) -> Task {
                co_await messages.receive_body(kReceived, stored_);
            },
            [](Processor&, ActiveMessages&) -> Task { co_return; },
        };
        bench.thread = [this](Processor& processor, ActiveMessages& messages) -> Task {
            if (processor.node() == NodeId(0)) {
                co_await messages.send(NodeId(1), kAskForBody, {});
            } else if (processor.node() == NodeId(2)) {
                co_await processor.compute(times_.second_request);
                co_await messages.send(NodeId(1), kOnlyInterrupt, {});
            } else {
                co_await processor.compute(times_.own_body);
                const ActiveMessages::Body body{0, times_.own_bytes};
                co_await messages.send_body(NodeId(0), kTakeBody, {}, body);
                co_await messages.wait_body_sent();
                free_from_ = processor.now();
            }
        };
    }

    /// "right", or a description of the fault.
    std::string outcome() {
        nodes::Machine::RunLimits limits;
        limits.watchdog_cycles = Cycles(50'000);
        if (bench.run(limits) != RunEnd::kFinished) {
            return "not finished; " + bench.machine().explain_waits();
        }
        for (const auto& [id, message] : bench.trace.messages) {
            const bool is_threads = id.source == NodeId(1) && !message.parent.valid();
            if (is_threads && message.times.send_dma_end > free_from_) {
                std::ostringstream text;
                text << "the memory is used in cycle " << free_from_
                     << ", its last byte is read in " << message.times.send_dma_end;
                return text.str();
            }
        }
        return "right";
    }
    [[nodiscard]] std::string times() {
        std::ostringstream text;
        text << outcome() << ": " << free_from_;
        for (const auto& [id, message] : bench.trace.messages) {
            text << ' ' << message.times.launch << ' ' << message.times.send_dma_end << ' '
                 << message.times.handler_begin << ' ' << message.times.handler_end;
        }
        // Nodes report intervals that end in the same cycle in the order of their ticks.
        std::sort(bench.trace.intervals.begin(), bench.trace.intervals.end());
        for (const auto& interval : bench.trace.intervals) {
            text << ' ' << interval.begin << ' ' << interval.end;
        }
        return text.str();
    }

    firmware::testing::ScriptBench bench;

  private:
    static constexpr ActiveMessages::HandlerAddress kAskForBody = 0;
    static constexpr ActiveMessages::HandlerAddress kTakeBody = 1;
    static constexpr ActiveMessages::HandlerAddress kOnlyInterrupt = 2;
    static constexpr std::uint32_t kHandlersBody = 8192;
    static constexpr std::uint32_t kHandlersBytes = 2048;
    static constexpr std::uint32_t kReceived = 0;

    Times times_;
    bool stored_ = false;
    Cycles free_from_;
};

// The second message's interrupt withdraws the thread's launch, which waits for the handler's body.
// The end of the handler's body then interrupts before the launch is done.
TEST(ActiveMessagesTest, TheEndOfAHandlersBodyIsNotThatOfTheThreadsOwn) {
    for (std::int64_t second_request = 400; second_request < 1600; second_request += 13) {
        EXPECT_EQ(hw::testing::result_of_separate_run([second_request] {
                      return TwoBodies({Cycles(second_request), Cycles(150)}).outcome();
                  }),
                  "right")
            << "second request after " << second_request;
    }
}

// The thread launches at every moment around the end of the handler's body. Sending the thread's
// own body takes about as long as an interrupt, or less.
TEST(ActiveMessagesTest, TheThreadsBodyMayBeginAndEndAtAnyMomentOfTheOthersInterrupt) {
    for (const std::uint32_t bytes : {8U, 48U, 160U, 512U}) {
        EXPECT_EQ(
            hw::testing::result_of_separate_run([bytes] {
                std::string wrong;
                for (std::int64_t own_body = 600; own_body < 1300; own_body += 3) {
                    const std::string outcome =
                        hw::testing::result_of_separate_run([bytes, own_body] {
                            return TwoBodies({Cycles(2000), Cycles(own_body), bytes}).outcome();
                        });
                    wrong += outcome == "right" ? "" : outcome + "\n";
                }
                return wrong;
            }),
            "")
            << bytes << " bytes";
    }
}

TEST(ActiveMessagesTest, TwoBodiesAreTheSameInAnyOrderOfTicks) {
    const auto story = [](std::int64_t own_body, const char* order) {
        return hw::testing::result_of_separate_run([own_body, order] {
            TwoBodies bodies({Cycles(250), Cycles(own_body)});
            bodies.bench.set_ticks(order);
            return bodies.times();
        });
    };
    for (std::int64_t own_body = 600; own_body < 1300; own_body += 3) {
        const std::string reference = story(own_body, "wake");
        EXPECT_THAT(reference, StartsWith("right: "));
        EXPECT_EQ(story(own_body, "reversed"), reference) << own_body;
    }
}

// A synchronous remap with long bodies in its replies deadlocks. Handlers wait for an engine, whose
// body waits for a queue that only a handler can empty. During the deadlock, the threads keep
// loading the status that shows whether their own bodies have left.
TEST(ActiveMessagesTest, AThreadThatAsksForEverWhetherItsBodyHasGoneIsStopped) {
    const auto end_of_run = [](bool by_flits) {
        return hw::testing::result_of_separate_run([by_flits] {
            firmware::testing::KernelBench bench("remap");
            bench.set_workload("body_bytes", std::int64_t{1024});
            bench.set_workload("iterations", std::int64_t{500});
            bench.set(bench.firmware_parameters, "body_send", std::string("status"));
            bench.set(bench.configuration.network, "flit_by_flit", by_flits);
            bench.load(2);
            nodes::Machine::RunLimits limits;
            limits.watchdog_cycles = Cycles(20'000);
            limits.most_cycles = Cycles(200'000);
            std::ostringstream text;
            text << (bench.run(limits) == RunEnd::kNoProgress ? "stuck" : "another end");
            text << ", " << bench.machine().now() << ": " << bench.machine().explain_waits();
            return text.str();
        });
    };
    const std::string told = end_of_run(false);
    EXPECT_THAT(told, StartsWith("stuck, 28672: a cycle "));
    EXPECT_THAT(told, Names("launch", "another", "body"));
    EXPECT_EQ(end_of_run(true), told);
}

WEIR_TESTS_COST("ActiveMessagesTest.TheThreadsBodyMayBeginAndEnd", 2, 14);
WEIR_TESTS_COST("ActiveMessagesTest.TwoBodiesAreTheSame", 1, 8);

}  // namespace
}  // namespace weir::firmware
