#include "experiments/trace/database/trace_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "experiments/trace/testing/hand_made_trace.h"

namespace weir::experiments::trace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class TraceDatabaseTest : public TraceTest {
  protected:
    static std::string error_of_opening(const std::filesystem::path& path) {
        return error_of([&] { static_cast<void>(TraceDatabase::open(path)); });
    }
};

TEST_F(TraceDatabaseTest, AMissingFileIsAnErrorAndIsNotCreated) {
    EXPECT_THAT(
        error_of_opening(file("none.sqlite")),
        AllOf(StartsWith(file("none.sqlite").string()), HasSubstr("unable to open database file")));
    EXPECT_FALSE(std::filesystem::exists(file("none.sqlite")));
}

TEST_F(TraceDatabaseTest, AFileThatIsNoDatabaseIsNoTrace) {
    std::ofstream(file("machine.toml")) << std::string(4096, '#');
    EXPECT_THAT(error_of_opening(file("machine.toml")),
                AllOf(StartsWith(file("machine.toml").string() + ": this is no trace"),
                      HasSubstr("file is not a database")));
}

TEST_F(TraceDatabaseTest, AnEmptyFileIsNoTrace) {
    std::ofstream(file("empty.sqlite")).flush();
    EXPECT_THAT(error_of_opening(file("empty.sqlite")), HasSubstr("this is no trace"));
}

TEST_F(TraceDatabaseTest, ADatabaseWithoutATraceTableIsNoTrace) {
    const auto path = hand_made_file();
    run_sql(path, "DROP TABLE queue_levels");
    EXPECT_THAT(error_of_opening(path),
                HasSubstr("this is no trace: it has no table 'queue_levels'"));
}

TEST_F(TraceDatabaseTest, AnotherSchemaVersionIsRefused) {
    const auto path = hand_made_file();
    run_sql(path, "UPDATE run SET value = '4' WHERE key = 'schema_version'");
    EXPECT_THAT(error_of_opening(path), HasSubstr("schema version is 4; 3 is accepted"));
    run_sql(path, "DELETE FROM run WHERE key = 'schema_version'");
    EXPECT_THAT(error_of_opening(path), HasSubstr("schema version is none; 3 is accepted"));
}

TEST_F(TraceDatabaseTest, AnOlderTraceIsRefusedForItsVersionNotForWhatItLacks) {
    const auto path = hand_made_file();
    run_sql(path,
            "UPDATE run SET value = '1' WHERE key = 'schema_version'; "
            "DROP TABLE dma_transfers; DROP TABLE stalls; "
            "ALTER TABLE messages DROP COLUMN body_bytes");
    EXPECT_EQ(error_of_opening(path),
              path.string() +
                  ": the trace is of another version than this program's: its schema version is 1; "
                  "3 is accepted");
}

TEST_F(TraceDatabaseTest, AnOpenedTraceCannotBeChanged) {
    const TraceDatabase trace = TraceDatabase::open(hand_made_file());
    EXPECT_THAT(error_of([&] { trace.execute("DELETE FROM messages"); }),
                HasSubstr("attempt to write a readonly database"));
}

TEST_F(TraceDatabaseTest, AMissingColumnIsAnErrorThatNamesIt) {
    const auto path = hand_made_file();
    run_sql(path, "DROP VIEW latencies; ALTER TABLE messages DROP COLUMN hops");
    const TraceDatabase trace = TraceDatabase::open(path);
    EXPECT_THAT(error_of([&] { Statement statement(trace, "SELECT hops FROM messages"); }),
                AllOf(StartsWith(path.string() + ": cannot read the trace"),
                      HasSubstr("no such column: hops")));
}

}  // namespace
}  // namespace weir::experiments::trace
