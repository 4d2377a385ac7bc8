#include "experiments/running/processes/dry_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DryRunTest : public ProgramTest {
  protected:
    nlohmann::json looked_at(const std::string& file, Arguments options = {}) {
        options.insert(options.begin(), {"run", file, "--dry-run", "--json"});
        return nlohmann::json::parse(output_of(options));
    }
};

TEST_F(DryRunTest, ShowsTheMachineAsATreeAndKeepsNothing) {
    write("remap.toml", kSmallRemap);
    const std::string page = output_of({"run", "remap.toml", "--dry-run"});
    EXPECT_THAT(page, AllOf(HasSubstr("nodes\nremap.toml "),
                            HasSubstr("\n    node_0 ... node_7 (8 alike)\n"
                                      "      controller  output_queue_bytes=256, "),
                            HasSubstr("dimensions=[4, 2]"), HasSubstr("buffer_flits=4"),
                            HasSubstr("\n1 run: 1 point\n"), ContainsRegex(" in [0-9.]+ "),
                            HasSubstr("\ntime    about ")));
    EXPECT_THAT(everything(), ElementsAre("remap.toml"));
}

TEST_F(DryRunTest, CountsRunsOfPointsSeedsAndVariants) {
    write("points.toml", std::string(kSmallRemap) + R"(
[run]
seeds = [1, 2]
[[point]]
label = "near"
network.hop_cycles = 1
[[point]]
label = "far"
network.hop_cycles = 4
[[sensitivity]]
what = "queues"
points = [{ label = "small", controller.input_queue_bytes = 64 }]
)");
    const auto all = looked_at("points.toml", {"--sensitivity"});
    EXPECT_EQ(all["runs"], 6);
    EXPECT_EQ(all["points"].size(), 3U);
    EXPECT_EQ(all["points"][1]["label"], "far");
    EXPECT_EQ(all["points"][2]["is_variant"], true);
    EXPECT_EQ(all["nodes"], 8);
    EXPECT_EQ(all["node_memory_bytes"], 67'108'864);
    EXPECT_GT(all["machine_bytes"], 100'000);
    EXPECT_EQ(looked_at("points.toml")["runs"], 4);
}

// A run that exceeds its time slice is stopped, and its total time is extrapolated: ten times the
// work takes about ten times as long.
TEST_F(DryRunTest, EstimatesWhatItDoesNotWaitFor) {
    write("remap.toml", kSmallRemap);
    const auto longest =
        looked_at("remap.toml", {"--set", "workload.iterations=1000000", "--set", "run.seeds=[1]"});
    const auto& point = longest["points"][0];
    EXPECT_EQ(point["has_ended"], false);
    EXPECT_GT(point["share_done"], 0.0);
    EXPECT_LT(point["share_done"], 1.0);
    EXPECT_GT(point["run_seconds"], running::kSliceSeconds);
    EXPECT_NEAR(longest["estimated_seconds"], point["run_seconds"], 1e-9);
}

TEST_F(DryRunTest, OfTrafficTheNetworkAlone) {
    write("load.toml", R"([machine]
nodes = 16
[network]
dimensions = [4, 4]
[workload]
kernel = "open-loop"
)");
    const auto all = looked_at("load.toml");
    EXPECT_EQ(all["node_memory_bytes"], 0);
    EXPECT_EQ(all["machine"].back()["name"], "network");
    EXPECT_EQ(all["machine"].back()["parts"][0]["count"], 16);
}

TEST_F(DryRunTest, BadInputIsOneMessage) {
    write("bad.toml", std::string(kSmallRemap) + "[core]\ncontexs = 2\n");
    const ProgramEnd end = weir({"run", "bad.toml", "--dry-run"});
    EXPECT_EQ(end.status, running::kBadInput);
    EXPECT_EQ(end.output, "");
    EXPECT_THAT(end.error, AllOf(HasSubstr("weir: bad.toml:"), HasSubstr("\"contexts\"?")));
}

running::DryRun with_points(std::vector<running::PlannedRuns> points, int workers) {
    running::DryRun dry_run;
    dry_run.points = std::move(points);
    dry_run.workers = workers;
    return dry_run;
}

TEST(DryRunEstimateTest, SharesTheRunsAmongTheWorkers) {
    const running::PlannedRuns two_seconds{.label = "", .seeds = 3, .run_seconds = 2.0};
    EXPECT_EQ(with_points({two_seconds}, 1).estimated_seconds(), 6.0);
    EXPECT_EQ(with_points({two_seconds, two_seconds}, 4).estimated_seconds(), 3.0);
    // The estimate is not shorter than the longest run.
    EXPECT_EQ(with_points({two_seconds}, 64).estimated_seconds(), 2.0);
}

TEST(DryRunEstimateTest, APointNotTriedCountsAsTheOneBefore) {
    const running::PlannedRuns known{.label = "", .seeds = 1, .run_seconds = 2.0};
    const running::PlannedRuns unknown{.label = "", .seeds = 2};
    EXPECT_EQ(with_points({known, unknown}, 1).estimated_seconds(), 6.0);
    EXPECT_EQ(with_points({unknown, known}, 1).estimated_seconds(), 6.0);
    EXPECT_EQ(with_points({unknown}, 1).estimated_seconds(), std::nullopt);
}

}  // namespace
}  // namespace weir::experiments
