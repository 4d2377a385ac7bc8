#include "firmware/kernels/remap/remap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::StartsWith;

const std::array<std::string, 3> kCompletions{"blocking", "status", "interrupt"};

/// A remap with bodies on a mesh of 3 x 2.
class RemapBench : public firmware::testing::KernelBench {
  public:
    RemapBench() : KernelBench("remap") {
        set_dimensions({3, 2});
        set_workload("iterations", std::int64_t{12});
        set_workload("style", std::string("asynchronous"));
    }
    void set_completions(const std::string& send, const std::string& receive) {
        set(firmware_parameters, "body_send", send);
        set(firmware_parameters, "body_receive", receive);
    }
    [[nodiscard]] std::string outcome() {
        nodes::Machine::RunLimits limits;
        limits.most_cycles = hw::Cycles(2'000'000);
        const std::string fault = fault_of_run(limits);
        return fault.empty() ? "right" : fault;
    }
};

// Every way to wait for the engines, with few and with many buffers.
class RemapBodiesTest
    : public ::testing::TestWithParam<std::tuple<std::string, std::string, std::int64_t>> {
  protected:
    RemapBodiesTest() {
        const auto [send, receive, buffers] = GetParam();
        bench_.set_completions(send, receive);
        bench_.set_workload("receive_buffers", buffers);
        bench_.set_workload("send_buffers", buffers > 1 ? std::int64_t{2} : std::int64_t{1});
    }
    RemapBench bench_;
};

TEST_P(RemapBodiesTest, EveryBodyArrivesOnceAndRight) {
    bench_.set_workload("body_bytes", std::int64_t{1000});
    EXPECT_EQ(bench_.outcome(), "right");
    EXPECT_EQ(bench_.trace.messages.size(), 6U * 12);
}

// Bodies fit into the queues, so that handlers that wait for room do not deadlock.
TEST_P(RemapBodiesTest, EveryReplyHasABodyToo) {
    bench_.set_workload("style", std::string("synchronous"));
    bench_.set_workload("body_bytes", std::int64_t{40});
    EXPECT_EQ(bench_.outcome(), "right");
    EXPECT_EQ(bench_.trace.messages.size(), 2U * 6 * 12);
}

INSTANTIATE_TEST_SUITE_P(Remap, RemapBodiesTest,
                         ::testing::Combine(::testing::ValuesIn(kCompletions),
                                            ::testing::ValuesIn(kCompletions),
                                            ::testing::Values(1, 2, 4)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_" + std::get<1>(test.param) + "_" +
                                    std::to_string(std::get<2>(test.param));
                         });

TEST(RemapTest, HandlersOnAProcessorOfTheirOwn) {
    RemapBench bench;
    bench.set_workload("body_bytes", std::int64_t{1000});
    bench.set(bench.configuration.core, "receive_mode", std::string("protocol_processor"));
    EXPECT_EQ(bench.outcome(), "right");
}

// LogP Section 4.1.2: destinations of each of 6 nodes, two messages to a destination.
TEST(RemapTest, DestinationsInNaiveAndInStaggeredOrder) {
    const auto destinations = [](const char* order, std::int32_t node) {
        return hw::testing::result_of_separate_run([order, node] {
            RemapBench bench;
            bench.set_workload("destinations", std::string(order));
            bench.set_workload("consecutive_messages", std::int64_t{2});
            EXPECT_EQ(bench.outcome(), "right");
            std::ostringstream text;
            for (const auto& [id, message] : bench.trace.messages) {
                if (id.source == hw::NodeId(node)) {
                    text << message.destination << ' ';
                }
            }
            return text.str();
        });
    };
    EXPECT_EQ(destinations("ascending", 0), "1 1 2 2 3 3 4 4 5 5 1 1 ");
    EXPECT_EQ(destinations("ascending", 3), "0 0 1 1 2 2 4 4 5 5 0 0 ");
    EXPECT_EQ(destinations("cyclic", 3), "4 4 5 5 0 0 1 1 2 2 4 4 ");
}

