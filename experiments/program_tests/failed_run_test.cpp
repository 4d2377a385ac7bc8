#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/database/trace_database.h"
#include "hw/testing/names.h"
#include "nodes/run_end.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;
using ::weir::testing::Names;

/// Value of a key in a trace's table `run`; empty if there is no such key.
std::string run_info(const std::filesystem::path& trace_file, const std::string& key) {
    const trace::TraceDatabase database = trace::TraceDatabase::open(trace_file);
    trace::Statement row(database, "SELECT value FROM run WHERE key = ?1");
    row.bind(1, key);
    return row.step() ? std::string(row.text(0)) : "";
}

std::int64_t messages_in(const std::filesystem::path& trace_file) {
    const trace::TraceDatabase database = trace::TraceDatabase::open(trace_file);
    trace::Statement row(database, "SELECT count(*) FROM messages");
    return row.step() ? row.integer(0) : 0;
}

// Runs without an answer. The exit status tells how they ended, and one message tells why. No
// result is printed, and the trace up to the end is kept.
class FailedRunTest : public ProgramTest {
  protected:
    static constexpr const char* kPoint = "runs/remap-001/point-01-seed-1";

    FailedRunTest() { write("remap.toml", kSmallRemap); }

    /// The run folder's page in the terminal's format; every failed run keeps report.txt.
    [[nodiscard]] std::string kept_page(const std::string& run_folder) const {
        return words_of(read(run_folder + "/report.txt"));
    }
    /// The page of `weir report` for a folder.
    [[nodiscard]] std::string html_of(const std::string& run_folder) const {
        static_cast<void>(output_of({"report", run_folder, "-o", "page.html"}));
        return read("page.html");
    }
    [[nodiscard]] std::string failure(int status, const Arguments& arguments) const {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, status) << end.error;
        EXPECT_EQ(end.output, "");
        return end.error;
    }
};

TEST_F(FailedRunTest, CycleLimit) {
    EXPECT_THAT(
        failure(3, {"run", "remap.toml", "--set", "run.most_cycles=500"}),
        Names("weir: runs/remap-001/point-01-seed-1", "cycle 500", "run.most_cycles", "8 of 8"));
    EXPECT_EQ(run_info(file(kPoint) / "trace.weir", "end"),
              run_end_name(nodes::RunEnd::kCycleLimit));
    EXPECT_EQ(run_info(file(kPoint) / "trace.weir", "cycles"), "500");
    EXPECT_EQ(digests_of("runs/remap-001").size(), 33U);
    const std::string page = kept_page("runs/remap-001");
    EXPECT_THAT(page, Names("cycle 500", "status 3", "run.most_cycles", "8 of 8"));
    EXPECT_THAT(page, Not(HasSubstr("measured")));
    for (const std::string& folder : {std::string("runs/remap-001"), std::string(kPoint)}) {
        const std::string html = html_of(folder);
        EXPECT_THAT(html, Names("cycle 500", "status 3", "run.most_cycles"));
        EXPECT_THAT(html, HasSubstr("cycle 500: run.most_cycles reached, 8 of 8 threads"));
        EXPECT_THAT(html, HasSubstr("partial"));
        EXPECT_THAT(html, HasSubstr("<h1>Remap"));
        EXPECT_THAT(html, HasSubstr("network.dimensions"));
    }
}

// --json prints a failed run's result like that of a successful run, and does not change the exit
// status.
TEST_F(FailedRunTest, TheResultAsJsonSaysHowItEnded) {
    const ProgramEnd end = weir({"run", "remap.toml", "--json", "--set", "run.most_cycles=500"});
    EXPECT_EQ(end.status, 3);
    const auto result = nlohmann::json::parse(end.output);
    EXPECT_EQ(result.at("points").size(), 0U);
    const auto& ending = result.at("endings").at(0);
    EXPECT_EQ(ending.at("how"), std::string(run_end_name(nodes::RunEnd::kCycleLimit)));
    EXPECT_EQ(ending.at("exit_status"), 3);
    EXPECT_EQ(ending.at("cycles"), 500);
    EXPECT_EQ(ending.at("folder"), "point-01-seed-1");
    EXPECT_EQ(nlohmann::json::parse(read("runs/remap-001/result.json")), result);
}

