#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/log/read_log.h"
#include "hw/testing/names.h"

/// `weir step FILE`: a run cycle by cycle, forwards and back.
namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

class StepRunTest : public ProgramTest {
  protected:
    StepRunTest() {
        write("remap.toml", kSmallRemap);
        write("shared.toml",
              "extends = \"alewife-shared\"\n[machine]\nnodes = 4\n[network]\n"
              "dimensions = [2, 2]\n[workload]\nkernel = \"shared-lock\"\nacquisitions = 3\n");
        write("wide.toml",
              "extends = \"alewife\"\n[workload]\nkernel = \"remap\"\niterations = 2\n");
        write("torus.toml",
              "extends = \"alewife\"\n[machine]\nnodes = 16\n[workload]\nkernel = \"remap\"\n"
              "style = \"asynchronous\"\niterations = 10\nbody_bytes = 64\n"
              "[network]\ndimensions = [4, 4]\ntopology = \"torus\"\nvirtual_channels = 4\n");
    }

    /// Runs `weir step` with a script of commands, one on each line.
    [[nodiscard]] ProgramEnd step(const std::string& experiment, const std::string& script,
                                  const std::string& options = "") {
        write("script", script);
        set_program("/bin/sh");
        const ProgramEnd end = weir({"-c", std::string(WEIR_PROGRAM) + " step " + experiment +
                                               ".toml " + options + " < script"});
        set_program(WEIR_PROGRAM);
        return end;
    }
    [[nodiscard]] std::string output_of_steps(const std::string& experiment,
                                              const std::string& script,
                                              const std::string& options = "") {
        const ProgramEnd end = step(experiment, script, options);
        EXPECT_EQ(end.status, 0) << end.error;
        EXPECT_EQ(end.error, "");
        return end.output;
    }
    [[nodiscard]] std::string digest_of(const std::string& trace) {
        const std::string digest = output_of({"trace", "digest", trace});
        return digest.substr(0, digest.find(' '));
    }
};

// Looks at everything, goes forwards and back, and runs to the end.
constexpr const char* kTour =
    "step 100\nqueues\nchannels\ncores\nmessages\nwaits\nnext handler\nback 50\nprevious launch\n"
    "goto 10\nmessages\nnext entry 1\nnext arrival\ncheckpoints\ngoto 700\nchannels\nstep\n"
    "back 300\nwaits\ncontinue\nback 5\nqueues\nprevious handled\ncontinue\n";

class StepTourTest : public StepRunTest, public ::testing::WithParamInterface<const char*> {};

// The digest is that of a plain run, although the network moves flit by flit here.
TEST_P(StepTourTest, ChangesNoEventOfTheRun) {
    const std::string experiment = GetParam();
    static_cast<void>(output_of({"run", experiment + ".toml", "--out", "plain"}));
    static_cast<void>(output_of_steps(experiment, kTour, "--out stepped"));
    EXPECT_EQ(digest_of("stepped/trace.weir"), digest_of("plain/point-01-seed-1/trace.weir"));
    EXPECT_EQ(read("stepped/statistics.csv"), read("plain/point-01-seed-1/statistics.csv"));
}

INSTANTIATE_TEST_SUITE_P(Machines, StepTourTest, ::testing::Values("remap", "torus", "shared"),
                         [](const auto& experiment) { return std::string(experiment.param); });

TEST_F(StepRunTest, ACycleLooksTheSameOnEachVisit) {
    const std::string look = "queues\nchannels\ncores\nmessages\nwaits\n";
    const std::string output =
        output_of_steps("remap", "goto 500\n" + look + "goto 2000\n" + look + "goto 500\n" + look);
    const std::size_t first = output.find("cycle 500\n");
    const std::size_t between = output.find("cycle 2000\n");
    const std::size_t second = output.find("cycle 500\n", between);
    ASSERT_NE(second, std::string::npos) << output;
    EXPECT_EQ(output.substr(second), output.substr(first, between - first));
    EXPECT_NE(output.substr(between, second - between).substr(11),
              output.substr(second).substr(10));
}

