#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;

// Runs `weir sweep` as a user does, on machines of four nodes that run for milliseconds.
class SweepRunTest : public ProgramTest {
  protected:
    static constexpr const char* kTiny = R"(extends = "alewife"
title = "A tiny remap"
machine.nodes = 4
network.dimensions = [2, 2]

[workload]
kernel = "remap"
iterations = 10
)";
    static constexpr const char* kAxes = R"([[sweep.axis]]
controller.input_queue_bytes = [128, 256]

[[sweep.axis]]
network.hop_cycles = [1, 2]

[run]
seeds = [1, 2]
)";

    SweepRunTest() { write("study.toml", std::string(kTiny) + kAxes); }

    [[nodiscard]] SweepDatabase open(const std::string& name) const {
        return SweepDatabase::open(file(name), SweepConnection::Access::kRead);
    }
    [[nodiscard]] static std::string integrity(const SweepDatabase& database) {
        Query query(database.connection(), "PRAGMA integrity_check");
        query.step();
        return query.text(0);
    }
    [[nodiscard]] static std::size_t runs_in(const SweepDatabase& database) {
        return static_cast<std::size_t>(database.count_of("runs"));
    }
    [[nodiscard]] std::string digest_of(const std::string& name) const {
        return open(name).digest();
    }
    /// A child process of `parent`, from /proc; 0 if there is none.
    [[nodiscard]] static pid_t child_of(pid_t parent) {
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            std::ifstream in(entry.path() / "stat");
            std::string text;
            std::getline(in, text);
            const std::size_t name_end = text.rfind(')');
            if (name_end == std::string::npos) {
                continue;
            }
            std::istringstream fields(text.substr(name_end + 1));
            std::string state;
            pid_t started_by = 0;
            fields >> state >> started_by;
            if (started_by == parent && state != "Z") {
                return std::stoi(entry.path().filename().string());
            }
        }
        return 0;
    }
};

TEST_F(SweepRunTest, LeavesOneDatabaseAndSaysWhatCame) {
    const ProgramEnd end = weir({"sweep", "study.toml", "-j", "2"});
    EXPECT_EQ(end.status, 0);
    EXPECT_THAT(end.error, Names("weir", "8", "8", "2", "runs/study.db"));
    EXPECT_THAT(end.output, Names("runs/study.db", "8", "4", "8 ok", digest_of("runs/study.db"),
                                  "weir", "sweep", "show", "runs/study.db"));
    EXPECT_THAT(everything(), ElementsAre("runs", "runs/study.db", "study.toml"));
    const SweepDatabase database = open("runs/study.db");
    EXPECT_EQ(integrity(database), "ok");
    EXPECT_EQ(database.meta("title"), "A tiny remap");
    EXPECT_EQ(database.meta("study_text"), read("study.toml"));
    EXPECT_EQ(database.metric("cycles_per_iteration").size(), 8U);
    EXPECT_NE(database.points()[0].runs[0].digest, database.points()[0].runs[1].digest);
}

// A sweep records the same metrics as `weir run`.
TEST_F(SweepRunTest, MetricsAreThoseOfARun) {
    static_cast<void>(weir({"sweep", "study.toml"}));
    write("tiny.toml", kTiny);
    const nlohmann::json result =
        result_of("tiny.toml", {"--set", "run.seeds=[2]", "--set", "network.hop_cycles=2"});
    const SweepDatabase database = open("runs/study.db");
    const StoredPoint point = database.points()[3];  // the point with 256 bytes and 2 cycles
    for (const auto& [name, value] : result.at("measured").items()) {
        EXPECT_EQ(database.metric(name).at(point.runs[1].run_id), value.get<double>()) << name;
    }
    EXPECT_EQ(nlohmann::json::parse(point.configuration).at("network.hop_cycles"), 2);
}

TEST_F(SweepRunTest, IsTheSameForAnyNumberOfProcessesAndInParts) {
    static_cast<void>(weir({"sweep", "study.toml", "-j", "1", "--out", "one.db"}));
    static_cast<void>(weir({"sweep", "study.toml", "-j", "7", "--out", "seven.db"}));
    EXPECT_EQ(digest_of("seven.db"), digest_of("one.db"));
    for (const std::string shard : {"3/3", "1/3", "2/3"}) {
        EXPECT_THAT(weir({"sweep", "study.toml", "--shard", shard}).error,
                    Names(shard.substr(0, 1), "3", "runs/study-" + shard.substr(0, 1) + "of3.db"));
    }
    EXPECT_THAT(output_of({"sweep", "merge", "runs/study-1of3.db", "runs/study-2of3.db",
                           "runs/study-3of3.db", "-o", "all.db"}),
                Names("8", "all.db"));
    EXPECT_EQ(digest_of("all.db"), digest_of("one.db"));
    EXPECT_THAT(output_of({"sweep", "diff", "one.db", "all.db"}), Names("4", "0 changed"));
}