// LoGPC Section 3.3: only i - 1 and i + 1, about equally often; node 0 is a neighbour of the last
// node.
TEST(RemapTest, DestinationsWithinASpan) {
    const auto counted = [](std::int64_t span, std::int32_t node) {
        return hw::testing::result_of_separate_run([span, node] {
            RemapBench bench;
            bench.set_workload("iterations", std::int64_t{60});
            bench.set_workload("span_nodes", span);
            EXPECT_EQ(bench.outcome(), "right");
            std::map<std::int32_t, int> counts;
            for (const auto& [id, message] : bench.trace.messages) {
                if (id.source == hw::NodeId(node)) {
                    ++counts[message.destination.index()];
                }
            }
            std::string text;
            for (const auto& [destination, count] : counts) {
                EXPECT_GT(count, 60 / (3 * static_cast<int>(counts.size())));
                text += std::to_string(destination) + " ";
            }
            return text;
        });
    };
    EXPECT_EQ(counted(1, 0), "1 5 ");
    EXPECT_EQ(counted(1, 3), "2 4 ");
    EXPECT_EQ(counted(2, 5), "0 1 3 4 ");
    EXPECT_EQ(counted(0, 3), "0 1 2 4 5 ");
}

// With a barrier after every second message, no node is more than two messages ahead of another.
TEST(RemapTest, NodesMeetAtTheBarrier) {
    const auto most_ahead = [](std::int64_t barrier_messages) {
        return hw::testing::result_of_separate_run([barrier_messages] {
            RemapBench bench;
            bench.set(bench.configuration.network, "barrier", true);
            bench.set_workload("work_cycles", 1000.0);
            bench.set_workload("work_distribution", std::string("exponential"));
            bench.set_workload("barrier_messages", barrier_messages);
            EXPECT_EQ(bench.outcome(), "right");
            std::int64_t most = 0;
            for (const auto& [id, message] : bench.trace.messages) {
                for (std::int32_t node = 0; node < 6; ++node) {
                    std::int64_t launched = 0;
                    for (const auto& [other_id, other] : bench.trace.messages) {
                        launched += other_id.source == hw::NodeId(node) &&
                                            other.times.launch <= message.times.launch
                                        ? 1
                                        : 0;
                    }
                    most = std::max(most, id.sequence + 1 - launched);
                }
            }
            return std::to_string(most);
        });
    };
    EXPECT_LE(std::stoi(most_ahead(2)), 2);
    EXPECT_GT(std::stoi(most_ahead(0)), 2);
}

// Greatest number of requests of a node without a handled reply, at the launch of a request.
TEST(RemapTest, AThreadSendsOnWhileFewRequestsAreOutstanding) {
    const auto most_outstanding = [](std::int64_t requests) {
        return hw::testing::result_of_separate_run([requests] {
            RemapBench bench;
            bench.set_workload("style", std::string("synchronous"));
            bench.set_workload("outstanding_requests", requests);
            EXPECT_EQ(bench.outcome(), "right");
            std::int64_t most = 0;
            for (const auto& [id, request] : bench.trace.messages) {
                std::int64_t outstanding = 0;
                for (const auto& [other_id, other] : bench.trace.messages) {
                    const bool is_launched = !other.parent.valid() &&
                                             other_id.source == id.source &&
                                             other.times.launch <= request.times.launch;
                    const bool is_answered = other.parent.valid() &&
                                             other.destination == id.source &&
                                             other.times.handler_end <= request.times.launch;
                    outstanding += is_launched ? 1 : is_answered ? -1 : 0;
                }
                most = std::max(most, request.parent.valid() ? 0 : outstanding);
            }
            return std::to_string(most);
        });
    };
    EXPECT_EQ(most_outstanding(1), "1");
    EXPECT_EQ(most_outstanding(3), "3");
    // The first replies are handled before all 12 requests are sent.
    EXPECT_GT(std::stoi(most_outstanding(12)), 3);
}

// A message interrupts only when the previous body is in memory, so receive buffers do not change
// the time.
TEST(RemapTest, NumberOfReceiveBuffersChangesNoCycle) {
    const auto end = [](std::int64_t buffers) {
        return hw::testing::result_of_separate_run([buffers] {
            RemapBench bench;
            bench.set_workload("body_bytes", std::int64_t{1024});
            bench.set_workload("receive_buffers", buffers);
            std::ostringstream text;
            text << bench.outcome() << " " << bench.machine().now();
            return text.str();
        });
    };
    const std::string one = end(1);
    EXPECT_THAT(one, StartsWith("right "));
    EXPECT_EQ(end(2), one);
    EXPECT_EQ(end(7), one);
}

