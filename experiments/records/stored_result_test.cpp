#include "experiments/records/stored_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/records/json_input.h"
#include "experiments/records/validation.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"

namespace weir::experiments::records {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class StoredResultTest : public ProgramTest {
  protected:
    /// Expects that the object in a run's result.json is unchanged after reading and writing.
    void expect_same_after_reading(const std::string& experiment) {
        const std::string folder = experiment + ".run";
        static_cast<void>(output_of({"run", experiment, "--out", folder}));
        const Json written = Json::parse(read(folder + "/result.json"));
        Json again = to_json(experiment_result_from(written));
        EXPECT_EQ(again.dump(1), written.dump(1));
    }
    [[nodiscard]] std::string fault_of(const std::string& name) const {
        try {
            static_cast<void>(read_stored_result(file(name)));
        } catch (const setup::UserFault& fault) {
            return fault.what();
        }
        return "none";
    }
};

TEST_F(StoredResultTest, HowPreciseItIs) {
    write("longer.toml", std::string(kSmallRemap) + "[run]\nrelative_precision = 0.01\n");
    expect_same_after_reading("longer.toml");
    write("seeds.toml", std::string(kSmallSpmv) + "[run]\nrelative_precision = 0.2\n");
    expect_same_after_reading("seeds.toml");
}

TEST_F(StoredResultTest, OnePointWithModelsAndPublishedValues) {
    write("remap.toml", std::string(kSmallRemap) +
                            "[run]\nseeds = [1, 2]\n[models]\ncompare = [\"logp\", \"lopc\"]\n"
                            "[published.cycles_per_iteration]\nvalue = 400\nsource = \"it\"\n"
                            "tolerance = 0.25\n"
                            "[[sensitivity]]\nwhat = \"hops\"\n"
                            "points = [{ network.hop_cycles = 2 }]\n");
    expect_same_after_reading("remap.toml");
}

TEST_F(StoredResultTest, SeveralPointsOfEveryKindOfResult) {
    write("spmv.toml", std::string(kSmallSpmv) +
                           "[models]\ncompare = [\"lopc\"]\n[[point]]\nlabel = \"a\"\n"
                           "[[point]]\nlabel = \"b\"\nagainst = \"a\"\nworkload.rows = 40\n");
    expect_same_after_reading("spmv.toml");
    write("copy.toml",
          "extends = \"pentium3-beowulf\"\n[workload]\nkernel = \"memcpy\"\n"
          "strides_bytes = [8, 64]\nsizes_bytes = [1024, 2048]\n");
    expect_same_after_reading("copy.toml");
    write("load.toml",
          "extends = \"alewife\"\n[machine]\nnodes = 8\n[network]\ndimensions = [4, 2]\n"
          "[workload]\nkernel = \"open-loop\"\n[traffic]\nwarm_up_cycles = 200\n"
          "measurement_cycles = 500\n[[point]]\nlabel = \"low\"\ntraffic.load = 0.05\n"
          "[[point]]\nlabel = \"more\"\ntraffic.load = 0.1\n");
    expect_same_after_reading("load.toml");
}

TEST_F(StoredResultTest, RunsThatGiveNoResult) {
    ExperimentResult result;
    result.file = "a.toml";
    result.folder = "a";
    result.runs_left = 1;
    result.endings.push_back({.point = "P = 2",
                              .seed = UINT64_MAX,
                              .how = "starved",
                              .exit_status = 3,
                              .cycles = 12345,
                              .messages = 678,
                              .explanation = "node 3 got nothing\nfor 100000 cycles",
                              .folder = "point-01-seed-1",
                              .partial = {{"run_cycles", 1.0 / 3.0}},
                              .configuration = {{"network.hop_cycles", std::int64_t{4}}}});
    const Json json = to_json(result);
    EXPECT_EQ(to_json(experiment_result_from(json)).dump(1), json.dump(1));
    Json outside = json;
    outside["endings"][0]["folder"] = "../another";
    EXPECT_ANY_THROW(static_cast<void>(experiment_result_from(outside)));
}

// Published values can be checked as `weir validate` does it.
TEST_F(StoredResultTest, ChecksAreThoseOfTheRun) {
    write("remap.toml", std::string(kSmallRemap) +
                            "[published.cycles_per_iteration]\nvalue = 1\nsource = \"it\"\n"
                            "within = 2\n");
    static_cast<void>(output_of({"run", "remap.toml", "--out", "out"}));
    const StoredResult stored = read_stored_result(file("out"));
    EXPECT_EQ(stored.weir_version, setup::kVersion);
    EXPECT_EQ(stored.title, "Remap on eight nodes");
    ASSERT_EQ(stored.experiments.size(), 1U);
    const std::vector<Check> checks = validate(stored.experiments.front());
    ASSERT_EQ(checks.size(), 1U);
    EXPECT_EQ(checks.front().allowed, 2.0);
    EXPECT_TRUE(checks.front().missed());
}

TEST_F(StoredResultTest, StudiesHaveTheirParts) {
    write("remap.toml", kSmallRemap);
    write("both.toml", "title = \"Two\"\nparts = [\"remap.toml\", \"spmv.toml\"]\n");
    write("spmv.toml", kSmallSpmv);
    static_cast<void>(output_of({"run", "both.toml", "--out", "out"}));
    std::filesystem::rename(file("out"), file("moved"));
    const StoredResult stored = read_stored_result(file("moved"));
    EXPECT_TRUE(stored.is_study);
    ASSERT_EQ(stored.experiments.size(), 2U);
    const ExperimentResult& remap = stored.experiments.front();
    EXPECT_THAT(folders_of_point(remap, remap.points.front()),
                ElementsAre(file("moved") / "remap" / "point-01-seed-1"));
}

TEST_F(StoredResultTest, AParametersNumberIsNotCut) {
    EXPECT_EQ(parameter_value_from(Json::parse("9223372036854775807")),
              hw::ParameterValue(INT64_MAX));
    EXPECT_THROW(static_cast<void>(parameter_value_from(Json::parse("18446744073709551615"))),
                 Json::exception);
    EXPECT_THROW(static_cast<void>(parameter_value_from(Json::parse("[18446744073709551615]"))),
                 Json::exception);
}

TEST_F(StoredResultTest, WhatIsNoRunIsRefused) {
    EXPECT_THAT(fault_of("absent"), HasSubstr("there is no such folder"));
    std::filesystem::create_directory(file("empty"));
    EXPECT_THAT(fault_of("empty"), HasSubstr("this is no run's folder; accepted: a folder with a "
                                             "result.json"));
    std::filesystem::create_directory(file("other"));
    write("other/result.json", "{\"weir\": \"0\"}");
    // The message names the first missing key.
    EXPECT_THAT(fault_of("other"), HasSubstr("'experiment'"));
    write("other/result.json", R"({"weir": 1e300})");
    EXPECT_THAT(fault_of("other"), HasSubstr("a number is not between -9.2e18 and 9.2e18"));
    write("other/result.json", R"({"weir": -9e999})");
    EXPECT_THAT(fault_of("other"), HasSubstr("result.json: this is not a result"));
    write("other/result.json", std::string(100'000, '['));
    EXPECT_THAT(fault_of("other"), HasSubstr("it is nested too deep"));
    write("other/result.json", "{");
    EXPECT_THAT(fault_of("other"), HasSubstr("result.json: this is not a result"));
}

// An edited value is reported and not shown.
TEST_F(StoredResultTest, ValuesThatNoRunLeavesAreRefused) {
    write("remap.toml", kSmallRemap);
    static_cast<void>(
        output_of({"run", "remap.toml", "--out", "out", "--set", "run.seeds=[1, 2]"}));
    const nlohmann::ordered_json result = nlohmann::ordered_json::parse(read("out/result.json"));
    const auto fault_with = [&](const std::string& place, const nlohmann::ordered_json& value) {
        nlohmann::ordered_json changed = result;
        changed[nlohmann::ordered_json::json_pointer(place)] = value;
        write("out/result.json", changed.dump());
        return fault_of("out");
    };
    for (const auto& [place, value] :
         {std::pair<std::string, nlohmann::ordered_json>{"/cycles/0", -1},
          {"/cycles/0", "many"},
          {"/cycles/0", 1.5},
          {"/seeds/0", -1},
          {"/messages", -1},
          {"/wall_seconds", -1},
          {"/machine_seconds", "x"},
          {"/warmup_cycles", -1},
          {"/measured/cycles_per_iteration", "x"},
          {"/measured/cycles_per_iteration", nullptr},
          {"/measured/cycles_per_iteration", 1e19},
          {"/confidence_half_width_95/cycles_per_iteration", -1},
          {"/round_trip/compute", "x"},
          {"/configuration/network.hop_cycles", nullptr}}) {
        EXPECT_THAT(fault_with(place, value), HasSubstr("out/result.json: this is not a result of"))
            << place << " " << value;
    }
    EXPECT_EQ(fault_with("/seeds/0", 1), "none");
}

}  // namespace
}  // namespace weir::experiments::records