TEST_F(SweepRunTest, ResumeRunsWhatWasAdded) {
    static_cast<void>(weir({"sweep", "study.toml"}));
    const std::string added = std::string(kTiny) + R"([run]
seeds = [1, 2, 3]
[[sweep.axis]]
network.hop_cycles = [4, 1, 2]
[[sweep.axis]]
controller.input_queue_bytes = [128, 256]
)";
    write("study.toml", added);
    const ProgramEnd end = weir({"sweep", "study.toml", "--resume", "-j", "2"});
    EXPECT_THAT(end.error, Names("weir", "10", "18", "2", "runs/study.db"));
    EXPECT_THAT(end.output, Names("runs/study.db", "18", "6", "18 ok"));
    static_cast<void>(weir({"sweep", "study.toml", "--out", "fresh.db"}));
    EXPECT_EQ(digest_of("runs/study.db"), digest_of("fresh.db"));
    EXPECT_EQ(output_of({"sweep", "show", "runs/study.db"}),
              output_of({"sweep", "show", "fresh.db"}));
}

TEST_F(SweepRunTest, WhatDoesNotEndWellIsRecordedAndTheRestGoesOn) {
    write("study.toml", std::string(kTiny) + "[[sweep.axis]]\nrun.most_cycles = [100, 100_000]\n");
    const ProgramEnd end = weir({"sweep", "study.toml"});
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.output,
                Names("runs/study.db", "2", "2", "1 ok", "1", "run.most_cycles", "point 1",
                      "most_cycles = 100", "seed 1", "cycle 100", "run.most_cycles"));
    EXPECT_EQ(open("runs/study.db").points()[0].runs[0].status, "reached run.most_cycles");
    EXPECT_THAT(open("runs/study.db").points()[0].runs[0].message,
                StartsWith("cycle 100: run.most_cycles reached, 4 of 4 threads"));
    EXPECT_THAT(output_of({"sweep", "show", "runs/study.db"}),
                HasSubstr("reached run.most_cycles"));

    // A recorded run is done. With --retry it is run again, and ends as before.
    const std::string digest = digest_of("runs/study.db");
    const ProgramEnd again = weir({"sweep", "study.toml", "--resume"});
    EXPECT_EQ(again.status, 3);
    EXPECT_THAT(again.error, Names("weir", "0", "2"));
    EXPECT_THAT(weir({"sweep", "study.toml", "--resume", "--retry"}).error,
                Names("weir", "1", "2"));
    EXPECT_EQ(digest_of("runs/study.db"), digest);
}

TEST_F(SweepRunTest, InputThatIsFoundBadInTheRunIsOfThatPointAlone) {
    write("bad.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "[workload]\nkernel = \"spmv\"\nrows = 30\nnonzeros = 200\n"
          "[[sweep.axis]]\nworkload.matrix = [\"absent.mtx\", \"\"]\n");
    const ProgramEnd end = weir({"sweep", "bad.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.output, Names("2", "2", "1 ok", "1 bad", "absent.mtx"));
}

// Kills the process of a run, not that of the sweep.
TEST_F(SweepRunTest, AKilledProcessIsAFailedRunThatResumeRepeats) {
    write("study.toml", std::string(kTiny) + "[[sweep.axis]]\nworkload.iterations = [10, 4000]\n");
    std::string text = read("study.toml");
    text.erase(text.find("iterations = 10\n"), 16);
    write("study.toml", text);
    RunningProgram program = start({"sweep", "study.toml", "-j", "1"});
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (
        std::chrono::steady_clock::now() < deadline &&
        (!std::filesystem::exists(file("runs/study.db")) || runs_in(open("runs/study.db")) == 0)) {
        std::this_thread::sleep_for(milliseconds(2));
    }
    pid_t child = 0;
    while (std::chrono::steady_clock::now() < deadline && child == 0) {
        child = child_of(program.process());
    }
    ASSERT_GT(child, 0);
    kill(child, SIGKILL);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.output, Names("1 ok", "1 failed", "signal 9", "Killed"));
    const ProgramEnd again = weir({"sweep", "study.toml", "--resume"});
    EXPECT_EQ(again.status, 0);
    EXPECT_THAT(again.error, Names("weir", "1", "2"));
}

TEST_F(SweepRunTest, ControlCEndsCleanlyAndSaysHowToGoOn) {
    write("study.toml", std::string(kTiny) +
                            "[[sweep.axis]]\nworkload.loop_cycles = [0, 10]\n"
                            "[[sweep.axis]]\nrun.seeds = { from = 1, to = 400, step = 1 }\n");
    RunningProgram program = start({"sweep", "study.toml", "-j", "2", "--out", "it.db"});
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline &&
           (!std::filesystem::exists(file("it.db")) || runs_in(open("it.db")) < 3)) {
        std::this_thread::sleep_for(milliseconds(2));
    }
    program.press_control_c();
    const ProgramEnd end = program.wait(std::chrono::seconds(30));
    EXPECT_EQ(end.status, 130);
    EXPECT_EQ(end.output, "");
    const std::size_t done = runs_in(open("it.db"));
    EXPECT_THAT(end.error, Names("weir", "interrupted", std::to_string(done), "800", "it.db",
                                 "weir", "sweep", "study.toml", "--resume", "--out it.db"));
    EXPECT_THAT(everything(), ElementsAre("it.db", "study.toml"));
    EXPECT_THAT(output_of({"sweep", "study.toml", "--dry-run", "--resume", "--out", "it.db"}),
                HasSubstr("\n" + std::to_string(800 - done) + " runs "));
}

