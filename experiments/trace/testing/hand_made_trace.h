#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/log/trace_store.h"
#include "hw/testing/test_folder.h"
#include "hw/tracing/trace_probe.h"

namespace weir::experiments::trace {

/// Two nodes for 800 cycles, small enough to count every number by hand. Node 0's thread makes
/// three round trips with node 1. Node 1's thread computes and sends two messages of its own. The
/// second of these two messages interrupts node 0's third request between its first store and its
/// launch. At the end node 0 launches a message that never leaves its output queue.
///
/// An uncontended message takes 8 cycles over one hop to its header's arrival, and 10 cycles more
/// to readiness to interrupt. Requests have no argument, replies have one.
struct HandMadeTrace {
    std::vector<hw::Message> messages;
    struct Interval {
        int node;
        hw::CoreState state;
        int begin;
        int end;
        hw::MessageId message;
    };
    std::vector<Interval> intervals;

    HandMadeTrace() {
        using enum hw::CoreState;
        const hw::MessageId thread;
        // columns: id, parent, arguments, compose, launch, blocked, header, notify, handler begin
        // and end
        add({id(0, 0), thread, 0, 50, 59, 0, 67, 77, 80, 150});
        add({id(1, 0), id(0, 0), 1, 110, 122, 0, 132, 142, 142, 200});
        add({id(1, 1), thread, 0, 189, 199, 0, 207, 217, 230, 260});
        add({id(0, 1), thread, 0, 300, 309, 0, 320, 330, 330, 400});
        add({id(1, 2), id(0, 1), 1, 360, 372, 0, 380, 390, 390, 450});
        add({id(1, 3), thread, 0, 466, 479, 4, 487, 497, 503, 533});
        add({id(0, 2), thread, 0, 500, 548, 5, 560, 570, 575, 645});
        messages.back().restored_words = 1;
        add({id(1, 4), id(0, 2), 1, 605, 617, 0, 627, 637, 640, 700});
        add({id(0, 3), thread, 0, 711, 720, 0, 0, 0, 0, 0});
        messages.back().times = {.compose = hw::Cycles(711), .launch = hw::Cycles(720)};

        intervals = {
            {0, kCompute, 0, 50, {}},          {0, kSend, 50, 59, {}},
            {0, kWait, 59, 142, {}},           {0, kHandler, 142, 200, id(1, 0)},
            {0, kCompute, 200, 230, {}},       {0, kHandler, 230, 260, id(1, 1)},
            {0, kCompute, 260, 300, {}},       {0, kSend, 300, 309, {}},
            {0, kWait, 309, 390, {}},          {0, kHandler, 390, 450, id(1, 2)},
            {0, kCompute, 450, 470, {}},       {0, kWait, 470, 480, {}},
            {0, kCompute, 480, 500, {}},       {0, kSend, 500, 503, {}},
            {0, kHandler, 503, 533, id(1, 3)}, {0, kSend, 533, 540, {}},
            {0, kBlocked, 540, 545, {}},       {0, kSend, 545, 548, {}},
            {0, kWait, 548, 640, {}},          {0, kHandler, 640, 700, id(1, 4)},
            {0, kCompute, 700, 711, {}},       {0, kSend, 711, 720, {}},
            {0, kDone, 720, 800, {}},

            {1, kCompute, 0, 80, {}},          {1, kHandler, 80, 150, id(0, 0)},
            {1, kCompute, 150, 189, {}},       {1, kSend, 189, 199, {}},
            {1, kCompute, 199, 330, {}},       {1, kHandler, 330, 400, id(0, 1)},
            {1, kCompute, 400, 466, {}},       {1, kSend, 466, 470, {}},
            {1, kBlocked, 470, 474, {}},       {1, kSend, 474, 479, {}},
            {1, kCompute, 479, 575, {}},       {1, kHandler, 575, 645, id(0, 2)},
            {1, kCompute, 645, 800, {}},
        };
    }

    static hw::MessageId id(int source, int sequence) { return {hw::NodeId(source), sequence}; }

    void report_to(hw::TraceSink& sink) const {
        for (const hw::Message& message : messages) {
            sink.message(message);
        }
        for (const Interval& interval : intervals) {
            sink.core_interval(hw::NodeId(interval.node), interval.state,
                               hw::Cycles(interval.begin), hw::Cycles(interval.end),
                               interval.message);
        }
        sink.queue_level(hw::NodeId(0), hw::QueueKind::kOutput, hw::Cycles(59), hw::Bytes(8), 1);
        sink.queue_level(hw::NodeId(0), hw::QueueKind::kOutput, hw::Cycles(63), hw::Bytes(0), 0);
        sink.mark(hw::NodeId(0), "start", hw::Cycles(0), 7);
        sink.mark(hw::NodeId(0), "round_trip", hw::Cycles(200), 1);
        sink.mark(hw::NodeId(0), "round_trip", hw::Cycles(450), 2);
        sink.mark(hw::NodeId(0), "round_trip", hw::Cycles(700), 3);
        sink.mark(hw::NodeId(1), "start", hw::Cycles(3), 8);
    }

