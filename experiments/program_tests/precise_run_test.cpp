#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

// Runs that continue until a requested precision is reached.
class PreciseRunTest : public ProgramTest {
  protected:
    PreciseRunTest() {
        write("remap.toml", kSmallRemap);
        write("spmv.toml", kSmallSpmv);
        write("traffic.toml",
              "network.dimensions = [4, 4]\n[workload]\nkernel = \"open-loop\"\n[traffic]\n"
              "packet_flits = 4\nload = 0.3\nwarm_up_cycles = 500\nmeasurement_cycles = 1000\n");
    }

    [[nodiscard]] json precise(const std::string& file, const std::string& precision,
                               Arguments options = {}) const {
        options.insert(options.end(), {"--set", "run.relative_precision=" + precision});
        return result_of(file, options);
    }
    static std::int64_t length_of(const json& result) {
        return result.at("precision").at("runs").at(0).at("lengths").back();
    }
    /// Half width of the confidence interval, relative to the metric.
    static double relative_half_width(const json& result) {
        const std::string metric = result.at("precision").at("metric");
        return result.at("confidence_half_width_95").at(metric).get<double>() /
               result.at("measured").at(metric).get<double>();
    }
    void expect_refused(const Arguments& arguments, const std::string& message) const {
        EXPECT_THAT(refused(arguments), HasSubstr(message));
    }
};

// Half widths decrease with the square root of the length. The half width's square times the
// length, the variance of an iteration, is therefore constant. With 32 batches, this variance has
// 31 degrees of freedom. The ratio of two such variances is between 0.3 and 3.3 in 999 of 1,000
// cases.
TEST_F(PreciseRunTest, IterationsGoWithTheSquareOfThePrecision) {
    const json coarse = precise("remap.toml", "0.016");
    const json fine = precise("remap.toml", "0.004");
    EXPECT_LE(relative_half_width(coarse), 0.016);
    EXPECT_LE(relative_half_width(fine), 0.004);
    EXPECT_GT(length_of(fine), 4 * length_of(coarse));
    const auto variance = [](const json& result) {
        return std::pow(relative_half_width(result), 2.0) * static_cast<double>(length_of(result));
    };
    EXPECT_GT(variance(fine) / variance(coarse), 0.3);
    EXPECT_LT(variance(fine) / variance(coarse), 3.3);
    EXPECT_NEAR(coarse.at("measured").at("cycles_per_iteration").get<double>(),
                fine.at("measured").at("cycles_per_iteration").get<double>(),
                0.02 * fine.at("measured").at("cycles_per_iteration").get<double>());
}

// The final run's trace equals that of a run with this length in its file.
TEST_F(PreciseRunTest, WhatIsLeftIsAPlainRunOfTheLastLength) {
    const json result = precise("remap.toml", "0.005", {"--out", "found"});
    const std::int64_t length = length_of(result);
    EXPECT_GT(length, 40);
    EXPECT_NE(output_of({"run", "remap.toml", "--out", "told", "--set",
                         "workload.iterations=" + std::to_string(length)}),
              "");
    EXPECT_EQ(digests_of("found"), digests_of("told"));
    EXPECT_THAT(read("found/point-01-seed-1/configuration.toml"),
                HasSubstr("iterations = " + std::to_string(length)));
}

TEST_F(PreciseRunTest, IsTheSameWithAnyNumberOfWorkers) {
    const auto facts = [this](const std::string& workers) {
        json result =
            precise("remap.toml", "0.005",
                    {"--set", "run.seeds=[1, 2, 3]", "-j", workers, "--out", "j" + workers});
        for (const char* key : {"wall_seconds", "machine_seconds", "processor_seconds"}) {
            result.erase(key);
        }
        result.erase("folder");
        return result;
    };
    const json one = facts("1");
    EXPECT_EQ(one, facts("3"));
    EXPECT_EQ(digests_of("j1"), digests_of("j3"));
    EXPECT_EQ(one.at("precision").at("runs").size(), 3U);
}

TEST_F(PreciseRunTest, SaysWhenItIsNotPrecise) {
    const ProgramEnd end = weir({"run", "remap.toml", "--set", "run.relative_precision=0.0001",
                                 "--set", "run.most_lengthening=3", "--out", "short"});
    EXPECT_EQ(end.status, 0);
    EXPECT_THAT(words_of(end.output),
                HasSubstr("NOT PRECISE ENOUGH with workload.iterations = 120"));
    const json result = json::parse(read("short/result.json"));
    EXPECT_FALSE(result.at("precision").at("runs").at(0).at("is_precise").get<bool>());
}

