#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/pages/testing/page_width.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"
#include "hw/testing/needed_tool.h"

namespace weir::experiments::commands {
namespace {

using weir::testing::Names;

// Runs `weir price` of the built program. Machines for traffic have no parts but routers, which are
// synthesized in seconds.
class PriceCommandTest : public ProgramTest {
  protected:
    PriceCommandTest() {
        write("mesh.toml",
              "title = \"Traffic on a mesh\"\n[network]\ndimensions = [2, 2]\nbuffer_flits = 1\n"
              "flit_bytes = 1\n[workload]\nkernel = \"open-loop\"\n");
    }
    [[nodiscard]] nlohmann::json router(const Arguments& options = {}) const {
        Arguments arguments{"price", "mesh.toml", "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return nlohmann::json::parse(output_of(arguments)).at("machines").at(0).at("parts").at(0);
    }
};

TEST_F(PriceCommandTest, MoreSlotsTakeMoreGates) {
    WEIR_NEEDS_TOOL("yosys");
    const nlohmann::json one = router();
    const nlohmann::json two = router({"--set", "network.buffer_flits=2"});
    EXPECT_EQ(one.at("kind"), "router");
    EXPECT_EQ(one.at("count"), 4);
    // The second slot adds at least 8 data bits and 2 marks at each of five inputs.
    EXPECT_GE(two.at("flip_flops").get<int>(), one.at("flip_flops").get<int>() + 5 * 10);
    EXPECT_GT(two.at("nand2_equivalents").get<double>(), one.at("nand2_equivalents").get<double>());
}

TEST_F(PriceCommandTest, ThePageFitsATerminal) {
    WEIR_NEEDS_TOOL("yosys");
    const std::string page = output_of({"price", "mesh.toml"});
    EXPECT_THAT(page, Names("Traffic on a mesh", "4", "wormhole router", "4", "BUFFER_FLITS = 1"));
    pages::expect_fits_the_page(page);
}

// The reason for a missing price names the key, and is found without yosys.
TEST_F(PriceCommandTest, APartWithoutATwinIsNoGuess) {
    const nlohmann::json none = router({"--set", "network.arbitration=oldest"});
    EXPECT_THAT(none.at("no_twin").get<std::string>(), Names("network.arbitration"));
    EXPECT_EQ(none.at("nand2_equivalents"), 0.0);
}

TEST_F(PriceCommandTest, ASweepsCostUsesThePrice) {
    WEIR_NEEDS_TOOL("yosys");
    write("study.toml",
          "extends = \"./mesh.toml\"\n[traffic]\nwarm_up_cycles = 100\nmeasurement_cycles = 300\n"
          "[[sweep.axis]]\nnetwork.buffer_flits = [1, 2]\n"
          "[cost]\ngates = \"price.router / 1000\"\n");
    static_cast<void>(output_of({"sweep", "study.toml", "--out", "study.db"}));
    const std::string rows =
        output_of({"sweep", "show", "study.db", "--csv", "--metric", "mean_hops"});
    const double one = router().at("nand2_equivalents").get<double>();
    EXPECT_THAT(rows, ::testing::HasSubstr("cost.gates,cost\n"));
    const std::string first = rows.substr(rows.find("\n1,"));
    const std::string line = first.substr(1, first.find('\n', 1) - 1);
    EXPECT_NEAR(std::stod(line.substr(line.rfind(',') + 1)), 4 * one / 1000, 1e-9);
}

TEST_F(PriceCommandTest, AnUnknownPriceIsRefusedBeforeAnyRun) {
    write("study.toml",
          "extends = \"./mesh.toml\"\n[[sweep.axis]]\nnetwork.buffer_flits = [1, 2]\n"
          "[cost]\ngates = \"price.queue\"\n");
    EXPECT_THAT(refused({"sweep", "study.toml"}),
                Names("study.toml", "price.queue", "price.router"));
}

}  // namespace
}  // namespace weir::experiments::commands
