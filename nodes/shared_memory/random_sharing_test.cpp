#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>

#include "hw/random_stream.h"
#include "nodes/shared_memory/testing/shared_bench.h"
#include "nodes/testing/in_child.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using memory::CoherenceController;
using testing::SharedBench;

/// A machine on which all nodes load, store and exchange a few words at random.
struct Shape {
    const char* name = "";
    const char* protocol = "limitless";
    std::int64_t pointers = 1;
    std::int64_t contexts = 1;
    std::int64_t cache_bytes = 1 << 16;
    std::int64_t queue_bytes = 256;
    std::int64_t buffers = 16;
    const char* home = "segment";
    const char* receive = "interrupt";
    bool thrashlock = true;
    std::int64_t homes = 3;
    std::int64_t lines = 2;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.name; }

class RandomSharingBase : public ::testing::Test {
  protected:
    void set_up(const Shape& shape) {
        shape_ = shape;
        nodes::MachineConfiguration& machine = bench.configuration;
        bench.set(machine.coherence, "protocol", std::string(shape.protocol));
        bench.set(machine.coherence, "pointers", shape.pointers);
        bench.set(machine.coherence, "transaction_buffers", shape.buffers);
        bench.set(machine.coherence, "home", std::string(shape.home));
        bench.set(machine.coherence, "thrashlock", shape.thrashlock);
        bench.set(machine.core, "contexts", shape.contexts);
        bench.set(machine.core, "receive_mode", std::string(shape.receive));
        bench.set(machine.caches.levels.front(), "bytes", shape.cache_bytes);
        bench.set(machine.controller, "input_queue_bytes", shape.queue_bytes);
        bench.set(machine.controller, "output_queue_bytes", shape.queue_bytes);
        bench.set(machine.controller, "overflow_trap", true);
        bench.set(machine.controller, "overflow_timeout_cycles", std::int64_t{64});
        for (std::int64_t context = 0; context < shape.contexts; ++context) {
            const auto script = [this, context](Processor& processor, ActiveMessages&) {
                return access(processor, context);
            };
            if (context == 0) {
                bench.thread = script;
            } else {
                bench.further_threads.push_back(script);
            }
        }
    }

