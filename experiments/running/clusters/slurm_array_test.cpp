#include "experiments/running/clusters/slurm_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/testing/local_slurm.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using weir::testing::Names;

class SlurmArrayTest : public ProgramTest {
  protected:
    static constexpr const char* kStudy = R"(extends = "alewife"
machine.nodes = 4
network.dimensions = [2, 2]
workload.kernel = "remap"
workload.iterations = 10
run.seeds = [1, 2]

[[sweep.axis]]
network.hop_cycles = [1, 2, 3]
)";

    SlurmArrayTest() { write("study.toml", kStudy); }

    [[nodiscard]] SweepDatabase open(const std::string& name) const {
        return SweepDatabase::open(file(name), SweepConnection::Access::kRead);
    }
    [[nodiscard]] std::string refused(const Arguments& arguments) const {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 2) << end.error;
        EXPECT_EQ(end.output, "");
        return end.error;
    }
};

TEST_F(SlurmArrayTest, ShowsWhatItWouldSubmit) {
    const std::string page =
        output_of({"sweep", "submit", "study.toml", "--slurm", "--dry-run", "--tasks", "2", "-j",
                   "4", "--sbatch=--time=60", "--set", "run.seeds=[1, 2]"});
    EXPECT_THAT(page, AllOf(HasSubstr("/2\" --jobs 4 --plan "), HasSubstr(" --array=1-2 "),
                            HasSubstr(" --cpus-per-task=4 "), HasSubstr(" --time=60 "),
                            HasSubstr(" --set 'run.seeds=[1, 2]' "),
                            Names("sweep", "merge", "part-*.db", "--out merged.db")));
    EXPECT_THAT(everything(), ElementsAre("study.toml"));
}

TEST_F(SlurmArrayTest, WhatCannotBeSubmitted) {
    EXPECT_THAT(refused({"sweep", "submit", "study.toml", "--slurm", "--resume"}),
                Names("/runs/study.slurm", "--out", "--resume"));
    EXPECT_THAT(refused({"sweep", "submit", "study.toml"}), HasSubstr("--slurm"));
    setenv("PATH", "/nowhere", 1);
    EXPECT_THAT(refused({"sweep", "submit", "study.toml", "--slurm"}),
                Names("weir", "sbatch", std::strerror(ENOENT), "Slurm"));
}

TEST_F(SlurmArrayTest, ATaskRefusesAFileThatHasChangedSince) {
    write("study.toml",
          std::string(kStudy) + "[[sweep.axis]]\ncontroller.input_queue_bytes=[128]\n");
    EXPECT_THAT(refused({"sweep", "study.toml", "--plan", "0123"}),
                Names("weir", "study.toml", "submitted"));
}

// Runs jobs on a local Slurm.
class SlurmJobTest : public SlurmArrayTest {
  protected:
    void SetUp() override {
        slurm_.emplace(folder().parent_path() / "slurm");
        const std::string trouble = slurm_->start();
        if (!trouble.empty()) {
            GTEST_SKIP() << "no Slurm here: " << trouble;
        }
    }

    void wait_for(const std::filesystem::path& path) const {
        for (int tries = 0; tries < 600 && !std::filesystem::exists(path); ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        ASSERT_TRUE(std::filesystem::exists(path));
    }

  private:
    std::optional<LocalSlurm> slurm_;
};

TEST_F(SlurmJobTest, TasksRunThePartsAndAnotherJobMergesThem) {
    EXPECT_THAT(
        output_of({"sweep", "submit", "study.toml", "--slurm", "--tasks", "2"}),
        MatchesRegex(
            "job [0-9]+: 6 [^\n]* 3 [^\n]* 2 [^\n]*\njob [0-9]+: "
            "[^\n]*/runs/study.db\n[^\n]*/runs/study.slurm\n[^\n]*squeue --jobs [0-9]+,[0-9]+\n"));
    wait_for(file("runs/study.db"));
    static_cast<void>(weir({"sweep", "study.toml", "--out", "here.db"}));
    EXPECT_EQ(open("runs/study.db").digest(), open("here.db").digest());
    EXPECT_THAT(names_in("runs/study.slurm"),
                ElementsAre("array.sh", "merge.out", "merge.sh", "part-1of2.db", "part-2of2.db",
                            "task-1.out", "task-2.out"));
    EXPECT_THAT(refused({"sweep", "submit", "study.toml", "--slurm"}),
                Names("study.slurm", "--resume", "--out"));
    EXPECT_THAT(output_of({"sweep", "submit", "study.toml", "--slurm", "--resume"}),
                Names("run", "left"));

    // With one more point, one task has runs to do. The database is replaced by one with all
    // points.
    std::string more = kStudy;
    more.replace(more.find("[1, 2, 3]"), 9, "[1, 2, 3, 4]");
    write("study.toml", more);
    std::filesystem::remove(file("runs/study.db"));
    EXPECT_THAT(output_of({"sweep", "submit", "study.toml", "--slurm", "--resume"}),
                Names("2 runs", "4 points", "1 task"));
    wait_for(file("runs/study.db"));
    EXPECT_EQ(open("runs/study.db").count_of("runs WHERE status = 'ok'"), 8);
}

// The script has become the program's process, which gets the signal of sbatch --signal=B:USR1@60.
TEST_F(SlurmJobTest, AWarnedTaskEndsAndIsResumed) {
    write("study.toml", std::string(kStudy) + "[[sweep.axis]]\nworkload.loop_cycles = [0, 10]\n");
    std::string text = read("study.toml");
    text.replace(text.find("iterations = 10"), 15, "iterations = 2_000_000");
    write("study.toml", text);
    write("job.sh", "#!/bin/bash\nexec " WEIR_PROGRAM " sweep study.toml --out it.db -j 1\n");
    const auto told = [this](const std::string& words) {
        RunningProgram shell("/bin/sh", {"-c", words}, folder(), folder().parent_path());
        return shell.wait().output;
    };
    std::string job = told("sbatch --parsable --output=job.out job.sh");
    job.erase(job.find_last_not_of('\n') + 1);
    wait_for(file("it.db"));
    static_cast<void>(told("scancel --batch --signal=USR1 " + job));
    for (int tries = 0; tries < 300 && read("job.out").find("interrupted") == std::string::npos;
         ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_THAT(read("job.out"), Names("weir", "interrupted", "0", "12", "it.db", "weir", "sweep",
                                       "study.toml", "--resume", "--out it.db"));
}

}  // namespace
}  // namespace weir::experiments::running