TEST(RemapTest, OrderOfTicksAndSleepChangeNothing) {
    const auto story = [](const char* order, bool sleeping) {
        return hw::testing::result_of_separate_run([order, sleeping] {
            RemapBench bench;
            bench.set_workload("body_bytes", std::int64_t{1000});
            bench.set_workload("send_buffers", std::int64_t{2});
            bench.set_ticks(order, sleeping);
            const std::string outcome = bench.outcome();
            return outcome + " " + std::to_string(bench.machine().now().count()) + "\n" +
                   bench.trace.times();
        });
    };
    const std::string reference = story("wake", true);
    EXPECT_THAT(reference, StartsWith("right "));
    EXPECT_EQ(story("reversed", true), reference);
    EXPECT_EQ(story("shuffled", true), reference);
    EXPECT_EQ(story("shuffled", false), reference);
}

// Planted faults: a wrong byte at either end of a buffer after the run, and a wrong byte before
// its buffer is used again.
TEST(RemapTest, AFlippedBitInAReceivedBodyIsFound) {
    RemapBench bench;
    bench.set_workload("body_bytes", std::int64_t{1000});
    nodes::Machine& machine = bench.load();
    ASSERT_EQ(machine.run({}), nodes::RunEnd::kFinished);
    // Last byte of the receive buffer's body; the receive buffer follows the send buffer.
    constexpr std::uint32_t kLastByte = 1024 + 999;
    bench.flip_bit(3, kLastByte);
    const std::string wrong = bench.check().value_or("right");
    EXPECT_THAT(wrong, Names("body", "message", "wrong", "node 3", "byte 992"));
}

TEST(RemapTest, AWrongByteIsFoundThoughItsBufferIsUsedAgain) {
    RemapBench bench;
    bench.set_workload("body_bytes", std::int64_t{1000});
    bench.set_workload("iterations", std::int64_t{40});
    nodes::Machine& machine = bench.load();
    nodes::Machine::RunLimits limits;
    limits.proceed = [&machine] {
        if (machine.now() < hw::Cycles(30'000)) {  // node 3 receives until about cycle 60,000
            const std::array<std::uint8_t, 8> planted{1, 2, 3, 4, 5, 6, 7, 8};
            machine.write_memory(hw::NodeId(3), 1024, planted);
        }
        return true;
    };
    ASSERT_EQ(machine.run(limits), nodes::RunEnd::kFinished);
    ASSERT_GT(machine.now(), hw::Cycles(40'000));
    EXPECT_THAT(bench.check().value_or("right"), Names("wrong", "node 3", "byte 0"));
}

TEST(RemapTest, WhatHasNotRunHasReceivedNothing) {
    RemapBench bench;
    bench.set_workload("body_bytes", std::int64_t{8});
    bench.load();
    EXPECT_THAT(bench.check().value_or("right"), Names("message 0", "node 0", "delivered", "0"));
}

std::string memory_fault(std::int64_t body_bytes) {
    return hw::testing::result_of_separate_run([body_bytes]() -> std::string {
        RemapBench bench;
        bench.set(bench.configuration.memory, "bytes", std::int64_t{4096});
        bench.set_workload("body_bytes", body_bytes);
        bench.set_workload("receive_buffers", std::int64_t{3});
        return bench.fault_of_data();
    });
}

TEST(RemapTest, BuffersThatDoNotFitIntoMemory) {
    EXPECT_EQ(memory_fault(1024), "no fault");
    EXPECT_THAT(memory_fault(1032), Names("workload.body_bytes: ", "4", "1280",
                                          "memory.bytes = 4096", "1024", "memory.bytes", "5120"));
}

std::string parameter_fault(RemapBench& bench) {
    const auto fault = bench.kernel().parameters().check();
    return fault ? fault->key + ": " + hw::text_of(*fault) : "no fault";
}

TEST(RemapTest, ParametersThatMakeNoSenseTogether) {
    RemapBench bench;
    bench.set_workload("body_bytes", std::int64_t{12});
    EXPECT_THAT(parameter_fault(bench), Names("body_bytes: ", "12", "0", "multiple", "8"));
    bench.set_workload("body_bytes", std::int64_t{16});
    EXPECT_EQ(parameter_fault(bench), "no fault");
    bench.set_workload("argument_words", std::int64_t{13});
    EXPECT_THAT(parameter_fault(bench), Names("argument_words: ", "13", "body", "12"));
}

}  // namespace
}  // namespace weir::firmware
