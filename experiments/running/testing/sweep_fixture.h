#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/running/sweeps/points/run_outcome.h"
#include "experiments/setup/user_fault.h"
#include "hw/testing/test_folder.h"

namespace weir::experiments::running {

/// Test with a temporary folder, and plans of small sweeps.
class SweepTest : public ::testing::Test {
  protected:
    /// Four nodes, a run of a few milliseconds.
    static constexpr const char* kTiny = R"(extends = "alewife"
title = "A tiny remap"
machine.nodes = 4
network.dimensions = [2, 2]

[workload]
kernel = "remap"
iterations = 10
)";

    [[nodiscard]] std::filesystem::path file(const std::string& name) const {
        return folder_.path() / name;
    }
    [[nodiscard]] std::filesystem::path write(const std::string& name,
                                              const std::string& text) const {
        std::ofstream(file(name), std::ios::binary) << text;
        return file(name);
    }
    /// Plan of the file kTiny with these lines of a sweep appended.
    [[nodiscard]] SweepPlan plan(const std::string& sweep,
                                 const std::vector<std::string>& set_options = {}) const {
        return make_plan(write("study.toml", kTiny + sweep), presets(), set_options);
    }
    [[nodiscard]] static std::filesystem::path presets() {
        return std::filesystem::path(WEIR_EXPERIMENTS) / "machines";
    }
    /// Message of the fault that `work` throws, without the test's folder; "none" if it throws
    /// none.
    template <class Work>
    [[nodiscard]] std::string fault_of(const Work& work) const {
        try {
            work();
        } catch (const setup::UserFault& fault) {
            std::string text = fault.what();
            const std::string place = folder_.path().string() + "/";
            for (std::size_t at = text.find(place); at != std::string::npos;
                 at = text.find(place)) {
                text.erase(at, place.size());
            }
            return text;
        }
        return "none";
    }
    /// Outcome of a run with this metric.
    [[nodiscard]] static RunOutcome outcome(double cycles_per_iteration) {
        RunOutcome ended;
        ended.status = RunStatus::kOk;
        ended.cycles = 1000;
        ended.host_seconds = 0.5;
        ended.metrics = {{"measured", "cycles_per_iteration", cycles_per_iteration},
                         {"lopc", "cycles_per_iteration", 2 * cycles_per_iteration}};
        ended.result_json = "{}";
        ended.digest = outcome_digest(ended, std::to_string(cycles_per_iteration));
        return ended;
    }

  private:
    hw::testing::TestFolder folder_;
};

}  // namespace weir::experiments::running
