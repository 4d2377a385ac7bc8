#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/program_tests/testing/program_fixture.h"

/// What the system refuses is no fault of Weir's: one message names the place and the reason, the
/// status is 2, and what had ended is there.
namespace weir::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class SurroundingsTest : public ProgramTest {
  protected:
    SurroundingsTest() { write("remap.toml", kSmallRemap); }

    /// A shell's words; `weir` is the program.
    [[nodiscard]] ProgramEnd typed(const std::string& words) const {
        RunningProgram shell("/bin/sh", {"-c", "weir() { '" WEIR_PROGRAM "' \"$@\"; }; " + words},
                             folder(), folder());
        return shell.wait();
    }
};

TEST_F(SurroundingsTest, OutputThatIsNotTakenIsAnError) {
    for (const char* command :
         {"--help", "params", "list", "kernels", "man", "completion bash", "trace schema", "model",
          "run remap.toml", "run remap.toml --json", "topology show remap.toml"}) {
        const ProgramEnd full = typed(std::string("weir ") + command + " > /dev/full");
        EXPECT_EQ(full.status, 2) << command;
        EXPECT_EQ(full.error, "weir: standard output: No space left on device\n") << command;
        const ProgramEnd closed = typed(std::string("weir ") + command + " >&-");
        EXPECT_EQ(closed.status, 2) << command;
        EXPECT_EQ(closed.error, "weir: standard output: Bad file descriptor\n") << command;
    }
}

TEST_F(SurroundingsTest, APipeWithoutAReaderIsFine) {
    const ProgramEnd end = typed("weir params | true");
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.error, "");
}

TEST_F(SurroundingsTest, AFileThatMayNotGrowEndsTheRunAndKeepsWhatHadEnded) {
    // Blocks of 512 bytes: a trace of 40 iterations has room, one of 4000 has none.
    write("two.toml", std::string(kSmallRemap) +
                          "[[point]]\nlabel = \"short\"\n[[point]]\nlabel = \"long\"\n"
                          "workload.iterations = 4000\n");
    const ProgramEnd end = typed("ulimit -f 1000; weir run two.toml -j 1");
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, StartsWith("weir: runs/two-001/point-02-seed-1: "));
    EXPECT_THAT(end.error, HasSubstr("trace.sqlite"));
    EXPECT_THAT(end.error, HasSubstr("go on with: weir run two.toml --resume runs/two-001\n"));
    EXPECT_THAT(end.error, Not(HasSubstr("fault of Weir's")));
    EXPECT_THAT(words_of(output_of({"run", "two.toml", "--resume", "runs/two-001"})),
                HasSubstr(" everything is in runs/two-001 "));
}

TEST_F(SurroundingsTest, AFolderForTemporaryFilesThatIsNotThere) {
    static_cast<void>(output_of({"run", "remap.toml", "--out", "run"}));
    const ProgramEnd end = typed("TMPDIR=/not-there weir report run");
    EXPECT_EQ(end.status, 2);
    EXPECT_EQ(end.error,
              "weir: the folder for temporary files, TMPDIR=/not-there: No such file or "
              "directory\n");
    EXPECT_FALSE(std::filesystem::exists(file("run/report.html")));
}

TEST_F(SurroundingsTest, TooSmallAStack) {
    const ProgramEnd end = typed("ulimit -s 64; weir run remap.toml");
    EXPECT_EQ(end.status, 2);
    EXPECT_EQ(end.error,
              "weir: a stack of 64 kB is too small; accepted: 512 kB or more (ulimit -s)\n");
}

TEST_F(SurroundingsTest, AFolderIsNoProgram) {
    write("folder.toml", "extends = \"sparcle\"\n[workload]\nkernel = \"image\"\nimage = \"/\"\n");
    const ProgramEnd end = weir({"run", "folder.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, HasSubstr("/: cannot be read; accepted: a program for Sparcle (ELF)"));
}

}  // namespace
}  // namespace weir::experiments
