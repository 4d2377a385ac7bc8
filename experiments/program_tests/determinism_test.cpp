#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

// The same experiment and seed give the same trace, whatever the host does and with every setting
// that only affects emulation. Traces are compared by the digest of all their facts.
class DeterminismTest : public ProgramTest, public ::testing::WithParamInterface<const char*> {
  protected:
    DeterminismTest() {
        write("remap.toml", kSmallRemap);
        write("spmv.toml", kSmallSpmv);
        const std::string remap = kSmallRemap;
        write("asynchronous.toml", remap + "style = \"asynchronous\"\n");
        write("polling.toml", remap + "[core]\nreceive_mode = \"polling\"\n");
        // Small queues, so that launches wait.
        write("protocol_processor.toml",
              remap + "style = \"asynchronous\"\n[core]\nreceive_mode = \"protocol_processor\"\n" +
                  "[controller]\noutput_queue_bytes = 64\ninput_queue_bytes = 64\n");
        const std::string bodies =
            "extends = \"alewife\"\n[machine]\nnodes = 16\n[network]\ndimensions = [4, 4]\n"
            "[firmware]\nbody_send = \"interrupt\"\nbody_receive = \"interrupt\"\n"
            "[workload]\nkernel = \"remap\"\n";
        // DMA engines that end, have their status read and are started again in the same cycles.
        write("bodies.toml", bodies +
                                 "style = \"asynchronous\"\niterations = 60\nbody_bytes = 64\n"
                                 "send_buffers = 2\nwork_cycles = 200\n"
                                 "work_distribution = \"exponential\"\n");
        write("bodies_and_replies.toml",
              bodies + "iterations = 100\nbody_bytes = 256\nwork_cycles = 700\n");
        write("bodies_beside.toml", bodies +
                                        "iterations = 60\nbody_bytes = 256\nwork_cycles = 2000\n"
                                        "work_distribution = \"exponential\"\n"
                                        "[core]\nreceive_mode = \"protocol_processor\"\n");
        write("overflow_trap.toml",
              bodies +
                  "iterations = 12\nbody_bytes = 1024\n"
                  "[controller]\noverflow_trap = true\noverflow_timeout_cycles = 32\n");
        write("diamond_dag.toml", kSmallDiamondDag);
        // Handlers beside waiting threads, and context switches that begin in the same cycles.
        write("contexts.toml",
              "extends = \"alewife\"\n[machine]\nnodes = 16\n[network]\ndimensions = [4, 4]\n"
              "[core]\nreceive_mode = \"protocol_processor\"\ncontexts = 3\n"
              "[workload]\nkernel = \"multithread\"\nthreads = 3\nreads = 60\n");
        const std::string nodes_of_a_square =
            "extends = \"alewife\"\n[machine]\nnodes = 4\n[network]\ndimensions = [2, 2]\n"
            "[workload]\n";
        // Virtual channels that several worms share.
        const std::string torus =
            "extends = \"alewife\"\n[machine]\nnodes = 16\n[workload]\nkernel = \"remap\"\n"
            "style = \"asynchronous\"\niterations = 40\nbody_bytes = 64\n"
            "[network]\ndimensions = [4, 4]\ntopology = \"torus\"\n";
        write("torus.toml", torus + "virtual_channels = 4\n");
        write("adaptive.toml", torus +
                                   "routing = \"minimal_adaptive\"\nhop_cycles = 3\n"
                                   "routing_cycles = 1\ncredit_cycles = 2\n");
        write("lu.toml", nodes_of_a_square + "kernel = \"lu\"\nrows = 12\n");
        write("pointer_chase.toml",
              nodes_of_a_square + "kernel = \"pointer-chase\"\nrequests = 20\nelements = 50\n");
        // Full queues all over the machine.
        write("hot_spot.toml",
              nodes_of_a_square +
                  "kernel = \"hot-spot\"\nrecords = 60\nhot_percent = 80\n"
                  "style = \"asynchronous\"\n"
                  "[controller]\noutput_queue_bytes = 64\ninput_queue_bytes = 64\n");
        write("producer_consumer.toml",
              nodes_of_a_square +
                  "kernel = \"producer-consumer\"\nrecords = 40\nconsumers = 2\n"
                  "body_bytes = 64\n");
        // All nodes send to one node, then all to the next one.
        write("all_pairs.toml",
              nodes_of_a_square + "kernel = \"all-pairs\"\nrounds = 8\norder = \"naive\"\n");
        write("jacobi.toml",
              nodes_of_a_square + "kernel = \"jacobi\"\ngrid = 12\niterations = 4\n");
        write("ideal.toml",
              "extends = \"lopc\"\n[workload]\nkernel = \"remap\"\niterations = 40\n");
    }