// One point succeeds, the other fails. The page has the first point's numbers, and states that the
// second point gives none.
TEST_F(FailedRunTest, SomeRunsEndWellAndOthersBadly) {
    write("both.toml", std::string(kSmallRemap) +
                           "[run]\nseeds = [1, 2]\n[[point]]\nlabel = \"whole\"\n"
                           "[[point]]\nlabel = \"short\"\nrun.most_cycles = 500\n");
    const ProgramEnd end = weir({"run", "both.toml", "--out", "both"});
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.error, StartsWith("weir: both/point-02-seed-1: cycle 500: run.most_cycles"));
    const std::string page = words_of(end.output);
    EXPECT_EQ(kept_page("both"), page);
    EXPECT_THAT(page, Names("2 of 4 runs", "2", "short", "seed 1", "cycle 500"));
    EXPECT_THAT(page, HasSubstr("Measured: "));
    EXPECT_THAT(page, Names("result 2 runs"));
    EXPECT_THAT(html_of("both"), Names("short", "seed 2", "cycle 500"));
    EXPECT_THAT(html_of("both/point-01-seed-2"), HasSubstr("Measured: "));
    EXPECT_THAT(
        html_of("both/point-02-seed-2"),
        AllOf(Not(HasSubstr("Measured: ")), Names("result", "short", "seed 2", "cycle 500")));
    const auto result = nlohmann::json::parse(read("both/result.json"));
    EXPECT_EQ(result.at("seeds").size(), 2U);
    EXPECT_EQ(result.at("endings").size(), 2U);
}

// The folder has the runs that ended before the process was killed; no message could be written.
TEST_F(FailedRunTest, OfAKilledRunTheRunsThatHaveEndedAreShown) {
    static_cast<void>(
        output_of({"run", "remap.toml", "--out", "it", "--set", "run.seeds=[1, 2, 3]"}));
    std::filesystem::remove(file("it/result.json"));
    std::filesystem::remove(file("it/report.txt"));
    std::filesystem::remove(file("it/point-01-seed-2/result.json"));
    const std::string html = html_of("it");
    EXPECT_THAT(html, Names("1 of 3 runs", "2", "seed 2", "end"));
    EXPECT_THAT(html, HasSubstr("Measured: "));
}

TEST_F(FailedRunTest, AFolderInWhichNoRunHasBegunSaysSo) {
    std::filesystem::create_directory(file("empty"));
    EXPECT_THAT(failure(2, {"report", "empty"}), Names("weir", "empty:", "folder"));
    std::filesystem::create_directories(file("begun/point-01-seed-1"));
    EXPECT_THAT(failure(2, {"report", "begun"}), Names("weir", "begun:", "folder"));
    EXPECT_THAT(failure(2, {"report", "begun/point-01-seed-1"}),
                AllOf(StartsWith("weir: begun/point-01-seed-1: "), HasSubstr("folder")));
}

TEST_F(FailedRunTest, WrongAnswer) {
    write("ping.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "[workload]\nkernel = \"ping\"\nslot_cycles = 10\n");
    // A trip takes more than 100 cycles, so a message arrives in another message's slot.
    EXPECT_THAT(failure(4, {"run", "ping.toml"}),
                Names("weir: runs/ping-001/point-01-seed-1", "wrong", "node 0", "node 1", "0 times",
                      "workload.slot_cycles"));
    EXPECT_EQ(run_info(file("runs/ping-001/point-01-seed-1/trace.weir"), "end"), "finished");
    for (const char* folder : {"runs/ping-001", "runs/ping-001/point-01-seed-1"}) {
        const std::string html = html_of(folder);
        EXPECT_THAT(html, Names("status 4", "node 0", "node 1", "workload.slot_cycles"));
        EXPECT_THAT(html, HasSubstr("partial"));
        EXPECT_THAT(html, Not(HasSubstr("Measured: ")));
    }
}

