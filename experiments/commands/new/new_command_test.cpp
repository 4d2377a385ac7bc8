#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"

/// `weir new`: each starting point builds and runs as its output says.
namespace weir::experiments {
namespace {

using ::testing::HasSubstr;
using weir::testing::Names;

WEIR_TESTS_COST("NewCommandTest.AKernel", 12);

class NewCommandTest : public ProgramTest {
  protected:
    /// Runs the commands that `weir new` prints; returns the output of the last one.
    std::string try_what_is_printed(const std::string& kind, const std::string& name) {
        std::istringstream lines(output_of({"new", kind, name}));
        std::string output;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("  weir ")) {
                std::istringstream words(line);
                Arguments arguments;
                for (std::string word; words >> word;) {
                    arguments.push_back(word);
                }
                arguments.erase(arguments.begin());
                output = output_of(arguments);
            }
        }
        return output;
    }
};

TEST_F(NewCommandTest, AKernelBuildsRunsAndIsComparedOnOtherNetworks) {
    EXPECT_THAT(try_what_is_printed("kernel", "my-ring"), HasSubstr("makespan"));
    write("torus.toml",
          "extends = \"./my-ring.toml\"\nnetwork.topology = \"torus\"\n"
          "network.dimensions = [4, 2, 2]\n");
    EXPECT_THAT(output_of({"compare", "my-ring.toml", "torus.toml"}), HasSubstr("makespan"));
    EXPECT_THAT(refused({"run", "my-ring.toml", "--set", "workload.dimensions=[2]"}),
                Names("workload.dimensions", "2"));
    write("values.txt", "3 1 4");
    EXPECT_THAT(refused({"run", "my-ring.toml", "--set", "workload.values=values.txt"}),
                Names("workload.values", "node 3"));
    EXPECT_THAT(refused({"run", "my-ring.toml", "--set", "workload.values=none.txt"}),
                Names("workload.values", "none.txt"));
    EXPECT_EQ(weir({"run", "my-ring.toml", "--set", "workload.direction=down", "--set",
                    "workload.marks_rounds=true"})
                  .status,
              0);
}

TEST_F(NewCommandTest, AProgramBuildsAndRuns) {
    EXPECT_THAT(try_what_is_printed("program", "my-sum"), HasSubstr("sum 120 after"));
}

TEST_F(NewCommandTest, AnExperimentRuns) {
    EXPECT_THAT(try_what_is_printed("experiment", "mine"), HasSubstr("mine-001/report.html"));
}

TEST_F(NewCommandTest, NothingIsReplaced) {
    write("ring.toml", "mine");
    EXPECT_THAT(refused({"new", "kernel", "ring"}), Names("ring.toml", "exists"));
    EXPECT_EQ(read("ring.toml"), "mine");
    EXPECT_FALSE(std::filesystem::exists(file("ring.cpp")));
}

TEST_F(NewCommandTest, BadNamesAreRefused) {
    for (const char* name : {"Ring", "2ring", "my_ring", "a/b", "ring-", "../ring"}) {
        EXPECT_THAT(refused({"new", "experiment", name}), Names("NAME", name, "letters"));
    }
    EXPECT_THAT(refused({"new", "experiment", ""}), Names("NAME", "empty"));
    EXPECT_THAT(refused({"new", "kernel", "remap"}), Names("\"remap\""));
    EXPECT_THAT(refused({"new", "kernle", "ring"}), Names("kernle", "\"kernel\""));
}

// The page shows parameters as the template declares them.
TEST_F(NewCommandTest, TheFirmwaresPageShowsTheTemplatesParameters) {
    std::ifstream page(WEIR_README);
    std::ifstream source(std::string(WEIR_EXPERIMENTS) + "/templates/kernel.cpp.in");
    std::ostringstream text;
    text << source.rdbuf();
    std::string line;
    while (std::getline(page, line) && !line.starts_with("hw::Parameter<std::int64_t> rounds")) {
    }
    int lines = 0;
    for (; page && line != "```"; std::getline(page, line), ++lines) {
        EXPECT_THAT(text.str(), HasSubstr("    " + line + "\n"));
    }
    EXPECT_GT(lines, 8);
}

}  // namespace
}  // namespace weir::experiments
