#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/pages/testing/page_width.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::commands {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;

// Runs `weir topology` of the built program, as a user does.
class TopologyCommandTest : public ProgramTest {
  protected:
    /// `weir topology show OPTIONS`
    [[nodiscard]] static Arguments show(const Arguments& options) {
        Arguments arguments = {"topology", "show"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }
    /// The topologies that `weir topology show OPTIONS --json` prints.
    [[nodiscard]] nlohmann::json shown(Arguments options) const {
        options.emplace_back("--json");
        return nlohmann::json::parse(output_of(show(options))).at("topologies");
    }
    /// Status 2, one line on standard error, nothing on standard output, no new file.
    [[nodiscard]] std::string refused(const Arguments& options) const {
        const std::string error = ProgramTest::refused(show(options));
        EXPECT_EQ(pages::lines_of(error), 1U) << error;
        return error;
    }
};

TEST_F(TopologyCommandTest, PrintsWhatATorusIs) {
    const std::string page = output_of(show({"--topology", "torus", "--dimensions", "8,4"}));
    EXPECT_THAT(page, Names("torus 8 x 4", "nodes", "32", "switches", "32", "channels", "128",
                            "degree", "4", "diameter", "6 hops", "distance", "3.09677", "3",
                            "bisection", "8", "exact", "2014"));
    pages::expect_fits_the_page(page);
}

TEST_F(TopologyCommandTest, JsonHasExactNumbers) {
    const nlohmann::json tree =
        shown({"--topology", "fat_tree", "--arity", "4", "--nodes", "1024"}).at(0);
    EXPECT_EQ(tree.at("kind"), "fat_tree");
    EXPECT_EQ(tree.at("switches"), 5 * 256);
    EXPECT_EQ(tree.at("channels"), 2 * 5 * 1024);
    EXPECT_EQ(tree.at("degree").at("largest"), 8);
    EXPECT_EQ(tree.at("diameter_hops"), 10);
    EXPECT_DOUBLE_EQ(tree.at("mean_distance_hops").at("with_itself").get<double>(),
                     28.0 / 3.0 + 2.0 / 3072.0);
    EXPECT_EQ(tree.at("bisection").at("channels"), 512);
    EXPECT_EQ(tree.at("bisection").at("is_exact"), true);
}

// Table of LogP, Section 5.1, for 1,024 processors: the formula's value where no network has
// exactly this size. Values by search are those of the network that is built.
TEST_F(TopologyCommandTest, DistancesOfLogPsNetworks) {
    const auto rows = nlohmann::json::parse(output_of({"topology", "distances", "--json"}));
    struct Row {
        const char* network;
        double printed;
        double formula;
        int nodes;
        double searched;
        int most;
    };
    const double cube = std::cbrt(1024.0);
    ASSERT_EQ(rows.at("networks").size(), 7U);
    std::size_t number = 0;
    for (const Row& row :
         {Row{"hypercube", 5, 5, 1024, 5, 10}, Row{"butterfly", 10, 10, 1024, 10, 10},
          Row{"4-ary fat tree", 9.33, 28.0 / 3.0, 1024, 28.0 / 3.0 + 2.0 / 3072.0, 10},
          Row{"3-D torus", 7.5, 0.75 * cube, 1000, 7.5, 15},
          Row{"3-D mesh", 10, cube, 1000, 9.9, 27}, Row{"2-D torus", 16, 16, 1024, 16, 32},
          Row{"2-D mesh", 21, 64.0 / 3.0, 1024, 64.0 / 3.0 - 1.0 / 48.0, 62}}) {
        const nlohmann::json& found = rows.at("networks").at(number++);
        const nlohmann::json& searched = found.at("searched");
        EXPECT_EQ(found.at("network"), row.network);
        EXPECT_DOUBLE_EQ(found.at("printed_hops").get<double>(), row.printed) << row.network;
        EXPECT_NEAR(found.at("formula").at("hops").get<double>(), row.formula, 1e-9) << row.network;
        EXPECT_EQ(searched.at("nodes"), row.nodes) << row.network;
        const double mean = searched.at("mean_distance_hops").at("with_itself");
        EXPECT_NEAR(mean, row.searched, 1e-9) << row.network;
        EXPECT_NEAR(searched.at("closed_form_hops").get<double>(), mean, 1e-9) << row.network;
        EXPECT_EQ(searched.at("diameter_hops"), row.most) << row.network;
        // The paper prints rounded values: 21 for 64 / 3, and 10 for the cube root of 1,024.
        EXPECT_NEAR(row.formula, row.printed, 0.34) << row.network;
    }
}

TEST_F(TopologyCommandTest, DistancesForOtherNumbersOfProcessors) {
    const std::string page = output_of({"topology", "distances", "--nodes", "100"});
    EXPECT_THAT(
        page, AllOf(HasSubstr("none: "), HasSubstr("3-D mesh"), Not(HasSubstr("printed   nodes"))));
    pages::expect_fits_the_page(page);
    pages::expect_fits_the_page(output_of({"topology", "distances"}));
    EXPECT_EQ(weir({"topology", "distances", "--nodes", "2"}).status, 0);
    for (const char* nodes : {"1", "16385"}) {
        const ProgramEnd end = weir({"topology", "distances", "--nodes", nodes});
        EXPECT_EQ(end.status, 2) << nodes;
        EXPECT_THAT(end.error, HasSubstr("2 to 16384")) << nodes;
    }
}

TEST_F(TopologyCommandTest, FormulaBesideTheSearch) {
    const auto formula = [this](const Arguments& options) {
        const nlohmann::json topology = shown(options).at(0);
        return topology.contains("distance_formula")
                   ? topology.at("distance_formula").at("text").get<std::string>() + " = " +
                         topology.at("distance_formula").at("hops").dump()
                   : "";
    };
    EXPECT_EQ(formula({"--topology", "torus", "--dimensions", "4,4,4"}), "3/4 P^(1/3) = 3.0");
    EXPECT_EQ(formula({"--topology", "mesh", "--dimensions", "6,6"}), "2/3 P^(1/2) = 4.0");
    EXPECT_EQ(formula({"--topology", "mesh", "--dimensions", "6,4"}), "");
    EXPECT_EQ(formula({"--topology", "torus", "--dimensions", "8"}), "P/4 = 2.0");
    EXPECT_EQ(formula({"--topology", "hypercube", "--nodes", "64"}), "1/2 log2(P) = 3.0");
    EXPECT_EQ(formula({"--topology", "butterfly", "--nodes", "64", "--arity", "4"}),
              "log4(P) = 3.0");
    EXPECT_THAT(formula({"--topology", "fat_tree", "--nodes", "64", "--arity", "4"}),
                HasSubstr("2 log4(P) - 2/3 = 5.33333"));
    EXPECT_THAT(output_of(show({"--topology", "mesh", "--dimensions", "6,6"})),
                Names("2/3 P^(1/2) = 4", "LogP", "5.1"));
}

// A file that describes a machine, and is no experiment.
TEST_F(TopologyCommandTest, AMachinesNetworkIsShown) {
    write("machine.toml", "extends = \"cm5\"\n");
    const nlohmann::json tree = shown({"machine.toml"}).at(0);
    EXPECT_THAT(tree.at("title").get<std::string>(), Names("4-ary", "5"));
    EXPECT_THAT(refused({"machine.toml", "--set", "network.dimensions=[0]"}),
                HasSubstr("network.dimensions"));
}

TEST_F(TopologyCommandTest, KnowsEveryTopology) {
    EXPECT_EQ(shown({"--topology", "mesh", "--dimensions", "4,4,4"}).at(0).at("nodes"), 64);
    EXPECT_EQ(shown({"--topology", "hypercube", "--nodes", "64"}).at(0).at("diameter_hops"), 6);
    EXPECT_EQ(shown({"--topology", "butterfly", "--nodes", "64"}).at(0).at("diameter_hops"), 3)
        << "the default arity is a file's";
    EXPECT_EQ(shown({"--topology", "butterfly", "--nodes", "64", "--arity", "2"})
                  .at(0)
                  .at("diameter_hops"),
              6);
    EXPECT_EQ(shown({"--topology", "hypercube", "--dimensions", "4,4"}).at(0).at("nodes"), 16);
    EXPECT_THAT(shown({"--topology", "fat_tree", "--dimensions", "8,2"})
                    .at(0)
                    .at("title")
                    .get<std::string>(),
                Names("4-ary", "2"));
    EXPECT_EQ(shown({"--topology", "fat_tree", "--nodes", "4999"}).at(0).at("nodes"), 4999);
}

// Networks with given latencies have no topology, even if the file has a mesh's dimensions.
TEST_F(TopologyCommandTest, ANetworkWithoutTopologyIsNotShown) {
    write("small.toml", kSmallRemap);
    for (const char* model : {"delay", "logp"}) {
        EXPECT_THAT(refused({"small.toml", "--set", std::string("network.model=") + model}),
                    Names("network.model = \"wormhole\"", "--topology NAME"));
    }
    write("points.toml", std::string(kSmallRemap) +
                             "[[point]]\nlabel = \"ideal\"\nnetwork.model = \"delay\"\n"
                             "[[point]]\nlabel = \"routers\"\n");
    EXPECT_EQ(shown({"points.toml"}).size(), 1U);
}

TEST_F(TopologyCommandTest, AnExperimentsGraphIsReadAndFaultsAreTheUsers) {
    write("small.toml", kSmallRemap);
    EXPECT_THAT(refused({"small.toml", "--set", "network.topology=graph", "--set",
                         "network.graph_file=none.dot"}),
                Names("network.graph_file=none.dot", "read"));
}

TEST_F(TopologyCommandTest, AnExperimentsNetworkIsShown) {
    write("small.toml", kSmallRemap);
    const nlohmann::json mesh = shown({"small.toml"});
    ASSERT_EQ(mesh.size(), 1U);
    EXPECT_EQ(mesh.at(0).at("title"), "mesh 4 x 2");
    EXPECT_EQ(shown({"small.toml", "--set", "network.dimensions=[2, 4]"}).at(0).at("title"),
              "mesh 2 x 4");
    EXPECT_THAT(everything(), ElementsAre("small.toml")) << "no run, no folder";
}

TEST_F(TopologyCommandTest, PointsWithOtherNetworksAreShownEachOnce) {
    write("points.toml", std::string(kSmallRemap) + R"(
[[point]]
label = "wide"
[[point]]
label = "square"
network.dimensions = [2, 2]
machine.nodes = 4
[[point]]
label = "wide again"
workload.iterations = 41
)");
    const nlohmann::json meshes = shown({"points.toml"});
    ASSERT_EQ(meshes.size(), 2U);
    EXPECT_EQ(meshes.at(0).at("title"), "mesh 4 x 2");
    EXPECT_EQ(meshes.at(1).at("title"), "mesh 2 x 2");
    EXPECT_THAT(refused({"points.toml", "--svg", "a.svg"}), HasSubstr("have 2 networks"));
}

TEST_F(TopologyCommandTest, ReadsGraphs) {
    write("ring.dot", "graph { a -- b; b -- c; c -- d; d -- a; }");
    const std::string page = output_of(show({"ring.dot"}));
    EXPECT_THAT(page, AllOf(StartsWith("graph ring.dot\n  nodes           4\n"),
                            Names("bisection", "2", "bound")));
    pages::expect_fits_the_page(page);
    write("ring.gv", read("ring.dot"));
    EXPECT_EQ(shown({"ring.gv"}).at(0).at("channels"), 8);
    write("pair.graphml", R"(<graphml><graph id="G" edgedefault="undirected">
<node id="0"/><node id="1"/><edge source="0" target="1"/></graph></graphml>)");
    EXPECT_EQ(shown({"pair.graphml"}).at(0).at("diameter_hops"), 1);
}

TEST_F(TopologyCommandTest, DrawsAPicture) {
    const std::string page =
        output_of(show({"--topology", "mesh", "--dimensions", "4,2", "--svg", "mesh.svg"}));
    EXPECT_THAT(page, StartsWith("mesh 4 x 2\n"));
    EXPECT_THAT(read("mesh.svg"), AllOf(StartsWith("<svg "), HasSubstr("mesh 4 x 2")));
    EXPECT_THAT(everything(), ElementsAre("mesh.svg"));
}

TEST_F(TopologyCommandTest, SaysWhatIsWrong) {
    EXPECT_THAT(refused({}), Names("topology", "FILE.toml"));
    EXPECT_THAT(refused({"--topology", "toros"}), Names("\"toros\"", "\"torus\""));
    EXPECT_THAT(refused({"--topology", "torus"}), Names("--topology torus", "--dimensions 8,4"));
    EXPECT_THAT(refused({"--topology", "torus", "--dimensions", "8,0"}), HasSubstr(R"(found "0")"));
    EXPECT_THAT(refused({"--topology", "torus", "--dimensions", "8,x"}), HasSubstr("x"));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "1"}),
                Names("--dimensions", "2 to 16384"));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "9999,9999"}),
                HasSubstr("2 to 16384 nodes"));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "1,1,1,1,1,1,1,1,2"}),
                Names("9", "1", "8"));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "2", "--nodes", "2"}),
                Names("--nodes", "mesh", "--dimensions"));
    EXPECT_THAT(refused({"--topology", "hypercube", "--dimensions", "4", "--nodes", "4"}),
                Names("--nodes", "hypercube", "--dimensions"));
    EXPECT_THAT(refused({"--topology", "hypercube", "--dimensions", "4", "--arity", "4"}),
                Names("--arity", "hypercube", "--topology butterfly"));
    EXPECT_THAT(refused({"--topology", "hypercube", "--nodes", "12"}),
                Names("--nodes", "12", "hypercube", "2"));
    EXPECT_THAT(refused({"--topology", "hypercube", "--dimensions", "4,3"}),
                Names("--dimensions", "12", "hypercube"));
    EXPECT_THAT(refused({"--topology", "butterfly", "--nodes", "8", "--arity", "4"}),
                Names("8", "butterfly", "4"));
    EXPECT_THAT(refused({"--topology", "fat_tree", "--nodes", "8", "--arity", "1"}),
                Names("--arity", "1", "2", "64"));
    EXPECT_THAT(refused({"--topology", "fat_tree"}),
                Names("--topology fat_tree", "--nodes", "--dimensions"));
    EXPECT_THAT(refused({"--topology", "fat_tree", "--nodes", "16385"}),
                HasSubstr(R"(--nodes: found "16385")"));
    EXPECT_THAT(refused({"--topology", "graph"}), HasSubstr("\"mesh\", \"torus\""));
    EXPECT_THAT(refused({"a.toml", "--topology", "mesh"}), Names("--topology", "both"));
    EXPECT_THAT(refused({"nothing.toml"}), HasSubstr("nothing.toml"));
    EXPECT_THAT(refused({"nothing.dot"}), Names("\"nothing.dot\""));
    EXPECT_THAT(refused({"graph.png"}), Names("graph.png", "experiment", "graph"));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "2", "--svg", "a.png"}),
                Names("--svg a.png", ".svg"));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "2", "--svg", "no/a.svg"}),
                Names("--svg no/a.svg", std::strerror(ENOENT)));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "99,99", "--svg", "a.svg"}),
                Names("9801", "4096"));
    EXPECT_THAT(refused({"--topology", "mesh", "--dimensions", "2", "--set", "a.b=1"}),
                Names("--set", "mesh"));
    write("bad.dot", "graph { a -- }");
    EXPECT_THAT(refused({"bad.dot"}), Names("weir", "bad.dot:1:14", "vertex"));
    write("small.toml", kSmallRemap);
    EXPECT_THAT(refused({"small.toml", "--set", "network.dimensions=[0]"}),
                HasSubstr("network.dimensions"));
    write("study.toml", "title = \"t\"\ndescription = \"d\"\nparts = [\"small.toml\"]\n");
    EXPECT_THAT(refused({"study.toml"}), Names("study.toml", "parts"));
    EXPECT_EQ(weir({"topology"}).status, 2);
}

}  // namespace
}  // namespace weir::experiments::commands
