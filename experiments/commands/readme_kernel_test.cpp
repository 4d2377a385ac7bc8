#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/version.h"
#include "hw/testing/names.h"

/// The kernel on the page firmware/README.md: CMake extracts its source and its experiment from the
/// page, and the program compiles libraries of it.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using weir::testing::Names;

std::string text_in(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

class ReadmeKernelTest : public ProgramTest {
  protected:
    ReadmeKernelTest() { setenv("XDG_CONFIG_HOME", (built() / "settings").c_str(), 1); }
    static fs::path built() { return WEIR_README_KERNEL; }
    static std::string experiment() { return (built() / "token-ring.toml").string(); }
    static std::string library(const std::string& name) {
        return "--set=workload.library=" + (built() / name).string();
    }
    /// Compiles the text with g++ into a library called `name`.
    void compile(const std::string& name, const std::string& text) {
        write(name + ".cpp", text);
        set_program("/usr/bin/g++");
        EXPECT_EQ(weir({"-shared", "-fPIC", "-o", name, name + ".cpp"}).status, 0);
        set_program(WEIR_PROGRAM);
    }
};

TEST_F(ReadmeKernelTest, WhatIsBuiltIsTheReadmesText) {
    const std::string readme = text_in(WEIR_README);
    for (const auto& [language, name] :
         {std::pair{"cpp", "token_ring.cpp"}, {"toml", "token-ring.toml"}}) {
        const std::string text = text_in(built() / name);
        EXPECT_THAT(readme, HasSubstr("```" + std::string(language) + "\n" + text + "```\n"));
    }
}

// Output block on the page below its commands, compared line by line.
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
    EXPECT_GT(round, 32 * (12 + 17 + 1));  // lower bound per node: o_s and the smallest L
    EXPECT_LT(round, 32 * (12 + 27 + 119 + 10));
}

TEST_F(ReadmeKernelTest, AWrongAnswerIsFound) {
    const ProgramEnd end = weir({"run", experiment(), library("wrong/token_ring.so")});
    EXPECT_EQ(end.status, running::kWrongAnswer);
    EXPECT_THAT(end.error, Names("1031", "3249600"));
}

// Both libraries have a kernel of this name; a point's digest includes the library's content.
TEST_F(ReadmeKernelTest, LibrariesAreSwept) {
    write("libraries.toml", "extends = \"" + experiment() +
                                "\"\nworkload.rounds = 2\n[[sweep.axis]]\nworkload.library = [\"" +
                                (built() / "token_ring.so").string() + "\", \"" +
                                (built() / "wrong/token_ring.so").string() + "\"]\n");
    const ProgramEnd end = weir({"sweep", "libraries.toml", "--out", "libraries.db"});
    EXPECT_EQ(end.status, running::kWrongAnswer) << end.error;
    const std::string shown = output_of({"sweep", "show", "libraries.db"});
    EXPECT_THAT(shown, HasSubstr("wrong/token_ring.so"));
}

TEST_F(ReadmeKernelTest, WhatIsNoLibraryOfThisWeirIsRefused) {
    write("none.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"token-ring\"\n"
          "library = \"other.so\"\n");
    EXPECT_THAT(refused({"run", "none.toml"}),
                Names("weir", "none.toml:4:11", "other.so", "weir", "build-kernel"));
    write("other.so", "no library");
    EXPECT_THAT(refused({"run", "none.toml"}), Names("other.so", "kernels", "build-kernel"));
    compile("other.so", "int nothing;");
    EXPECT_THAT(refused({"run", "none.toml"}), Names("other.so", "kernels", "build-kernel"));
    const auto describe = [this](const std::string& description) {
        compile("other.so",
                "__attribute__((section(\".weir.kernels\"), used)) const char text[] = R\"(" +
                    description + ")\";");
    };
    describe(R"({"interface": "0.0", "kernels": []})");
    EXPECT_THAT(refused({"run", "none.toml"}), Names("other.so", "0.0", setup::kVersion));
    const std::string interface = kinds::kernel_interface();
    for (const std::string kernels :
         {"", "1", "[1]", "[{}]", R"([{"name": "token-ring", "parameters": {"table": "a\nb"}}])"}) {
        describe(R"({"interface": ")" + interface + R"(", "kernels": )" + kernels + "}");
        EXPECT_THAT(refused({"run", "none.toml"}), Names("other.so", "description", "build-kernel"))
            << kernels;
    }
}

TEST_F(ReadmeKernelTest, ALibrarysKernelsAreItsOwn) {
    EXPECT_THAT(refused({"run", experiment(), "--set", "workload.kernel=token-rnig"}),
                Names("\"token-rnig\"", "\"token-ring\"", "\"token-ring\""));
    EXPECT_THAT(refused({"run", experiment(), "--set", "core.kind=sparcle"}),
                Names("compiled", "\"token-ring\""));
    write("remap.toml", kSmallRemap);
    EXPECT_THAT(refused({"run", "remap.toml", library("token_ring.so")}),
                Names("\"remap\"", "\"token-ring\""));
}

TEST_F(ReadmeKernelTest, WhatCannotBeBuiltIsNoLibrary) {
    EXPECT_THAT(refused({"build-kernel", "mine.cpp"}), Names("mine.cpp", "file"));
    write("mine.cpp", "#include \"firmware/kernels/own_kernel.h\"\nint one = two;\n");
    const ProgramEnd end = weir({"build-kernel", "mine.cpp"});
    EXPECT_EQ(end.status, running::kBadInput);
    EXPECT_THAT(end.error, HasSubstr("mine.cpp:2:11: error: "));
    EXPECT_FALSE(fs::exists(file("mine.so")));
}

}  // namespace
}  // namespace weir::experiments
