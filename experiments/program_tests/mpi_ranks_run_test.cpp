// MPI programs with a rank in each context of a node (weir compile --contexts).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::weir::testing::Names;

class MpiRanksRunTest : public CompiledProgramTest {
  protected:
    MpiRanksRunTest() : CompiledProgramTest(2) {}

    static std::string source(const std::string& name) {
        return std::string(WEIR_EXPERIMENTS) + "/../firmware/sparcle/testing/" + name;
    }
    // Runs program.elf with this number of ranks on each node.
    [[nodiscard]] ProgramEnd run(int nodes, int ranks, const Arguments& settings = {}) const {
        std::filesystem::remove_all(file("run"));
        const std::string on_node = std::to_string(ranks);
        Arguments all{"run",   "run.toml",
                      "--out", "run",
                      "--set", "machine.nodes=" + std::to_string(nodes),
                      "--set", "core.contexts=" + on_node,
                      "--set", "workload.threads=" + on_node};
        for (const std::string& setting : settings) {
            all.insert(all.end(), {"--set", setting});
        }
        return weir(all);
    }
    [[nodiscard]] std::string console() const { return read("run/point-01-seed-1/console.txt"); }
    [[nodiscard]] std::string file_of_rank(int rank) const {
        return read("run/point-01-seed-1/files/rank-" + std::to_string(rank) + "/own.txt");
    }
};

TEST_F(MpiRanksRunTest, EachRankHasItsOwnStaticsHeapLibraryAndFiles) {
    compile(source("ranks.c"), {"--contexts"});
    write("input.txt", "first line\nsecond line\n");
    for (const auto& [nodes, ranks] : {std::pair{2, 4}, {2, 3}, {1, 2}}) {
        const ProgramEnd end =
            run(nodes, ranks, {"workload.stdin=input.txt", "workload.environment=RANKS=many"});
        EXPECT_EQ(end.status, 0) << end.error;
        const std::string text = console();
        EXPECT_THAT(text, HasSubstr("0: " + std::to_string(nodes * ranks) + " ranks: 0 false\n"));
        for (int rank = 0; rank < nodes * ranks; ++rank) {
            const std::string name = std::to_string(rank);
            EXPECT_THAT(text, HasSubstr(name + ": rank " + name + " on node " +
                                        std::to_string(rank / ranks) + "\n"));
            EXPECT_THAT(text, HasSubstr(name + ": rank " + name + " leaves\n"));
            EXPECT_EQ(file_of_rank(rank), "of rank " + name + "\n");
        }
    }
}

TEST_F(MpiRanksRunTest, EveryFunctionDoesWhatTheStandardSays) {
    for (const std::string name :
         {"mpi_points.c", "mpi_types.c", "mpi_communicators.c", "mpi_windows.c", "mpi_errors.c"}) {
        compile(source(name), {"--contexts"});
        for (const auto& [nodes, ranks] : {std::pair{3, 2}, {1, 4}, {5, 1}}) {
            for (const std::string mode : {"interrupt", "polling"}) {
                const ProgramEnd end = run(nodes, ranks, {"core.receive_mode=" + mode});
                EXPECT_EQ(end.status, 0) << name << '\n' << end.error;
                EXPECT_EQ(console(), "0: " + std::to_string(nodes * ranks) + " ranks: 0 false\n")
                    << name << ' ' << nodes << ' ' << ranks << ' ' << mode;
            }
        }
    }
}

TEST_F(MpiRanksRunTest, CollectivesAreRightOverAllRanks) {
    compile(source("mpi_collectives.c"), {"--contexts"});
    for (const auto& [nodes, ranks] : {std::pair{2, 4}, {3, 3}, {3, 2}, {1, 4}}) {
        const ProgramEnd end = run(nodes, ranks, {"workload.arguments=[100]"});
        EXPECT_EQ(end.status, 0) << end.error;
        EXPECT_EQ(console(), "0: " + std::to_string(nodes * ranks) + " ranks: 0 false\n");
    }
}

// Where a rank's memory is full, the node's other ranks keep their messages for it.
TEST_F(MpiRanksRunTest, MessagesOnANodeWaitForMemory) {
    compile(source("mpi_flood.c"), {"--contexts"});
    const auto flood = [this](const std::string& words) {
        return run(1, 4,
                   {"workload.arguments=" + words, "memory.bytes=1150000",
                    "workload.stack_bytes=130000", "run.watchdog_cycles=200000"});
    };
    for (const std::string words : {"any isend 100", "ranks send 100"}) {
        const ProgramEnd end = flood(words);
        EXPECT_EQ(end.status, 0) << words << '\n' << end.error;
        EXPECT_EQ(console(), "0: sum 164850\n") << words;
    }
    EXPECT_EQ(flood("own isend 200").status, 0);
    EXPECT_THAT(console(), AllOf(HasSubstr("0: sum 19900\n"), HasSubstr("3: sum 169900\n")));
    const ProgramEnd end = flood("last send 100");
    EXPECT_EQ(end.status, 3) << end.error;
    EXPECT_THAT(end.error, Names("MPI deadlock", "rank 3", "MPI_Send", "rank 0"));
}

// Memory is scarce, so that ranks of other nodes are stopped too.
TEST_F(MpiRanksRunTest, MessagesBetweenNodesWaitForMemory) {
    compile(source("mpi_flood.c"), {"--contexts"});
    for (const std::string words : {"any isend 200", "ranks send 200"}) {
        for (const std::string mode : {"interrupt", "polling"}) {
            const ProgramEnd end = run(4, 2,
                                       {"workload.arguments=" + words, "memory.bytes=560000",
                                        "workload.stack_bytes=70000", "core.receive_mode=" + mode});
            EXPECT_EQ(end.status, 0) << words << '\n' << end.error;
            EXPECT_EQ(console(), "0: sum 1539300\n") << words;
        }
    }
}