TEST_F(PreciseRunTest, AWarmUpIsLeftOutOfAllMetrics) {
    // Initial work makes the first round trips of all nodes long.
    const json all = result_of("remap.toml", {"--set", "workload.iterations=400"});
    const json behind = result_of(
        "remap.toml", {"--set", "workload.iterations=400", "--set", "run.warm_up=detected"});
    const json& run = behind.at("precision").at("runs").at(0);
    EXPECT_FALSE(run.contains("length_key"));
    const std::int64_t left_out = run.at("warm_up_observations");
    EXPECT_LT(left_out, 1600);  // the 8 nodes have 3,192 observations
    EXPECT_NEAR(
        behind.at("measured").at("iterations_measured").get<double>(),
        all.at("measured").at("iterations_measured").get<double>() - static_cast<double>(left_out),
        8.0);  // messages that end in the cycle of the cut remain
    EXPECT_TRUE(behind.at("confidence_half_width_95").contains("cycles_per_iteration"));
    EXPECT_FALSE(all.at("confidence_half_width_95").contains("cycles_per_iteration"));
}

TEST_F(PreciseRunTest, ATrafficsMeasurementIsMadeLonger) {
    const json result = precise("traffic.toml", "0.01");
    EXPECT_LE(relative_half_width(result), 0.01);
    const json& run = result.at("precision").at("runs").at(0);
    EXPECT_EQ(run.at("length_key"), "traffic.measurement_cycles");
    EXPECT_GT(length_of(result), 1000);
}

TEST_F(PreciseRunTest, ASaturatedNetworkIsNotRunForLonger) {
    const json result =
        precise("traffic.toml", "0.01",
                {"--set", "traffic.load=1.0", "--set", "traffic.measurement_cycles=10000"});
    const json& run = result.at("precision").at("runs").at(0);
    EXPECT_THAT(run.at("doubt").get<std::string>(), HasSubstr("saturated"));
    EXPECT_THAT(run.at("lengths"), ElementsAre(10000));
}

TEST_F(PreciseRunTest, AProblemOfOneSizeIsRunWithMoreSeeds) {
    const json coarse = precise("spmv.toml", "0.2");
    EXPECT_EQ(coarse.at("precision").at("replications"), 5);
    EXPECT_THAT(coarse.at("seeds"), ElementsAre(1, 2, 3, 4, 5));
    const json fine = precise("spmv.toml", "0.02", {"-j", "2"});
    EXPECT_TRUE(fine.at("precision").at("is_precise").get<bool>());
    EXPECT_LE(relative_half_width(fine), 0.02);
    EXPECT_GT(fine.at("seeds").size(), 5U);
    const json few = precise("spmv.toml", "0.001", {"--set", "run.most_seeds=6"});
    EXPECT_FALSE(few.at("precision").at("is_precise").get<bool>());
    EXPECT_EQ(few.at("seeds").size(), 6U);
}

TEST_F(PreciseRunTest, WhatCannotBeIsRefused) {
    const auto with = [](const std::string& file, const Arguments& keys) {
        Arguments arguments{"run", file};
        for (const std::string& key : keys) {
            arguments.insert(arguments.end(), {"--set", key});
        }
        return arguments;
    };
    expect_refused(with("remap.toml", {"run.relative_precision=1"}), "from 0 to 0.5");
    expect_refused(with("remap.toml", {"run.relative_precision=-0.01"}), "from 0 to 0.5");
    expect_refused(with("remap.toml", {"run.batches=20"}), "run.batches");
    expect_refused(with("remap.toml", {"run.relative_precision=0.1", "run.most_seeds=20"}),
                   "run.most_seeds");
    expect_refused(with("spmv.toml", {"run.relative_precision=0.1", "run.most_lengthening=20"}),
                   "run.most_lengthening");
    expect_refused(with("traffic.toml", {"run.warm_up=detected"}), "traffic.warm_up_cycles");
}

// For kernels without a metric per iteration, the requested precision is that of the run's cycles.
TEST_F(PreciseRunTest, AKernelWithoutIterationsIsMeasuredByItsCycles) {
    write("flood.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "[workload]\nkernel = \"flood\"\n");
    const json flood = result_of("flood.toml", {"--set", "run.relative_precision=0.1"});
    EXPECT_EQ(flood.at("leading_metric"), "run_cycles");
    EXPECT_EQ(flood.at("precision").at("metric"), "run_cycles");
    EXPECT_EQ(flood.at("precision").at("is_precise"), true);
}

TEST_F(PreciseRunTest, ThePointsOfASweepStopByThemselves) {
    write("sweep.toml", std::string(kSmallRemap) +
                            "[run]\nrelative_precision = 0.005\n"
                            "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    const auto digest_with = [this](const std::string& workers) {
        const std::string page =
            weir({"sweep", "sweep.toml", "-j", workers, "--out", "j" + workers + ".db"}).output;
        const std::size_t digest = page.find("digest ");
        return page.substr(digest, page.find('\n', digest) - digest);
    };
    EXPECT_EQ(digest_with("1"), digest_with("2"));
    write("spmv-sweep.toml", std::string(kSmallSpmv) +
                                 "[run]\nrelative_precision = 0.05\n"
                                 "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    const ProgramEnd refused = weir({"sweep", "spmv-sweep.toml"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.error, Names("\"spmv\"", "seeds", "precise"));
}

}  // namespace
}  // namespace weir::experiments