// Each event is seen in the cycle that the trace has for it, and no other.
TEST_F(StepRunTest, EventsAreThoseOfTheTrace) {
    std::string script;
    for (int i = 0; i < 400; ++i) {
        script += "next\n";
    }
    const std::string output = output_of_steps("remap", script + "continue\n", "--out it");
    std::vector<std::string> seen;
    std::istringstream lines(output.substr(0, output.rfind("cycle")));
    long long cycle = -1;
    for (std::string line; std::getline(lines, line);) {
        std::sscanf(line.c_str(), "cycle %lld", &cycle);
        int node = 0;
        int source = 0;
        int sequence = 0;
        std::string kind(20, '\0');
        if (std::sscanf(line.c_str(), " %19s node %d: message %d of node %d", kind.data(), &node,
                        &sequence, &source) == 4) {
            seen.push_back(kind.substr(0, kind.find('\0')) + " " + std::to_string(cycle) + " " +
                           std::to_string(source) + " " + std::to_string(sequence));
        }
    }
    ASSERT_GT(seen.size(), 400U);
    std::vector<std::string> traced;
    const trace::Trace trace = trace::read_log(file("it/trace.weir"));
    for (const trace::MessageRow& message : trace.messages) {
        const auto add = [&](const char* kind, hw::Cycles time) {
            if (time.count() <= cycle) {
                traced.push_back(std::string(kind) + " " + std::to_string(time.count()) + " " +
                                 std::to_string(message.id.source.index()) + " " +
                                 std::to_string(message.id.sequence));
            }
        };
        add("launch", message.times.launch);
        add("entry", message.times.network_entry);
        add("arrival", message.times.tail_arrival);
        add("handler", message.times.handler_begin);
        add("handled", message.times.handler_end);
    }
    std::sort(seen.begin(), seen.end());
    std::sort(traced.begin(), traced.end());
    EXPECT_EQ(seen, traced);
}

TEST_F(StepRunTest, PreviousUndoesNext) {
    const std::string output =
        output_of_steps("remap", "next launch 3\nnext launch 3\nprevious launch 3\n");
    const std::size_t first = output.find("cycle");
    const std::size_t second = output.find("cycle", first + 1);
    const std::size_t third = output.find("cycle", second + 1);
    ASSERT_NE(third, std::string::npos) << output;
    const std::size_t begin = output.find("before cycle 0\n") + 15;
    const std::string once = output.substr(begin, output.find("cycle", begin + 5) - begin);
    EXPECT_THAT(once, ContainsRegex("launch +node 3: message 0 of node 3"));
    EXPECT_TRUE(output.ends_with(once)) << output;
}

TEST_F(StepRunTest, NothingIsBeforeTheFirstEvent) {
    EXPECT_THAT(output_of_steps("remap", "next launch\nprevious launch\n"),
                HasSubstr("no such event"));
}

TEST_F(StepRunTest, TheStateIsThatOfTheMachine) {
    const std::string output = output_of_steps(
        "remap", "next entry 0\nqueues 0\nchannels\ncores 0\nmessage 0 0\nmessages 0\n");
    EXPECT_THAT(output, Names("queues", "node 0", "output", "bytes", "message 0 of node 0"));
    EXPECT_THAT(output, Names("channels", "flits", "message 0 of node 0"));
    EXPECT_THAT(output, Names("launch", "cycle", "output queue"));
}

TEST_F(StepRunTest, ALineOfSharedMemoryHasItsDirectoryEntryAndCopies) {
    const std::string output =
        output_of_steps("shared", "line 0x80000000\nnext line\nline 0x80000000\n");
    EXPECT_THAT(output, Names("home node 0", "not requested"));
    EXPECT_THAT(output, Names("cycle", "line", "pointers", "acknowledgements", "newest bytes"));
    EXPECT_THAT(output, ContainsRegex("node [0-3]: cache: "));
}