// Requests and replies fill both queues of every node. Handlers cannot send their replies before
// other input queues have free space, and these have none before handlers have replied.
class DeadlockTest : public FailedRunTest {
  protected:
    DeadlockTest() {
        write("remap.toml",
              "extends = \"alewife\"\n[workload]\nkernel = \"remap\"\nargument_words = 14\n"
              "[controller]\ninput_queue_bytes = 64\noutput_queue_bytes = 64\n");
    }
};

TEST_F(DeadlockTest, IsExplainedByTheCycleOfWhoWaitsForWhom) {
    const std::string message = failure(3, {"run", "remap.toml"});
    EXPECT_THAT(message, StartsWith("weir: runs/remap-001/point-01-seed-1: cycle "));
    EXPECT_THAT(message, Names("deadlock", "32 of 32"));
    EXPECT_THAT(message,
                ContainsRegex("machine\\.node_[^\n]+\\.controller\\.input [^\n]+ machine\\.node_"));
    EXPECT_THAT(message, HasSubstr(" 64 of 64 bytes "));
    EXPECT_THAT(message, ContainsRegex("launch [^\n]* output "));
    EXPECT_THAT(message, ContainsRegex("worm [^\n]*node [0-9]"));
    EXPECT_EQ(run_info(file(kPoint) / "trace.weir", "end"), "deadlock");
    EXPECT_GT(messages_in(file(kPoint) / "trace.weir"), 0);
    for (const char* folder : {"runs/remap-001", kPoint}) {
        const std::string html = html_of(folder);
        EXPECT_THAT(html, Names("status 3", "32 of 32"));
        EXPECT_THAT(html, HasSubstr(" 64 of 64 bytes "));
    }
}

// Interrupts constantly withdraw launches here, which are then repeated.
TEST_F(DeadlockTest, IsTheSameInAnyOrderOfTicksAndWithoutSleep) {
    const auto told = [](const std::string& message) {
        return message.substr(message.find(": cycle "));
    };
    const std::string message = told(failure(3, {"run", "remap.toml", "--out", "as_it_is"}));
    const std::string digest = digests_of("as_it_is");
    for (const std::string order : {"wake", "reversed", "shuffled"}) {
        EXPECT_EQ(told(failure(3, {"run", "remap.toml", "--out", order, "--set",
                                   "clock.sleeping=false", "--set", "clock.tick_order=" + order})),
                  message);
        EXPECT_EQ(digests_of(order), digest) << order;
    }
}

TEST_F(DeadlockTest, DoesNotComeWithTheQueuesOfAlewife) {
    static_cast<void>(
        output_of({"run", "remap.toml", "--set", "controller.input_queue_bytes=256", "--set",
                   "controller.output_queue_bytes=256", "--set", "workload.iterations=20"}));
}

// The same run and digest in any order of ticks and without sleep.
TEST_F(DeadlockTest, EndsWithTheRightAnswerWhereTheOverflowTrapIsOn) {
    std::string digest;
    for (const std::string order : {"wake", "reversed", "shuffled"}) {
        static_cast<void>(output_of(
            {"run", "remap.toml", "--out", order, "--set", "controller.overflow_trap=true", "--set",
             "workload.iterations=50", "--set", "clock.tick_order=" + order, "--set",
             order == "wake" ? "clock.sleeping=true" : "clock.sleeping=false"}));
        const std::string found = digests_of(order);
        EXPECT_EQ(found, order == "wake" ? found : digest) << order;
        digest = found;
    }
}

TEST_F(DeadlockTest, AnOverflowBufferThatIsFullEndsTheRun) {
    const std::string message =
        failure(2, {"run", "remap.toml", "--set", "controller.overflow_trap=true", "--set",
                    "firmware.overflow_buffer_bytes=256", "--set", "workload.body_bytes=1024",
                    "--set", "firmware.body_send=blocking", "--set", "workload.argument_words=2"});
    EXPECT_THAT(message, Names("overflow", "message", "firmware.overflow_buffer_bytes", "256"));
}

TEST_F(FailedRunTest, WatchdogLetsLongWorkBe) {
    // All nodes compute much longer than the watchdog waits.
    static_cast<void>(
        output_of({"run", "remap.toml", "--set", "workload.work_cycles=100_000", "--set",
                   "workload.iterations=3", "--set", "run.watchdog_cycles=1000"}));
}

