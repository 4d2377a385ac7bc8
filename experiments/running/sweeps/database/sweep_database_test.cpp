#include "experiments/running/sweeps/database/sweep_database.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "experiments/running/sweeps/database/merge_sweeps.h"
#include "experiments/running/sweeps/database/sweep_schema.h"
#include "experiments/running/testing/sweep_fixture.h"
#include "experiments/setup/version.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;
using weir::testing::Names;

class SweepDatabaseTest : public SweepTest {
  protected:
    static constexpr const char* kHops = "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n";

    [[nodiscard]] SweepDatabase create(const std::string& name, const SweepPlan& plan) const {
        return SweepDatabase::create(file(name), file(name + ".new"), plan);
    }
    [[nodiscard]] SweepDatabase open(const std::string& name) const {
        return SweepDatabase::open(file(name), SweepConnection::Access::kRead);
    }
    [[nodiscard]] static std::vector<std::string> rows(const SweepDatabase& database,
                                                       const std::string& sql, int columns) {
        Query query(database.connection(), sql);
        std::vector<std::string> found;
        while (query.step()) {
            std::string row = query.text(0);
            for (int column = 1; column < columns; ++column) {
                row += "|" + query.text(column);
            }
            found.push_back(row);
        }
        return found;
    }
    [[nodiscard]] static std::string integrity(const SweepDatabase& database) {
        return rows(database, "PRAGMA integrity_check", 1).front();
    }
};

// A change of a table, a view or a column's meaning increases this number, and is documented in
// experiments/running/README.md.
TEST_F(SweepDatabaseTest, TheSchemaIsVersion3) {
    EXPECT_EQ(kSweepSchemaVersion, 3);
    const SweepDatabase database = create("a.db", plan(kHops));
    EXPECT_EQ(database.meta("schema_version"), "3");
    const auto columns = [&](const std::string& table) {
        return rows(database, "SELECT name FROM pragma_table_info('" + table + "')", 1);
    };
    EXPECT_THAT(columns("points"), ElementsAre("point_id", "digest", "number", "label", "kernel",
                                               "main_metric", "varied_axis", "configuration"));
    EXPECT_THAT(columns("runs"),
                ElementsAre("run_id", "point_id", "seed", "status", "exit_status", "signal",
                            "message", "digest", "cycles", "host_seconds", "weir_build", "result"));
    EXPECT_THAT(columns("metrics"), ElementsAre("run_id", "source", "metric", "value", "unit"));
    EXPECT_THAT(columns("axes"), ElementsAre("number", "key", "name", "axis", "axis_name"));
    EXPECT_THAT(columns("swept"), ElementsAre("point_id", "hop_cycles"));
    EXPECT_THAT(columns("outcomes"), ElementsAre("point", "label", "hop_cycles", "seed", "status",
                                                 "message", "cycles", "host_seconds", "digest"));
    EXPECT_THAT(columns("results"), ElementsAre("point", "label", "hop_cycles", "seed", "source",
                                                "metric", "value", "unit"));
    EXPECT_THAT(columns("means"), ElementsAre("point", "label", "hop_cycles", "source", "metric",
                                              "seeds", "mean", "least", "greatest", "unit"));
}

// The setup reads the graph, which is deleted before the second seed is recorded.
TEST_F(SweepDatabaseTest, APointIsSetUpOnceForAllItsSeeds) {
    const fs::path ring = write("ring.dot", "graph { a -- b; b -- c; c -- d; d -- a; }");
    const SweepPlan study = make_plan(
        write("study.toml", std::string("machine.nodes = 4\nnetwork.topology = \"graph\"\n"
                                        "network.graph_file = \"ring.dot\"\n"
                                        "workload.kernel = \"remap\"\n") +
                                kHops),
        presets(), {});
    const SweepDatabase database = create("a.db", study);
    database.record(study, study.points[0], 1, outcome(20));
    fs::remove(ring);
    database.record(study, study.points[0], 2, outcome(30));
    EXPECT_EQ(database.points().at(0).main_metric, "cycles_per_iteration");
    EXPECT_EQ(database.count_of("runs"), 2);
}

