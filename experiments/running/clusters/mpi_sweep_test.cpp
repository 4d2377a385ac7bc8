#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/clusters/mpi_ranks.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

// Runs `mpirun -n N weir sweep` on this host.
class MpiSweepTest : public ProgramTest {
  protected:
    static constexpr const char* kStudy = R"(extends = "alewife"
title = "A tiny remap"
machine.nodes = 4
network.dimensions = [2, 2]
workload.kernel = "remap"
workload.iterations = 10
run.seeds = [1, 2]

[[sweep.axis]]
controller.input_queue_bytes = [128, 256]

[[sweep.axis]]
network.hop_cycles = [1, 2]
)";

    void SetUp() override {
        if (MpiRanks::library().empty()) {
            GTEST_SKIP() << "this build has no MPI (libopenmpi-dev)";
        }
        if (std::system("mpirun --version > /dev/null 2>&1") != 0) {
            GTEST_SKIP() << "mpirun is not installed (openmpi-bin)";
        }
        // Open MPI needs two confirmations to run as root, as in a container, and one for more
        // ranks than cores.
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
        setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
        write("study.toml", kStudy);
    }

    [[nodiscard]] ProgramEnd ranks(int count, const Arguments& arguments) {
        Arguments all{"-n", std::to_string(count), WEIR_PROGRAM};
        all.insert(all.end(), arguments.begin(), arguments.end());
        set_program("/usr/bin/mpirun");
        const ProgramEnd end = weir(all);
        set_program(WEIR_PROGRAM);
        return end;
    }
    [[nodiscard]] std::string digest_of(const std::string& name) const {
        return SweepDatabase::open(file(name), SweepConnection::Access::kRead).digest();
    }
};

TEST_F(MpiSweepTest, RanksShareThePointsAndTheFirstOneWrites) {
    const ProgramEnd end = ranks(3, {"sweep", "study.toml", "--out", "ranks.db"});
    EXPECT_EQ(end.status, 0) << end.error;
    // Only one rank prints the message.
    EXPECT_THAT(end.error, Names("weir", "8", "8", "1", "3", "ranks.db"));
    EXPECT_THAT(end.output, Names("ranks.db", "8", "4", "8 ok", "sweep", "show", "ranks.db"));
    EXPECT_EQ(end.output.find("show ranks.db"), end.output.rfind("show ranks.db"));
    EXPECT_THAT(everything(), ElementsAre("ranks.db", "study.toml"));
    static_cast<void>(weir({"sweep", "study.toml", "-j", "2", "--out", "here.db"}));
    EXPECT_EQ(digest_of("ranks.db"), digest_of("here.db"));
}

TEST_F(MpiSweepTest, GoesOnWithWhatIsNotDone) {
    static_cast<void>(weir({"sweep", "study.toml", "--shard", "1/2", "--out", "part.db"}));
    const ProgramEnd end =
        ranks(2, {"sweep", "study.toml", "-j", "2", "--resume", "--out", "part.db"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.error, Names("4", "8", "2", "2"));
    EXPECT_THAT(end.output, Names("8", "4", "8 ok"));
}

TEST_F(MpiSweepTest, AFaultOfTheUsersIsOneMessageAndEndsAllRanks) {
    const ProgramEnd end = ranks(3, {"sweep", "none.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, HasSubstr("weir: none.toml"));
    EXPECT_EQ(end.error.find("weir: none.toml"), end.error.rfind("weir: none.toml"));
    EXPECT_THAT(everything(), ElementsAre("study.toml"));
}

TEST_F(MpiSweepTest, APointThatDoesNotEndWellIsRecorded) {
    write("study.toml", std::string(kStudy) + "[[sweep.axis]]\nrun.most_cycles = [100, 1000000]\n");
    const ProgramEnd end = ranks(2, {"sweep", "study.toml", "--out", "a.db"});
    EXPECT_NE(end.status, 0);
    EXPECT_THAT(end.output, Not(HasSubstr("16 ok")));
    EXPECT_THAT(end.output, HasSubstr("8 ok"));
}

}  // namespace
}  // namespace weir::experiments::running