// Kills at any time: also while the plan is made, the database created, or a transaction written.
TEST_F(SweepRunTest, AHundredKillsLoseNoFinishedPointAndLeaveNoBrokenFile) {
#ifdef WEIR_HAS_SANITIZERS
    constexpr int kKills = 10;
#else
    constexpr int kKills = 100;
#endif
    const std::string study = read("study.toml");
    write("study.toml", study.substr(0, study.find("[run]")));  // one seed per point
    const auto begin = std::chrono::steady_clock::now();
    static_cast<void>(weir({"sweep", "study.toml", "-j", "2", "--out", "whole.db"}));
    const auto whole_time = std::chrono::steady_clock::now() - begin;
    std::map<std::pair<std::string, std::uint64_t>, std::string> expected;
    for (const StoredPoint& point : open("whole.db").points()) {
        for (const StoredRun& run : point.runs) {
            expected[{point.digest, run.seed}] = run.digest;
        }
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    std::size_t before = 0;
    int completed = 0;
    int between = 0;  // kills after which some runs were done and some were not
    for (int i = 0; i < kKills; ++i) {
        const bool is_there = std::filesystem::exists(file("it.db"));
        Arguments arguments{"sweep", "study.toml", "-j", "2", "--out", "it.db"};
        if (is_there) {
            arguments.emplace_back("--resume");
        }
        RunningProgram program = start(arguments);
        std::this_thread::sleep_for(share(random) * whole_time);
        program.kill_all();
        if (!std::filesystem::exists(file("it.db"))) {
            EXPECT_EQ(before, 0U);
            continue;
        }
        const SweepDatabase database = open("it.db");
        ASSERT_EQ(integrity(database), "ok");
        const std::size_t now = runs_in(database);
        EXPECT_GE(now, before);
        for (const StoredPoint& point : database.points()) {
            for (const StoredRun& run : point.runs) {
                ASSERT_EQ(run.digest, (expected[{point.digest, run.seed}]));
            }
        }
        between += now > 0 && now < expected.size() ? 1 : 0;
        before = now;
        if (now == expected.size()) {
            ++completed;
            std::filesystem::remove(file("it.db"));
            before = 0;
        }
    }
    EXPECT_GT(between, 0);
    const ProgramEnd end = std::filesystem::exists(file("it.db"))
                               ? weir({"sweep", "study.toml", "--out", "it.db", "--resume"})
                               : weir({"sweep", "study.toml", "--out", "it.db"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_EQ(digest_of("it.db"), digest_of("whole.db"));
    EXPECT_THAT(everything(), ElementsAre("it.db", "study.toml", "whole.db"));
    RecordProperty("completed", completed);
}

// A disk of 2 MB, which the second run's trace fills. The test is skipped where mounting a disk is
// not allowed.
TEST_F(SweepRunTest, AFullDiskIsOneMessageAndLosesNothing) {
    std::string text = kTiny;
    text.erase(text.find("iterations"));
    write("study.toml", text + "[[sweep.axis]]\nworkload.iterations = [10, 5000]\n");
    std::filesystem::create_directory(file("disk"));
    const std::string script =
        "mount -t tmpfs -o size=2m tmpfs disk || exit 99; cp study.toml disk; cd disk; "
        "\"$1\" sweep study.toml -j 1 --out it.db; echo $? >../status; "
        "echo $(ls) >../files; cp it.db ..; mount -o remount,size=128m .; "
        "\"$1\" sweep study.toml -j 1 --out it.db --resume; echo $? >../status_after; "
        "cp it.db ../after.db";
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder().c_str()) != 0 || std::freopen("errors", "w", stderr) == nullptr ||
            std::freopen("output", "w", stdout) == nullptr) {
            _exit(98);
        }
        execlp("unshare", "unshare", "--mount", "--map-root-user", "sh", "-c", script.c_str(), "sh",
               WEIR_PROGRAM, static_cast<char*>(nullptr));
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!std::filesystem::exists(file("status"))) {
        GTEST_SKIP() << "no file system can be mounted here: " << read("errors");
    }
    EXPECT_EQ(read("status"), "2\n");
    EXPECT_THAT(read("errors"),
                Names("trace.weir", std::strerror(ENOSPC), "1", "it.db", "--resume"));
    EXPECT_EQ(read("files"), "it.db study.toml\n");
    EXPECT_EQ(integrity(open("it.db")), "ok");
    EXPECT_EQ(runs_in(open("it.db")), 1U);
    EXPECT_EQ(read("status_after"), "0\n") << read("errors");
    static_cast<void>(weir({"sweep", "study.toml", "--out", "whole.db"}));
    EXPECT_EQ(digest_of("after.db"), digest_of("whole.db"));
}

