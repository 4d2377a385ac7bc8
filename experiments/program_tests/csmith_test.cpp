// Random C programs of csmith print the same checksum on a Sparcle node and in qemu's user mode.
// Node and qemu execute the same objects: the compiled program's, and those of Weir's arithmetic.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "firmware/sparcle/compiler_flags.h"

namespace weir::experiments {
namespace {

using ::testing::StartsWith;

/// A kind of node for which a program is compiled.
struct CsmithNode {
    const char* flag;  ///< flag for the compiler
    bool soft_float;
    std::vector<std::string> run_options;  ///< options for `weir run`
};

const CsmithNode& csmith_node(std::uint64_t seed) {
    static const std::vector<CsmithNode> nodes{
        {"-mcpu=v7", false, {}},
        {"-mcpu=v8", false, {"--set", "sparcle.multiply_divide=true"}},
        {"-msoft-float", true, {"--set", "sparcle.floating_point_unit=false"}},
    };
    return nodes[seed % nodes.size()];
}

// Programs are divided among tests that run in parallel; each has the time limit of a test.
class CsmithTest : public CompiledProgramTest, public ::testing::WithParamInterface<std::uint64_t> {
  protected:
    CsmithTest() : CompiledProgramTest(1) {}

    static constexpr std::uint64_t kShares = 8;
    static constexpr const char* kHeaders = "/usr/include/csmith";  // from Debian's libcsmith-dev

    // Reason to skip the test; "" if there is none.
    static std::string missing() {
        if (std::getenv("WEIR_CSMITH_PROGRAMS") == nullptr) {
            return "runs when typed: WEIR_CSMITH_PROGRAMS=100 ./weir test -R Csmith";
        }
        for (const std::string program : {"csmith", "qemu-sparc"}) {
            if (std::system(("command -v " + program + " >/dev/null").c_str()) != 0) {
                return program + " is not installed (csmith, libcsmith-dev, qemu-user)";
            }
        }
        return std::filesystem::exists(kHeaders) ? ""
                                                 : "csmith's headers are missing (libcsmith-dev)";
    }

    static std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
        const char* text = std::getenv(name);
        return text == nullptr ? otherwise : std::stoull(text);
    }

    // Runs an installed program.
    [[nodiscard]] ProgramEnd tool(Arguments words) const {
        return RunningProgram("/usr/bin/env", words, folder(), folder()).wait();
    }

    // Compiler with Weir's own flags. Headers of the C library are the firmware's, or those of
    // csmith/.
    [[nodiscard]] Arguments compiler() const {
        Arguments words{firmware::kSparcCompiler};
        words.insert(words.end(), firmware::kImageFlags.begin(), firmware::kImageFlags.end());
        words.insert(words.end(), firmware::kCFlags.begin(), firmware::kCFlags.end());
        for (const std::string& headers : {own_headers_, firmware_ + "/include",
                                           firmware_ + "/testing/csmith", std::string(kHeaders)}) {
            words.insert(words.end(), {"-isystem", headers});
        }
        words.insert(words.end(), {"-I" + firmware_ + "/../..", "-w"});
        return words;
    }

    void compile_apart(const std::string& source, const std::string& object,
                       const Arguments& flags) const {
        Arguments words = compiler();
        words.insert(words.end(), flags.begin(), flags.end());
        words.insert(words.end(), {"-c", "-o", object, source});
        const ProgramEnd end = tool(words);
        ASSERT_EQ(end.status, 0) << end.error;
    }

    // Compiles the other objects of a program to a folder, with the program's flags: output, the
    // start under Linux, and functions of a node's runtime.
    void compile_others(bool soft_float, const std::string& objects) const {
        if (!std::filesystem::create_directory(file(objects))) {
            return;  // the objects are already compiled
        }
        for (const std::string source :
             {"testing/csmith/print.c", "testing/csmith/linux_start.S", "arithmetic.S",
              "long_arithmetic.c", "memory.c", "soft_float.c"}) {
            const std::filesystem::path object =
                std::filesystem::path(objects) / std::filesystem::path(source).stem();
            compile_apart(firmware_ + "/" + source, object.string() + ".o",
                          {soft_float ? "-msoft-float" : "-mcpu=v7"});
            ASSERT_FALSE(HasFatalFailure());
        }
    }

    void prepare() {
        const ProgramEnd end = tool({firmware::kSparcCompiler, "-print-file-name=include"});
        own_headers_ = end.output.substr(0, end.output.find('\n'));
    }

