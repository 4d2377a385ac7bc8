#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "hw/testing/names.h"

/// `weir sweep FILE --resume-at CYCLE`: points with a common prefix of their runs.
namespace weir::experiments::running {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::Names;

class ResumedSweepTest : public ProgramTest {
  protected:
    static constexpr const char* kRemap = R"(extends = "alewife"
title = "A tiny remap"
machine.nodes = 4
network.dimensions = [2, 2]

[workload]
kernel = "remap"
iterations = 10

[run]
seeds = [1, 2]
)";
    // Channels that get slower at different cycles.
    static constexpr const char* kLater = R"(
[[sweep.axis]]
faults.stuck_credits = ["", "(0,0) +x @ 1000", "(0,0) +x @ 1500; (1,0) -x @ 1200"]

[[sweep.axis]]
run.warmup_cycles = [0, 700]
)";

    void write_study(const std::string& axes) { write("study.toml", kRemap + axes); }
    [[nodiscard]] std::string digest_of(const std::string& name, const Arguments& options = {}) {
        Arguments words{"sweep", "study.toml", "--out", name};
        words.insert(words.end(), options.begin(), options.end());
        const ProgramEnd end = weir(words);
        status_ = end.status;
        EXPECT_THAT(end.output, HasSubstr("digest")) << end.error;
        return SweepDatabase::open(file(name), SweepConnection::Access::kRead).digest();
    }

    int status_ = 0;
};

TEST_F(ResumedSweepTest, ResultsEqualThoseOfRunsFromTheBegin) {
    write_study(kLater);
    const std::string plain = digest_of("plain.db");
    EXPECT_EQ(status_, 0);
    EXPECT_EQ(digest_of("together.db", {"--resume-at", "900", "-j", "1"}), plain);
    EXPECT_EQ(digest_of("four.db", {"--resume-at", "900", "-j", "4"}), plain);
    EXPECT_EQ(digest_of("early.db", {"--resume-at", "1", "-j", "2"}), plain);
    EXPECT_EQ(status_, 0);
    EXPECT_THAT(everything(),
                ElementsAre("early.db", "four.db", "plain.db", "study.toml", "together.db"));
}

// A planted difference: another cycle of the fault gives another digest.
TEST_F(ResumedSweepTest, ALaterFaultMatters) {
    write_study("[[sweep.axis]]\nfaults.stuck_credits = [\"\", \"(0,0) +x @ 1000\"]\n");
    const std::string digest = digest_of("a.db", {"--resume-at", "900"});
    write_study("[[sweep.axis]]\nfaults.stuck_credits = [\"\", \"(0,0) +x @ 1001\"]\n");
    EXPECT_NE(digest_of("b.db", {"--resume-at", "900"}), digest);
}

TEST_F(ResumedSweepTest, RunsThatEndBadlyEqualPlainOnes) {
    for (const char* axis :
         {"faults.lost_flits = [\"(0,0) +x @ 1000\", \"(1,1) -y @ 1300; (0,0) +x @ 1100\"]",
          "faults.flipped_flits = [\"(0,0) +x @ 1000\", \"(0,1) +x @ 1300\"]",
          "faults.failing_nodes = [\"3 @ 1000\", \"2 @ 5000\"]",
          "faults.failing_channels = [\"\", \"(0,0) +x @ 1000\", \"(0,0) +x @ 2000\"]"}) {
        write_study(std::string("[[sweep.axis]]\n") + axis + "\n");
        const std::string name = std::to_string(everything().size());
        const std::string plain = digest_of(name + ".db");
        const int status = status_;
        EXPECT_EQ(digest_of(name + "-together.db", {"--resume-at", "900"}), plain) << axis;
        EXPECT_EQ(status_, status) << axis;
    }
}

TEST_F(ResumedSweepTest, KeysThatActEarlierAreRefusedWithTheReason) {
    write_study("[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    EXPECT_THAT(refused({"sweep", "study.toml", "--resume-at", "900"}),
                Names("study.toml:13", "--resume-at", "900", "network.hop_cycles", "cycle 0",
                      "faults.failing_channels", "run.warmup_cycles"));
    EXPECT_THAT(refused({"sweep", "study.toml", "--resume-at", "900", "--dry-run"}),
                Names("study.toml:13", "network.hop_cycles"));
    write_study("[[sweep.axis]]\nworkload.iterations = [10, 20]\n");
    EXPECT_THAT(refused({"sweep", "study.toml", "--resume-at", "900"}),
                Names("workload.iterations", "cycle 0"));
    write_study("[[sweep.axis]]\nfaults.failing_nodes = [\"3 @ 5000\", \"2 @ 900\"]\n");
    EXPECT_THAT(refused({"sweep", "study.toml", "--resume-at", "900"}),
                Names("faults.failing_nodes", "cycle 900"));
    write_study(kLater);
    EXPECT_THAT(refused({"sweep", "study.toml", "--resume-at", "900", "--set",
                         "run.relative_precision=0.1"}),
                Names("run.relative_precision"));
}

TEST_F(ResumedSweepTest, ARunThatEndsBeforeTheCycleIsNamed) {
    write_study("[[sweep.axis]]\nrun.warmup_cycles = [0, 700]\n");
    const ProgramEnd end = weir({"sweep", "study.toml", "--resume-at", "90000000"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("--resume-at", "90000000", "point 1", "before"));
}

TEST_F(ResumedSweepTest, AnInterruptedSweepGoesOn) {
    write_study(kLater);
    const std::string plain = digest_of("plain.db");
    static_cast<void>(digest_of("two.db", {"--resume-at", "900", "--shard", "1/2"}));
    EXPECT_EQ(
        weir({"sweep", "study.toml", "--out", "two.db", "--resume", "--resume-at", "900"}).status,
        0);
    EXPECT_EQ(SweepDatabase::open(file("two.db"), SweepConnection::Access::kRead).digest(), plain);
}

}  // namespace
}  // namespace weir::experiments::running