// Threads forever load the status of their bodies: the loop's computations do not count as
// progress.
TEST_F(FailedRunTest, WatchdogEndsALoopThatOnlyAsksForAStatus) {
    write("bodies.toml",
          "extends = \"alewife\"\nrun.seeds = [2]\nrun.watchdog_cycles = 20_000\n"
          "run.most_cycles = 200_000\nfirmware.body_send = \"status\"\n"
          "[workload]\nkernel = \"remap\"\nbody_bytes = 1024\niterations = 500\n");
    const auto told = [this](const std::string& by_flits) {
        const std::string message =
            failure(3, {"run", "bodies.toml", "--set", "network.flit_by_flit=" + by_flits});
        return message.substr(message.find(": cycle "));
    };
    const std::string message = told("false");
    EXPECT_THAT(message, AllOf(StartsWith(": cycle 28672: "),
                               Names("run.watchdog_cycles = 20000", "32 of 32")));
    EXPECT_THAT(message, ContainsRegex("launch [^\n]* body "));
    EXPECT_EQ(told("true"), message);
}

// Two nodes with two threads each take each other's lines before the waiting threads run, forever.
TEST_F(FailedRunTest, AThreadThatStarvesEndsTheRunWithItsNameAndItsLine) {
    write(
        "window.toml",
        "extends = \"alewife-shared\"\nmachine.nodes = 2\nnetwork.dimensions = [2, 1]\n"
        "core.contexts = 2\ncoherence.thrashlock = false\n"
        "[workload]\nkernel = \"shared-lock\"\nlock = \"queue\"\nacquisitions = 10\nthreads = 2\n");
    const std::string message = failure(3, {"run", "window.toml"});
    EXPECT_THAT(message, Names("2 of 2", "starved"));
    EXPECT_THAT(message, HasSubstr("coherence.starved_after_accesses = 20, times 4 threads"));
    EXPECT_THAT(message, HasSubstr(", context "));
    EXPECT_THAT(message, ContainsRegex("lost [^\n]*line "));
    EXPECT_THAT(message, ContainsRegex("line [^\n]* node [0-9]"));
    const auto trace = file("runs/window-001/point-01-seed-1/trace.weir");
    EXPECT_EQ(run_info(trace, "end"), "starved");
    EXPECT_THAT(failure(3, {"run", "window.toml", "--set", "coherence.starved_after_accesses=0",
                            "--set", "run.most_cycles=300_000"}),
                Names("weir: runs/window-002/point-01-seed-1", "cycle 300000", "run.most_cycles",
                      "2 of 2"));
}

// Ctrl-C reaches every process of the terminal's group; kill and timeout reach a single process.
class InterruptTest : public FailedRunTest {
  protected:
    static constexpr auto kAFewSeconds = std::chrono::seconds(10);
    /// More iterations than any host emulates in the test's time.
    static constexpr const char* kEndless = "workload.iterations=1_000_000";

    /// Waits until `is_there` is true, and a moment longer.
    template <class Condition>
    static void wait_until(Condition is_there) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!is_there() && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    void wait_for(const std::string& name) const {
        wait_until([&] { return std::filesystem::exists(file(name)); });
    }
    /// Waits until the emulation has begun, and the trace grows.
    void wait_for_messages(const std::string& trace) const {
        constexpr std::uintmax_t kHeaderBytes = 1000;  // more than the trace's header has
        wait_for(trace);
        wait_until([&] { return std::filesystem::file_size(file(trace)) > kHeaderBytes; });
    }
    [[nodiscard]] std::string trace_file() const { return std::string(kPoint) + "/trace.weir"; }
};

