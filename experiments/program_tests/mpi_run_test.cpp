// MPI programs: floods of messages, and how runs end at faults and deadlocks. The first test that
// compiles one has the C library built.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/compiled_program_fixture.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class MpiRunTest : public CompiledProgramTest {
  protected:
    MpiRunTest() : CompiledProgramTest(4) {}

    static std::string source(const std::string& name) {
        return std::string(WEIR_EXPERIMENTS) + "/../firmware/sparcle/testing/" + name;
    }
    [[nodiscard]] ProgramEnd run(const std::string& words, const Arguments& settings = {}) const {
        std::filesystem::remove_all(file("run"));
        Arguments all{"run", "run.toml", "--out", "run", "--set", "workload.arguments=" + words};
        for (const std::string& setting : settings) {
            all.insert(all.end(), {"--set", setting});
        }
        return weir(all);
    }
    [[nodiscard]] std::string console() const { return read("run/point-01-seed-1/console.txt"); }
    // "file.c:12" of the line that ends in a comment of that text.
    [[nodiscard]] std::string line_of(const std::string& name, const std::string& comment) const {
        const std::string text = read(source(name));
        const std::size_t at = text.find("/* " + comment + " */");
        EXPECT_NE(at, std::string::npos) << comment;
        return name + ":" +
               std::to_string(1 + std::count(text.begin(),
                                             text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }
};

// Sum of what mpi_flood.c receives; each rank has 250 numbers of its own.
std::string sum_of_flood(int ranks, int each) {
    long long sum = 0;
    for (int from = 1; from < ranks; ++from) {
        for (int number = 0; number < each; ++number) {
            sum += from * 250 + number;
        }
    }
    return "0: sum " + std::to_string(sum) + "\n";
}

TEST_F(MpiRunTest, ThousandsOfUnexpectedMessagesAreKept) {
    compile(source("mpi_flood.c"));
    // 6,200 of them, of which the first that is received comes among the last.
    const ProgramEnd end = run("last send 200", {"machine.nodes=32"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_EQ(console(), sum_of_flood(32, 200));
}

// Order, data and lengths are the program's to check.
TEST_F(MpiRunTest, KeptMessagesMatchInTheirOrderWhereTheyFillMemoryToo) {
    compile(source("mpi_flood.c"));
    const std::string small = "memory.bytes=1250000";
    const std::string polls = "core.receive_mode=polling";
    struct Flood {
        std::string words;
        int ranks;
        Arguments settings;
    };
    const std::vector<Flood> floods{
        {"tags isend 200", 8, {}},
        {"tags isend 100", 5, {polls}},
        // The heap has room for a few hundred: senders are stopped, and let go on.
        {"any isend 200", 8, {small}},
        {"any send 200", 8, {small, polls}},
        {"ranks send 200", 16, {small}},
        {"ranks isend 200", 8, {small, polls}},
    };
    for (const Flood& flood : floods) {
        Arguments settings = flood.settings;
        settings.push_back("machine.nodes=" + std::to_string(flood.ranks));
        const ProgramEnd end = run(flood.words, settings);
        EXPECT_EQ(end.status, 0) << flood.words << '\n' << end.error;
        EXPECT_EQ(console(),
                  sum_of_flood(flood.ranks, std::stoi(flood.words.substr(flood.words.rfind(' ')))));
    }
}

TEST_F(MpiRunTest, MessagesToItselfWaitForTheirReceivesWhereThereIsNoRoom) {
    compile(source("mpi_flood.c"));
    const ProgramEnd end = run("own isend 200", {"machine.nodes=2", "memory.bytes=1300000"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(console(), AllOf(HasSubstr("0: sum 19900\n"), HasSubstr("1: sum 69900\n")));
}

// The reserve of a memory that is this small does not take what is under way.
TEST_F(MpiRunTest, AMemoryWithoutRoomForMessagesUnderWayEndsTheRun) {
    compile(source("mpi_flood.c"));
    const ProgramEnd end = run("last send 200", {"machine.nodes=8", "memory.bytes=1214000"});
    EXPECT_EQ(end.status, 4) << end.error;
    EXPECT_THAT(end.error,
                AllOf(HasSubstr("node 0, cycle "),
                      HasSubstr("no receive was posted for have filled this node's memory"),
                      HasSubstr("(memory.bytes)")));
}

TEST_F(MpiRunTest, ADeadlockForWantOfMemoryNamesTheFullRankAndWhatIsWaitedFor) {
    compile(source("mpi_flood.c"));
    for (const std::string mode : {"interrupt", "polling"}) {
        const ProgramEnd end =
            run("last send 200", {"machine.nodes=8", "memory.bytes=1250000",
                                  "run.watchdog_cycles=50000", "core.receive_mode=" + mode});
        EXPECT_EQ(end.status, 3) << end.error;
        EXPECT_THAT(end.error, HasSubstr("MPI deadlock; rank 0's memory is full: it keeps "));
        EXPECT_THAT(end.error, HasSubstr("\n  rank 0 waits in MPI_Recv, in function receive"));
        EXPECT_THAT(end.error,
                    HasSubstr("for a message from rank 1 with tag 199 of up to 48 bytes"));
        EXPECT_THAT(end.error, HasSubstr("\n  rank 7 waits in MPI_Send, in function "));
        EXPECT_THAT(end.error, HasSubstr("for rank 0 to receive its message with tag "));
        EXPECT_THAT(end.error, HasSubstr("for which there is no room"));
    }
}

struct Fault {
    std::string name;
    int rank;
    std::string call;
    std::string text;
};

TEST_F(MpiRunTest, AFaultEndsTheRunAtOnceWithRankCallAndLine) {
    compile(source("mpi_faults.c"));
    const std::vector<Fault> faults{
        {"truncated", 1, "MPI_Recv", "32 bytes from rank 0 with tag 5 is longer than the 16 bytes"},
        {"truncated-wait", 1, "MPI_Wait", "32 bytes from rank 0 with tag 5 is longer than the 16"},
        {"truncated-sendrecv", 1, "MPI_Sendrecv", "32 bytes from rank 0 with tag 5"},
        {"truncated-long", 1, "MPI_Recv",
         "200 bytes from rank 0 with tag 5 is longer than the 100"},
        {"truncated-bcast", 3, "MPI_Bcast",
         "sends 12 bytes, and this rank's count and type make 8"},
        {"short-reduce", 0, "MPI_Reduce", "sends 12 bytes, and this rank's count and type make 16"},
        {"uneven-alltoall", -1, "MPI_Alltoall", "12 bytes and receives 16"},
        {"rank", 1, "MPI_Send", "no rank 99; accepted: 0 to 3"},
        {"any-destination", 1, "MPI_Send", "no rank -1; accepted: 0 to 3"},
        {"source", 1, "MPI_Recv", "no rank 4; accepted: 0 to 3"},
        {"tag", 2, "MPI_Isend", "tag is -5; accepted: 0 or more"},
        {"count", 2, "MPI_Irecv", "count is -1; accepted: 0 to "},
        {"type", 2, "MPI_Send", "no datatype 12345"},
        {"communicator", 3, "MPI_Barrier", "no communicator 9; accepted: MPI_COMM_WORLD"},
        {"null", 3, "MPI_Send", "null pointer; accepted: the address of 3 values"},
        {"null-request", 3, "MPI_Isend", "null pointer"},
        {"request", 0, "MPI_Wait", "request 77"},
        {"completed", 0, "MPI_Wait", "request 0"},
        {"requests", 0, "MPI_Irecv", "request 257 at a time; accepted: up to 256"},
        {"root", 1, "MPI_Bcast", "no rank -1; accepted: 0 to 3"},
        {"operation", 1, "MPI_Allreduce", "no operation 99"},
        {"bits", 1, "MPI_Reduce", "operation 7 is of bits"},
        {"tail", 1, "MPI_Send", "no rank 99"},
        {"before-init", 1, "MPI_Send", "before MPI_Init"},
        {"second-init", 1, "MPI_Init", "second time"},
        {"after-finalize", 1, "MPI_Comm_size", "after MPI_Finalize"},
        {"abort-all", 2, "MPI_Abort", "code 7"},
        {"abort", 2, "", "aborted (signal 6)"},
        {"assert", 2, "", "\"rank == 3\" is false"},
        {"exit", 2, "", "status 3 between MPI_Init and MPI_Finalize"},
    };
    for (const Fault& fault : faults) {
        const ProgramEnd end = run(fault.name, {"run.watchdog_cycles=10000000"});
        EXPECT_EQ(end.status, 4) << fault.name << '\n' << end.error;
        EXPECT_THAT(end.error, HasSubstr(fault.text)) << fault.name;
        EXPECT_THAT(end.error, HasSubstr(line_of("mpi_faults.c", fault.name) + ")")) << fault.name;
        if (fault.rank >= 0) {
            const std::string rank = std::to_string(fault.rank);
            EXPECT_THAT(end.error, HasSubstr("node " + rank + ", cycle ")) << fault.name;
            EXPECT_THAT(
                end.error,
                HasSubstr(fault.call.empty() ? "" : ": " + fault.call + " of rank " + rank + ": "))
                << fault.name;
        }
        // None waits for the watchdog.
        const std::size_t at = end.error.find("cycle ");
        ASSERT_NE(at, std::string::npos) << end.error;
        EXPECT_LT(std::stoll(end.error.substr(at + 6)), 1'000'000) << fault.name;
    }
}

TEST_F(MpiRunTest, ADeadlockNamesTheMessagesThatRanksWaitFor) {
    compile(source("mpi_faults.c"));
    const auto deadlock = [this](const std::string& name) {
        const ProgramEnd end = run(name, {"run.watchdog_cycles=20000"});
        EXPECT_EQ(end.status, 3) << end.error;
        return end.error;
    };
    EXPECT_THAT(deadlock("missing"),
                AllOf(HasSubstr("MPI deadlock; nothing was done"),
                      HasSubstr("\n  rank 1 waits in MPI_Recv, in function "),
                      HasSubstr(line_of("mpi_faults.c", "missing") +
                                "), for a message from any rank with tag 9 of up to 12 bytes"),
                      HasSubstr("\n  rank 0 waits in MPI_Barrier, "),
                      HasSubstr(", for rank 2 in MPI_Barrier\n"), Not(HasSubstr("is full"))));
    EXPECT_THAT(deadlock("probe"), HasSubstr(line_of("mpi_faults.c", "probe") +
                                             "), for a message from rank 3 with any tag\n"));
    EXPECT_THAT(deadlock("unreceived"),
                HasSubstr(line_of("mpi_faults.c", "unreceived") +
                          "), for rank 3 to receive its message with tag 8 of 80 bytes\n"));
    EXPECT_THAT(deadlock("leave"),
                HasSubstr("MPI deadlock; rank 2's program has ended without MPI_Finalize; "));
}

}  // namespace
}  // namespace weir::experiments
