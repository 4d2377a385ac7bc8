#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/question.h"
#include "experiments/kinds/kind.h"
#include "experiments/program_tests/testing/json_schema.h"
#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

using nlohmann::json;

// The output of `weir run --json` matches its schema, and nothing else does.
class ResultSchemaTest : public ProgramTest {
  protected:
    static constexpr const char* kAllModels =
        R"(models.compare=["logp", "lopc", "lopc_rule_of_thumb", "logpc"])";

    ResultSchemaTest() {
        write("remap.toml", kSmallRemap);
        write("spmv.toml", kSmallSpmv);
    }

    [[nodiscard]] std::string faults(const json& result) const { return schema_.faults(result); }

  private:
    const JsonSchema schema_{output_of({"list", "--schema"})};
};

// One small run of each kernel.
TEST_F(ResultSchemaTest, Ping) {
    write("ping.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "[workload]\nkernel = \"ping\"\nargument_words = [0, 14]\n"
          "[published.latency_cycles]\nvalue = 21\nsource = \"LoGPC Table 1\"\n");
    const json result = result_of("ping.toml");
    EXPECT_EQ(faults(result), "");
    EXPECT_EQ(result.at("round_trip"), json::object());
    EXPECT_EQ(result.at("published").at("latency_cycles").at("source"), "LoGPC Table 1");
    EXPECT_TRUE(result.at("measured").contains("receive_overhead_cycles_14"));
}

TEST_F(ResultSchemaTest, Flood) {
    write("flood.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "[workload]\nkernel = \"flood\"\nmessages = 20\n");
    const json result = result_of("flood.toml");
    EXPECT_EQ(faults(result), "");
    EXPECT_TRUE(result.at("measured").contains("sender_gap_cycles"));
}

TEST_F(ResultSchemaTest, Remap) {
    const json result = result_of("remap.toml", {"--set", kAllModels});
    EXPECT_EQ(faults(result), "");
    EXPECT_GT(result.at("machine_seconds"), 0.0);
    EXPECT_LE(result.at("machine_seconds"), result.at("processor_seconds"));
    EXPECT_TRUE(result.at("measured").contains("cycles_per_iteration"));
    EXPECT_EQ(result.at("round_trip").size(), 15U);
    EXPECT_TRUE(result.at("measured").contains("whole_run_cycles_per_iteration"));
    EXPECT_TRUE(result.at("predicted").at("lopc").contains("cycles_per_iteration"));
}

