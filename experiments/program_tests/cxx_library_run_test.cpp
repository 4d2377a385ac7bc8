// Programs with the C++ library. The first test that compiles such a program builds the library,
// once with floating point and once without; CI leaves these tests out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "hw/testing/names.h"
#include "hw/testing/needed_tool.h"
#include "hw/testing/test_cost.h"

WEIR_TESTS_COST("CxxLibraryRunTest", 250);

namespace weir::experiments {
namespace {

using ::testing::HasSubstr;
using ::weir::testing::Names;

class CxxLibraryRunTest : public CompiledProgramTest {
  protected:
    CxxLibraryRunTest() : CompiledProgramTest(1) {}

    void SetUp() override {
        if (!hw::testing::is_installed("sparc64-linux-gnu-g++") ||
            !std::filesystem::is_directory("/usr/src/gcc-12")) {
            GTEST_SKIP() << "g++-sparc64-linux-gnu or gcc-12-source is not installed";
        }
    }
    void compile_own(const std::string& name, const Arguments& options = {}) const {
        compile(std::string(WEIR_EXPERIMENTS) + "/../firmware/sparcle/testing/" + name, options);
    }
    // Output of program.elf, with further options of the run.
    [[nodiscard]] std::string printed(const Arguments& options = {}) const {
        const std::string folder = "run-" + std::to_string(++runs_);
        Arguments words{"run", "run.toml", "--out", folder};
        words.insert(words.end(), options.begin(), options.end());
        static_cast<void>(output_of(words));
        return read(folder + "/point-01-seed-1/console.txt");
    }

