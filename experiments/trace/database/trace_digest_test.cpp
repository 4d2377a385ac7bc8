#include "experiments/trace/database/trace_digest.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "experiments/trace/testing/hand_made_intervals.h"
#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_sharing.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;
using weir::testing::Names;

class TraceDigestTest : public TraceTest {};

TEST_F(TraceDigestTest, IsThirtyTwoHexadecimalDigits) {
    EXPECT_THAT(trace_digest(hand_made_file()), MatchesRegex("[0-9a-f]+"));
    EXPECT_EQ(trace_digest(file()).size(), 32);
}

TEST_F(TraceDigestTest, TheOrderOfReportsDoesNotMatter) {
    HandMadeTrace reversed;
    std::reverse(reversed.messages.begin(), reversed.messages.end());
    std::reverse(reversed.intervals.begin(), reversed.intervals.end());
    TraceStore store(file("reversed.weir"), 2, {}, 3);
    reversed.report_to(store);
    store.finish();
    EXPECT_EQ(trace_digest(file("reversed.weir")), trace_digest(hand_made_file()));
}

TEST_F(TraceDigestTest, NeitherDoesThatOfTransfersAndStalls) {
    HandMadeLongMessages reversed;
    std::reverse(reversed.transfers.begin(), reversed.transfers.end());
    std::reverse(reversed.stalls.begin(), reversed.stalls.end());
    EXPECT_EQ(trace_digest(file_of(reversed, "reversed.sqlite")),
              trace_digest(file_of(HandMadeLongMessages())));
}

TEST_F(TraceDigestTest, HostFieldsDoNotMatterAndOtherRunFieldsDo) {
    const auto path = hand_made_file();
    const std::string digest = trace_digest(path);
    run_sql(path, "INSERT INTO run VALUES ('host_wall_seconds', '1.5')");
    EXPECT_EQ(trace_digest(path), digest);
    run_sql(path, "INSERT INTO run VALUES ('hosted', '1')");
    EXPECT_NE(trace_digest(path), digest);
}

TEST_F(TraceDigestTest, TheOrderOfColumnsDoesNotMatter) {
    const auto path = hand_made_file();
    const std::string digest = trace_digest(path);
    run_sql(path,
            "CREATE TABLE again (value INTEGER, cycle INTEGER, occurrence INTEGER, name TEXT, "
            "node INTEGER, PRIMARY KEY (node, name, occurrence)); "
            "INSERT INTO again SELECT value, cycle, occurrence, name, node FROM marks; "
            "DROP TABLE marks; ALTER TABLE again RENAME TO marks;");
    EXPECT_EQ(trace_digest(path), digest);
}

/// Rows with a value in every column.
struct HandMadeRows {
    void report_to(hw::TraceSink& sink) const {
        HandMadeLongMessages().report_to(sink);
        HandMadeSharing().report_to(sink);
        HandMadeIntervals().report_to(sink);
    }
};

TEST_F(TraceDigestTest, EveryValueMatters) {
    const auto path = file_of(HandMadeRows());
    run_sql(path, "INSERT INTO queue_intervals VALUES (0, 0, 0, 64, 80, 16)");
    std::vector<std::pair<std::string, std::string>> columns;
    {
        const TraceDatabase trace = TraceDatabase::open(path);
        Statement rows(trace,
                       "SELECT tables.name, columns.name FROM sqlite_schema AS tables, "
                       "pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'");
        while (rows.step()) {
            columns.emplace_back(rows.text(0), rows.text(1));
        }
    }
    EXPECT_EQ(columns.size(), 123);
    std::set<std::string> digests{trace_digest(path)};
    for (const auto& [table, column] : columns) {
        if (column == "key") {
            continue;  // without a schema version the file is no trace and has no digest
        }
        const auto changed = file("changed.sqlite");
        std::filesystem::copy_file(path, changed,
                                   std::filesystem::copy_options::overwrite_existing);
        // Changes the row with the largest key: increased by one, that key stays unique.
        const std::string last =
            table == "run" ? "key = 'node_count'"
                           : fmt::format("{1} = (SELECT max({1}) FROM {0})", table, column);
        const std::string more =
            column == "name" ? "name || '!'" : fmt::format("coalesce({}, 0) + 1000", column);
        run_sql(changed, fmt::format("UPDATE {} SET {} = {} WHERE {}", table, column, more, last));
        EXPECT_TRUE(digests.insert(trace_digest(changed)).second) << table << '.' << column;
    }
}

TEST_F(TraceDigestTest, AMissingRowANullAndAZeroAllDiffer) {
    const auto path = hand_made_file();
    std::set<std::string> digests{trace_digest(path)};
    run_sql(path, "UPDATE messages SET dispose_cycle = 0 WHERE message_id = 3");
    digests.insert(trace_digest(path));
    run_sql(path, "UPDATE messages SET dispose_cycle = '' WHERE message_id = 3");
    digests.insert(trace_digest(path));
    run_sql(path, "UPDATE messages SET dispose_cycle = 0.5 WHERE message_id = 3");
    digests.insert(trace_digest(path));
    run_sql(path, "DELETE FROM messages WHERE message_id = 3");
    digests.insert(trace_digest(path));
    EXPECT_EQ(digests.size(), 5);
}

TEST_F(TraceDigestTest, WhatMovesFromOneTextToItsNeighbourMatters) {
    const auto path = hand_made_file();
    run_sql(path, "INSERT INTO run VALUES ('ab', 'c')");
    const std::string digest = trace_digest(path);
    run_sql(path, "UPDATE run SET key = 'a', value = 'bc' WHERE key = 'ab'");
    EXPECT_NE(trace_digest(path), digest);
}

TEST_F(TraceDigestTest, AFileThatIsNoTraceIsAnErrorThatSaysSo) {
    std::ofstream(file("notes.txt"))
        << "not a trace, but long enough to have a database's header: " << std::string(200, '.');
    EXPECT_THAT(error_of([&] { trace_digest(file("notes.txt")); }),
                Names(file("notes.txt").string(), "trace"));
}

}  // namespace
}  // namespace weir::experiments::trace