TEST_F(MpiRanksRunTest, FaultsNameTheRank) {
    compile(source("mpi_faults.c"), {"--contexts"});
    const auto end_of = [this](const std::string& fault, int status) {
        const ProgramEnd end =
            run(2, 2, {"workload.arguments=" + fault, "run.watchdog_cycles=20000"});
        EXPECT_EQ(end.status, status) << fault << '\n' << end.error;
        return end.error;
    };
    EXPECT_THAT(end_of("truncated", 4),
                Names("node 0, cycle", "MPI_Recv", "rank 1", "32 bytes", "mpi_faults.c"));
    EXPECT_THAT(end_of("tag", 4), Names("node 1, cycle", "MPI_Isend", "rank 2", "tag", "-5"));
    EXPECT_THAT(end_of("abort", 4), Names("node 1, cycle", "rank 2", "signal 6"));
    EXPECT_THAT(end_of("exit", 4), Names("node 1, cycle", "rank 2", "status 3"));
    EXPECT_THAT(end_of("leave", 3), Names("MPI deadlock", "rank 2", "MPI_Finalize"));
    EXPECT_THAT(
        end_of("missing", 3),
        AllOf(HasSubstr("MPI deadlock; "),
              ContainsRegex("\n  rank 1 [^\n]*MPI_Recv, [^\n]*mpi_faults.c[^\n]*any [^\n]*tag 9 "),
              ContainsRegex("\n  rank 3 [^\n]*MPI_Barrier, ")));
    EXPECT_THAT(end_of("probe", 3), ContainsRegex("\n  rank 1 [^\n]*MPI_Probe, [^\n]*rank 3"));
    EXPECT_THAT(end_of("nonblocking", 3),
                ContainsRegex("\n  rank 1 [^\n]*MPI_Wait, [^\n]*rank 0 [^\n]*MPI_Bcast\n"));
}

TEST_F(MpiRanksRunTest, AFaultyRankEndsTheRun) {
    compile(source("ranks.c"), {"--contexts"});
    const auto end_of = [this](const std::string& mode) {
        const ProgramEnd end = run(2, 2, {"workload.arguments=" + mode});
        EXPECT_EQ(end.status, 4) << mode << '\n' << end.error;
        return end.error;
    };
    EXPECT_THAT(end_of("status"), Names("rank 3", "status 3"));
    EXPECT_THAT(end_of("stack"), Names("node 1", "stack overflow", "overflow"));
    EXPECT_THAT(end_of("text"), Names("node 1", "store", "text", "main", "ranks.c"));
}

TEST_F(MpiRanksRunTest, MachinesThatDoNotFitAreRefused) {
    compile(source("ranks.c"), {"--contexts"});
    const auto refused = [this](int ranks, const Arguments& settings) {
        const ProgramEnd end = run(2, ranks, settings);
        EXPECT_EQ(end.status, 2) << end.error;
        return end.error;
    };
    EXPECT_THAT(refused(4, {"memory.bytes=500000"}),
                Names("memory.bytes", "500000", "4 ranks", "program.elf", "at least"));
    EXPECT_THAT(refused(2, {"controller.overflow_trap=true"}),
                Names("controller.overflow_trap", "false"));
    EXPECT_THAT(refused(2, {"workload.threads=3"}), Names("core.contexts", "2", "3"));
    EXPECT_THAT(refused(2, {"workload.threads=5"}), Names("workload.threads", "5", "1 to 4"));

    compile(source("ranks.c"));
    EXPECT_THAT(refused(2, {}), Names("workload.threads", "2", "program.elf", "--contexts"));
}

// A run in as much memory as the refusal asks for is accepted.
TEST_F(MpiRanksRunTest, TheRefusalTellsHowMuchMemoryIsEnough) {
    compile(source("ranks.c"), {"--contexts"});
    const ProgramEnd refused = run(1, 3, {"memory.bytes=500000"});
    const std::string words = "at least ";
    const std::size_t at = refused.error.find(words);
    ASSERT_NE(at, std::string::npos) << refused.error;
    const int bytes = std::stoi(refused.error.substr(at + words.size()));
    const auto status = [&](int memory) {
        return run(1, 3, {"workload.arguments=status", "memory.bytes=" + std::to_string(memory)})
            .status;
    };
    EXPECT_EQ(status(bytes), 4);  // the program's own status
    EXPECT_EQ(status(bytes - 1), 2);
}

TEST_F(MpiRanksRunTest, ThreadsOfContextsHAreRefusedWithTheLibrary) {
    write("threads.c",
          "#include <stdio.h>\n#include \"firmware/sparcle/contexts.h\"\n"
          "static void run(uint32_t context) { (void)context; }\nstatic char stack[4096];\n"
          "int main(void) { context_start(1, run, 0, stack + 4096); return 0; }\n");
    const ProgramEnd end = weir({"compile", "threads.c", "--contexts"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, HasSubstr("once in each context"));
    write("shared.c", "#include <stdio.h>\nint main(void) { return 0; }\n");
    EXPECT_THAT(weir({"compile", "shared.c", "--contexts", "--shared-memory"}).error,
                Names("--contexts --shared-memory", "library", "--threads --contexts"));
}

}  // namespace
}  // namespace weir::experiments