TEST_F(SweepDatabaseTest, ViewsHaveAColumnForEachAxis) {
    const SweepPlan study = plan(kHops);
    const SweepDatabase database = create("a.db", study);
    database.record(study, study.points[1], 1, outcome(20));
    database.record(study, study.points[1], 2, outcome(30));
    database.record(study, study.points[0], 1, outcome(10));
    EXPECT_THAT(rows(database,
                     "SELECT hop_cycles, seed, value, unit FROM results "
                     "WHERE metric = 'cycles_per_iteration' AND source = 'measured' ORDER BY 1, 2",
                     4),
                ElementsAre("1|1|10.0|cycles", "2|1|20.0|cycles", "2|2|30.0|cycles"));
    EXPECT_THAT(rows(database,
                     "SELECT point, hop_cycles, seeds, mean, least, greatest FROM means "
                     "WHERE source = 'measured' ORDER BY point",
                     6),
                ElementsAre("1|1|1|10.0|10.0|10.0", "2|2|2|25.0|20.0|30.0"));
    EXPECT_THAT(rows(database, "SELECT point, seed, status, cycles FROM outcomes ORDER BY 1, 2", 4),
                ElementsAre("1|1|ok|1000", "2|1|ok|1000", "2|2|ok|1000"));
    EXPECT_EQ(integrity(database), "ok");
}

TEST_F(SweepDatabaseTest, ARunIsRecordedOnceAndTheLastCounts) {
    const SweepPlan study = plan(kHops);
    const SweepDatabase database = create("a.db", study);
    RunOutcome killed;
    killed.is_killed = true;
    killed.exit_status = 9;
    killed.message = "the process was killed";
    database.record(study, study.points[0], 1, killed);
    EXPECT_TRUE(database.done(false).empty());  // after a fault of the host, the run is repeated
    EXPECT_TRUE(database.points().front().runs.front().is_killed);
    RunOutcome deadlocked = outcome(1);
    deadlocked.status = RunStatus::kDeadlocked;
    deadlocked.exit_status = 3;
    database.record(study, study.points[0], 1, deadlocked);
    EXPECT_EQ(database.done(false).size(), 1U);
    EXPECT_TRUE(database.done(true).empty());
    database.record(study, study.points[0], 1, outcome(7));
    EXPECT_EQ(database.done(true).size(), 1U);
    EXPECT_EQ(rows(database, "SELECT count(*) FROM metrics", 1).front(), "2");
    EXPECT_EQ(database.metric("cycles_per_iteration").size(), 1U);
    EXPECT_EQ(database.metric("cycles_per_iteration").begin()->second, 7);
    EXPECT_EQ(database.metric("lopc.cycles_per_iteration").begin()->second, 14);
}

TEST_F(SweepDatabaseTest, GoesOnWithMorePointsAndOtherAxes) {
    const SweepPlan before = plan(kHops);
    {
        const SweepDatabase database = create("a.db", before);
        database.record(before, before.points[0], 1, outcome(1));
    }
    const SweepPlan more = plan(
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [128, 256]\n"
        "[[sweep.axis]]\nnetwork.hop_cycles = [4, 2, 1]\n");
    const SweepDatabase database =
        SweepDatabase::open(file("a.db"), SweepConnection::Access::kWrite);
    database.adopt(more);
    EXPECT_EQ(database.names(), more.names);
    EXPECT_EQ(database.done(false).count({more.points[5].digest, 1}), 1U);
    EXPECT_THAT(rows(database, "SELECT point, input_queue_bytes, hop_cycles FROM outcomes", 3),
                ElementsAre("6|256|1"));
    // A point that is no longer in the file stays, without a number.
    database.adopt(plan("[[sweep.axis]]\nnetwork.hop_cycles = [1]\n"));
    EXPECT_THAT(rows(database, "SELECT point, hop_cycles FROM outcomes", 2), ElementsAre("1|1"));
}

TEST_F(SweepDatabaseTest, AnotherStudysDatabase) {
    const SweepPlan study = plan(kHops);
    const SweepDatabase database = create("a.db", study);
    database.record(study, study.points[0], 1, outcome(1));
    const SweepPlan other = plan(kHops, {"workload.iterations=11"});
    EXPECT_THAT(fault_of([&] { database.adopt(other); }),
                Names("a.db", "2", "study.toml", database.meta("title"), "--out"));
    EXPECT_THAT(rows(database, "SELECT number FROM points", 1), ElementsAre("1"));
}

