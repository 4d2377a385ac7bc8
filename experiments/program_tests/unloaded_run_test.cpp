#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

// Packets one at a time, on the machines of LogP's Table 1, from the command line.
class UnloadedRunTest : public ProgramTest {
  protected:
    static constexpr const char* kAlone = R"([workload]
kernel = "open-loop"
[models]
compare = ["logp_unloaded"]
[traffic]
pattern = "one_at_a_time"
)";
    UnloadedRunTest() {
        write("ncube2.toml", std::string("extends = \"ncube2\"\ntitle = \"nCUBE/2 of 64\"\n"
                                         "machine.nodes = 64\nnetwork.dimensions = [64]\n") +
                                 kAlone + "packet_flits = 20\n");
        write("cm5.toml", std::string("extends = \"cm5-am\"\ntitle = \"CM-5 of 32\"\n"
                                      "machine.nodes = 32\nnetwork.dimensions = [32]\n") +
                              kAlone + "packet_flits = 20\n");
        write("mesh.toml", std::string("[network]\ndimensions = [4, 4]\ninjection_cycles = 1\n"
                                       "ejection_cycles = 1\n") +
                               kAlone + "packet_flits = 5\n");
    }
    [[nodiscard]] std::string refused_with(const std::string& option) const {
        const ProgramEnd end = weir({"run", "mesh.toml", "--set", option});
        EXPECT_EQ(end.status, 2) << end.error;
        EXPECT_EQ(end.output, "");
        return end.error;
    }
};

// A line with slope r = 40, 8 cycles above M/w + H r. The 8 cycles are 7 for a collected flit to
// leave the last router, plus 2 for a router's input and output, minus 1. The subtracted cycle is
// that of the tail's last bit.
TEST_F(UnloadedRunTest, ASmallNcube2HopByHop) {
    const json result = result_of("ncube2.toml");
    const json& measured = result.at("measured");
    const json& distances = result.at("unloaded");
    ASSERT_EQ(distances.size(), 6U);
    constexpr std::array<int, 6> kChoices{6, 15, 20, 15, 6, 1};
    for (std::size_t hops = 1; hops <= 6; ++hops) {
        const json& distance = distances.at(hops - 1);
        EXPECT_EQ(distance.at("hops"), hops);
        EXPECT_EQ(distance.at("packets"), kChoices[hops - 1]);
        EXPECT_EQ(distance.at("pairs"), 64 * kChoices[hops - 1]);
        EXPECT_EQ(distance.at("least_cycles"), 160 + 40 * hops + 8);
        EXPECT_EQ(distance.at("longest_cycles"), 160 + 40 * hops + 8);
    }
    EXPECT_EQ(measured.at("cycles_per_hop"), 40);
    EXPECT_EQ(measured.at("cycles_at_no_hops"), 168);
    EXPECT_EQ(measured.at("cycles_off_the_line"), 0);
    EXPECT_EQ(measured.at("diameter_hops"), 6);
    EXPECT_DOUBLE_EQ(measured.at("mean_distance_hops").get<double>(), 3.0);
    EXPECT_DOUBLE_EQ(measured.at("network_latency_cycles").get<double>(), 168.0 + 40.0 * 3.0);
    EXPECT_DOUBLE_EQ(measured.at("network_latency_to_others_cycles").get<double>(),
                     168.0 + 40.0 * 192.0 / 63.0);
    EXPECT_EQ(measured.at("overheads_input_cycles"), 6400);
    EXPECT_DOUBLE_EQ(measured.at("message_cycles").get<double>(), 6400.0 + 288.0);
    const json& formula = result.at("predicted").at("logp_unloaded");
    EXPECT_DOUBLE_EQ(formula.at("message_cycles").get<double>(), 6400.0 + 160.0 + 40.0 * 3.0);
    EXPECT_EQ(formula.at("inputs").at("hop_cycles"), 40);
}

// The total time has both overheads of active messages, and the model's distance is a published
// one. The leaves' channels count as hops. A node that sends to itself has no hops, and takes the
// line's time for 0 hops.
TEST_F(UnloadedRunTest, APartialCm5WithActiveMessages) {
    const json result = result_of(
        "cm5.toml", {"--set", "published.mean_distance_hops={value = 9.3, source = \"a table\"}"});
    const json& measured = result.at("measured");
    EXPECT_EQ(measured.at("cycles_per_hop"), 8);
    EXPECT_EQ(measured.at("cycles_at_no_hops"), 38);
    EXPECT_EQ(measured.at("overheads_input_cycles"), 132);
    const double distance = measured.at("mean_distance_hops");
    EXPECT_DOUBLE_EQ(measured.at("message_cycles").get<double>(), 132.0 + 38.0 + 8.0 * distance);
    EXPECT_NEAR(result.at("compared").at("message_at_published_distance_cycles").get<double>(),
                132.0 + 38.0 + 8.0 * 9.3, 1e-9);
    EXPECT_EQ(result.at("configuration").at("network.copies"), 2);
}

