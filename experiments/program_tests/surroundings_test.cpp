#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

/// Refusals by the system. One message names the place and the reason, the status is 2, and
/// finished results are kept.
namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::weir::testing::Names;

/// Matches the single message about an error of standard output.
auto is_of_output(std::errc error) {
    return AllOf(StartsWith("weir: "), Names("output:", system_message(error) + "\n"));
}

class SurroundingsTest : public ProgramTest {
  protected:
    SurroundingsTest() { write("remap.toml", kSmallRemap); }

    /// Runs a shell command in which `weir` stands for the program.
    [[nodiscard]] ProgramEnd typed(const std::string& words) const {
        RunningProgram shell("/bin/sh", {"-c", "weir() { '" WEIR_PROGRAM "' \"$@\"; }; " + words},
                             folder(), folder());
        return shell.wait();
    }
};

TEST_F(SurroundingsTest, OutputThatIsNotTakenIsAnError) {
    static_cast<void>(output_of({"run", "remap.toml", "--out", "run"}));
    std::vector<std::string> commands{"--help",
                                      "--version",
                                      "params",
                                      "list",
                                      "kernels",
                                      "man",
                                      "completion bash",
                                      "trace schema",
                                      "trace digest run",
                                      "model",
                                      "run remap.toml",
                                      "run remap.toml --json",
                                      "run remap.toml --dry-run",
                                      "report run",
                                      "topology show remap.toml"};
    const std::size_t listed = commands.size();
    std::istringstream help(output_of({"--help"}));
    for (std::string line; std::getline(help, line);) {
        if (line.starts_with("  ") && line.size() > 2 && std::islower(line[2]) != 0) {
            commands.push_back(line.substr(2, line.find(' ', 2) - 2) + " --help");
        }
    }
    EXPECT_GT(commands.size(), listed + 15);
    for (const std::string& command : commands) {
        const ProgramEnd full = typed("weir " + command + " > /dev/full");
        EXPECT_EQ(full.status, 2) << command;
        EXPECT_THAT(full.error, is_of_output(std::errc::no_space_on_device)) << command;
        const ProgramEnd closed = typed("weir " + command + " >&-");
        EXPECT_EQ(closed.status, 2) << command;
        EXPECT_THAT(closed.error, is_of_output(std::errc::bad_file_descriptor)) << command;
    }
}

// The next opened file would get the number of a closed descriptor, and with it the messages.
TEST_F(SurroundingsTest, NothingIsToldIntoAFile) {
    write("sweep.toml", std::string(kSmallRemap) + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    EXPECT_EQ(typed("weir sweep sweep.toml --out it.db >&- 2>&-").status, 2);
    EXPECT_THAT(output_of({"sweep", "show", "it.db"}), HasSubstr("2 of 2 points: 2 ok"));
    EXPECT_EQ(typed("weir run remap.toml --out run >&- 2>&- <&-").status, 2);
    EXPECT_THAT(output_of({"report", "run"}), HasSubstr("run/report.html"));
}

TEST_F(SurroundingsTest, TooFewFileDescriptors) {
    write("sweep.toml", std::string(kSmallRemap) + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    const std::string reason = "Too many open files (ulimit -n)";
    // Descriptors that the parent process has left open count too.
    const std::string limited = "exec 3>&- 4>&- 5>&- 6>&- 7>&-; ulimit -n ";
    const ProgramEnd run = typed(limited + "4; weir run remap.toml --out run");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.error, AllOf(StartsWith("weir: run/point-01-seed-1"), HasSubstr(reason),
                                 HasSubstr("run remap.toml --resume run\n")));
    static_cast<void>(output_of({"run", "remap.toml", "--resume", "run"}));
    const ProgramEnd report = typed(limited + "4; weir report run");
    EXPECT_EQ(report.status, 2);
    EXPECT_THAT(report.error, HasSubstr(reason));
    const ProgramEnd sweep = typed(limited + "5; weir sweep sweep.toml --out it.db");
    EXPECT_EQ(sweep.status, 2);
    EXPECT_THAT(sweep.error, HasSubstr(reason));
    EXPECT_EQ(weir({"sweep", "sweep.toml", "--out", "it.db"}).status, 0);
}

#ifndef WEIR_NO_FAILING_CALLS  // sanitizers need more memory than the limit
TEST_F(SurroundingsTest, TooLittleMemory) {
    const ProgramEnd end = typed(
        "ulimit -v 200000; weir run remap.toml --out run --set machine.nodes=4096 "
        "--set network.dimensions=[64,64]");
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error,
                AllOf(StartsWith("weir: run/point-01-seed-1: remap.toml:"), HasSubstr("memory")));
    EXPECT_EQ(std::count(end.error.begin(), end.error.end(), '\n'), 1);
}
#endif