TEST_F(SweepDatabaseTest, ADatabaseOfAnotherVersion) {
    const SweepPlan study = plan(kHops);
    {
        const SweepDatabase database = create("a.db", study);
        database.connection().execute(
            "UPDATE meta SET value = '0.0.9' WHERE key = "
            "'weir_version'");
        EXPECT_THAT(fault_of([&] { database.adopt(study); }),
                    Names("a.db", "0.0.9", setup::kVersion));
        database.connection().execute("UPDATE meta SET value = '2' WHERE key = 'schema_version'");
    }
    EXPECT_THAT(fault_of([&] { static_cast<void>(open("a.db")); }),
                Names("a.db", "schema", "2", "3"));
}

// Values that were edited in the file.
TEST_F(SweepDatabaseTest, WhatCantBeReadBackIsNamed) {
    const SweepPlan study = plan(kHops);
    const SweepDatabase database = create("a.db", study);
    database.record(study, study.points.front(), 1, outcome(20));
    for (const char* configuration : {"{bad", "[1]", "12", "", R"({"network.hop_cycles": ["a"]})",
                                      R"({"network.hop_cycles": 1e300})"}) {
        database.connection().execute(
            fmt::format("UPDATE points SET configuration = '{}'", configuration));
        EXPECT_THAT(fault_of([&] { static_cast<void>(database.points()); }),
                    Names("a.db", "configuration", "points", "weir", "sweep"));
    }
    for (const char* figures : {"{bad", "[{}]", R"([{"kind": "pie"}])"}) {
        database.connection().execute(fmt::format(
            "INSERT OR REPLACE INTO meta (key, value) VALUES ('figures', '{}')", figures));
        EXPECT_THAT(fault_of([&] { static_cast<void>(database.figures()); }),
                    Names("a.db", "figures", "meta"));
    }
}

// An edited value is reported with its table, column and row.
TEST_F(SweepDatabaseTest, ValuesThatNoRunLeavesAreRefused) {
    const SweepPlan study = plan(kHops);
    const SweepDatabase database = create("a.db", study);
    database.record(study, study.points.front(), 1, outcome(20));
    // Removes the constraints of the table metrics, so that values can be NULL, too.
    database.connection().execute(
        "PRAGMA foreign_keys = OFF; CREATE TABLE copy AS SELECT * FROM metrics; "
        "DROP VIEW means; DROP VIEW results; DROP TABLE metrics; "
        "ALTER TABLE copy RENAME TO metrics");
    const auto refusal = [&](const std::string& table, const std::string& column,
                             const std::string& value) {
        database.connection().execute("SAVEPOINT before");
        database.connection().execute(fmt::format("UPDATE {} SET {} = {}", table, column, value));
        std::string text = fault_of([&] { database.check_values(); });
        database.connection().execute("ROLLBACK TO before; RELEASE before");
        return text;
    };
    for (const char* value : {"-9e999", "9e999", "NULL", "'many'", "1e300", "x'00'"}) {
        EXPECT_THAT(refusal("metrics", "value", value),
                    Names("a.db", "metrics", "value", "row 1", "run_id = 1", "-9.2e+18", "9.2e+18"))
            << value;
    }
    EXPECT_THAT(refusal("metrics", "value", "-9e999"), Names("value", "-Inf"));
    EXPECT_THAT(refusal("metrics", "metric", "x'fe'"), Names("metric", "1 bytes"));
    EXPECT_THAT(refusal("metrics", "metric", "CAST(x'fe' AS TEXT)"), HasSubstr("\\xfe"));
    EXPECT_THAT(refusal("metrics", "run_id", "-1"), HasSubstr("column run_id"));
    for (const auto& [table, column, value] :
         {std::tuple("runs", "seed", "-1"), std::tuple("runs", "seed", "1.5"),
          std::tuple("runs", "cycles", "-1"), std::tuple("runs", "cycles", "'x'"),
          std::tuple("runs", "host_seconds", "9e999"), std::tuple("runs", "exit_status", "256"),
          std::tuple("runs", "exit_status", "NULL"), std::tuple("runs", "signal", "0"),
          std::tuple("points", "number", "0"), std::tuple("points", "varied_axis", "0"),
          std::tuple("points", "label", "x'fe'"), std::tuple("axes", "axis", "0"),
          std::tuple("axes", "axis", "9223372036854775807")}) {
        EXPECT_THAT(refusal(table, column, value),
                    StartsWith(fmt::format("a.db: table {}, column {}, row 1", table, column)))
            << value;
    }
    for (const char* runs : {"'-1'", "'12x'", "'99999999999999999999'"}) {
        EXPECT_THAT(refusal("meta", "value", runs), HasSubstr("planned_runs"));
    }
    EXPECT_EQ(refusal("metrics", "value", "9e18"), "none");
    EXPECT_EQ(refusal("runs", "seed", "9223372036854775807"), "none");
}