TEST_F(InterruptTest, EndsCleanlyAndKeepsTheTraceSoFar) {
    RunningProgram program = start({"run", "remap.toml", "--set", kEndless});
    wait_for_messages(trace_file());
    program.press_control_c();
    const ProgramEnd end = program.wait(kAFewSeconds);
    EXPECT_EQ(end.status, 130);
    EXPECT_EQ(end.output, "");
    EXPECT_THAT(
        end.error,
        Names("weir: interrupted", "runs/remap-001", "weir",
              "run remap.toml --resume runs/remap-001 --set workload.iterations=1_000_000"));
    EXPECT_THAT(names_in(kPoint),
                ElementsAre("channels.csv", "configuration.toml", "queues.csv", "result.json",
                            "statistics.csv", "statistics.json", "trace.weir"));
    EXPECT_THAT(kept_page("runs/remap-001"), ContainsRegex("interrupted [^,]*cycle [0-9]"));
    EXPECT_THAT(html_of("runs/remap-001"), ContainsRegex("interrupted [^,]*cycle [0-9]"));
    EXPECT_THAT(html_of(kPoint), HasSubstr("status 130"));
    EXPECT_THAT(output_of({"trace", "digest", trace_file()}), MatchesRegex("[0-9a-f]+\n"));
    EXPECT_EQ(run_info(file(trace_file()), "end"), "interrupted");
    EXPECT_GT(messages_in(file(trace_file())), 0);
}

TEST_F(InterruptTest, StartsNoFurtherRuns) {
    RunningProgram program =
        start({"run", "remap.toml", "-j", "1", "--set", "run.seeds=[1, 2, 3]", "--set", kEndless});
    wait_for_messages(trace_file());
    program.press_control_c();
    EXPECT_EQ(program.wait(kAFewSeconds).status, 130);
    EXPECT_THAT(names_in("runs/remap-001"),
                ElementsAre("point-01-seed-1", "report.txt", "result.json"));
    EXPECT_THAT(kept_page("runs/remap-001"), Names("1 of 3 runs", "2", "begun"));
}

// Large programs take seconds until their first cycle; nothing of this time needs to be kept.
TEST_F(InterruptTest, AProgramThatIsBeingPreparedEndsAtOnce) {
    RunningProgram program =
        start({"run", "remap.toml", "-j", "1", "--set", "workload.iterations=100_000_000", "--set",
               "run.watchdog_cycles=1_000_000_000"});
    wait_for(trace_file());
    kill(program.process(), SIGTERM);
    const ProgramEnd end = program.wait(kAFewSeconds);
    EXPECT_EQ(end.status, 143);
    EXPECT_THAT(end.error, Names("weir", "run remap.toml --resume runs/remap-001"));
    EXPECT_THAT(output_of({"run", "remap.toml", "--resume", "runs/remap-001"}),
                HasSubstr(" runs/remap-001\n"));
}

// The process alone gets the signal, passes it on to its workers, and ends with them.
TEST_F(InterruptTest, ASignalToTheProcessAloneEndsItToo) {
    // Batch systems warn a job by SIGUSR1 or SIGUSR2.
    for (const auto& [signal, status] : {std::pair{SIGTERM, 143}, std::pair{SIGHUP, 129},
                                         std::pair{SIGUSR1, 138}, std::pair{SIGUSR2, 140}}) {
        const std::string folder = "run-" + std::to_string(signal);
        RunningProgram program =
            start({"run", "remap.toml", "--set", kEndless, "-j", "1", "--out", folder});
        wait_for_messages(folder + "/point-01-seed-1/trace.weir");
        kill(program.process(), signal);
        EXPECT_EQ(program.wait(kAFewSeconds).status, status);
        EXPECT_EQ(run_info(file(folder + "/point-01-seed-1/trace.weir"), "end"), "interrupted");
    }
}

TEST_F(InterruptTest, ASweepTakesThemAsWell) {
    write("sweep.toml",
          std::string(kSmallRemap) + "[[sweep.axis]]\nworkload.iterations = [10, 1_000_000]\n");
    RunningProgram program = start({"sweep", "sweep.toml", "-j", "1"});
    wait_until([&] {
        return std::filesystem::exists(file("runs/sweep.db")) &&
               weir({"sweep", "show", "runs/sweep.db"}).output.find("10") != std::string::npos;
    });
    kill(program.process(), SIGTERM);
    const ProgramEnd end = program.wait(kAFewSeconds);
    EXPECT_EQ(end.status, 143);
    EXPECT_THAT(end.error, Names("weir: interrupted", "1 of 2 runs", "runs/sweep.db", "weir",
                                 "sweep sweep.toml --resume"));
}

