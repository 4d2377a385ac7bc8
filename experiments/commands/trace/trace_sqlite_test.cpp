#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::commands {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using weir::testing::Names;

class TraceSqliteTest : public ProgramTest {
  protected:
    TraceSqliteTest() {
        write("remap.toml", kSmallRemap);
        static_cast<void>(
            output_of({"run", "remap.toml", "--out", "run", "--set", "run.seeds=[1, 2]"}));
    }
};

TEST_F(TraceSqliteTest, WritesADatabaseBesideEachLogWithTheSameDigest) {
    // 8 nodes send 40 requests and get 40 replies each.
    EXPECT_THAT(output_of({"trace", "sqlite", "run"}),
                MatchesRegex("run/point-01-seed-1/trace.sqlite: 640 [^\n]*, [0-9]+ "
                             "[^\n]*\nrun/point-01-seed-2/trace.sqlite: 640 [^\n]*\n"));
    for (const char* run : {"run/point-01-seed-1", "run/point-01-seed-2"}) {
        EXPECT_EQ(output_of({"trace", "digest", std::string(run) + "/trace.sqlite"}),
                  output_of({"trace", "digest", std::string(run) + "/trace.weir"}));
    }
    // A second call replaces the file; the run's folder still has one trace per run.
    static_cast<void>(output_of({"trace", "sqlite", "run/point-01-seed-1/trace.weir"}));
    EXPECT_THAT(names_in("run/point-01-seed-1"), testing::Contains("trace.sqlite"));
    EXPECT_THAT(output_of({"trace", "digest", "run"}),
                MatchesRegex("[0-9a-f]+  run/point-01-seed-1/trace.weir\n[0-9a-f]+  "
                             "run/point-01-seed-2/trace.weir\n"));
}

TEST_F(TraceSqliteTest, RefusesWhatItCanNotDoAndLeavesNothing) {
    EXPECT_THAT(refused({"trace", "sqlite", "run", "-o", "one.sqlite"}),
                Names("2", "run/point-01-seed-1/trace.weir"));
    EXPECT_THAT(refused({"trace", "sqlite", "remap.toml"}), Names("remap.toml", "trace.weir"));
    const std::string log = "run/point-01-seed-1/trace.weir";
    EXPECT_THAT(refused({"trace", "sqlite", log, "-o", log}), Names(log, "database"));
    EXPECT_THAT(refused({"trace", "sqlite", "run/point-01-seed-1", "-o", "no/a.sqlite"}),
                Names("no/a.sqlite", std::strerror(ENOENT)));
}

}  // namespace
}  // namespace weir::experiments::commands
