#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/testing/shared_kernel_bench.h"
#include "memory/coherence/address_map.h"
#include "memory/coherence/coherence_controller.h"

namespace weir::nodes::testing {

constexpr std::int64_t kSharedBytes = 4096;

/// A machine of eight nodes whose scripts share memory. Every load is compared with the newest
/// word.
class SharedBench : public firmware::testing::ScriptBench {
  public:
    SharedBench() {
        configuration.shares_memory = true;
        set_dimensions({4, 2});
        set(configuration.machine, "nodes", std::int64_t{8});
        set(configuration.memory, "caches", std::int64_t{1});
        set(configuration.coherence, "shared_bytes", kSharedBytes);
        set(configuration.coherence, "check_loads", true);
    }
    /// Returns the shared address of the byte at `offset` of a node's part, if each part is
    /// contiguous.
    static std::uint32_t shared(std::int64_t node, std::int64_t offset) {
        return static_cast<std::uint32_t>(memory::kSharedBase + node * kSharedBytes + offset);
    }
    using Counter = hw::Counter memory::CoherenceController::Statistics::*;
    /// Sum of a counter over all homes.
    std::int64_t sum(Counter counter) {
        return firmware::testing::sum_over_homes(machine(), counter);
    }
    std::int64_t sum_of_cores(hw::Counter Core::Statistics::*counter) {
        std::int64_t all = 0;
        for (std::int32_t node = 0; node < machine().node_count(); ++node) {
            all += (machine().node(hw::NodeId(node)).core.statistics().*counter).value();
        }
        return all;
    }
};

/// An access of one node, after all earlier steps have ended.
struct Step {
    int node;
    bool is_store;
    std::uint32_t address;
};
constexpr auto kLoad = false;
constexpr auto kStore = true;

/// Returns the cycles that each step takes. Step i begins at cycle 1000 (i + 1).
inline std::vector<std::int64_t> cycles_of(SharedBench& bench, const std::vector<Step>& steps) {
    std::vector<std::int64_t> taken(steps.size());
    bench.thread = [&](Processor& processor, firmware::ActiveMessages&) -> Task {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            if (step.node != processor.node().index()) {
                continue;
            }
            co_await processor.wait_until(hw::Cycles(1000 * static_cast<std::int64_t>(i + 1)));
            const hw::Cycles begin = processor.now();
            if (step.is_store) {
                co_await processor.store(step.address, static_cast<std::uint32_t>(i + 1));
            } else {
                co_await processor.load(step.address);
            }
            taken[i] = (processor.now() - begin).count();
        }
    };
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.machine().account().fault(true), std::nullopt);
    return taken;
}

}  // namespace weir::nodes::testing
