#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/run_experiment.h"

/// The kernel that firmware/README.md shows: CMake takes its text, its line of CMake and its
/// experiment out of the page, and builds WEIR_OF_README with it.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

std::string text_in(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

class ReadmeKernelTest : public ProgramTest {
  protected:
    ReadmeKernelTest() { set_program(WEIR_OF_README); }

    static std::string experiment() {
        return (fs::path(WEIR_README_KERNEL) / "token-ring.toml").string();
    }
};

TEST_F(ReadmeKernelTest, WhatIsBuiltIsTheReadmesText) {
    const std::string readme = text_in(WEIR_README);
    for (const auto& [language, name] : {std::pair{"cpp", "token_ring.cpp"},
                                         {"cmake", "CMakeLists.txt"},
                                         {"toml", "token-ring.toml"}}) {
        const std::string text = text_in(fs::path(WEIR_README_KERNEL) / name);
        EXPECT_THAT(readme, HasSubstr("```" + std::string(language) + "\n" + text + "```\n"));
    }
}

TEST_F(ReadmeKernelTest, IsListedWithItsParameters) {
    EXPECT_THAT(output_of({"kernels"}),
                HasSubstr("token-ring         a token visits node after node\n"));
    EXPECT_THAT(output_of({"params", "workload"}), HasSubstr("Times around"));
}

// The page's block under the commands, line by line.
TEST_F(ReadmeKernelTest, RunsAsTheReadmeShows) {
    const std::string readme = text_in(WEIR_README);
    const std::size_t command = readme.find("./weir run my-kernels/token-ring.toml\n```\n");
    ASSERT_NE(command, std::string::npos);
    const std::size_t begin = readme.find("```\n", readme.find("```\n", command) + 4) + 4;
    std::istringstream shown(readme.substr(begin, readme.find("```", begin) - begin));
    const std::string report = output_of({"run", experiment()});
    int lines = 0;
    for (std::string line; std::getline(shown, line); ++lines) {
        EXPECT_THAT(report, HasSubstr(line + "\n"));
    }
    EXPECT_GE(lines, 3);
}

TEST_F(ReadmeKernelTest, TakesAsLongAsItsMessages) {
    const auto once = result_of(experiment(), {"--set", "workload.rounds=1"});
    const auto twice = result_of(experiment(), {"--set", "workload.rounds=2"});
    const double round = twice["measured"]["makespan_cycles"].get<double>() -
                         once["measured"]["makespan_cycles"].get<double>();
    EXPECT_GT(round, 32 * (12 + 17 + 1));  // o_s and the nearest L
    EXPECT_LT(round, 32 * (12 + 27 + 119 + 10));
}

TEST_F(ReadmeKernelTest, AWrongAnswerIsFound) {
    const ProgramEnd end = weir({"run", experiment(), "--set", "workload.kernel=wrong-ring"});
    EXPECT_EQ(end.status, running::kWrongAnswer);
    EXPECT_THAT(end.error, HasSubstr("the token is 1031, not 3249600"));
}

}  // namespace
}  // namespace weir::experiments