// SQLite accepts 512 bytes of path, the system 4096.
TEST_F(SurroundingsTest, PathsAreAsLongAsTheSystemTakes) {
    std::filesystem::path deep = folder();
    while (deep.string().size() < 3900) {
        deep /= std::string(60, 'd');
    }
    std::filesystem::create_directories(deep);
    const auto in_it = [&deep](const char* name) { return (deep / name).string(); };
    std::ofstream(in_it("remap.toml"))
        << kSmallRemap << "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n";
    static_cast<void>(output_of({"run", "remap.toml", "--out", in_it("run")}));
    static_cast<void>(output_of({"run", "remap.toml", "--resume", in_it("run")}));
    static_cast<void>(output_of({"trace", "digest", in_it("run")}));
    static_cast<void>(output_of({"report", in_it("run")}));
    EXPECT_EQ(weir({"sweep", in_it("remap.toml"), "--out", in_it("it.db")}).status, 0);
    EXPECT_EQ(weir({"sweep", in_it("remap.toml"), "--out", in_it("it.db"), "--resume"}).status, 0);
    EXPECT_THAT(output_of({"sweep", "show", in_it("it.db")}), HasSubstr("2 of 2 points: 2 ok"));
    // A short name works, too, in a folder with a long path.
    EXPECT_EQ(typed("cd " + deep.string() + "; weir sweep show it.db").status, 0);
    const ProgramEnd too_long =
        weir({"run", "remap.toml", "--out", in_it(std::string(250, 'd').c_str())});
    EXPECT_EQ(too_long.status, 2);
    EXPECT_THAT(too_long.error, HasSubstr(system_message(std::errc::filename_too_long)));
}

TEST_F(SurroundingsTest, AHalfWrittenDatabaseThatCannotBeMendedIsExplained) {
    write("sweep.toml", std::string(kSmallRemap) + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    std::filesystem::create_directory(file("place"));
    EXPECT_EQ(weir({"sweep", "sweep.toml", "--out", "it.db"}).status, 0);
    // State after a killed process: pages have changed, and their old contents are in the journal.
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(file("it.db").c_str(), &connection), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(connection,
                           "PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE runs SET result = "
                           "zeroblob(100000); UPDATE metrics SET value = 0;",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    for (const char* name : {"it.db", "it.db-journal"}) {
        std::filesystem::copy(file(name), file("place") / name);
    }
    sqlite3_close(connection);
    const ProgramEnd end = typed(
        "unshare --mount --map-root-user sh -c 'mount --bind place place && mount -o "
        "remount,bind,ro place "
        "&& touch mounted && \"$0\" sweep show place/it.db' '" WEIR_PROGRAM "'");
    if (!std::filesystem::exists(file("mounted"))) {
        GTEST_SKIP() << "no file system can be mounted here: " << end.error;
    }
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error,
                Names("weir", "place/it.db:", "killed", "place/it.db-journal", "copies"));
    EXPECT_THAT(output_of({"sweep", "show", "place/it.db"}), HasSubstr("2 of 2 points: 2 ok"));
}

TEST_F(SurroundingsTest, APipeWithoutAReaderIsFine) {
    const ProgramEnd end = typed("weir params | true");
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.error, "");
}

TEST_F(SurroundingsTest, AFileThatMayNotGrowEndsTheRunAndKeepsWhatHadEnded) {
    // Blocks of 512 bytes: the trace of 40 iterations fits, that of 4000 does not.
    write("two.toml", std::string(kSmallRemap) +
                          "[[point]]\nlabel = \"short\"\n[[point]]\nlabel = \"long\"\n"
                          "workload.iterations = 4000\n");
    const ProgramEnd end = typed("ulimit -f 1000; weir run two.toml -j 1");
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, StartsWith("weir: runs/two-001/point-02-seed-1: "));
    EXPECT_THAT(end.error, HasSubstr("trace.weir: " + system_message(std::errc::file_too_large)));
    EXPECT_THAT(end.error, HasSubstr("run two.toml --resume runs/two-001\n"));
    EXPECT_THAT(end.error, Not(HasSubstr("Weir's")));
    EXPECT_THAT(words_of(output_of({"run", "two.toml", "--resume", "runs/two-001"})),
                HasSubstr(" runs/two-001 "));
}

TEST_F(SurroundingsTest, AFolderForTemporaryFilesThatIsNotThere) {
    static_cast<void>(output_of({"run", "remap.toml", "--out", "run"}));
    const ProgramEnd end = typed("TMPDIR=/not-there weir report run");
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error,
                Names("TMPDIR=/not-there", system_message(std::errc::no_such_file_or_directory)));
    EXPECT_FALSE(std::filesystem::exists(file("run/report.html")));
}

TEST_F(SurroundingsTest, TooSmallAStack) {
    const ProgramEnd end = typed("ulimit -s 64; weir run remap.toml");
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("stack", "64 kB", "512 kB", "ulimit -s"));
}

TEST_F(SurroundingsTest, AFolderIsNoProgram) {
    write("folder.toml", "extends = \"sparcle\"\n[workload]\nkernel = \"image\"\nimage = \"/\"\n");
    const ProgramEnd end = weir({"run", "folder.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("/:", "read", "Sparcle", "ELF"));
}

}  // namespace
}  // namespace weir::experiments