TEST_F(SweepRunTest, DryRunListsPointsAndMakesNothing) {
    EXPECT_THAT(
        output_of({"sweep", "study.toml", "--dry-run"}),
        Names("point", "input_queue_bytes", "hop_cycles", "seeds", "1", "128", "1", "1, 2", "2",
              "128", "2", "1, 2", "3", "256", "1", "1, 2", "4", "256", "2", "1, 2", "8", "4"));
    EXPECT_THAT(output_of({"sweep", "study.toml", "--dry-run", "--shard", "2/3"}),
                AllOf(Names("point", "input_queue_bytes", "hop_cycles", "seeds", "2", "128", "2",
                            "1, 2", "2", "1"),
                      Not(HasSubstr("256"))));
    EXPECT_THAT(everything(), ElementsAre("study.toml"));
}

TEST_F(SweepRunTest, ShowIsATableOfMeansAndACsvOfRuns) {
    static_cast<void>(weir({"sweep", "study.toml"}));
    const std::string page = output_of({"sweep", "show", "runs/study.db"});
    EXPECT_THAT(page, AllOf(StartsWith("A tiny remap\n"), HasSubstr("hop_cycles"),
                            HasSubstr(setup::spaced_name("cycles_per_iteration")), HasSubstr(" ± "),
                            HasSubstr("8 of 4 points: 8 ok\n")));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(setup::width_of(line), 80U) << line;
    }
    const std::string csv =
        output_of({"sweep", "show", "runs/study.db", "--csv", "--metric", "cycles_per_iteration"});
    EXPECT_THAT(csv, StartsWith("point,label,input_queue_bytes,hop_cycles,seed,status,message,"
                                "cycles_per_iteration\n1,,128,1,1,ok,,"));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);
    EXPECT_THAT(output_of({"sweep", "show", "runs/study.db", "--csv"}),
                HasSubstr(",measured.messages_measured,"));
    EXPECT_THAT(refused({"sweep", "show", "runs/study.db", "--metric", "cycles_per_iterasion"}),
                Names("cycles_per_iterasion", "\"cycles_per_iteration\""));
}

TEST_F(SweepRunTest, DiffSaysWhichPointsChanged) {
    static_cast<void>(weir({"sweep", "study.toml", "--out", "a.db"}));
    static_cast<void>(
        weir({"sweep", "study.toml", "--out", "b.db", "--set", "controller.notify_cycles=60"}));
    const ProgramEnd end = weir({"sweep", "diff", "a.db", "b.db"});
    EXPECT_EQ(end.status, 1);
    EXPECT_THAT(
        end.output,
        AllOf(StartsWith("a.db: weir "), Names("controller.notify_cycles", "10", "60"),
              HasSubstr("\ncycles_per_iteration\n  point  where"), Names("4", "4 changed")));
    const ProgramEnd same = weir({"sweep", "diff", "a.db", "a.db"});
    EXPECT_EQ(same.status, 0);
    EXPECT_THAT(same.output, Names("4", "0 changed"));
}