  private:
    mutable int runs_ = 0;
};

constexpr const char* kPrinted =
    "0: +first\n"
    "0: +second\n"
    "0: +third\n"
    "0: +local\n"
    "0: 2.25 1 0 3 0 1 ~Shape ~Shape shared21\n"
    "0: and=2 bird=1 cat=1 dog=1 the=3 99 4950 144\n"
    "0: 0xff ****42 3.142 1.235e+04 1e+100 -9223372036854775807 true\n"
    "0: 12 350 -7x 5(5,0) 561 42.5\n"
    "0: from 8313.141825 2.5 -20979\n"
    "0: out of range, St9bad_alloc, 1752\n"
    "0: [one 1][two 2]truefalse true false\n"
    "0: -local\n"
    "0: at exit\n"
    "0: -third\n"
    "0: -second\n"
    "0: -first\n"
    "0: last\n";

TEST_F(CxxLibraryRunTest, ComputesAndPrintsAsElsewhere) {
    compile_own("cxx_library.cpp");
    EXPECT_EQ(printed(), kPrinted);
    compile_own("cxx_library.cpp", {"--flag=-std=c++20"});
    EXPECT_EQ(printed(), kPrinted);
}

TEST_F(CxxLibraryRunTest, WorksWithoutAFloatingPointUnit) {
    compile_own("cxx_library.cpp", {"--soft-float"});
    EXPECT_EQ(printed({"--set", "sparcle.floating_point_unit=false"}), kPrinted);
}

TEST_F(CxxLibraryRunTest, AtomicObjectsInSharedMemoryLoseNoChange) {
    compile_own("cxx_atomics.cpp", {"--shared-memory"});
    write("run.toml",
          "extends = \"alewife-shared\"\nmachine.nodes = 4\ncore.kind = \"sparcle\"\n[workload]\n"
          "kernel = \"image\"\nimage = \"program.elf\"\nshares_memory = true\n");
    EXPECT_EQ(printed(), "0: 200 600 429496729600 1000 200 400 600 800 200\n");
}

// Message interrupts arrive at any instruction of the unwinder, whose windows are being flushed.
TEST_F(CxxLibraryRunTest, ExceptionsAndMessagesDoNotDisturbEachOther) {
    write("messages.cpp", R"(#include <cstdio>
#include <stdexcept>
#include "firmware/sparcle/active_messages.h"
static volatile uint32_t come;
static void count() { come = come + am_argument(0); }
static int thrown_below(int depth, int value) {
    if (depth == 0) {
        throw value;
    }
    return thrown_below(depth - 1, value + 1) + depth;
}
int main() {
    uint32_t wrong = 0;
    if (weir_node() == 0) {
        for (int turn = 0; turn < 60; ++turn) {
            try {
                wrong += thrown_below(turn % 15, turn) != 0;
            } catch (int value) {
                wrong += value != turn + turn % 15;
            }
        }
    } else {
        for (int turn = 0; turn < 2000; ++turn) {
            const uint32_t begin = weir_cycle();
            while (weir_cycle() - begin < 397) {
            }
            am_send_1(0, count, 1);
        }
    }
    am_barrier_handled();
    if (weir_node() == 0) {
        std::printf("%d wrong, %d messages\n", wrong, come);
    }
    return 0;
}
)");
    compile("messages.cpp");
    EXPECT_EQ(printed({"--set", "machine.nodes=2"}), "0: 0 wrong, 2000 messages\n");
}

TEST_F(CxxLibraryRunTest, AnUncaughtExceptionEndsTheRunAndIsNamed) {
    write("uncaught.cpp", R"(#include <stdexcept>
int main() { throw std::length_error("too long"); }
)");
    compile("uncaught.cpp");
    const ProgramEnd end = weir({"run", "run.toml", "--out", "run"});
    EXPECT_EQ(end.status, 4);
    EXPECT_THAT(end.error, Names("node 0", "aborted", "uncaught.cpp:2"));
    EXPECT_THAT(read("run/point-01-seed-1/console.txt"), Names("length_error", "too long"));
}

TEST_F(CxxLibraryRunTest, RandomDevicesDifferBetweenNodesAndRepeatInEachRun) {
    write("random.cpp", R"(#include <cstdio>
#include <random>
int main() {
    std::random_device device;
    const unsigned first = device();
    std::printf("%u %u\n", first, device());
    return 0;
}
)");
    compile("random.cpp");
    const std::string console = printed({"--set", "machine.nodes=2"});
    EXPECT_EQ(printed({"--set", "machine.nodes=2"}), console);
    const std::size_t second = console.find("1: ");
    ASSERT_NE(second, std::string::npos);
    EXPECT_NE(console.substr(3, second - 4), console.substr(second + 3, second - 4));
}

TEST_F(CxxLibraryRunTest, ObjectsOfGccsOptionsAreLinkedWithTheLibrary) {
    write("thrower.cc", R"(#include <stdexcept>
#include <string>
void refuse(const std::string& name) { throw std::invalid_argument("no " + name); }
int silent(int value) {
    try {
        throw value;
    } catch (int caught) {
        return caught;
    }
}
)");
    write("main.C", R"(#include <iostream>
#include <string>
void refuse(const std::string& name);
int silent(int value);
int main() {
    try {
        refuse("node");
    } catch (const std::exception& refused) {
        std::cout << refused.what() << ' ' << silent(5) << std::endl;
    }
    return 0;
}
)");
    const auto gxx = [&](Arguments words, const std::string& option = "--as-g++") {
        words.insert(words.begin(), {"compile", option});
        return start(words).wait(std::chrono::minutes(10));
    };
    for (const char* source : {"thrower.cc", "main.C"}) {
        const ProgramEnd end = gxx({"-c", source});
        ASSERT_EQ(end.status, 0) << end.error;
    }
    ASSERT_EQ(gxx({"main.o", "thrower.o", "-o", "program.elf"}).status, 0);
    EXPECT_EQ(printed(), "0: no node 5\n");

    const ProgramEnd in_c = gxx({"main.o", "thrower.o", "-o", "in_c.elf"}, "--as-gcc");
    EXPECT_EQ(in_c.status, 2);
    EXPECT_THAT(in_c.error, Names("std::", "C++ library", "weir-c++", "undefined names: 1"));
    ASSERT_EQ(gxx({"main.o", "thrower.o", "-lstdc++", "-o", "program.elf"}, "--as-gcc").status, 0);
    EXPECT_EQ(printed(), "0: no node 5\n");
}

TEST_F(CxxLibraryRunTest, GccsOptionsForCxxHaveExceptionsWithoutAHeaderOfTheLibrary) {
    write("thrown.c", R"(#include <stdio.h>
int main() { try { throw 5; } catch (int value) { printf("%d\n", value); } return 0; }
)");
    const ProgramEnd end = start({"compile", "--as-g++", "thrown.c", "-o", "program.elf"})
                               .wait(std::chrono::minutes(10));
    ASSERT_EQ(end.status, 0) << end.error;
    EXPECT_EQ(printed(), "0: 5\n");
}

// A program of C++ without one of the library's headers does not contain the library, whose build
// takes long.
TEST_F(CxxLibraryRunTest, AProgramWithoutItDoesNotCarryItUnlessAsked) {
    write("plain.cpp", "#include <stdio.h>\nint main() { puts(\"plain\"); return 0; }\n");
    compile("plain.cpp");
    EXPECT_THAT(read("program.elf"), ::testing::Not(HasSubstr("_Unwind_Find_FDE")));
    write("thrown.cpp", R"(#include <stdio.h>
int main() { try { throw 5; } catch (int value) { printf("%d\n", value); } return 0; }
)");
    compile("thrown.cpp", {"--library"});
    EXPECT_EQ(printed(), "0: 5\n");
}

}  // namespace
}  // namespace weir::experiments
