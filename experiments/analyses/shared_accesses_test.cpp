#include "experiments/analyses/patterns/shared_accesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/testing/hand_made_sharing.h"

namespace weir::experiments::analyses {

namespace {

using ::testing::ElementsAre;
using trace::HandMadeSharing;

// The parts are miss, busy, request, home, software, invalidations, memory, reply and use.
TEST(SharedAccessesTest, EachCycleOfAnAccessIsInOnePart) {
    EXPECT_THAT(parts_of(HandMadeSharing::load()), ElementsAre(4, 26, 11, 2, 0, 0, 5, 19, 3));
    EXPECT_THAT(parts_of(HandMadeSharing::store()), ElementsAre(4, 0, 11, 1, 100, 34, 2, 11, 0));
    for (const hw::SharedTransaction& one : {HandMadeSharing::load(), HandMadeSharing::store()}) {
        const auto parts = parts_of(one);
        EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}),
                  (one.use - one.begin).count());
    }
}

class SharedRunTest : public ProgramTest {};

TEST_F(SharedRunTest, ATraceWithoutAccessesIsNotSaidToBeConsistent) {
    write("remap.toml", kSmallRemap);
    static_cast<void>(output_of({"run", "remap.toml", "--out", "run"}));
    EXPECT_THAT(refused({"trace", "consistency", "run"}),
                ::testing::HasSubstr("trace.shared_accesses = true"));
}

TEST_F(SharedRunTest, ARunSaysWhereItsRemoteAccessesGo) {
    write("shared.toml", R"(extends = "alewife-shared"
machine.nodes = 8
network.dimensions = [4, 2]
trace.shared_accesses = true
coherence.classify_misses = true
[workload]
kernel = "shared-lock"
acquisitions = 3
)");
    EXPECT_THAT(output_of({"run", "shared.toml", "--out", "run"}),
                ::testing::HasSubstr("cycles of a remote access"));
    const nlohmann::json measured = result_of("shared.toml", {"--out", "again"}).at("measured");
    double parts = 0.0;
    for (const char* part : kSharedAccessParts) {
        parts += measured.at(std::string("remote_store_") + part + "_cycles").get<double>();
    }
    EXPECT_NEAR(parts, measured.at("remote_store_cycles").get<double>(), 1e-6);
    EXPECT_GT(measured.at("remote_store_busy_cycles").get<double>(), 0.0);
    EXPECT_THAT(output_of({"trace", "consistency", "run"}), ::testing::HasSubstr("sequentially"));
    // Corrupts the loaded words.
    static_cast<void>(output_of({"trace", "sqlite", "run"}));
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file("run/point-01-seed-1/trace.sqlite").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, "UPDATE shared_accesses SET loaded = loaded + 1000000",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(database);
    const ProgramEnd end = weir({"trace", "consistency", "run/point-01-seed-1/trace.sqlite"});
    EXPECT_EQ(end.status, 70);
    EXPECT_THAT(end.output, ::testing::HasSubstr("are not sequentially consistent: node "));
    EXPECT_THAT(read("run/point-01-seed-1/statistics.csv"),
                ::testing::AllOf(::testing::HasSubstr("true_sharing_misses"),
                                 ::testing::HasSubstr("memory_wait_cycles")));
}

}  // namespace

}  // namespace weir::experiments::analyses
