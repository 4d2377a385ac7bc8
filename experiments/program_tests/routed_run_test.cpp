#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;
using ::weir::testing::Names;

// The same experiment on another network, with one changed line.
class RoutedRunTest : public ProgramTest {
  protected:
    RoutedRunTest() { write("remap.toml", kSmallRemap); }

    [[nodiscard]] std::string refused(Arguments arguments) const {
        arguments.insert(arguments.begin(), {"run", "remap.toml"});
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 2) << end.error;
        EXPECT_EQ(end.output, "");
        return end.error;
    }
};

TEST_F(RoutedRunTest, OneLineChoosesTheTopology) {
    for (const std::string topology : {"torus", "hypercube", "fat_tree"}) {
        const nlohmann::json result =
            result_of("remap.toml", {"--set", "network.topology=" + topology});
        const nlohmann::json& network = result.at("network");
        EXPECT_EQ(network.at("deadlock_free"), true) << topology;
        EXPECT_GT(network.at("dependencies"), 0);
        EXPECT_EQ(network.at("virtual_channels"), topology == "torus" ? 2 : 1);
        EXPECT_EQ(network.at("sending_handlers"), nlohmann::json::array({"request"}));
    }
}

TEST_F(RoutedRunTest, AGraphIsReadFromItsFile) {
    write("ring.dot",
          "graph { a -- b; b -- c; c -- d; d -- e; e -- f; f -- g; g -- h; h -- a; b -- g; }");
    const nlohmann::json result = result_of(
        "remap.toml", {"--set", "network.topology=graph", "--set", "network.graph_file=ring.dot",
                       "--set", "network.dimensions=[8, 4]"});
    EXPECT_EQ(result.at("network").at("topology"), "graph ring.dot");
}

TEST_F(RoutedRunTest, ThePageSaysWhatIsProvedAndWhatIsNot) {
    const std::string page = output_of({"run", "remap.toml", "--set", "network.topology=torus"});
    EXPECT_THAT(words_of(page), Names("torus 4 x 2", "2", "proved", "\"request\""));
    EXPECT_THAT(words_of(output_of({"run", "remap.toml", "--set", "network.topology=torus", "--set",
                                    "controller.overflow_trap=true"})),
                AllOf(HasSubstr("proved"), Not(HasSubstr("\"request\""))));
    EXPECT_THAT(output_of({"run", "remap.toml"}), Not(HasSubstr("virtual")));
}

TEST_F(RoutedRunTest, ARoutingThatCanDeadlockIsRefusedWithTheCycle) {
    const Arguments ring{"--set", "network.topology=torus",    "--set", "network.dimensions=[8]",
                         "--set", "network.virtual_channels=1"};
    EXPECT_THAT(refused(ring),
                MatchesRegex("weir: --set network.virtual_channels=1: .*\\(1\\) \\+x [a-z ]+ "
                             "\\(2\\) \\+x, .* \\(1\\) \\+x; .*network.virtual_channels = 0, "
                             ".*network.routing, .*network.allow_deadlock = true.*\n"));
    Arguments allowed = ring;
    allowed.insert(allowed.end(), {"--set", "network.allow_deadlock=true"});
    EXPECT_EQ(result_of("remap.toml", allowed).at("network").at("deadlock_free"), false);
}

TEST_F(RoutedRunTest, KeysWithoutEffectAreRefused) {
    EXPECT_THAT(refused({"--set", "network.arity=8"}),
                Names("network.arity", "effect", "network.topology = \"butterfly\"", "fat_tree"));
    EXPECT_THAT(refused({"--set", "network.graph_file=a.dot"}),
                Names("--set network.graph_file=a.dot", "network.graph_file", "effect"));
    EXPECT_THAT(
        refused({"--set", "network.topology=hypercube", "--set", "network.routing_order=[1, 0]"}),
        Names("--set network.routing_order=[1, 0]", "network.routing_order", "effect"));
    EXPECT_THAT(
        refused({"--set", "network.arbitration=fixed", "--set", "network.flit_by_flit=true"}),
        Names("--set network.flit_by_flit=true", "network.flit_by_flit", "effect", "virtual",
              "arbitration", "flit"));
    EXPECT_THAT(refused({"--set", "network.model=delay", "--set", "network.topology=torus"}),
                Names("--set network.topology=torus", "network.topology", "effect",
                      "network.model = \"wormhole\""));
    EXPECT_THAT(refused({"--set", "network.model=delay", "--set", "network.virtual_channels=2"}),
                Names("--set network.virtual_channels=2", "network.virtual_channels", "effect"));
}

TEST_F(RoutedRunTest, AGraphThatCantBeUsedIsRefused) {
    const auto with_graph = [&](const std::string& file) {
        return refused({"--set", "network.topology=graph", "--set", "network.graph_file=" + file});
    };
    EXPECT_THAT(with_graph("none.dot"),
                Names("--set network.graph_file=none.dot", "the file", "read"));
    EXPECT_THAT(with_graph("remap.toml"),
                Names("--set network.graph_file=remap.toml", "graph", "name's", ".dot"));
    write("three.dot", "graph { a -- b; b -- c; }");
    EXPECT_THAT(with_graph("three.dot"),
                Names("network.graph_file", "3", "machine.nodes", "8", "machine.nodes"));
    write("broken.dot", "graph { a -- ");
    EXPECT_THAT(with_graph("broken.dot"), HasSubstr("broken.dot: "));
}

TEST_F(RoutedRunTest, AMessageLongerThanTheBuffersThatHoldItIsRefused) {
    EXPECT_THAT(refused({"--set", "network.switching=virtual_cut_through"}),
                AllOf(StartsWith("weir: "), Names("messages", "4 flits", "network.buffer_flits")));
    static_cast<void>(result_of("remap.toml", {"--set", "network.switching=virtual_cut_through",
                                               "--set", "network.buffer_flits=16"}));
}

TEST_F(RoutedRunTest, ModelsOfAlewifesMeshSayNothingOfAnotherNetwork) {
    write("models.toml", std::string(kSmallRemap) + "[models]\ncompare = [\"logpc\", \"logp\"]\n");
    const nlohmann::json result = result_of("models.toml", {"--set", "network.topology=torus"});
    EXPECT_THAT(result.at("predicted").at("logpc").at("not_applicable").get<std::string>(),
                HasSubstr("mesh"));
    EXPECT_FALSE(result.at("predicted").at("logp").contains("not_applicable"));
}

}  // namespace
}  // namespace weir::experiments
