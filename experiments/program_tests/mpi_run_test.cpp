// MPI programs: floods of messages, and the ends of runs after faults and deadlocks. The first test
// that compiles one builds the C library.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;
using ::weir::testing::NamesMatcher;

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
    // "file.c:12" for the line that ends in a comment with this text.
    [[nodiscard]] std::string line_of(const std::string& name, const std::string& comment) const {
        const std::string text = read(source(name));
        const std::size_t at = text.find("/* " + comment + " */");
        EXPECT_NE(at, std::string::npos) << comment;
        return name + ":" +
               std::to_string(1 + std::count(text.begin(),
                                             text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }
};

// Sum of the values that mpi_flood.c receives; each rank has 250 numbers of its own.
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
    // 6,200 messages; the first one to be received is among the last to arrive.
    const ProgramEnd end = run("last send 200", {"machine.nodes=32"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_EQ(console(), sum_of_flood(32, 200));
}

// The program checks order, data and lengths.
TEST_F(MpiRunTest, KeptMessagesMatchInTheirOrderWhereTheyFillMemoryToo) {
    compile(source("mpi_flood.c"));
    const std::string small = "memory.bytes=1267000";
    const std::string polls = "core.receive_mode=polling";
    struct Flood {
        std::string words;
        int ranks;
        Arguments settings;
    };
    const std::vector<Flood> floods{
        {"tags isend 200", 8, {}},
        {"tags isend 100", 5, {polls}},
        // The heap has memory for a few hundred messages: senders are stopped and released.
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
    const ProgramEnd end = run("own isend 200", {"machine.nodes=2", "memory.bytes=1317000"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(console(), AllOf(HasSubstr("0: sum 19900\n"), HasSubstr("1: sum 69900\n")));
}

// With so little memory, the reserve cannot take the messages in flight.
TEST_F(MpiRunTest, AMemoryWithoutRoomForMessagesUnderWayEndsTheRun) {
    compile(source("mpi_flood.c"));
    const ProgramEnd end = run("last send 200", {"machine.nodes=8", "memory.bytes=1235000"});
    EXPECT_EQ(end.status, 4) << end.error;
    EXPECT_THAT(end.error, AllOf(HasSubstr("node 0, cycle "), HasSubstr("receive"),
                                 HasSubstr("(memory.bytes)")));
}

TEST_F(MpiRunTest, ADeadlockForWantOfMemoryNamesTheFullRankAndWhatIsWaitedFor) {
    compile(source("mpi_flood.c"));
    for (const std::string mode : {"interrupt", "polling"}) {
        const ProgramEnd end =
            run("last send 200", {"machine.nodes=8", "memory.bytes=1267000",
                                  "run.watchdog_cycles=50000", "core.receive_mode=" + mode});
        EXPECT_EQ(end.status, 3) << end.error;
        EXPECT_THAT(end.error, ContainsRegex("MPI deadlock; {1}rank 0[^\n]* [0-9]+ messages [^\n]*"
                                             "memory\\.bytes"));
        EXPECT_THAT(end.error, ContainsRegex("\n  rank 0 [^\n]*MPI_Recv, [^\n]* receive [^\n]*"
                                             "rank 1 [^\n]*tag 199 [^\n]*48 bytes"));
        EXPECT_THAT(end.error,
                    ContainsRegex("\n  rank 7 [^\n]*MPI_Send, [^\n]*"
                                  "rank 0 [^\n]*tag [0-9]+ of [0-9]+ bytes, [^\n]*room"));
    }
}

struct Fault {
    std::string name;
    int rank;
    std::string call;
    std::vector<std::string> names;  ///< words in the message, in this order
};

TEST_F(MpiRunTest, AFaultEndsTheRunAtOnceWithRankCallAndLine) {
    compile(source("mpi_faults.c"));
    const std::vector<Fault> faults{
        {"truncated", 1, "MPI_Recv", {"32 bytes", "rank 0", "tag 5", "16 bytes"}},
        {"truncated-wait", 1, "MPI_Wait", {"32 bytes", "rank 0", "tag 5", "16"}},
        {"truncated-sendrecv", 1, "MPI_Sendrecv", {"32 bytes", "rank 0", "tag 5"}},
        {"truncated-long", 1, "MPI_Recv", {"200 bytes", "rank 0", "tag 5", "100"}},
        {"truncated-bcast", 3, "MPI_Bcast", {"sends 12 bytes", "count", "8"}},
        {"short-reduce", 0, "MPI_Reduce", {"sends 12 bytes", "count", "16"}},
        {"uneven-alltoall", -1, "MPI_Alltoall", {"12 bytes", "receives 16"}},
        {"rank", 1, "MPI_Send", {"rank 99", "0", "3"}},
        {"any-destination", 1, "MPI_Send", {"rank -1", "0", "3"}},
        {"source", 1, "MPI_Recv", {"rank 4", "0", "3"}},
        {"tag", 2, "MPI_Isend", {"tag", "-5", "0"}},
        {"count", 2, "MPI_Irecv", {"count", "-1", "0"}},
        {"type", 2, "MPI_Send", {"datatype 12345"}},
        {"communicator", 3, "MPI_Barrier", {"communicator 9", "MPI_COMM_WORLD"}},
        {"null", 3, "MPI_Send", {"null", "3 values"}},
        {"null-request", 3, "MPI_Isend", {"null"}},
        {"request", 0, "MPI_Wait", {"request 77"}},
        {"completed", 0, "MPI_Wait", {"request 0"}},
        {"requests", 0, "MPI_Irecv", {"request 257", "256"}},
        {"root", 1, "MPI_Bcast", {"rank -1", "0", "3"}},
        {"operation", 1, "MPI_Allreduce", {"operation 99"}},
        {"bits", 1, "MPI_Reduce", {"operation 8", "bits"}},
        {"uncommitted", 1, "MPI_Send", {"datatype", "MPI_Type_commit"}},
        {"topology", 1, "MPI_Cart_coords", {"communicator 1", "MPI_Cart_create"}},
        {"group", 1, "MPI_Group_size", {"group 99"}},
        {"buffer", 1, "MPI_Bsend", {"12 bytes", "buffer"}},
        {"window-epoch", 1, "MPI_Put", {"epoch", "rank 0", "MPI_Win_fence"}},
        {"window-range", 1, "MPI_Get", {"3 values", "62", "rank 0", "256 bytes"}},
        {"tail", 1, "MPI_Send", {"rank 99"}},
        {"before-init", 1, "MPI_Send", {"before MPI_Init"}},
        {"second-init", 1, "MPI_Init", {"second"}},
        {"after-finalize", 1, "MPI_Comm_size", {"after MPI_Finalize"}},
        {"abort-all", 2, "MPI_Abort", {"code 7"}},
        {"abort", 2, "", {"signal 6"}},
        {"assert", 2, "", {"rank == 3", "false"}},
        {"exit", 2, "", {"status 3", "MPI_Init", "MPI_Finalize"}},
    };
    for (const Fault& fault : faults) {
        const ProgramEnd end = run(fault.name, {"run.watchdog_cycles=10000000"});
        EXPECT_EQ(end.status, 4) << fault.name << '\n' << end.error;
        EXPECT_THAT(end.error, NamesMatcher(fault.names)) << fault.name;
        EXPECT_THAT(end.error, HasSubstr(line_of("mpi_faults.c", fault.name) + ")")) << fault.name;
        if (fault.rank >= 0) {
            const std::string rank = std::to_string(fault.rank);
            EXPECT_THAT(end.error, HasSubstr("node " + rank + ", cycle ")) << fault.name;
            if (!fault.call.empty()) {
                EXPECT_THAT(end.error, Names(": " + fault.call, "rank " + rank)) << fault.name;
            }
        }
        // No fault waits for the watchdog.
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
    EXPECT_THAT(
        deadlock("missing"),
        AllOf(
            HasSubstr("MPI deadlock; "),
            ContainsRegex("\n  rank 1 [^\n]*MPI_Recv, [^\n]*" + line_of("mpi_faults.c", "missing") +
                          "\\), [^\n]*any [^\n]*tag 9 [^\n]*12 bytes"),
            ContainsRegex("\n  rank 0 [^\n]*MPI_Barrier, [^\n]*, [^\n]*rank 2 [^\n]*MPI_Barrier\n"),
            Not(HasSubstr("memory.bytes"))));
    EXPECT_THAT(deadlock("probe"),
                ContainsRegex(line_of("mpi_faults.c", "probe") + "\\), [^\n]* rank 3 [^\n]*any "));
    EXPECT_THAT(deadlock("unreceived"),
                ContainsRegex(line_of("mpi_faults.c", "unreceived") +
                              "\\), [^\n]*rank 3 [^\n]*tag 8 [^\n]*80 bytes\n"));
    EXPECT_THAT(deadlock("nonblocking"), ContainsRegex("\n  rank 1 [^\n]*MPI_Wait, [^\n]*" +
                                                       line_of("mpi_faults.c", "nonblocking") +
                                                       "\\), [^\n]*rank 0 [^\n]*MPI_Bcast\n"));
    EXPECT_THAT(deadlock("communicators"),
                ContainsRegex("\n  rank 0 [^\n]*MPI_Recv, [^\n]*" +
                              line_of("mpi_faults.c", "communicators") +
                              "\\), [^\n]*rank 1 [^\n]*tag 3 [^\n]* communicator 3\n"));
    EXPECT_THAT(deadlock("leave"), Names("MPI deadlock", "rank 2", "MPI_Finalize"));
}

// Own programs that check every function. Each rank prints the expectations that are false.
TEST_F(MpiRunTest, EveryFunctionDoesWhatTheStandardSays) {
    for (const std::string name :
         {"mpi_points.c", "mpi_types.c", "mpi_communicators.c", "mpi_windows.c", "mpi_errors.c"}) {
        compile(source(name));
        for (const std::string mode : {"interrupt", "polling"}) {
            const ProgramEnd end = run("", {"machine.nodes=5", "core.receive_mode=" + mode});
            EXPECT_EQ(end.status, 0) << name << '\n' << end.error;
            EXPECT_EQ(console(), "0: 5 ranks: 0 false\n") << name;
        }
    }
}

TEST_F(MpiRunTest, CollectivesAreRightWithEachAlgorithm) {
    compile(source("mpi_collectives.c"));
    struct Choice {
        std::string operation;  ///< empty: MPI's own choice
        std::string algorithm;
        int ranks;
    };
    const std::vector<Choice> choices{
        {"", "", 1},
        {"", "", 8},
        {"", "", 9},
        {"BARRIER", "recexch", 6},
        {"BARRIER", "tree", 6},
        {"BCAST", "linear", 5},
        {"BCAST", "scatter_recursive_doubling_allgather", 8},
        {"BCAST", "scatter_ring_allgather", 5},
        {"REDUCE", "reduce_scatter_gather", 5},
        {"ALLREDUCE", "reduce_scatter_allgather", 6},
        {"ALLREDUCE", "ring", 5},
        {"ALLREDUCE", "tree", 5},
        {"REDUCE_SCATTER", "pairwise", 5},
        {"REDUCE_SCATTER_BLOCK", "tree", 5},
        {"SCAN", "linear", 5},
        {"EXSCAN", "linear", 5},
        {"GATHER", "linear", 5},
        {"SCATTER", "linear", 5},
        {"ALLGATHER", "brucks", 8},
        {"ALLGATHER", "ring", 5},
        {"ALLTOALL", "brucks", 5},
        {"ALLTOALL", "pairwise", 5},
        {"ALLTOALLV", "pairwise", 8},
    };
    for (const Choice& choice : choices) {
        const std::string ranks = std::to_string(choice.ranks);
        Arguments settings{"machine.nodes=" + ranks, "run.watchdog_cycles=20000000"};
        if (!choice.operation.empty()) {
            settings.push_back("workload.environment=MPIR_CVAR_" + choice.operation +
                               "_INTRA_ALGORITHM=" + choice.algorithm);
        }
        const ProgramEnd end = run("[100]", settings);
        EXPECT_EQ(end.status, 0) << choice.operation << choice.algorithm << '\n' << end.error;
        EXPECT_EQ(console(), "0: " + ranks + " ranks: 0 false\n") << choice.algorithm;
    }
}

TEST_F(MpiRunTest, AnAlgorithmIsRefusedByItsName) {
    compile(source("mpi_collectives.c"));
    const auto refused = [this](const std::string& variable) {
        const ProgramEnd end =
            run("[100]", {"machine.nodes=5", "workload.environment=" + variable});
        EXPECT_EQ(end.status, 4) << variable << '\n' << end.error;
        return end.error;
    };
    EXPECT_THAT(refused("MPIR_CVAR_BCAST_INTRA_ALGORITHM=best"),
                Names("MPI_Bcast", "MPIR_CVAR_BCAST_INTRA_ALGORITHM", "best", "auto", "binomial",
                      "scatter_ring_allgather"));
    EXPECT_THAT(refused("MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=recursive_doubling"),
                Names("MPI_Allgather", "recursive_doubling", "power of two", "5 ranks"));
}

TEST_F(MpiRunTest, VariablesOfTheEnvironmentReachThePrograms) {
    write("variables.c",
          "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n"
          "    const char* one = getenv(\"ONE\");\n    const char* two = getenv(\"TWO\");\n"
          "    printf(\"%s %s\\n\", one ? one : \"none\", two ? two : \"none\");\n"
          "    return 0;\n}\n");
    compile(file("variables.c"));
    EXPECT_EQ(run("", {"machine.nodes=1", "workload.environment=ONE=1 TWO=a=b"}).status, 0);
    EXPECT_EQ(console(), "0: 1 a=b\n");
    EXPECT_EQ(run("", {"machine.nodes=1"}).status, 0);
    EXPECT_EQ(console(), "0: none none\n");
    const ProgramEnd end = run("", {"machine.nodes=1", "workload.environment=ONE"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("workload.environment", "ONE", "NAME=VALUE"));
}

}  // namespace
}  // namespace weir::experiments