  private:
    struct Trip {
        hw::MessageId id;
        hw::MessageId parent;
        int arguments;
        int compose;
        int launch;
        int blocked;
        int header_arrival;
        int notify;
        int handler_begin;
        int handler_end;
    };

    void add(const Trip& trip) {
        hw::Message message;
        message.id = trip.id;
        message.parent = trip.parent;
        message.source = trip.id.source;
        message.destination = hw::NodeId(1 - trip.id.source.index());
        message.word_count = 2 + trip.arguments;
        message.bytes = 4 * hw::Bytes(message.word_count);
        message.hops = 1;
        message.unloaded = hw::Cycles(8);
        message.launch_blocked = hw::Cycles(trip.blocked);
        message.times = {
            .compose = hw::Cycles(trip.compose),
            .launch = hw::Cycles(trip.launch),
            .network_entry = hw::Cycles(trip.launch),
            .tail_entry = hw::Cycles(trip.launch) + 2 * hw::Cycles(message.word_count),
            .first_arrival = hw::Cycles(trip.header_arrival - 3),
            .header_arrival = hw::Cycles(trip.header_arrival),
            .tail_arrival = hw::Cycles(trip.header_arrival + 2 * trip.arguments),
            .notify = hw::Cycles(trip.notify),
            .handler_begin = hw::Cycles(trip.handler_begin),
            .code_begin = hw::Cycles(trip.handler_begin + 20),
            .code_end = hw::Cycles(trip.handler_end - 26),
            .dispose = hw::Cycles(trip.handler_end - 25),
            .handler_end = hw::Cycles(trip.handler_end),
        };
        messages.push_back(message);
    }
};

/// Test with a temporary folder.
class TraceTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path file(const std::string& name = "trace.sqlite") const {
        return folder_.path() / name;
    }

    /// Log of a finished run of two nodes with hand-made rows.
    template <class Made>
    [[nodiscard]] std::filesystem::path log_of(const Made& made, CycleWindow window = {}) const {
        std::filesystem::remove(file("made.weir"));
        TraceStore store(file("made.weir"), 2, window);
        made.report_to(store);
        store.finish();
        return file("made.weir");
    }
    /// Database with the hand-made rows, which SQL can change.
    template <class Made>
    [[nodiscard]] std::filesystem::path file_of(const Made& made,
                                                const std::string& name = "trace.sqlite",
                                                CycleWindow window = {}) const {
        store_as(name, log_of(made, window));
        return file(name);
    }
    void store_as(const std::string& name, const std::filesystem::path& log) const {
        write_trace(read_log(log), file(name));
        std::filesystem::remove(log);
    }
    [[nodiscard]] std::filesystem::path hand_made_file(const std::string& name = "trace.sqlite",
                                                       CycleWindow window = {}) const {
        return file_of(HandMadeTrace(), name, window);
    }

    /// File of the hand-made trace, except that a trap interrupts node 1's first handler while the
    /// handler sends.
    [[nodiscard]] std::filesystem::path trapped_file() const {
        std::filesystem::path path = hand_made_file("trapped.sqlite");
        run_sql(path,
                "UPDATE core_intervals SET end_cycle = 112 WHERE node = 1 AND begin_cycle = 80;"
                "INSERT INTO core_intervals VALUES (1, 112, 118, " +
                    std::to_string(number_of(hw::CoreState::kTrap)) + ", NULL), (1, 118, 150, " +
                    std::to_string(number_of(hw::CoreState::kHandler)) + ", 0)");
        return path;
    }

    /// Number of a core's state in the file, for SQL.
    static int number_of(hw::CoreState state) { return static_cast<int>(state); }

    /// Runs SQL on a file, without Weir's checks.
    static void run_sql(const std::filesystem::path& path, const std::string& sql) {
        sqlite3* connection = nullptr;
        ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(connection);
        sqlite3_close(connection);
    }

    /// Rows of a log or a database as text: columns with a space between them, "-" for NULL.
    static std::vector<std::string> rows_of(const std::filesystem::path& path,
                                            const std::string& sql) {
        const TraceDatabase trace = TraceDatabase::open(path);
        Statement statement(trace, sql);
        std::vector<std::string> rows;
        while (statement.step()) {
            std::string row;
            for (int column = 0; column < statement.columns(); ++column) {
                row += column == 0 ? "" : " ";
                row += statement.is_null(column) ? "-" : statement.text(column);
            }
            rows.push_back(row);
        }
        return rows;
    }

    /// Message of the TraceError that `action` throws, "no error" if it throws none.
    template <class Action>
    static std::string error_of(Action action) {
        try {
            action();
        } catch (const TraceError& error) {
            return error.what();
        }
        return "no error";
    }

  private:
    hw::testing::TestFolder folder_;
};

}  // namespace weir::experiments::trace