TEST_F(ResultSchemaTest, BodyPing) {
    write("body.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "trace.queue_levels = true\nmodels.compare = [\"loggp\", \"loggp_notify\", \"logpc\"]\n"
          "[workload]\nkernel = \"body-ping\"\nbody_bytes = [1024]\npairs = \"one\"\n");
    const json result = result_of("body.toml");
    EXPECT_EQ(faults(result), "");
    EXPECT_GT(result.at("input_queue").size(), 50U);
    EXPECT_TRUE(result.at("predicted").at("loggp").contains("end_to_end_cycles"));
    EXPECT_TRUE(result.at("predicted").at("logpc").contains("not_applicable"));
    EXPECT_TRUE(result.at("compared").contains("loggp_over_measured_percent"));
}

TEST_F(ResultSchemaTest, LongRemap) {
    const json result = result_of(
        "remap.toml", {"--set", "workload.style=asynchronous", "--set", "workload.body_bytes=64",
                       "--set", "machine.nodes=16", "--set", "network.dimensions=[4, 4]", "--set",
                       "firmware.body_send=blocking", "--set", "firmware.body_receive=blocking",
                       "--set", R"(models.compare=["logp", "loggp"])"});
    EXPECT_EQ(faults(result), "");
    EXPECT_TRUE(result.at("predicted").at("loggp").contains("iteration_cycles_per_byte"));
    EXPECT_TRUE(result.at("measured").contains("iteration_cycles_per_byte"));
    EXPECT_TRUE(result.at("measured").contains("whole_run_cycles_per_byte"));
    // A node ends with its last handler, and not before its last body is in memory.
    EXPECT_GE(result.at("measured").at("whole_run_cycles_per_iteration").get<double>(),
              64.0 * result.at("measured").at("whole_run_cycles_per_byte").get<double>());
}

TEST_F(ResultSchemaTest, DiamondDag) {
    write("dag.toml", kSmallDiamondDag);
    const json result = result_of("dag.toml", {"--set", R"(models.compare=["loggp"])"});
    EXPECT_EQ(faults(result), "");
    EXPECT_TRUE(result.at("measured").contains("makespan_cycles"));
}

TEST_F(ResultSchemaTest, OpenLoopTraffic) {
    write("traffic.toml",
          "network.dimensions = [4, 4]\nmodels.compare = [\"agarwal\"]\n"
          "[workload]\nkernel = \"open-loop\"\n[run]\nseeds = [1, 2]\n[traffic]\n"
          "packet_flits = 4\nwarm_up_cycles = 100\nmeasurement_cycles = 500\n"
          "drain_cycles = 200\n");
    const json one = result_of("traffic.toml");
    EXPECT_EQ(faults(one), "");
    EXPECT_TRUE(one.at("measured").contains("packet_latency_cycles"));
    EXPECT_TRUE(one.at("compared").contains("agarwal_over_measured_percent"));
    // 4 x 4 routers have 48 channels, and each node two.
    EXPECT_EQ(one.at("channels").size(), 48U + 32U);
    write("curve.toml",
          read("traffic.toml") + "[[point]]\ntraffic.load = 0.2\n[[point]]\ntraffic.load = 1.0\n");
    const json curve = result_of("curve.toml");
    EXPECT_EQ(faults(curve), "");
    EXPECT_EQ(curve.at("load_curves").size(), 1U);
}

TEST_F(ResultSchemaTest, PacketsOneAtATime) {
    write("alone.toml",
          "extends = \"monsoon\"\nmachine.nodes = 16\nnetwork.dimensions = [16]\n"
          "models.compare = [\"logp_unloaded\", \"agarwal\"]\n[workload]\n"
          "kernel = \"open-loop\"\n[traffic]\npattern = \"one_at_a_time\"\n"
          "packet_flits = 10\n[published.mean_distance_hops]\nvalue = 5\nsource = \"a table\"\n");
    const json one = result_of("alone.toml");
    EXPECT_EQ(faults(one), "");
    EXPECT_EQ(one.at("unloaded").at(0).at("pairs"), 16 * 15);
    // All distances are equal, so no line can be fitted.
    EXPECT_FALSE(one.at("measured").contains("cycles_per_hop"));
    EXPECT_EQ(one.at("measured").at("message_cycles"), 10 + 10 + 2 * 2);
    EXPECT_FALSE(one.contains("load_curves"));
    const json lines = result_of("alone.toml", {"--set", "network.topology=hypercube"});
    EXPECT_EQ(faults(lines), "");
    EXPECT_TRUE(lines.at("compared").contains("message_at_published_distance_cycles"));
}

TEST_F(ResultSchemaTest, MemoryTransfers) {
    write("copy.toml",
          "extends = \"pentium3-beowulf\"\n[workload]\nkernel = \"pack\"\nsizes_bytes = [64]\n"
          "strides_bytes = [8, 32]\n");
    json result = result_of("copy.toml");
    EXPECT_EQ(faults(result), "");
    EXPECT_EQ(result.at("transfers").size(), 2U);
    EXPECT_EQ(faults(result_of("copy.toml", {"--set", "workload.strides_bytes=[64]", "--set",
                                             "workload.repetitions=1"})),
              "");
    result["transfers"][0]["predicted"]["other"] = 1.0;
    EXPECT_NE(faults(result), "");
}

TEST_F(ResultSchemaTest, PointAgainstAnother) {
    write("two.toml", std::string(kSmallRemap) +
                          "[[point]]\nlabel = \"short\"\n[[point]]\nlabel = \"long\"\n"
                          "against = \"short\"\nworkload.work_cycles = 1000\n");
    const json result = result_of("two.toml");
    EXPECT_EQ(faults(result), "");
    const auto cycles = [&result](int point) {
        return result.at("points")
            .at(point)
            .at("measured")
            .at("cycles_per_iteration")
            .get<double>();
    };
    EXPECT_EQ(result.at("points").at(1).at("against"), "short");
    EXPECT_NEAR(
        result.at("points").at(1).at("compared").at("over_other_point_percent").get<double>(),
        100.0 * (cycles(1) / cycles(0) - 1.0), 1e-9);
    EXPECT_FALSE(result.at("points").at(0).at("compared").contains("over_other_point_percent"));
}

TEST_F(ResultSchemaTest, Study) {
    write("both.toml",
          "title = \"Both\"\ndescription = \"\"\nparts = [\"remap.toml\", \"spmv.toml\"]\n");
    const json result = result_of("both.toml");
    EXPECT_EQ(faults(result), "");
    ASSERT_EQ(result.at("parts").size(), 2U);
    EXPECT_EQ(result.at("parts").at(0).at("kernel"), "remap");
    EXPECT_EQ(result.at("parts").at(1).at("kernel"), "spmv");
}

TEST_F(ResultSchemaTest, Spmv) {
    const json result = result_of("spmv.toml", {"--set", kAllModels});
    EXPECT_EQ(faults(result), "");
    EXPECT_TRUE(result.at("measured").contains("cycles_per_nonzero"));
    EXPECT_TRUE(result.at("compared").contains("lopc_rule_of_thumb_over_measured_percent"));
    // The 2 x 2 mesh lacks distances of one hop in each dimension, as LoGPC's network model
    // requires.
    EXPECT_TRUE(result.at("predicted").at("logpc").contains("not_applicable"));
}

TEST_F(ResultSchemaTest, GivenModelInputs) {
    const json result =
        result_of("remap.toml", {"--set", kAllModels, "--set", "models.inputs.latency_cycles=21"});
    EXPECT_EQ(faults(result), "");
    EXPECT_EQ(result.at("predicted").at("logp_given").at("inputs"),
              json({{"latency_cycles", 21.0}}));
    EXPECT_TRUE(result.at("predicted").at("logp_given").contains("not_applicable"));
}

TEST_F(ResultSchemaTest, SeveralSeeds) {
    const json result = result_of("remap.toml", {"--set", "run.seeds=[1, 2, 3]"});
    EXPECT_EQ(faults(result), "");
    EXPECT_EQ(result.at("seeds"), json({1, 2, 3}));
    EXPECT_TRUE(result.at("confidence_half_width_95").contains("cycles_per_iteration"));
}

TEST_F(ResultSchemaTest, SeveralPointsAndSensitivity) {
    write("sweep.toml", std::string(kSmallRemap) + R"([[point]]
network.hop_cycles = 1
[[point]]
label = "slow"
network.hop_cycles = 4
[[sensitivity]]
what = "router buffers"
points = [{ label = "1 flit", network.buffer_flits = 1 }]
)");
    EXPECT_EQ(faults(result_of("sweep.toml")), "");
    const json result = result_of("sweep.toml", {"--sensitivity"});
    EXPECT_EQ(faults(result), "");
    ASSERT_EQ(result.at("points").size(), 2U);
    EXPECT_EQ(result.at("points").at(0).at("label"), "network.hop_cycles = 1");
    EXPECT_EQ(result.at("points").at(1).at("configuration").at("network.hop_cycles"), 4);
    EXPECT_EQ(result.at("sensitivity").at(0).at("variants").at(0).at("label"), "1 flit");
    EXPECT_GT(result.at("points").at(1).at("messages"), 0);
    EXPECT_THAT(output_of({"run", "sweep.toml", "--sensitivity"}),
                ::testing::Not(::testing::HasSubstr("interrupted")));
    EXPECT_FALSE(result.contains("measured"));
}

TEST_F(ResultSchemaTest, KnowsEveryMetricThatCanBePublished) {
    json result = result_of("remap.toml");
    for (const std::string& metric : records::names_of(kinds::all_metrics())) {
        const bool is_measured = metric.find("_over_measured_") == std::string::npos &&
                                 metric != "over_other_point_percent" &&
                                 metric.find("_bounds_exceeded_") == std::string::npos;
        result[is_measured ? "measured" : "compared"][metric] = 1.0;
        result["published"][metric] = {{"value", 1.0}, {"source", "a paper"}};
    }
    EXPECT_EQ(faults(result), "");
}

TEST_F(ResultSchemaTest, KnowsEveryModelAndItsInputs) {
    json result = result_of("remap.toml");
    for (const std::string& model : analyses::compared_model_names()) {
        for (const char* asked_with : {"", "_given"}) {
            json& prediction = result["predicted"][model + asked_with];
            prediction["cycles_per_iteration"] = 316.0;
            for (const std::string& input : analyses::known_model_inputs()) {
                prediction["inputs"][input] = 1.0;
            }
        }
    }
    EXPECT_EQ(faults(result), "");
}

// Planted faults: each makes a valid result invalid.
TEST_F(ResultSchemaTest, RefusesWhatTheProgramDoesNotPrint) {
    const json good = result_of("remap.toml", {"--set", kAllModels});
    ASSERT_EQ(faults(good), "");
    const auto refuses = [&](const std::string& what, auto change) {
        json changed = good;
        change(changed);
        EXPECT_NE(faults(changed), "") << what;
    };
    for (const auto& [key, value] : good.items()) {
        // These entries are optional, since results of open-loop traffic have none of them.
        if (key != "messages" && key != "machine_seconds" && key != "processor_seconds" &&
            key != "explained") {
            refuses("no " + key, [&, name = key](json& result) { result.erase(name); });
        }
        refuses(key + " renamed", [&, name = key](json& result) {
            result[name + "s"] = result[name];
            result.erase(name);
        });
        refuses(key + " null", [&, name = key](json& result) { result[name] = nullptr; });
    }
    refuses("a key more", [](json& result) { result["comment"] = "x"; });
    refuses("an unknown metric", [](json& result) { result["measured"]["cycles"] = 1.0; });
    refuses("a metric without a value",
            [](json& result) { result["measured"]["handler_cycles"] = nullptr; });
    refuses("a part missing", [](json& result) { result["round_trip"].erase("reply_send"); });
    refuses("an unknown model", [](json& result) { result["predicted"]["pram"] = json::object(); });
    refuses("a prediction without inputs",
            [](json& result) { result["predicted"]["logp"].erase("inputs"); });
    refuses("a prediction of nothing",
            [](json& result) { result["predicted"]["logp"].erase("cycles_per_iteration"); });
    refuses("a published value without a source", [](json& result) {
        result["published"]["latency_cycles"] = {{"value", 21}};
    });
    refuses("no seed", [](json& result) { result["seeds"] = json::array(); });
    refuses("a configuration without kernel",
            [](json& result) { result["configuration"].erase("workload.kernel"); });
    refuses("points beside the fields of one",
            [](json& result) { result["points"] = json::array(); });
}

}  // namespace
}  // namespace weir::experiments
