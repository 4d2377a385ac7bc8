#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/own_experiments.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::weir::testing::Names;

// weir check: reports every fault of a file, by the checks of weir run, in a format for editors.
class CheckTest : public ProgramTest {
  protected:
    /// Places and keys of a text's faults, such as "5:1 notfy_cycles".
    std::vector<std::string> places_of(const std::string& text) const {
        write("bad.toml", text);
        const ProgramEnd end = weir({"check", "bad.toml", "--json"});
        EXPECT_EQ(end.status, 2) << end.output << end.error;
        std::vector<std::string> places;
        for (const auto& fault : nlohmann::json::parse(end.output)) {
            EXPECT_EQ(fault.at("file"), "bad.toml");
            places.push_back(std::to_string(fault.at("line").get<int>()) + ":" +
                             std::to_string(fault.at("column").get<int>()));
        }
        return places;
    }
    std::string printed_for(const std::string& text, int status) const {
        write("bad.toml", text);
        const ProgramEnd end = weir({"check", "bad.toml"});
        EXPECT_EQ(end.status, status) << end.output << end.error;
        return end.output;
    }
};

TEST_F(CheckTest, AllFaultsOfAFileAreTold) {
    const std::string text = R"(extends = "alewife"
titel = "Remap"
[network]
hop_cylces = 2
flit_bytes = 0
[workload]
kernel = "rmap"
iterations = "many"
[published.cycles_per_iteratoin]
value = 300
source = "a paper"
[models]
compare = ["lgop"]
)";
    EXPECT_THAT(places_of(text),
                ElementsAre("2:1", "4:1", "5:14", "7:10", "8:14", "9:12", "13:12"));
    EXPECT_THAT(printed_for(text, 2), Names("bad.toml:5:14", "network.flit_bytes", "0", "1", "64",
                                            "bad.toml:7:10", "rmap"));
}

TEST_F(CheckTest, AFaultThatIsTwiceIsToldTwice) {
    EXPECT_THAT(places_of(R"(extends = "alewife"
[workload]
kernel = "remap"
[[point]]
network.hop_cycles = 0
[[point]]
network.hop_cycles = -1
[[point]]
network.hop_cycles = 2
)"),
                ElementsAre("5:22", "7:22"));
}

// Without a valid number of contexts, keys for several contexts have no effect. This consequence of
// the first fault is not reported.
TEST_F(CheckTest, AConsequenceOfAnotherFaultIsNotTold) {
    const std::string remap = "extends = \"alewife\"\n[workload]\nkernel = \"remap\"\n[core]\n";
    EXPECT_THAT(places_of(remap + "contexts = 99\ncontext_switch_cycles = 20\n"),
                ElementsAre("5:12"));
    EXPECT_THAT(places_of(remap + "poll_period_cycles = 0\ncontext_switch_cycles = 20\n"),
                ElementsAre("5:22", "6:25"));
}

TEST_F(CheckTest, AFaultOfAPointOfASweep) {
    const std::string axes =
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 0]\n[[sweep.axis]]\nnetwork.flit_bites = [2]\n";
    EXPECT_THAT(printed_for(kSmallRemap + axes, 2),
                Names("bad.toml:14:26", "network.hop_cycles", "0", "hop_cycles = 0",
                      "flit_bytes = 2", "bad.toml:16:9", "[network]", "flit_bites"));
}

TEST_F(CheckTest, WhatIsNotTomlIsOneFault) {
    EXPECT_THAT(printed_for("extends = \"alewife\"\n[workload\n", 2),
                ::testing::StartsWith("bad.toml:2:"));
}

TEST_F(CheckTest, AFileThatIsExtendedHasItsOwnFaults) {
    write("base.toml", "extends = \"alewife\"\n[network]\nhop_cycles = 0\n");
    write("one.toml", "extends = \"base.toml\"\n[workload]\nkernel = \"remap\"\nitertions = 4\n");
    write("two.toml", "title = \"Both\"\nparts = [\"one.toml\"]\n");
    const ProgramEnd end = weir({"check", "two.toml", "one.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.output, HasSubstr("base.toml:3:14: "));
    EXPECT_THAT(end.output, HasSubstr("one.toml:4:1: "));
    EXPECT_THAT(end.output.substr(end.output.find("one.toml:4:1: ") + 1),
                Not(HasSubstr("one.toml:4:1: ")));
}

TEST_F(CheckTest, EveryFileThatComesWithWeirIsRight) {
    std::vector<std::string> arguments{"check", "--json"};
    for (const fs::path& file : own_experiments()) {
        if (file.filename() != "replay.toml") {  // replays the trace of an earlier run
            arguments.push_back(file.string());
        }
    }
    const ProgramEnd end = weir(arguments);
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(nlohmann::json::parse(end.output), IsEmpty());
}

TEST_F(CheckTest, WhatAFileIsForIsTold) {
    write("remap.toml", kSmallRemap);
    write("machine.toml", "extends = \"alewife\"\n[network]\nhop_cycles = 2\n");
    write("sweep.toml", std::string(kSmallRemap) + "[[sweep.axis]]\nrun.seeds = [1, 2]\n");
    EXPECT_THAT(output_of({"check", "remap.toml", "machine.toml", "sweep.toml"}),
                Names("remap.toml:", "1 point", "machine.toml:", "kernel", "sweep.toml:", "1 point",
                      "2 runs"));
}

TEST_F(CheckTest, ParametersAreListedForPrograms) {
    const auto parameters =
        nlohmann::json::parse(output_of({"params", "network.hop_cycles", "--json"}));
    ASSERT_EQ(parameters.size(), 1U);
    const auto& hop = parameters.front();
    EXPECT_EQ(hop.at("key"), "network.hop_cycles");
    EXPECT_EQ(hop.at("unit"), "cycles");
    EXPECT_EQ(hop.at("least"), 1);
    EXPECT_TRUE(hop.at("kernel").is_null());
    const auto iterations =
        nlohmann::json::parse(output_of({"params", "workload.iterations", "--json"}));
    EXPECT_EQ(iterations.front().at("kernel"), "remap");
}

}  // namespace
}  // namespace weir::experiments