    /// Digests of a run of this kernel with two seeds.
    [[nodiscard]] std::string digests(const std::string& name, Arguments options = {}) const {
        const std::string experiment = std::string(GetParam()) + ".toml";
        options.insert(options.begin(),
                       {"run", experiment, "--out", name, "--set", "run.seeds=[1, 2]"});
        static_cast<void>(output_of(options));
        return digests_of(name);
    }
};

class FlitByFlitTest : public DeterminismTest {};
class TilesTest : public DeterminismTest {};

TEST_P(DeterminismTest, SameSeedSameDigest) { EXPECT_EQ(digests("first"), digests("second")); }

TEST_P(DeterminismTest, AnotherSeedAnotherDigest) {
    const std::string both = digests("run");
    EXPECT_NE(both.substr(0, 33), both.substr(33));
}

TEST_P(DeterminismTest, OrderOfTicksChangesNothing) {
    const std::string in_wake_order = digests("wake");
    EXPECT_EQ(digests("reversed", {"--set", "clock.tick_order=reversed"}), in_wake_order);
    EXPECT_EQ(digests("shuffled", {"--set", "clock.tick_order=shuffled"}), in_wake_order);
}

TEST_P(DeterminismTest, NeverSleepingChangesNothing) {
    const std::string sleeping = digests("sleeping");
    EXPECT_EQ(digests("awake", {"--set", "clock.sleeping=false"}), sleeping);
    EXPECT_EQ(digests("shuffled",
                      {"--set", "clock.sleeping=false", "--set", "clock.tick_order=shuffled"}),
              sleeping);
}

TEST_P(FlitByFlitTest, IsTheSameAsTheFasterWay) {
    const std::string faster = digests("faster", {"--set", "trace.queue_levels=true"});
    EXPECT_EQ(digests("flits",
                      {"--set", "trace.queue_levels=true", "--set", "network.flit_by_flit=true"}),
              faster);
}

TEST_P(TilesTest, HowManyThereAreChangesNothing) {
    const std::string in_one = digests("one", {"--set", "trace.queue_levels=true"});
    EXPECT_EQ(
        digests("two", {"-j", "1", "--set", "trace.queue_levels=true", "--set", "network.tiles=2"}),
        in_one);
}

TEST_P(DeterminismTest, NumberOfProcessesChangesNothing) {
    EXPECT_EQ(digests("one", {"-j", "1"}), digests("two", {"-j", "2"}));
}

// Planted fault: one constant of the machine is changed by a cycle.
TEST_P(DeterminismTest, ACycleMoreAnywhereIsSeen) {
    const std::string as_it_is = digests("before");
    EXPECT_NE(digests("after", {"--set", "network.hop_cycles=2"}), as_it_is);
}

class LargeMachineTest : public ProgramTest {
  protected:
    /// Results of a run on this number of host cores, without its times and its folder.
    [[nodiscard]] std::string results_on(const std::string& cores) const {
        const std::string folder = "on_" + cores;
        auto result = nlohmann::json::parse(
            output_of({"run", "large.toml", "--json", "--out", folder, "-j", cores}));
        nlohmann::json& point = result["points"][0];
        return digests_of(folder) + point["measured"].dump() +
               read(folder + "/point-01-seed-1/statistics.csv");
    }
};

// Each core of the host ticks one tile of the machine.
TEST_F(LargeMachineTest, HasTheSameResultsOnAnyNumberOfCores) {
    write("large.toml",
          "extends = \"alewife\"\n[machine]\nnodes = 1024\n[network]\ndimensions = [32, 32]\n"
          "[workload]\nkernel = \"remap\"\niterations = 2\n");
    const std::string on_one = results_on("1");
    EXPECT_EQ(results_on("2"), on_one);
    EXPECT_EQ(results_on("3"), on_one);
}