TEST_F(SweepRunTest, BadInputIsOneMessageAndNothingIsLost) {
    EXPECT_THAT(refused({"sweep", "study.toml", "--resume"}),
                Names("weir", "runs/study.db", "--out", "--resume"));
    static_cast<void>(weir({"sweep", "study.toml"}));
    const std::string digest = digest_of("runs/study.db");
    EXPECT_THAT(refused({"sweep", "study.toml"}),
                Names("weir", "runs/study.db", "--resume", "--out"));
    write("other.toml", std::string(kTiny) + "[[sweep.axis]]\nnetwork.hop_cycles = [7]\n");
    EXPECT_THAT(refused({"sweep", "other.toml", "--resume", "--out", "runs/study.db"}),
                Names("weir", "runs/study.db", "1", "other.toml"));
    EXPECT_THAT(refused({"sweep", "study.toml", "--resume", "--out", "study.toml"}),
                Names("weir", "study.toml", "database"));
    EXPECT_THAT(refused({"sweep", "study.toml", "--out", "study.toml/it.db"}),
                Names("weir", "study.toml/it.db.running"));
    EXPECT_THAT(refused({"sweep", "study.toml", "--shard", "4/3"}),
                Names("weir", "--shard 4/3", "I/N"));
    EXPECT_THAT(refused({"sweep", "study.toml", "--retry", "--out", "new.db"}),
                Names("weir", "--retry"));
    EXPECT_THAT(refused({"sweep"}), Names("weir", "FILE"));
    EXPECT_THAT(refused({"run", "study.toml"}), Names("[sweep]", "weir", "sweep", "study.toml"));
    const auto refused_axes = [&](const std::string& axes) {
        write("bad.toml", kTiny + axes);
        return refused({"sweep", "bad.toml"});
    };
    EXPECT_THAT(refused_axes("[[sweep.axis]]\nnetwork.hop_cycles = []\n"),
                Names("weir", "bad.toml:10:22", "empty", "network.hop_cycles"));
    EXPECT_THAT(refused_axes("[[sweep.axis]]\nnetwork.hop_cycles = [1]\n"
                             "[[sweep.axis]]\nnetwork.hop_cycles = [2]\n"),
                Names("weir", "bad.toml:12:9", "network.hop_cycles", "bad.toml:10:9"));
    EXPECT_THAT(refused_axes("[[sweep.axis]]\nnetwork.hop_cycles = [1]\n"
                             "[sweep]\nfilter = \"1 < 2\"\n"),
                Names("weir", "bad.toml:12:10", "filter", "\"hop_cycles\""));
    EXPECT_EQ(digest_of("runs/study.db"), digest);
}

// The lock may be held by a worker of the killed sweep, which ends in a moment.
TEST_F(SweepRunTest, AResumedSweepWaitsForWhoHasTheLock) {
    static_cast<void>(weir({"sweep", "study.toml", "--out", "it.db"}));
    std::filesystem::create_directory(file("it.db.running"));
    const int lock = ::open(file("it.db.running/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
    RunningProgram program = start({"sweep", "study.toml", "--out", "it.db", "--resume"});
    std::this_thread::sleep_for(milliseconds(500));
    EXPECT_TRUE(std::filesystem::exists(file("it.db.running")));
    close(lock);
    EXPECT_EQ(program.wait().status, 0);
    EXPECT_THAT(everything(), ElementsAre("it.db", "study.toml"));
}

TEST_F(SweepRunTest, OneSweepAtATimeWorksOnADatabase) {
    write("long.toml", std::string(kTiny) + "[[sweep.axis]]\nnetwork.hop_cycles = [1]\n");
    RunningProgram program =
        start({"sweep", "long.toml", "--out", "it.db", "--set", "workload.iterations=10_000_000"});
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline && !std::filesystem::exists(file("it.db"))) {
        std::this_thread::sleep_for(milliseconds(2));
    }
    EXPECT_EQ(runs_in(open("it.db")), 0U);  // a reader does not disturb the sweep
    const ProgramEnd other = weir({"sweep", "long.toml", "--out", "it.db", "--resume"});
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.error, Names("weir", "it.db", "--out"));
    program.press_control_c();
    EXPECT_EQ(program.wait(std::chrono::seconds(30)).status, 130);
}

}  // namespace
}  // namespace weir::experiments::running