    // Words of a few lines at a few homes, of which some have one place in the cache, and of
    // private lines with the same places.
    Task access(Processor& processor, std::int64_t context) {
        hw::RandomStream random(seed, processor.node(), "accesses " + std::to_string(context));
        for (int i = 0; i < kAccesses; ++i) {
            const auto home =
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape_.homes)));
            const auto line =
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape_.lines)));
            const auto word = static_cast<std::int64_t>(random.below(4));
            const std::uint32_t address =
                SharedBench::shared(home, line * 1024 % 4096 + line / 4 * 16 + word * 4);
            const auto value = static_cast<std::uint32_t>(random.next());
            switch (random.below(8)) {
                case 0:
                case 1:
                    co_await processor.store(address, value);
                    break;
                case 2:
                    note(processor, co_await processor.exchange(address, value));
                    break;
                case 3:
                    co_await processor.store(static_cast<std::uint32_t>(line % 4 * 1024), value);
                    break;
                default:
                    note(processor, co_await processor.load(address));
                    break;
            }
            co_await processor.compute(
                Cycles(static_cast<std::int64_t>(random.below(shape_.lines > 10 ? 2 : 20))));
        }
    }

    // All that the run did, in a word.
    std::string digest() {
        const RunEnd end = bench.run({.watchdog_cycles = Cycles(50'000)});
        std::string text = std::to_string(static_cast<int>(end)) + " at " +
                           std::to_string(bench.machine().now().count());
        if (end != RunEnd::kFinished) {
            return text + ": " + bench.machine().explain_waits();
        }
        if (const auto fault = bench.machine().account().fault(true)) {
            return text + ": " + *fault;
        }
        for (const SharedBench::Counter counter :
             {&CoherenceController::Statistics::remote_misses,
              &CoherenceController::Statistics::busy_replies,
              &CoherenceController::Statistics::copies_lost,
              &CoherenceController::Statistics::traps,
              &CoherenceController::Statistics::lines_sent_home}) {
            text += ", " + std::to_string(bench.sum(counter));
        }
        for (const std::uint64_t loaded : loaded_) {
            text += ", " + std::to_string(loaded % 100'000);
        }
        return text;
    }

    static constexpr int kAccesses = 1000;
    std::uint64_t seed = 1;
    SharedBench bench;

  private:
    // What a node's accesses gave, in their order.
    void note(const Processor& processor, std::uint32_t word) {
        std::uint64_t& loaded = loaded_.at(static_cast<std::size_t>(processor.node().index()));
        loaded = loaded * 31 + word;
    }

    Shape shape_;
    std::array<std::uint64_t, 8> loaded_{};
};

class RandomSharingTest : public RandomSharingBase, public ::testing::WithParamInterface<Shape> {
  protected:
    RandomSharingTest() { set_up(GetParam()); }
};

TEST_P(RandomSharingTest, EveryLoadSeesWhatWasStoredLastInAnyOrderOfTicks) {
    const std::string plain = testing::in_child([this] { return digest(); });
    EXPECT_THAT(plain, ::testing::StartsWith("0 at ")) << plain;
    const struct {
        const char* order;
        bool sleeping;
    } orders[] = {{"reversed", true}, {"shuffled", true}, {"wake", false}};
    for (const auto& one : orders) {
        const std::string other = testing::in_child([&] {
            bench.set(bench.configuration.clock, "tick_order", std::string(one.order));
            bench.set(bench.configuration.clock, "sleeping", one.sleeping);
            return digest();
        });
        EXPECT_EQ(other, plain) << one.order;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, RandomSharingTest,
    ::testing::Values(
        Shape{.name = "one_pointer"}, Shape{.name = "five_pointers", .pointers = 5},
        Shape{.name = "full_map", .protocol = "full_map"},
        Shape{.name = "limited", .protocol = "limited"},
        Shape{.name = "four_lines", .cache_bytes = 64},
        Shape{.name = "one_buffer", .cache_bytes = 64, .buffers = 1},
        Shape{.name = "four_contexts", .contexts = 4},
        Shape{.name = "four_contexts_four_lines", .contexts = 4, .cache_bytes = 64},
        Shape{.name = "four_contexts_one_buffer", .contexts = 4, .cache_bytes = 64, .buffers = 1},
        Shape{.name = "four_contexts_without_thrashlock", .contexts = 4, .thrashlock = false},
        Shape{.name = "polling", .receive = "polling"},
        Shape{.name = "protocol_processor", .receive = "protocol_processor"},
        Shape{.name = "lines_in_turn", .home = "line"}, Shape{.name = "hashed", .home = "hash"},
        Shape{.name = "small_queues", .contexts = 4, .queue_bytes = 64},
        Shape{.name = "full_queues",
              .protocol = "full_map",
              .contexts = 4,
              .cache_bytes = 64,
              .queue_bytes = 64,
              .homes = 2,
              .lines = 100}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// Two homes of which all others want lines as fast as they can.
class FullQueuesTest : public RandomSharingBase {
  protected:
    FullQueuesTest() {
        set_up({.name = "full_queues",
                .protocol = "full_map",
                .contexts = 4,
                .cache_bytes = 64,
                .queue_bytes = 64,
                .homes = 2,
                .lines = 100});
    }
};

TEST_F(FullQueuesTest, TheTrapTakesPacketsToMemoryAndGivesThemBack) {
    EXPECT_THAT(digest(), ::testing::StartsWith("0 at "));
    EXPECT_GT(bench.sum_of_cores(&Core::Statistics::overflow_traps), 100);
    EXPECT_GT(bench.sum_of_cores(&Core::Statistics::coherence_traps), 100);
}

TEST_F(FullQueuesTest, WithoutTheTrapTheyStopForGoodWhichIsExplained) {
    bench.set(bench.configuration.controller, "overflow_trap", false);
    EXPECT_THAT(
        digest(),
        ::testing::AllOf(
            ::testing::StartsWith("2 at "),
            ::testing::HasSubstr("until the home takes its head, a packet of the coherence"),
            ::testing::HasSubstr("a packet of the coherence protocol waits for room in the output "
                                 "queue, which holds")));
}

}  // namespace

}  // namespace weir::nodes