TEST_F(UnloadedRunTest, ThePageMarksInputs) {
    write("both.toml",
          "title = \"Both\"\ndescription = \"\"\nparts = [\"ncube2.toml\", \"cm5.toml\"]\n");
    const std::string page = output_of({"run", "both.toml"});
    EXPECT_THAT(page,
                AllOf(HasSubstr("168 + 40 H"), HasSubstr("38 + 8 H"), HasSubstr("input T_snd"),
                      HasSubstr("nCUBE/2 of 64"), HasSubstr("CM-5 of 32")));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(setup::width_of(line), setup::kPageColumns) << line;
    }
    // Without a core's costs there is no total time and no model input. A packet takes a cycle into
    // the network, a cycle out of it, and four flits follow the first.
    EXPECT_THAT(output_of({"run", "mesh.toml"}),
                AllOf(HasSubstr("6 + 1 H"), Not(HasSubstr("input T_snd"))));
}

TEST_F(UnloadedRunTest, NeitherOrderNorSleepingNorSeedChangesAnything) {
    const auto facts = [this](const Arguments& options) {
        const json result = result_of("mesh.toml", options);
        return json{result.at("unloaded"), result.at("measured"), result.at("cycles")};
    };
    const json as_it_is = facts({});
    EXPECT_EQ(facts({"--set", "clock.tick_order=shuffled"}), as_it_is);
    EXPECT_EQ(facts({"--set", "clock.tick_order=reversed", "--set", "clock.sleeping=false"}),
              as_it_is);
    EXPECT_EQ(facts({"--set", "run.seeds=[7]"}), as_it_is);
    EXPECT_NE(facts({"--set", "network.hop_cycles=2"}), as_it_is);
}

TEST_F(UnloadedRunTest, TheConfigurationItLeavesRunsAgain) {
    const json first = result_of("cm5.toml", {"--out", "first"});
    const json again = result_of("first/point-01-seed-1/configuration.toml", {"--out", "again"});
    EXPECT_EQ(again.at("measured"), first.at("measured"));
    EXPECT_EQ(again.at("configuration"), first.at("configuration"));
}

TEST_F(UnloadedRunTest, RefusesKeysWithoutEffect) {
    EXPECT_THAT(refused_with("traffic.load=0.2"), Names("traffic.load", "effect"));
    EXPECT_THAT(refused_with("traffic.warm_up_cycles=7"), HasSubstr("\"one_at_a_time\""));
    EXPECT_THAT(refused_with("traffic.drain_cycles=7"), Names("traffic.drain_cycles", "effect"));
    EXPECT_THAT(refused_with("controller.launch_cycles=7"),
                Names("controller.launch_cycles", "effect"));
    EXPECT_THAT(refused_with("core.receive_mode=polling"), Names("core.receive_mode", "effect"));
}

// A machine's file can also run kernels, whose cores have costs of their own.
TEST_F(UnloadedRunTest, KernelsRunOnTheMachines) {
    for (const char* machine : {"cm5-am", "monsoon", "ncube2-am"}) {
        write("ping.toml", std::string("extends = \"") + machine +
                               "\"\nmachine.nodes = 16\nnetwork.dimensions = [16]\n"
                               "[workload]\nkernel = \"ping\"\nargument_words = [3]\n");
        const json measured = result_of("ping.toml").at("measured");
        EXPECT_EQ(measured.at("send_overhead_cycles_3"), 18) << machine;
    }
}

// LogP Section 4.1.4: o of 2 us at either end and L of 6 us, on an idle network; cycles of 25 ns. A
// message has five arguments, as in the remap, and the mean is over all pairs.
TEST_F(UnloadedRunTest, TheCm5OfTheFftHasTheOAndLItIsGiven) {
    write("ping.toml",
          "extends = \"cm5-128\"\n[workload]\nkernel = \"ping\"\nargument_words = [5]\n");
    const json measured = result_of("ping.toml").at("measured");
    EXPECT_EQ(measured.at("send_overhead_cycles_5"), 80);
    EXPECT_EQ(measured.at("receive_overhead_cycles_5"), 80);
    EXPECT_NEAR(measured.at("latency_cycles").get<double>(), 240.0, 1.0);
}

// Three of a header's four two-byte flits are saved by the tag; an argument's two flits remain.
TEST_F(UnloadedRunTest, ATagOfEightBytesSavesAHeadersFlits) {
    const auto measured = [this](const char* tag) {
        write("ping.toml", std::string("extends = \"alewife\"\n[machine]\nnodes = 2\n[network]\n"
                                       "dimensions = [2]\n[workload]\nkernel = \"ping\"\n"
                                       "argument_words = [1]\n") +
                               tag);
        return result_of("ping.toml").at("measured").at("latency_cycles").get<double>();
    };
    EXPECT_EQ(measured("") - measured("[[point]]\nlabel = \"a\"\nnetwork.tag_bytes = 8\n"), 3.0);
}

}  // namespace
}  // namespace weir::experiments
