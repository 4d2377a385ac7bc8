#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments::commands {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class TraceSqliteTest : public ProgramTest {
  protected:
    TraceSqliteTest() {
        write("remap.toml", kSmallRemap);
        static_cast<void>(
            output_of({"run", "remap.toml", "--out", "run", "--set", "run.seeds=[1, 2]"}));
    }
};

TEST_F(TraceSqliteTest, WritesADatabaseBesideEachLogWithTheSameDigest) {
    // 8 nodes of 40 requests and replies.
    EXPECT_THAT(output_of({"trace", "sqlite", "run"}),
                MatchesRegex("run/point-01-seed-1/trace.sqlite: 640 messages, [0-9]+ core "
                             "intervals\nrun/point-01-seed-2/trace.sqlite: 640 messages, .*\n"));
    for (const char* run : {"run/point-01-seed-1", "run/point-01-seed-2"}) {
        EXPECT_EQ(output_of({"trace", "digest", std::string(run) + "/trace.sqlite"}),
                  output_of({"trace", "digest", std::string(run) + "/trace.weir"}));
    }
    // Again, in the place of what is there; the run's folder still has one trace a run.
    static_cast<void>(output_of({"trace", "sqlite", "run/point-01-seed-1/trace.weir"}));
    EXPECT_THAT(names_in("run/point-01-seed-1"), testing::Contains("trace.sqlite"));
    EXPECT_THAT(output_of({"trace", "digest", "run"}),
                MatchesRegex("[0-9a-f]+  run/point-01-seed-1/trace.weir\n[0-9a-f]+  "
                             "run/point-01-seed-2/trace.weir\n"));
}

TEST_F(TraceSqliteTest, RefusesWhatItCanNotDoAndLeavesNothing) {
    EXPECT_THAT(refused({"trace", "sqlite", "run", "-o", "one.sqlite"}),
                HasSubstr("there are 2 traces in this folder"));
    EXPECT_THAT(refused({"trace", "sqlite", "remap.toml"}),
                HasSubstr("remap.toml: this is no log of a run; accepted: a run's trace.weir, or "
                          "its folder"));
    const std::string log = "run/point-01-seed-1/trace.weir";
    EXPECT_THAT(refused({"trace", "sqlite", log, "-o", log}),
                HasSubstr("this is the log of a run, which stays"));
    EXPECT_THAT(refused({"trace", "sqlite", "run/point-01-seed-1", "-o", "no/a.sqlite"}),
                HasSubstr("the file can't be written: No such file or directory"));
}

}  // namespace
}  // namespace weir::experiments::commands
