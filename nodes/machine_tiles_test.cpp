// A machine in several tiles, each ticked by a host thread, behaves as in one tile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <sstream>
#include <string>

#include "firmware/testing/machine_bench.h"
#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "nodes/machine.h"

namespace weir::nodes {
namespace {

using firmware::testing::KernelBench;
using firmware::testing::SharedKernelBench;
using hw::Cycles;
using hw::testing::result_of_separate_run;
using weir::testing::Names;

void set_tiles(firmware::testing::MachineBench& bench, int tiles) {
    bench.set(bench.configuration.network, "tiles", std::int64_t{tiles});
}

// Returns all statistics and records of a run as text, sorted independently of their order.
std::string told(firmware::testing::MachineBench& bench, RunEnd end) {
    std::ostringstream text;
    text << run_end_name(end) << " in cycle " << bench.machine().now() << '\n';
    for (const hw::PartStatistics& part : bench.machine().statistics()) {
        for (const hw::Counter* counter : part.group->counters()) {
            text << part.part << ' ' << counter->name() << ' ' << counter->value() << '\n';
        }
    }
    for (const auto& [id, message] : bench.trace.messages) {
        text << id.source << ' ' << id.sequence << ' ' << message.hops;
        using Times = std::array<Cycles, sizeof(hw::MessageTimes) / sizeof(Cycles)>;
        for (const Cycles time : std::bit_cast<Times>(message.times)) {
            text << ' ' << time;
        }
        text << '\n';
    }
    auto intervals = bench.trace.intervals;
    std::sort(intervals.begin(), intervals.end());
    for (const auto& interval : intervals) {
        text << interval.node << ' ' << static_cast<int>(interval.state) << ' ' << interval.begin
             << ' ' << interval.end << '\n';
    }
    std::set<std::string> shared;
    for (const hw::SharedTransaction& one : bench.trace.transactions) {
        shared.insert((std::ostringstream()
                       << one.node << ' ' << one.begin << ' ' << one.line << ' ' << one.home_begin
                       << ' ' << one.invalidations << ' ' << one.reply << ' ' << one.fill << ' '
                       << one.use)
                          .str());
    }
    for (const hw::CoherenceTrap& trap : bench.trace.coherence_traps) {
        shared.insert((std::ostringstream() << "trap " << trap.node << ' ' << trap.raised << ' '
                                            << trap.begin << ' ' << trap.end << ' ' << trap.packets)
                          .str());
    }
    for (const hw::SharedAccess& access : bench.trace.shared_accesses) {
        shared.insert((std::ostringstream()
                       << "access " << access.node << ' ' << access.sequence << ' ' << access.cycle
                       << ' ' << access.address << ' ' << access.loaded << ' ' << access.stored)
                          .str());
    }
    for (const hw::LineState& state : bench.trace.line_states) {
        shared.insert((std::ostringstream()
                       << "state " << state.node << ' ' << state.sequence << ' ' << state.cycle
                       << ' ' << state.line << ' ' << state.state << ' ' << state.pointers)
                          .str());
    }
    for (const std::string& fact : shared) {
        text << fact << '\n';
    }
    return text.str();
}

std::string remap_in(int tiles, std::int64_t body_bytes, bool queue_levels) {
    return result_of_separate_run([=] {
        KernelBench bench("remap");
        set_tiles(bench, tiles);
        bench.set_workload("iterations", std::int64_t{10});
        bench.set_workload("body_bytes", body_bytes);
        // Two-flit buffers and small queues let parts block one another.
        bench.set(bench.configuration.network, "buffer_flits", std::int64_t{2});
        if (body_bytes == 0) {
            bench.set(bench.configuration.controller, "input_queue_bytes", std::int64_t{64});
        }
        bench.traced.queue_levels = queue_levels;
        bench.load();
        if (tiles > 2) {  // host threads that share a core would be slow
            bench.machine().clock().tick_in_turn();
        }
        const RunEnd end = bench.run();
        EXPECT_EQ(bench.machine().clock().count(), static_cast<std::size_t>(tiles));
        EXPECT_EQ(bench.check(), std::nullopt);
        EXPECT_EQ(bench.machine().account().fault(true), std::nullopt);
        return told(bench, end);
    });
}

TEST(MachineTilesTest, TellTheSameHoweverManyThereAre) {
    for (const std::int64_t body_bytes : {0, 200}) {
        const std::string in_one = remap_in(1, body_bytes, false);
        EXPECT_THAT(in_one, Names("finished", "cycle"));
        for (const int tiles : {2, 3, 5, 32}) {
            EXPECT_TRUE(remap_in(tiles, body_bytes, tiles == 2) == in_one) << tiles << " tiles";
        }
    }
}

// Runs a kernel whose lines many nodes read and one stores to, with traps and all observers.
std::string shared_jacobi_in(int tiles, const char* protocol) {
    return result_of_separate_run([=] {
        SharedKernelBench bench("shared-jacobi");
        set_tiles(bench, tiles);
        bench.set(bench.configuration.coherence, "protocol", std::string(protocol));
        bench.set(bench.configuration.coherence, "classify_misses", true);
        bench.set_workload("grid", std::int64_t{16});
        bench.set_workload("iterations", std::int64_t{3});
        bench.traced = {.shared_accesses = true, .line_states = true};
        bench.load();
        if (tiles > 2) {
            bench.machine().clock().tick_in_turn();
        }
        const RunEnd end = bench.run();
        EXPECT_EQ(bench.machine().clock().count(), static_cast<std::size_t>(tiles));
        EXPECT_EQ(bench.check(), std::nullopt);
        EXPECT_FALSE(bench.trace.transactions.empty());
        return told(bench, end);
    });
}

class SharingTilesTest : public ::testing::TestWithParam<const char*> {};

TEST_P(SharingTilesTest, ShareMemoryAsInOne) {
    const std::string in_one = shared_jacobi_in(1, GetParam());
    EXPECT_THAT(in_one, Names("finished", "cycle"));
    for (const int tiles : {2, 3, 8}) {
        EXPECT_TRUE(shared_jacobi_in(tiles, GetParam()) == in_one) << tiles << " tiles";
    }
}

INSTANTIATE_TEST_SUITE_P(Protocols, SharingTilesTest,
                         ::testing::Values("limitless", "software", "forwarding"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace weir::nodes
