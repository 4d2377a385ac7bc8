#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

/// The result of `cmake --install`, moved to another place before it is used.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

class InstalledTest : public ProgramTest {
  protected:
    InstalledTest() {
        set_program(WEIR_CMAKE);
        end_well({"--install", WEIR_BUILD_FOLDER, "--prefix", file("first").string()});
        fs::rename(file("first"), prefix());
        set_program((prefix() / "bin/weir").string());
    }

    // Returns standard output; programs other than Weir may write to standard error too.
    std::string end_well(const Arguments& arguments) {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 0) << end.error;
        return end.output;
    }
    [[nodiscard]] fs::path prefix() const { return file("moved"); }
};

// Builds the example by its own CMakeLists.txt, with installed files only.
TEST_F(InstalledTest, AProgramOfOnesOwnIsBuiltFromIt) {
    const fs::path example = prefix() / "share/doc/weir";
    const fs::path build = file("build");
    set_program(WEIR_CMAKE);
    end_well({"-S", example.string(), "-B", build.string(), "-G", "Ninja",
              "-DCMAKE_PREFIX_PATH=" + prefix().string(), "-DCMAKE_CXX_FLAGS=-Wall -Werror"});
    end_well({"--build", build.string()});

    // L of a message over one hop is 18 cycles (LoGPC Tables 1 and 2). The 18 cycles are 4 for the
    // first byte, one for each hop, three more header flits, and 10 of notify. o_s with an argument
    // is 12 cycles. Loads and stores of the controller take 2 and 3.
    set_program((build / "two_nodes").string());
    EXPECT_THAT(end_well({}),
                Names("cycle 100 (5 us)", "node 0", "cycle 112 (5600 ns)", "node 0", "3 words",
                      "cycle 130 (6500 ns)", "node 1", "launch 112", "112", "117", "header 120",
                      "122", "cycle 136 (6800 ns)", "node 1", "42"));

    set_program(WEIR_NINJA);
    const std::string read = output_of({"-C", build.string(), "-t", "deps"});
    EXPECT_THAT(read,
                HasSubstr((prefix() / "include/weir/network/router/wormhole_router.h").string()));
    EXPECT_THAT(read, Not(HasSubstr(WEIR_SOURCE_FOLDER)));
    const std::string commands = output_of({"-C", build.string(), "-t", "commands"});
    EXPECT_THAT(commands, HasSubstr((prefix() / "lib").string()));
    EXPECT_THAT(commands, Not(HasSubstr(WEIR_SOURCE_FOLDER)));
}

TEST_F(InstalledTest, APartThatIsNotThereIsRefused) {
    write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(one LANGUAGES CXX)
find_package(weir REQUIRED COMPONENTS network wings)
)");
    set_program(WEIR_CMAKE);
    const ProgramEnd end = weir({"-S", folder().string(), "-B", file("build").string(), "-G",
                                 "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix().string()});
    EXPECT_NE(end.status, 0);
    EXPECT_THAT(end.error, HasSubstr("wings"));
}

TEST_F(InstalledTest, TheProgramFindsItsExperimentsAndPresets) {
    write("ping.toml", R"(extends = "alewife"
title = "A ping"

[machine]
nodes = 2

[network]
dimensions = [2, 1]

[workload]
kernel = "ping"
)");
    const auto result = result_of("ping.toml");
    EXPECT_EQ(result["measured"]["send_overhead_cycles_0"], 9);
    EXPECT_THAT(output_of({"params", "network.hop_cycles"}), HasSubstr("hop_cycles = 1"));
    // This folder has no such file, so the file that comes with the program is used.
    end_well({"topology", "show", "experiments/machines/alewife.toml"});
}

// The Python package finds the program on PATH.
TEST_F(InstalledTest, PythonRunsIt) {
    write("mine.toml", kSmallRemap);
    set_program("/usr/bin/env");
    const std::string path = "PATH=" + (prefix() / "bin").string() + ":/usr/bin:/bin";
    const std::string packages = "PYTHONPATH=" + (prefix() / "lib/python3/dist-packages").string();
    EXPECT_THAT(end_well({path, packages, "/usr/bin/python3", "-c",
                          "import weir\n"
                          "print(weir.find_program(), weir.run('mine.toml').title)"}),
                Names((prefix() / "bin/weir").string(), "Remap"));
}

TEST_F(InstalledTest, TheProgramBuildsAndRunsAKernelOfOnesOwn) {
    for (const char* name : {"token_ring.cpp", "token-ring.toml"}) {
        fs::copy(fs::path(WEIR_README_KERNEL) / name, folder());
    }
    EXPECT_THAT(output_of({"build-kernel", "token_ring.cpp", "--flag=-O0"}),
                Names("token_ring.so", "token-ring"));
    EXPECT_EQ(result_of("token-ring.toml")["measured"]["makespan_cycles"], 486203);
}

TEST_F(InstalledTest, TheProgramCompilesForSparcle) {
    write("one.c",
          "#include \"firmware/sparcle/active_messages.h\"\nint main(void) { return 0; }\n");
    EXPECT_THAT(output_of({"compile", "one.c"}), HasSubstr("one.elf: "));
}

// `weir compile` needs these files for the options that the test above does not use.
TEST_F(InstalledTest, HoldsAllFilesOfProgramsForSparcle) {
    const fs::path sources = fs::path(WEIR_SOURCE_FOLDER) / "firmware/sparcle";
    const std::set<std::string> needed{".c", ".S", ".h", ".inc", ".ld", ".sh"};
    int files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(sources)) {
        const fs::path name = entry.path().lexically_relative(sources);
        const bool is_needed = needed.contains(name.extension().string()) &&
                               entry.is_regular_file() && name.begin()->string() != "testing" &&
                               name.stem().string().find("_test") == std::string::npos;
        if (is_needed) {
            EXPECT_TRUE(fs::exists(prefix() / "share/weir/firmware/sparcle" / name)) << name;
            ++files;
        }
    }
    EXPECT_GT(files, 50);
}

TEST_F(InstalledTest, HoldsNoTestsAndNoNamesOfTheBuild) {
    int files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(prefix())) {
        const std::string name = entry.path().lexically_relative(prefix()).string();
        EXPECT_THAT(name, Not(HasSubstr("_test")));
        EXPECT_THAT(name, Not(HasSubstr("testing")));
        files += entry.is_regular_file() ? 1 : 0;
        if (entry.path().extension() == ".cmake") {
            std::ifstream in(entry.path());
            std::ostringstream text;
            text << in.rdbuf();
            EXPECT_THAT(text.str(), Not(HasSubstr(WEIR_SOURCE_FOLDER))) << name;
        }
    }
    EXPECT_GT(files, 200);
}

}  // namespace
}  // namespace weir::experiments