// If the run were left out, it would not count in the mean over the seeds.
TEST_F(SweepDatabaseTest, APartThatARunLacksTookItNoCycles) {
    const SweepPlan study = plan(kHops);
    const SweepDatabase database = create("a.db", study);
    RunOutcome with = outcome(20);
    with.metrics.push_back({"round_trip", "blocked", 6.0});
    with.metrics.push_back({"round_trip", "compute", 14.0});
    RunOutcome without = outcome(20);
    without.metrics.push_back({"round_trip", "compute", 20.0});
    database.record(study, study.points.front(), 1, with);
    database.record(study, study.points.front(), 2, without);
    database.record(study, study.points.front(), 3, outcome(20));
    EXPECT_THAT(database.metric("round_trip.blocked"), ElementsAre(Pair(1, 6.0), Pair(2, 0.0)));
    EXPECT_THAT(database.metric("blocked"), ElementsAre(Pair(1, 6.0), Pair(2, 0.0)));
    EXPECT_TRUE(database.metric("round_trip.nothing").empty());
}

TEST_F(SweepDatabaseTest, WhatIsNoSweepsDatabase) {
    EXPECT_THAT(fault_of([&] { static_cast<void>(open("none.db")); }),
                Names("none.db", "database", "weir", "sweep", "FILE"));
    static_cast<void>(write("empty.db", ""));
    EXPECT_THAT(fault_of([&] { static_cast<void>(open("empty.db")); }),
                Names("empty.db", "sweep's", "weir", "sweep", "FILE"));
    SweepConnection(file("other.db"), SweepConnection::Access::kCreate)
        .execute("CREATE TABLE meta (key, value)");
    EXPECT_THAT(fault_of([&] { static_cast<void>(open("other.db")); }),
                Names("other.db", "sweep's", "weir", "sweep", "FILE"));
    static_cast<void>(write("text.db", std::string(4096, '#')));
    EXPECT_THROW(static_cast<void>(open("text.db")), SweepError);
}

