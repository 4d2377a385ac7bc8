#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/records/result.h"
#include "experiments/running/foreign_trace/foreign_run.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/testing/sweep_fixture.h"
#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/log/read_log.h"

namespace weir::experiments::running {
namespace {

namespace fs = std::filesystem;

/// A kernel on four nodes, of each way to communicate.
struct SmallKernel {
    const char* name;
    const char* workload;
};

class MeasuredBothWaysTest : public SweepTest, public testing::WithParamInterface<SmallKernel> {
  protected:
    [[nodiscard]] RunOptions options() const {
        RunOptions options;
        options.file = write("small.toml",
                             "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, "
                             "2]\ntrace.queue_levels = true\n[models]\ncompare = [\"logp\"]\n"
                             "[workload]\n" +
                                 std::string(GetParam().workload));
        options.presets = presets();
        options.show_progress = false;
        return options;
    }
    /// All that a page says of the one point: what was measured, where its time went, and what
    /// the models say of it.
    static nlohmann::json measured_of(const records::ExperimentResult& result) {
        nlohmann::json text = records::to_json(result);
        for (const char* key : {"folder", "wall_seconds", "machine_seconds", "processor_seconds",
                                "label", "seeds", "configuration", "cycles", "messages"}) {
            text.erase(key);
        }
        return text;
    }
};

// What a run says of itself, what its log says when it is read as any trace is, and what plain SQL
// finds in its tables.
TEST_P(MeasuredBothWaysTest, ARunItsLogAndItsDatabaseSayTheSameToTheLastDigit) {
    RunOptions run = options();
    run.folder = file("run");
    const nlohmann::json of_run = measured_of(run_experiment(run));
    const fs::path log = file("run") / "point-01-seed-1" / trace::kTraceFile;
    const fs::path database = file("trace.sqlite");
    trace::write_trace(trace::read_log(log), database);
    const nlohmann::json of_log = measured_of(measure_traces(options(), std::array{log}).result);
    const nlohmann::json of_database =
        measured_of(measure_traces(options(), std::array{database}).result);
    EXPECT_EQ(of_log, of_database);
    EXPECT_GE(of_log.at("measured").size(), 3U);
    for (const auto& [metric, value] : of_log.at("measured").items()) {
        EXPECT_EQ(value, of_run.at("measured").at(metric)) << metric;
    }
    EXPECT_EQ(of_log.value("round_trip", nlohmann::json()),
              of_run.value("round_trip", nlohmann::json()));
}

constexpr std::array kKernels{
    SmallKernel{"requests", "kernel = \"remap\"\niterations = 20\n"},
    SmallKernel{"messages", "kernel = \"remap\"\nstyle = \"asynchronous\"\niterations = 30\n"},
    SmallKernel{"bodies",
                "kernel = \"remap\"\nstyle = \"asynchronous\"\nbody_bytes = 256\niterations = 9\n"},
    SmallKernel{"product", "kernel = \"spmv\"\nrows = 32\nnonzeros = 96\n"},
    SmallKernel{"single", "kernel = \"body-ping\"\n"},
    SmallKernel{"pipeline", "kernel = \"diamond-dag\"\ntasks_per_side = 8\nblocks = 2\n"},
    SmallKernel{"program", "kernel = \"all-pairs\"\n"},
    SmallKernel{"transfers",
                "kernel = \"memcpy\"\nsizes_bytes = [64, 512]\nstrides_bytes = [8, 24]\n"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, MeasuredBothWaysTest, testing::ValuesIn(kKernels),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

}  // namespace
}  // namespace weir::experiments::running