const auto kWithWorms = ::testing::Values(
    "remap", "spmv", "asynchronous", "polling", "protocol_processor", "bodies",
    "bodies_and_replies", "bodies_beside", "overflow_trap", "diamond_dag", "contexts", "lu",
    "pointer_chase", "hot_spot", "producer_consumer", "all_pairs", "jacobi");

std::string name_of_kernel(const ::testing::TestParamInfo<const char*>& kernel) {
    return kernel.param;
}

INSTANTIATE_TEST_SUITE_P(Kernels, DeterminismTest, kWithWorms, name_of_kernel);
INSTANTIATE_TEST_SUITE_P(Ideal, DeterminismTest, ::testing::Values("ideal"), name_of_kernel);
INSTANTIATE_TEST_SUITE_P(Kernels, FlitByFlitTest, kWithWorms, name_of_kernel);
const auto kWithVirtualChannels = ::testing::Values("torus", "adaptive");
INSTANTIATE_TEST_SUITE_P(VirtualChannels, DeterminismTest, kWithVirtualChannels, name_of_kernel);
INSTANTIATE_TEST_SUITE_P(VirtualChannels, FlitByFlitTest, kWithVirtualChannels, name_of_kernel);
INSTANTIATE_TEST_SUITE_P(Kernels, TilesTest,
                         ::testing::Values("remap", "spmv", "asynchronous", "polling",
                                           "protocol_processor", "bodies", "overflow_trap",
                                           "diamond_dag", "contexts", "lu", "all_pairs", "jacobi"),
                         name_of_kernel);

// Published values and extra inputs of a model never affect the machine.
class ComparisonTest : public ProgramTest {
  protected:
    ComparisonTest() {
        // 4 x 4 is the smallest mesh with a mean distance of one hop in each dimension, as LoGPC's
        // network model requires.
        write("remap.toml", std::string("extends = \"alewife\"\n[machine]\nnodes = 16\n[network]\n"
                                        "dimensions = [4, 4]\n[workload]\nkernel = \"remap\"\n"
                                        "iterations = 20\n") +
                                "[models]\ncompare = [\"logp\", \"lopc\", \"lopc_rule_of_thumb\", "
                                "\"logpc\"]\n[models.inputs]\nsource = \"invented\"\n"
                                "latency_cycles = 20\nsend_overhead_cycles = 15\n"
                                "receive_overhead_cycles = 122\nhandler_cycles = 130\n"
                                "work_cycles = 0\nmessage_bytes = 16\n"
                                "[published.cycles_per_iteration]\nvalue = 486\n"
                                "source = \"LoGPC Table 4\"\n");
        original_ = result_of("remap.toml", {"--out", "original"});
    }

    nlohmann::json original_;
};

TEST_F(ComparisonTest, PublishedValuesChangeNothingMeasuredAndNothingPredicted) {
    const nlohmann::json changed = result_of(
        "remap.toml", {"--out", "changed", "--set",
                       "published.cycles_per_iteration={value = 1, source = \"nowhere\"}"});
    EXPECT_EQ(changed.at("published").at("cycles_per_iteration").at("value"), 1);
    EXPECT_EQ(changed.at("measured"), original_.at("measured"));
    EXPECT_EQ(changed.at("round_trip"), original_.at("round_trip"));
    EXPECT_EQ(changed.at("predicted"), original_.at("predicted"));
    EXPECT_EQ(digests_of("changed"), digests_of("original"));
}

TEST_F(ComparisonTest, InputsOfModelsChangeOnlyThePredictionsFromThem) {
    const nlohmann::json changed =
        result_of("remap.toml", {"--out", "changed", "--set", "models.inputs.latency_cycles=40",
                                 "--set", "models.inputs.handler_cycles=200"});
    EXPECT_EQ(changed.at("measured"), original_.at("measured"));
    EXPECT_EQ(changed.at("round_trip"), original_.at("round_trip"));
    EXPECT_EQ(digests_of("changed"), digests_of("original"));
    for (const char* model : {"logp", "lopc", "lopc_rule_of_thumb", "logpc"}) {
        const std::string given = std::string(model) + "_given";
        EXPECT_EQ(changed.at("predicted").at(model), original_.at("predicted").at(model)) << model;
        EXPECT_GT(changed.at("predicted").at(given).at("cycles_per_iteration"),
                  original_.at("predicted").at(given).at("cycles_per_iteration"))
            << given;
    }
}

}  // namespace
}  // namespace weir::experiments
