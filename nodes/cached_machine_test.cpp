#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/separate_run.h"
#include "nodes/machine.h"

namespace weir::nodes {
namespace {

using firmware::testing::KernelBench;
using firmware::testing::ScriptBench;
using hw::Cycles;
using hw::testing::result_of_separate_run;
using ::testing::HasSubstr;

void set_caches(firmware::testing::MachineBench& bench, std::int64_t levels) {
    bench.set(bench.configuration.memory, "caches", levels);
    // Small caches, so that lines are replaced.
    bench.set(bench.configuration.caches.levels[0], "bytes", std::int64_t{512});
    bench.set(bench.configuration.caches.levels[1], "bytes", std::int64_t{4096});
}

void set_workload(KernelBench& bench, const std::string& kernel) {
    if (kernel == "spmv") {
        bench.set_workload("rows", std::int64_t{160});
        bench.set_workload("nonzeros", std::int64_t{2'000});
    } else if (kernel == "remap") {
        bench.set_workload("iterations", std::int64_t{12});
        bench.set_workload("style", std::string("asynchronous"));
        bench.set_workload("body_bytes", std::int64_t{400});
    } else {
        bench.set_workload("block", std::int64_t{12});
        bench.set_workload("steps", std::int64_t{3});
    }
}

struct Way {
    const char* kernel;
    std::int64_t levels = 1;
    const char* receive_mode = "interrupt";
    const char* dma_stores = "invalidate";
    const char* tick_order = "wake";
    bool sleeping = true;
};

// Describes how a run ended, in which cycle, and the statistics of its caches.
std::string story_of(const Way& way) {
    return result_of_separate_run([&way]() -> std::string {
        KernelBench bench(way.kernel);
        bench.set(bench.configuration.machine, "nodes", std::int64_t{4});
        bench.set_dimensions({2, 2});
        set_caches(bench, way.levels);
        bench.set(bench.configuration.memory, "dma_stores", std::string(way.dma_stores));
        bench.set(bench.configuration.core, "receive_mode", std::string(way.receive_mode));
        bench.set_ticks(way.tick_order, way.sleeping);
        set_workload(bench, way.kernel);
        if (const auto fault = bench.configuration.check()) {
            return fault->found;
        }
        bench.load();
        const RunEnd end = bench.run();
        std::ostringstream text;
        const auto wrong = bench.check();
        text << (end == RunEnd::kFinished && !wrong ? "right" : "wrong: " + wrong.value_or(""))
             << " at " << bench.machine().now() << '\n';
        for (const hw::PartStatistics& part : bench.machine().statistics()) {
            if (part.part.find(".caches") != std::string::npos) {
                for (const hw::Counter* counter : part.group->counters()) {
                    text << part.part << ' ' << counter->name() << ' ' << counter->value() << '\n';
                }
            }
        }
        return text.str();
    });
}

TEST(CachedMachineTest, KernelsHaveTheRightAnswer) {
    for (const char* kernel : {"spmv", "remap", "boundary-exchange"}) {
        for (const char* receive_mode : {"interrupt", "protocol_processor"}) {
            for (const char* dma_stores : {"invalidate", "update"}) {
                const std::string story = story_of({kernel, 2, receive_mode, dma_stores});
                EXPECT_THAT(story, ::testing::StartsWith("right "))
                    << kernel << ' ' << receive_mode << ' ' << dma_stores;
            }
        }
    }
}

TEST(CachedMachineTest, TheOrderOfTicksAndSleepChangeNothing) {
    for (const char* kernel : {"remap", "boundary-exchange"}) {
        for (const char* receive_mode : {"interrupt", "protocol_processor"}) {
            const std::string reference = story_of({kernel, 1, receive_mode});
            EXPECT_THAT(reference, HasSubstr(".caches.l1 evictions "));
            for (const auto& [order, sleeping] :
                 {std::pair("reversed", true), {"shuffled", true}, {"shuffled", false}}) {
                EXPECT_EQ(story_of({kernel, 1, receive_mode, "invalidate", order, sleeping}),
                          reference)
                    << kernel << ' ' << receive_mode << ' ' << order;
            }
        }
    }
}

// Runs a script on node 0 of a machine with caches, and returns the values that it notes.
std::vector<std::int64_t> noted(
    std::int64_t loads_in_flight, std::int64_t miss_registers,
    const std::function<Task(Processor&, std::vector<std::int64_t>&)>& script) {
    const std::string text = result_of_separate_run([&] {
        ScriptBench bench;
        set_caches(bench, 1);
        bench.set(bench.configuration.core, "loads_in_flight", loads_in_flight);
        bench.set(bench.configuration.caches.levels[0], "miss_registers", miss_registers);
        std::vector<std::int64_t> notes;
        bench.thread = [&](Processor& processor, firmware::ActiveMessages&) -> Task {
            if (processor.node() == hw::NodeId(0)) {
                co_await script(processor, notes);
            }
        };
        std::ostringstream out;
        out << (bench.run() == RunEnd::kFinished ? 0 : 1);
        for (const std::int64_t note : notes) {
            out << ' ' << note;
        }
        return out.str();
    });
    std::istringstream in(text);
    std::vector<std::int64_t> all;
    for (std::int64_t number = 0; in >> number;) {
        all.push_back(number);
    }
    EXPECT_FALSE(all.empty() || all.front() != 0) << text;
    return {all.begin() + 1, all.end()};
}

Task two_loads_ahead(Processor& processor, std::vector<std::int64_t>& notes) {
    co_await processor.store(0x40, 7);
    co_await processor.store(0x80, 8);
    co_await processor.load(0x240);  // both lines are replaced
    co_await processor.load(0x280);
    co_await processor.wait_until(Cycles(200));
    co_await processor.begin_load(0x40, 0);
    co_await processor.begin_load(0x80, 1);
    notes.push_back(processor.now().count());
    const std::uint32_t first = co_await processor.loaded(0);
    notes.push_back(processor.now().count());
    const std::uint32_t second = co_await processor.loaded(1);
    notes.push_back(processor.now().count());
    notes.push_back(first);
    notes.push_back(second);
}

// A line arrives 9 cycles after its miss, and the port moves a line in 4 cycles. The second load
// begins 2 cycles after the first, and its line arrives 4 cycles after the first line.
TEST(CachedMachineTest, LoadsThatAreBegunOverlap) {
    EXPECT_THAT(noted(2, 4, two_loads_ahead), ::testing::ElementsAre(204, 211, 215, 7, 8));
}

// An early load takes as long as a blocking load: 3 cycles for a double word, 2 for a word.
TEST(CachedMachineTest, ALoadOfADoubleWordThatIsBegunTakesACycleMore) {
    const auto notes =
        noted(2, 4, [](Processor& processor, std::vector<std::int64_t>& all) -> Task {
            co_await processor.store_real(0x80, 1.5);
            co_await processor.wait_until(Cycles(200));
            co_await processor.begin_load(0x80, 0);
            all.push_back(processor.now().count());
            co_await processor.begin_load_real(0x80, 1);
            all.push_back(processor.now().count());
            all.push_back(static_cast<std::int64_t>(2.0 * co_await processor.loaded_real(1)));
            co_await processor.loaded(0);
        });
    EXPECT_THAT(notes, ::testing::ElementsAre(202, 205, 3));
}

// With one miss register the second load looks its line up only when the first line has arrived.
TEST(CachedMachineTest, AsManyAsThereAreMissRegisters) {
    EXPECT_THAT(noted(2, 1, two_loads_ahead), ::testing::ElementsAre(204, 211, 220, 7, 8));
}

TEST(CachedMachineTest, HitsGoOnUnderALoadThatWasBegun) {
    const auto notes =
        noted(2, 4, [](Processor& processor, std::vector<std::int64_t>& all) -> Task {
            co_await processor.store(0x80, 8);
            co_await processor.wait_until(Cycles(200));
            co_await processor.begin_load(0x40, 0);
            co_await processor.begin_load(0x80, 1);
            all.push_back(static_cast<std::int64_t>(co_await processor.loaded(1)));
            all.push_back(processor.now().count());
            co_await processor.loaded(0);
            all.push_back(processor.now().count());
        });
    EXPECT_THAT(notes, ::testing::ElementsAre(8, 204, 211));
}

// A handler's loads replace the thread's line.
TEST(CachedMachineTest, AnInterruptDisturbsTheThreadsCache) {
    const auto last_load = [](bool is_interrupted) {
        return result_of_separate_run([is_interrupted] {
            ScriptBench bench;
            set_caches(bench, 1);
            std::int64_t took = 0;
            bench.thread = [&](Processor& processor, firmware::ActiveMessages& messages) -> Task {
                if (processor.node() == hw::NodeId(0)) {
                    co_await processor.load(0x40);
                    co_await processor.wait_until(Cycles(2000));
                    const Cycles begin = processor.now();
                    co_await processor.load(0x40);
                    took = (processor.now() - begin).count();
                } else if (processor.node() == hw::NodeId(1) && is_interrupted) {
                    co_await processor.compute(Cycles(100));
                    co_await messages.send(hw::NodeId(0), 0, {});
                }
            };
            bench.handlers.emplace_back(
                [](Processor& processor, firmware::ActiveMessages&) -> Task {
                    co_await processor.load(0x40 + 512);
                });
            bench.run();
            return std::to_string(took);
        });
    };
    EXPECT_EQ(last_load(false), "2");
    EXPECT_EQ(last_load(true), "11");
}

// The line arrives before the interrupt is taken.
TEST(CachedMachineTest, AMissUnderWayEndsFirst) {
    ScriptBench bench;
    set_caches(bench, 1);
    bench.set(bench.configuration.machine, "nodes", std::int64_t{2});
    bench.set_dimensions({2});
    bench.handlers.emplace_back([](Processor&, firmware::ActiveMessages&) -> Task { co_return; });
    bench.thread = [](Processor& processor, firmware::ActiveMessages& messages) -> Task {
        if (processor.node() == hw::NodeId(0)) {
            co_await messages.send(hw::NodeId(1), 0, {});
        } else {
            co_await processor.compute(Cycles(26));
            co_await processor.load(0x100);
        }
    };
    ASSERT_EQ(bench.run(), RunEnd::kFinished);
    const hw::Message& message = bench.trace.messages.begin()->second;
    EXPECT_EQ(message.times.notify, Cycles(27));
    EXPECT_EQ(message.times.handler_begin, Cycles(26 + 11));
}

TEST(CachedMachineTest, WhatRoutersTakeNoLessThanTwoCyclesForIsRefusedBelow) {
    for (const char* name : {"store_cycles", "launch_cycles", "notify_cycles"}) {
        MachineConfiguration configuration;
        ASSERT_TRUE(configuration.controller.find(name)->set(std::int64_t{2}));
        EXPECT_FALSE(configuration.check().has_value()) << name;
        ASSERT_TRUE(configuration.controller.find(name)->set(std::int64_t{1}));
        EXPECT_EQ(configuration.check()->key, std::string("controller.") + name);
        ASSERT_TRUE(configuration.network.find("model")->set(std::string("delay")));
        EXPECT_FALSE(configuration.check().has_value()) << name;
    }
}

TEST(CachedMachineTest, LevelsThatAreNotOrderedAreRefused) {
    MachineConfiguration configuration;
    ASSERT_TRUE(configuration.memory.caches.set(std::int64_t{2}));
    EXPECT_FALSE(configuration.check().has_value());
    ASSERT_TRUE(configuration.caches.levels[1].bytes.set(std::int64_t{1024}));
    EXPECT_EQ(configuration.check()->key, "l2.bytes");
}

}  // namespace
}  // namespace weir::nodes