    // Executes a seed's program in qemu and on a Sparcle node, and compares the outputs.
    void try_program(std::uint64_t seed) {
        static constexpr std::array kLevels{"-O2", "-O0", "-O3", "-Os", "-O1"};
        const char* level = kLevels[seed % kLevels.size()];
        const CsmithNode& node = csmith_node(seed);
        // Members of packed structures could be misaligned, which traps.
        std::string options = "--no-argc --no-packed-struct";
        if (seed % 2 == 1) {
            options += " --float";
        }
        const std::string draw =
            "csmith --seed " + std::to_string(seed) + " " + options + " --output program.c";
        SCOPED_TRACE(draw + ", compiled with " + level + " " + node.flag);
        const ProgramEnd made = tool({"timeout", "20", "sh", "-c", draw});
        if (made.status == kTimedOut) {
            ++unended_;
            return;
        }
        ASSERT_EQ(made.status, 0) << made.error;
        compile_apart("program.c", "program.o", {level, node.flag});
        ASSERT_FALSE(HasFatalFailure());

        const std::string others = node.soft_float ? "soft-float" : "hard-float";
        compile_others(node.soft_float, others);
        ASSERT_FALSE(HasFatalFailure());
        Arguments link = compiler();
        link.insert(link.end(), {"-Wl,--gc-sections", "-Wl,-z,noexecstack", "-o", "program.linux",
                                 "program.o"});
        for (const char* object : {"print.o", "linux_start.o", "arithmetic.o", "long_arithmetic.o",
                                   "memory.o", "soft_float.o"}) {
            link.push_back(others + "/" + object);
        }
        const ProgramEnd linked = tool(link);
        ASSERT_EQ(linked.status, 0) << linked.error;
        const ProgramEnd theirs = tool({"timeout", "1", "qemu-sparc", "./program.linux"});
        if (theirs.status == kTimedOut) {
            ++unended_;
            return;
        }

        Arguments words{others + "/print.o"};
        if (node.soft_float) {
            words.emplace_back("--soft-float");
        }
        compile("program.o", words);
        ASSERT_FALSE(HasFatalFailure());
        const std::string run_folder = "run-" + std::to_string(seed);
        // The limit is several times the work that qemu does in its second: a node that reaches it
        // does not end.
        words = {"run", "run.toml", "--out", run_folder, "--set", "run.most_cycles=5000000000"};
        words.insert(words.end(), node.run_options.begin(), node.run_options.end());
        const ProgramEnd ours = start(words).wait(std::chrono::minutes(5));
        EXPECT_EQ(theirs.status, 0) << theirs.error;
        EXPECT_THAT(theirs.output, StartsWith("checksum = "));
        ASSERT_EQ(ours.status, 0) << ours.error << "qemu-sparc has printed " << theirs.output;
        ASSERT_EQ(read(run_folder + "/point-01-seed-1/console.txt"), "0: " + theirs.output);
        ++agreed_;
    }

    static constexpr int kTimedOut = 124;  // exit status of timeout

    std::uint64_t agreed_ = 0;
    std::uint64_t unended_ = 0;  // number of programs that csmith or qemu did not finish in time

  private:
    const std::string firmware_ = WEIR_EXPERIMENTS "/../firmware/sparcle";
    std::string own_headers_;  // headers of the compiler
};

TEST_P(CsmithTest, ProgramsPrintTheSameChecksum) {
    const std::string reason = missing();
    if (!reason.empty()) {
        GTEST_SKIP() << reason;
    }
    const std::uint64_t first = environment_number("WEIR_CSMITH_SEED", 1);
    const std::uint64_t programs = environment_number("WEIR_CSMITH_PROGRAMS", 0);
    prepare();
    for (std::uint64_t k = GetParam(); k < programs && !HasFailure(); k += kShares) {
        SCOPED_TRACE("again: WEIR_CSMITH_SEED=" + std::to_string(first + k) +
                     " WEIR_CSMITH_PROGRAMS=1 ./weir test -R Csmith");
        try_program(first + k);
    }
    std::cout << "csmith programs: " << agreed_ << " agree, " << unended_
              << " do not end in time\n";
}

INSTANTIATE_TEST_SUITE_P(Shares, CsmithTest, ::testing::Range(std::uint64_t{0}, std::uint64_t{8}));

}  // namespace
}  // namespace weir::experiments