// Shells start the background commands of a script with SIGINT ignored.
TEST_F(InterruptTest, ASignalThatWasIgnoredBeforeStaysIgnored) {
    RunningProgram program(
        "/bin/sh",
        {"-c", "trap '' INT HUP; exec \"$0\" run remap.toml -j 1 --set workload.iterations=3000",
         WEIR_PROGRAM},
        folder(), folder());
    wait_for("runs/remap-001");
    kill(program.process(), SIGINT);
    kill(program.process(), SIGHUP);
    EXPECT_EQ(program.wait().status, 0);
}

TEST_F(InterruptTest, AFinishedRunIsShownAndAResumedOneEndsAsIfNothingHadBeen) {
    const Arguments seeds{"--set", "run.seeds=[1, 2, 3]", "-j", "1"};
    const auto with = [&seeds](Arguments arguments) {
        arguments.insert(arguments.end(), seeds.begin(), seeds.end());
        return arguments;
    };
    write("long.toml", std::string(kSmallRemap) + "[run]\nwatchdog_cycles = 100_000\n");
    static_cast<void>(output_of(
        with({"run", "long.toml", "--out", "whole", "--set", "workload.iterations=1500"})));

    RunningProgram program =
        start(with({"run", "long.toml", "--out", "cut", "--set", "workload.iterations=1500"}));
    const std::string second = "cut/point-01-seed-2/trace.weir";
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(file(second)) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(program.process(), SIGTERM);
    const ProgramEnd end = program.wait(kAFewSeconds);
    EXPECT_EQ(end.status, 143);
    EXPECT_THAT(words_of(end.output), ContainsRegex(" [12] runs? [^,.]*ended "));
    EXPECT_THAT(words_of(end.output), HasSubstr(" measured "));
    EXPECT_THAT(output_of({"report", "cut"}), HasSubstr("cut/report.html"));

    const std::string first = "cut/point-01-seed-1/trace.weir";
    const auto written = std::filesystem::last_write_time(file(first));
    static_cast<void>(output_of(
        with({"run", "long.toml", "--resume", "cut", "--set", "workload.iterations=1500"})));
    EXPECT_EQ(std::filesystem::last_write_time(file(first)), written) << "it was run again";
    EXPECT_EQ(digests_of("cut"), digests_of("whole"));

    // Files that do not belong to this run are left alone.
    EXPECT_THAT(
        refused(with({"run", "long.toml", "--resume", "cut", "--set", "workload.iterations=50"})),
        Names("--resume cut", "long.toml", "interrupted", "--out"));
    EXPECT_EQ(digests_of("cut"), digests_of("whole"));
    std::filesystem::create_directory(file("notes"));
    write("notes/of-mine.txt", "mine");
    EXPECT_THAT(refused(with({"run", "long.toml", "--resume", "notes"})),
                Names("--resume notes", "long.toml", "interrupted", "--out"));
    EXPECT_EQ(read("notes/of-mine.txt"), "mine");
}

TEST_F(InterruptTest, AStudyIsResumedAsAWhole) {
    write("a.toml", std::string(kSmallRemap) + "[models]\ncompare = [\"logp\"]\n");
    write("b.toml", std::string(kSmallRemap) + "[models]\ncompare = [\"logp\"]\n");
    write("study.toml", "title = \"Two\"\nparts = [\"a.toml\", \"b.toml\"]\n");
    RunningProgram program =
        start({"run", "study.toml", "--out", "cut", "-j", "1", "--set", kEndless});
    wait_for_messages("cut/a/point-01-seed-1/trace.weir");
    kill(program.process(), SIGTERM);
    const ProgramEnd end = program.wait(kAFewSeconds);
    EXPECT_EQ(end.status, 143);
    EXPECT_THAT(end.error,
                Names("weir: interrupted", "cut", "weir",
                      "run study.toml --resume cut --set workload.iterations=1_000_000"));
    EXPECT_THAT(output_of({"run", "study.toml", "--resume", "cut"}), HasSubstr(" cut\n"));
}

