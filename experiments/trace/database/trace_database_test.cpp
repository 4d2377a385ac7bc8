#include "experiments/trace/database/trace_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using weir::testing::Names;

class TraceDatabaseTest : public TraceTest {
  protected:
    static std::string error_of_opening(const std::filesystem::path& path) {
        return error_of([&] { static_cast<void>(TraceDatabase::open(path)); });
    }
};

TEST_F(TraceDatabaseTest, AMissingFileIsAnErrorAndIsNotCreated) {
    EXPECT_THAT(error_of_opening(file("none.sqlite")),
                AllOf(StartsWith(file("none.sqlite").string()), HasSubstr("open")));
    EXPECT_FALSE(std::filesystem::exists(file("none.sqlite")));
}

TEST_F(TraceDatabaseTest, AFileThatIsNoDatabaseIsNoTrace) {
    std::ofstream(file("machine.toml")) << std::string(4096, '#');
    EXPECT_THAT(error_of_opening(file("machine.toml")),
                Names(file("machine.toml").string(), "trace", "database"));
}

TEST_F(TraceDatabaseTest, AnEmptyFileIsNoTrace) {
    std::ofstream(file("empty.sqlite")).flush();
    EXPECT_THAT(error_of_opening(file("empty.sqlite")),
                Names(file("empty.sqlite").string(), "trace"));
}

TEST_F(TraceDatabaseTest, ADatabaseWithoutATraceTableIsNoTrace) {
    const auto path = hand_made_file();
    run_sql(path, "DROP TABLE queue_levels");
    EXPECT_THAT(error_of_opening(path), Names("'queue_levels'"));
}

TEST_F(TraceDatabaseTest, AnotherSchemaVersionIsRefused) {
    const auto path = hand_made_file();
    run_sql(path, "UPDATE run SET value = '4' WHERE key = 'schema_version'");
    EXPECT_THAT(error_of_opening(path), Names("version", "4", "3"));
    run_sql(path, "DELETE FROM run WHERE key = 'schema_version'");
    EXPECT_THAT(error_of_opening(path), Names("version", "none", "3"));
}

TEST_F(TraceDatabaseTest, AnOlderTraceIsRefusedForItsVersionNotForWhatItLacks) {
    const auto path = hand_made_file();
    run_sql(path,
            "UPDATE run SET value = '1' WHERE key = 'schema_version'; "
            "DROP TABLE dma_transfers; DROP TABLE stalls; "
            "ALTER TABLE messages DROP COLUMN body_bytes");
    EXPECT_THAT(error_of_opening(path), Names(path.string(), "version", "1", "3"));
}

TEST_F(TraceDatabaseTest, AnOpenedTraceCannotBeChanged) {
    const TraceDatabase trace = TraceDatabase::open(hand_made_file());
    EXPECT_THAT(error_of([&] { trace.execute("DELETE FROM messages"); }), HasSubstr("readonly"));
}

TEST_F(TraceDatabaseTest, AMissingColumnIsAnErrorThatNamesIt) {
    const auto path = hand_made_file();
    run_sql(path, "DROP VIEW latencies; ALTER TABLE messages DROP COLUMN hops");
    const TraceDatabase trace = TraceDatabase::open(path);
    EXPECT_THAT(error_of([&] { Statement statement(trace, "SELECT hops FROM messages"); }),
                Names(path.string(), "read", "hops"));
}

}  // namespace
}  // namespace weir::experiments::trace