// A trigger, a view or an index of somebody else, and a table of Weir's name with another
// definition.
TEST_F(SweepDatabaseTest, ObjectsThatNoSweepMakesAreRefusedByName) {
    const SweepPlan study = plan(kHops);
    {
        const SweepDatabase database = create("a.db", study);
        database.record(study, study.points.front(), 1, outcome(20));
    }
    int number = 0;
    for (const auto& [sql, name] :
         {std::pair("CREATE TRIGGER fired AFTER UPDATE ON points BEGIN DELETE FROM runs; END",
                    "trigger fired"),
          {"CREATE VIEW \"more\nrows\" AS SELECT * FROM runs", "view more"},
          {"CREATE INDEX hidden ON runs (seed)", "index hidden"},
          {"CREATE TABLE extra (x)", "table extra"},
          {"DROP VIEW means; CREATE VIEW means AS SELECT 1 AS mean", "view means"},
          {"ALTER TABLE swept ADD COLUMN x", "table swept"},
          {"ALTER TABLE meta ADD COLUMN x DEFAULT 1", "table meta"}}) {
        const std::string copy = fmt::format("copy-{}.db", ++number);
        fs::copy(file("a.db"), file(copy));
        sqlite3* connection = nullptr;
        ASSERT_EQ(sqlite3_open(file(copy).c_str(), &connection), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
        sqlite3_close(connection);
        for (const auto access :
             {SweepConnection::Access::kRead, SweepConnection::Access::kWrite}) {
            EXPECT_THAT(
                fault_of([&] { static_cast<void>(SweepDatabase::open(file(copy), access)); }),
                Names(copy, name, "sweep"))
                << sql;
        }
    }
    EXPECT_EQ(open("a.db").count_of("runs"), 1);
}

// The connection itself is safe, too, before the schema has been read.
TEST_F(SweepDatabaseTest, TriggersDoNotFireAndTheSchemaIsNoData) {
    static_cast<void>(create("a.db", plan(kHops)));
    const SweepConnection connection(file("a.db"), SweepConnection::Access::kWrite);
    connection.execute(
        "CREATE TRIGGER fired AFTER INSERT ON meta BEGIN DELETE FROM axes; END; "
        "INSERT INTO meta VALUES ('key', 'value'); PRAGMA writable_schema = ON");
    Query axes(connection, "SELECT count(*) FROM axes");
    ASSERT_TRUE(axes.step());
    EXPECT_EQ(axes.integer(0), 1);
    EXPECT_THROW(connection.execute("DELETE FROM sqlite_schema"), SweepError);
    EXPECT_THROW(connection.execute("INSERT INTO meta SELECT key, value FROM outcomes"),
                 SweepError);
}

// SQLite would remove the file that such a journal names.
TEST_F(SweepDatabaseTest, AJournalThatNamesAFileIsRefused) {
    static_cast<void>(create("a.db", plan(kHops)));
    static_cast<void>(
        write("a.db-journal", std::string(512, '#') + "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"));
    try {
        static_cast<void>(open("a.db"));
        ADD_FAILURE() << "not refused";
    } catch (const SweepError& fault) {
        EXPECT_THAT(fault.what(), Names("a.db", "a.db-journal", "file"));
    }
    fs::remove(file("a.db-journal"));
    EXPECT_EQ(open("a.db").count_of("runs"), 0);
}

// The transaction of a killed process is rolled back by the next reader. Without SQLite's journal,
// the same file is corrupt.
TEST_F(SweepDatabaseTest, AHalfWrittenTransactionIsRolledBackByAReader) {
    const SweepPlan study = plan(kHops);
    {
        const SweepDatabase database = create("a.db", study);
        database.record(study, study.points[0], 1, outcome(1));
        // More pages than SQLite caches, so that some of them are in the file already.
        database.connection().execute(
            "WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 400) "
            "INSERT INTO runs SELECT NULL, 1, i, 'ok', 0, NULL, '', 'd', 1, 0.5, 'b', "
            "hex(zeroblob(1000)) FROM n");
        database.connection().execute(
            "PRAGMA cache_size = 1; BEGIN; UPDATE runs SET message = 'half', seed = -seed");
        std::filesystem::copy(file("a.db"), file("b.db"));
        std::filesystem::copy(file("a.db-journal"), file("b.db-journal"));
        std::filesystem::copy(file("a.db"), file("c.db"));
        database.connection().execute("ROLLBACK");
    }
    const auto is_whole = [this](const std::string& name) {
        try {
            const SweepDatabase database = open(name);
            return integrity(database) == "ok" &&
                   database.count_of("runs WHERE message <> ''") == 0;
        } catch (const SweepError&) {
            return false;
        }
    };
    EXPECT_TRUE(is_whole("a.db"));
    EXPECT_TRUE(is_whole("b.db"));
    EXPECT_EQ(open("b.db").digest(), open("a.db").digest());
    EXPECT_FALSE(is_whole("c.db"));
}

class MergeTest : public SweepDatabaseTest {
  protected:
    [[nodiscard]] std::string refused(const std::string& a, const std::string& b) const {
        const std::vector<std::filesystem::path> parts{file(a), file(b)};
        const std::string fault = fault_of([&] { merge_sweeps(parts, file("all.db")); });
        EXPECT_FALSE(std::filesystem::exists(file("all.db")));
        EXPECT_FALSE(std::filesystem::exists(file("all.db.running")));
        return fault;
    }
};

TEST_F(MergeTest, PartsMakeTheWhole) {
    const SweepPlan study = plan(kHops);
    {
        const SweepDatabase a = create("a.db", study);
        const SweepDatabase b = create("b.db", study);
        const SweepDatabase whole = create("whole.db", study);
        a.record(study, study.points[0], 1, outcome(1));
        a.record(study, study.points[1], 2, outcome(4));
        b.record(study, study.points[1], 1, outcome(3));
        b.record(study, study.points[0], 1, outcome(1));  // in both parts, with equal digests
        whole.record(study, study.points[1], 1, outcome(3));
        whole.record(study, study.points[1], 2, outcome(4));
        whole.record(study, study.points[0], 1, outcome(1));
    }
    const std::vector<std::filesystem::path> parts{file("a.db"), file("b.db")};
    EXPECT_EQ(merge_sweeps(parts, file("all.db")), 3U);
    const SweepDatabase all = open("all.db");
    const SweepDatabase whole = open("whole.db");
    EXPECT_EQ(all.digest(), whole.digest());
    EXPECT_EQ(integrity(all), "ok");
    const std::string query = "SELECT * FROM results ORDER BY point, seed, source, metric";
    EXPECT_EQ(rows(all, query, 8), rows(whole, query, 8));
    EXPECT_EQ(all.meta("study_text"), study.text);
    EXPECT_THAT(fault_of([&] { merge_sweeps(parts, file("all.db")); }), Names("all.db", "exists"));
}

TEST_F(MergeTest, ARunWithTwoDigestsIsRefused) {
    const SweepPlan study = plan(kHops);
    {
        create("a.db", study).record(study, study.points[1], 1, outcome(1));
        create("b.db", study).record(study, study.points[1], 1, outcome(2));
    }
    EXPECT_THAT(refused("a.db", "b.db"),
                Names("b.db", "point 2", "hop_cycles = 2", "seed 1", "digest"));
}

TEST_F(MergeTest, WhatWasKilledInOnePartCountsFromTheOther) {
    const SweepPlan study = plan(kHops);
    RunOutcome killed;
    killed.is_killed = true;
    killed.exit_status = 9;
    {
        create("a.db", study).record(study, study.points[1], 1, killed);
        create("b.db", study).record(study, study.points[1], 1, outcome(2));
    }
    const std::vector<std::filesystem::path> parts{file("a.db"), file("b.db"), file("a.db")};
    EXPECT_EQ(merge_sweeps(parts, file("all.db")), 1U);
    EXPECT_EQ(open("all.db").digest(), open("b.db").digest());
}

TEST_F(MergeTest, AnotherStudyIsRefused) {
    static_cast<void>(create("a.db", plan(kHops)));
    static_cast<void>(
        create("b.db", plan("[[sweep.axis]]\ncontroller.input_queue_bytes = [128]\n")));
    EXPECT_THAT(refused("a.db", "b.db"), Names("b.db", "axes", "a.db"));
}

TEST_F(SweepDatabaseTest, RemembersWhichAxisAPointVaries) {
    const SweepPlan study = plan(
        "[sweep]\ndesign = \"one-at-a-time\"\n"
        "[[sweep.axis]]\nname = \"slow hops\"\nnetwork.hop_cycles = [2]\n"
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [128]\n");
    const SweepDatabase database = create("a.db", study);
    for (const PlannedPoint& point : study.points) {
        database.record(study, point, 1, outcome(1));
    }
    EXPECT_EQ(database.design(), SweepDesign::kOneAtATime);
    EXPECT_EQ(database.names(), study.names);
    const std::vector<StoredPoint> points = database.points();
    EXPECT_EQ(points[0].varied_axis, std::nullopt);
    EXPECT_EQ(points[1].varied_axis, 1U);
    EXPECT_EQ(points[2].varied_axis, 2U);
    EXPECT_EQ(description_of(points[1], database.design(), database.names()), "hop_cycles = 2");
    // Axes are crossed from now on: a point that varied one axis alone is now a crossed point, or
    // no longer in the file.
    database.adopt(plan("[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n"));
    EXPECT_EQ(database.design(), SweepDesign::kCrossed);
    EXPECT_EQ(database.points()[1].varied_axis, std::nullopt);
}

}  // namespace
}  // namespace weir::experiments::running