TEST_F(InterruptTest, TimeoutAndNohupDoWhatTheySay) {
    RunningProgram timeout(
        "/usr/bin/timeout",
        {"1000", WEIR_PROGRAM, "run", "remap.toml", "--set", kEndless, "--out", "timeout"},
        folder(), folder().parent_path());
    wait_for_messages("timeout/point-01-seed-1/trace.weir");
    // As at the end of its time limit, timeout sends the signal to the process, and again to the
    // process's group.
    kill(timeout.process(), SIGTERM);
    const ProgramEnd end = timeout.wait(kAFewSeconds);
    EXPECT_EQ(end.status, 143);
    EXPECT_THAT(end.error, HasSubstr("--resume timeout"));
    RunningProgram nohup("/usr/bin/nohup",
                         {WEIR_PROGRAM, "run", "remap.toml", "--set", "workload.iterations=3000",
                          "-j", "1", "--out", "nohup"},
                         folder(), folder().parent_path());
    wait_for("nohup");
    kill(nohup.process(), SIGHUP);
    EXPECT_EQ(nohup.wait().status, 0);
}

// A worker of the killed run may still hold the folder's lock; a resumed run waits for it.
TEST_F(InterruptTest, AResumedRunWaitsForWhoHasTheFolder) {
    static_cast<void>(output_of({"run", "remap.toml", "--out", "it"}));
    const int it = open(file("it").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_EQ(flock(it, LOCK_EX | LOCK_NB), 0);
    EXPECT_THAT(failure(2, {"run", "remap.toml", "--resume", "it"}),
                Names("weir", "it:", "another", "run"));
    RunningProgram program = start({"run", "remap.toml", "--resume", "it"});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    close(it);
    EXPECT_EQ(program.wait(kAFewSeconds).status, 0);
}

TEST_F(InterruptTest, AFileThatTheExperimentNamesIsToBeTheSame) {
    const std::string matrix =
        "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 1 1\n2 2 1\n3 3 1\n4 4 ";
    write("own.mtx", matrix + "1\n");
    write("spmv.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "[workload]\nkernel = \"spmv\"\nmatrix = \"own.mtx\"\n");
    static_cast<void>(output_of({"run", "spmv.toml", "--out", "it"}));
    static_cast<void>(output_of({"run", "spmv.toml", "--resume", "it"}));
    write("own.mtx", matrix + "2\n");
    EXPECT_THAT(
        failure(2, {"run", "spmv.toml", "--resume", "it"}),
        Names("weir: own.mtx", "changed", "it/point-01-seed-1", "workload.matrix", "--out"));
    write("own.mtx", matrix + "1\n");
    static_cast<void>(output_of({"run", "spmv.toml", "--resume", "it"}));
}

TEST_F(InterruptTest, OnlyAFolderCanBeResumed) {
    EXPECT_THAT(failure(2, {"run", "remap.toml", "--resume", "runs/remap-007"}),
                Names("--resume runs/remap-007", "folder", "interrupted"));
}

// If the system kills a worker, the message names it, and the results of the other workers are
// kept.
TEST_F(InterruptTest, AKilledWorkerIsNamedAndTheOthersGoOn) {
    RunningProgram program = start({"run", "remap.toml", "-j", "2", "--set", "run.seeds=[1, 2]",
                                    "--set", "workload.iterations=20_000"});
    wait_for_messages(trace_file());
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", program.process()));
    pid_t first = 0;
    if (!(children >> first)) {
        GTEST_SKIP() << "this kernel does not tell a process's children";
    }
    kill(first, SIGKILL);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 2);
    // On a busy machine, lines of progress come first.
    EXPECT_THAT(end.error, Names("weir: runs/remap-001/point-01-seed-1", "remap, seed 1",
                                 "signal 9", "Killed", "weir",
                                 "run remap.toml --resume runs/remap-001 --set 'run.seeds=[1, 2]' "
                                 "--set workload.iterations=20_000\n"));
    EXPECT_EQ(run_info(file("runs/remap-001/point-01-seed-2/trace.weir"), "end"), "finished");
}

}  // namespace
}  // namespace weir::experiments
