#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes::testing {

/// What one node does after the others have done.
struct Step {
    int node;
    bool is_store;
    std::uint32_t address;
};
constexpr auto kLoad = false;
constexpr auto kStore = true;

/// What each step takes. They begin at cycles 1000, 2000 and so on.
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