TEST_F(StepRunTest, ADeadlockCanBeLookedAtAndLeft) {
    write("lost.toml", std::string(kSmallRemap) + "[faults]\nlost_flits = \"(1,0) +x @ 300\"\n");
    const std::string script = "continue\nwaits\nback 10\nqueues\n";
    const ProgramEnd end = step("lost", script);
    EXPECT_EQ(end.status, 0) << end.error;  // the session was left before the end
    EXPECT_THAT(end.output, Names("ended", "waits"));
    EXPECT_EQ(step("lost", "continue\n").status, 3);
}

TEST_F(StepRunTest, LeavesNoFilesWithoutAFolder) {
    static_cast<void>(output_of_steps("remap", "step\nback\nstep 5000\nback 100\nquit\n"));
    EXPECT_THAT(everything(), Not(::testing::Contains(HasSubstr("runs"))));
}

// The named folder is for the files of a run that has reached its end.
TEST_F(StepRunTest, ASessionThatIsLeftEarlierKeepsNoFiles) {
    static_cast<void>(output_of_steps("remap", "step 100\nquit\n", "--out left"));
    EXPECT_THAT(everything(), Not(::testing::Contains(HasSubstr("left"))));
}

// All nodes launch in the first cycles, and only some events are listed.
TEST_F(StepRunTest, TheEventThatIsLookedForComesFirst) {
    const std::string output =
        output_of_steps("wide", "next launch 31\nstep\nprevious launch 31\n");
    const std::regex first("cycle [0-9]+\n  launch +node 31: message 0 of node 31");
    EXPECT_EQ(std::distance(std::sregex_iterator(output.begin(), output.end(), first),
                            std::sregex_iterator()),
              2)
        << output;
}

// As other programs do when the reader of their output has ended.
TEST_F(StepRunTest, ABrokenPipeEndsTheSessionWithoutAMessage) {
    set_program("/bin/bash");
    const ProgramEnd end = weir({"-c", "yes step | head -20000 | " + std::string(WEIR_PROGRAM) +
                                           " step remap.toml | head -1; exit ${PIPESTATUS[2]}"});
    set_program(WEIR_PROGRAM);
    EXPECT_EQ(end.status, 141);
    EXPECT_EQ(end.error, "");
    EXPECT_THAT(everything(), Not(::testing::Contains(HasSubstr("runs"))));
}

TEST_F(StepRunTest, AScriptEndsAtACommandThatIsRefused) {
    for (const auto& [command, accepted] :
         std::vector<std::pair<std::string, std::string>>{{"fly", "help"},
                                                          {"step x", "cycles"},
                                                          {"step 1 2", "step"},
                                                          {"goto", "cycle"},
                                                          {"next landing", "launch"},
                                                          {"queues 8", "0 to 7"},
                                                          {"message 1", "node"},
                                                          {"me", "several"},
                                                          {"line 0x80000000", "shared"}}) {
        const ProgramEnd end = step("remap", "step\n" + command + "\nstep\n");
        EXPECT_EQ(end.status, 2) << command;
        EXPECT_THAT(end.error, Names("standard input:2", accepted)) << command;
        EXPECT_THAT(end.output, AllOf(HasSubstr("cycle 0"), Not(HasSubstr("cycle 1\n"))));
    }
}

TEST_F(StepRunTest, RunsWithoutAMachineAreRefused) {
    write("traffic.toml",
          "[workload]\nkernel = \"open-loop\"\n[network]\ntopology = \"mesh\"\n"
          "dimensions = [4, 4]\n");
    const ProgramEnd end = step("traffic", "step\n");
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("traffic.toml:2", "machine"));
}

}  // namespace
}  // namespace weir::experiments
