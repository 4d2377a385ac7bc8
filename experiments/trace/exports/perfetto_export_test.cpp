#include "experiments/trace/exports/perfetto_export.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/trace/testing/exported_file.h"
#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_sharing.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using weir::testing::Names;

class PerfettoExportTest : public TraceTest {
  protected:
    [[nodiscard]] std::string export_text(const std::filesystem::path& trace_file,
                                          CycleWindow window = {}, const TimeScale& scale = {}) {
        const TraceDatabase trace = TraceDatabase::open(trace_file);
        const Timeline timeline(trace, window);
        ExportFile out(file("out.json"), "out.json", false);
        count_ = export_to_perfetto(timeline, scale, out);
        out.close();
        return text_of_export(file("out.json"));
    }
    [[nodiscard]] json exported(CycleWindow window = {}, const TimeScale& scale = {}) {
        return json::parse(export_text(hand_made_file(), window, scale));
    }
    [[nodiscard]] std::int64_t count() const { return count_; }

    static std::vector<json> events(const json& text, const std::string& phase,
                                    const std::string& name = {}) {
        std::vector<json> found;
        for (const json& event : text.at("traceEvents")) {
            if (event.at("ph") == phase && (name.empty() || event.at("name") == name)) {
                found.push_back(event);
            }
        }
        return found;
    }

    /// Arrows with the given name, as "thread:time to thread:time".
    static std::vector<std::string> arrows(const json& text, const std::string& name) {
        std::map<std::int64_t, std::string> found;
        for (const json& event : events(text, "s", name)) {
            EXPECT_EQ(event.at("cat"), name);
            found[event.at("id")] =
                fmt::format("{}:{}", event.at("tid").get<int>(), event.at("ts").get<double>());
        }
        for (const json& event : events(text, "f", name)) {
            EXPECT_EQ(event.at("cat"), name);
            EXPECT_EQ(event.at("bp"), "e");
            found.at(event.at("id")) +=
                fmt::format(" to {}:{}", event.at("tid").get<int>(), event.at("ts").get<double>());
        }
        std::vector<std::string> list;
        for (const auto& [id, arrow] : found) {
            list.push_back(arrow);
        }
        return list;
    }

  private:
    std::int64_t count_ = 0;
};

TEST_F(PerfettoExportTest, ANodeIsAProcessAndATrackAThread) {
    const json text = exported();
    EXPECT_THAT(events(text, "M", "process_name"),
                ElementsAre(json::parse(R"({"ph": "M", "name": "process_name", "pid": 1,
                                            "args": {"name": "node 0"}})"),
                            json::parse(R"({"ph": "M", "name": "process_name", "pid": 2,
                                            "args": {"name": "node 1"}})")));
    EXPECT_THAT(events(text, "M", "thread_name"),
                ElementsAre(json::parse(R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": 1,
                                            "args": {"name": "core"}})"),
                            json::parse(R"({"ph": "M", "name": "thread_name", "pid": 2, "tid": 2,
                                            "args": {"name": "core"}})")));
}

TEST_F(PerfettoExportTest, EveryStateOfACoreIsASlice) {
    const json text = exported();
    std::vector<std::string> slices;
    for (const json& slice : events(text, "X")) {
        slices.push_back(fmt::format("{} {} {} {}", slice.at("pid").get<int>() - 1,
                                     slice.at("name").get<std::string>(), slice.at("ts").get<int>(),
                                     slice.at("dur").get<int>()));
        EXPECT_EQ(slice.at("tid"), slice.at("pid"));
    }
    std::vector<std::string> expected;
    for (const HandMadeTrace::Interval& interval : HandMadeTrace().intervals) {
        expected.push_back(fmt::format("{} {} {} {}", interval.node,
                                       hw::core_state_name(interval.state), interval.begin,
                                       interval.end - interval.begin));
    }
    // Sends of handlers lie inside the slices of the handlers.
    for (const char* send : {"1 send 110 12", "1 send 360 12", "1 send 605 12"}) {
        expected.emplace_back(send);
    }
    EXPECT_EQ(slices, expected);
}

TEST_F(PerfettoExportTest, AHandlerSaysWhereTheCyclesOfItsMessageWent) {
    const json text = exported();
    const auto handlers = events(text, "X", "handler");
    ASSERT_EQ(handlers.size(), 8);
    EXPECT_EQ(handlers[0], json::parse(R"({
        "ph": "X", "name": "handler", "pid": 1, "tid": 1, "ts": 142, "dur": 58,
        "args": {
            "begin_cycle": 142, "cycles": 58, "message": "message 0 of node 1",
            "from_node": 1, "to_node": 0, "message_bytes": 12, "argument_words": 1,
            "sent_by": "handler of message 0 of node 0", "hops": 1, "restored_words": 0,
            "send_cycles": 12, "send_blocked_cycles": 0, "network_unloaded_cycles": 8,
            "network_contention_cycles": 2, "notify_cycles": 10, "queueing_cycles": 0,
            "entry_and_dispatch_cycles": 20, "code_cycles": 12, "exit_cycles": 26
        }})"));
    const json& interrupted = handlers.back().at("args");
    EXPECT_THAT(interrupted.at("message").get<std::string>(), Names("message 2", "node 0"));
    EXPECT_EQ(interrupted.at("sent_by"), "thread");
    EXPECT_EQ(interrupted.at("restored_words"), 1);
    EXPECT_EQ(interrupted.at("send_blocked_cycles"), 5);
    EXPECT_EQ(interrupted.at("queueing_cycles"), 5);
}

TEST_F(PerfettoExportTest, WhatAHandlerSendsIsASliceWithItsMessage) {
    const json text = exported();
    for (const json& send : events(text, "X", "send")) {
        if (send.at("ts") == 110) {
            EXPECT_EQ(send.at("args"), json::parse(R"({
                "begin_cycle": 110, "cycles": 12, "message": "message 0 of node 1",
                "from_node": 1, "to_node": 0, "message_bytes": 12, "argument_words": 1,
                "sent_by": "handler of message 0 of node 0", "hops": 1, "restored_words": 0,
                "send_blocked_cycles": 0})"));
            return;
        }
    }
    FAIL() << "no such slice";
}

TEST_F(PerfettoExportTest, ArrowsLeadFromALaunchToItsHandlerAndFromAHandlerToItsReply) {
    const json text = exported();
    EXPECT_THAT(
        arrows(text, "message"),
        ElementsAre("1:58 to 2:80", "1:308 to 2:330", "1:547 to 2:575", "2:121 to 1:142",
                    "2:198 to 1:230", "2:371 to 1:390", "2:478 to 1:503", "2:616 to 1:640"));
    EXPECT_THAT(arrows(text, "reply"),
                ElementsAre("2:80 to 2:110", "2:330 to 2:360", "2:575 to 2:605"));
}

TEST_F(PerfettoExportTest, ATrapInAHandlersSendLeavesSlicesThatNest) {
    const json text = json::parse(export_text(trapped_file()));
    // Begins and ends of the open slices, by thread.
    std::map<int, std::vector<std::pair<double, double>>> open;
    std::vector<json> slices = events(text, "X");
    std::stable_sort(slices.begin(), slices.end(), [](const json& a, const json& b) {
        return a.at("ts").get<double>() < b.at("ts").get<double>();
    });
    for (const json& slice : slices) {
        const double begin = slice.at("ts");
        const double end = begin + slice.at("dur").get<double>();
        auto& around = open[slice.at("tid").get<int>()];
        while (!around.empty() && around.back().second <= begin) {
            around.pop_back();
        }
        EXPECT_TRUE(around.empty() || end <= around.back().second) << slice;
        around.emplace_back(begin, end);
    }
    EXPECT_THAT(arrows(text, "reply"),
                ElementsAre("2:80 to 2:110", "2:330 to 2:360", "2:575 to 2:605"));
    EXPECT_THAT(arrows(text, "message"), Contains("2:121 to 1:142"));
}

TEST_F(PerfettoExportTest, QueuesAreCountersAndMarksAreInstants) {
    const json text = exported();
    EXPECT_THAT(events(text, "C"),
                ElementsAre(json::parse(R"({"ph": "C", "name": "output queue", "pid": 1, "ts": 0,
                                            "args": {"bytes": 0}})"),
                            json::parse(R"({"ph": "C", "name": "output queue", "pid": 1, "ts": 59,
                                            "args": {"bytes": 8}})"),
                            json::parse(R"({"ph": "C", "name": "output queue", "pid": 1, "ts": 63,
                                            "args": {"bytes": 0}})")));
    const auto marks = events(text, "i");
    EXPECT_EQ(marks.size(), 5);
    EXPECT_THAT(marks, Contains(json::parse(R"({
        "ph": "i", "s": "t", "name": "round_trip", "pid": 1, "tid": 1, "ts": 450,
        "args": {"cycle": 450, "occurrence": 1, "value": 2}})")));
}

TEST_F(PerfettoExportTest, CountsTheEventsThatAreNotNames) {
    const json text = exported();
    EXPECT_EQ(count(), 36 + 3 + 3 + 5 + 2 * (8 + 3));
    EXPECT_EQ(text.at("traceEvents").size() - events(text, "M").size(),
              static_cast<std::size_t>(count()));
}

TEST_F(PerfettoExportTest, OtherDataSaysWhatTheTimesMean) {
    const json text = exported({}, {.cycle_picoseconds = 50'000, .source = "a clock"});
    EXPECT_EQ(text.at("otherData").at("time_scale"), "1 cycle = 0.05 us (a clock)");
    EXPECT_EQ(text.at("otherData").at("begin_cycle"), 0);
    EXPECT_EQ(text.at("otherData").at("end_cycle"), 800);
    EXPECT_EQ(text.at("otherData").at("run.node_count"), "2");
    EXPECT_EQ(events(text, "X").at(1).at("ts"), 2.5);
    EXPECT_EQ(events(text, "X").at(1).at("dur"), 0.45);
}

TEST_F(PerfettoExportTest, AClockTooFastForNanosecondsIsDrawnWithAMicrosecondACycle) {
    const json text = exported({}, {.cycle_picoseconds = 999, .source = "a clock"});
    EXPECT_EQ(events(text, "X").at(1).at("ts"), 50);
    EXPECT_THAT(text.at("otherData").at("time_scale").get<std::string>(), Names("1 cycle = 1 us"));
    EXPECT_EQ(perfetto_time_scale({.cycle_picoseconds = 1000}).cycle_picoseconds, 1000);
}

// 800 cycles of this clock are 8e19 picoseconds, which exceeds 64 bits.
TEST_F(PerfettoExportTest, AClockMayBeSlow) {
    const json text =
        exported({}, {.cycle_picoseconds = 100'000'000'000'000'001, .source = "a clock"});
    for (const json& event : events(text, "X")) {
        EXPECT_GT(event.at("dur"), 0.0);
    }
}

TEST_F(PerfettoExportTest, NoNanosecondIsLostWhenADoubleIsReadAndCut) {
    EXPECT_EQ(microseconds_text(50), "0.05");
    EXPECT_EQ(microseconds_text(3'000), "3");
    EXPECT_EQ(microseconds_text(0), "0");
    int longer = 0;
    for (std::int64_t nanoseconds = 0; nanoseconds < 300'000; ++nanoseconds) {
        const std::string text = microseconds_text(nanoseconds);
        ASSERT_EQ(static_cast<std::int64_t>(std::strtod(text.c_str(), nullptr) * 1000.0),
                  nanoseconds)
            << text;
        longer += text.size() - text.find('.') == 5 ? 1 : 0;
    }
    EXPECT_GT(longer, 0) << "then there would be nothing to guard against";
}

TEST_F(PerfettoExportTest, AnArrowWithAnEndOutsideTheWindowIsNotDrawn) {
    const json text = exported({hw::Cycles(100), hw::Cycles(150)});
    EXPECT_THAT(arrows(text, "message"), ElementsAre("2:121 to 1:142"));
    EXPECT_THAT(arrows(text, "reply"), IsEmpty());
    const auto handler = events(text, "X", "handler").back();
    EXPECT_EQ(handler.at("ts"), 100);
    EXPECT_EQ(handler.at("dur"), 50);
    EXPECT_EQ(handler.at("args").at("begin_cycle"), 80);
    EXPECT_EQ(handler.at("args").at("cycles"), 70);
}

TEST_F(PerfettoExportTest, HandlersBesideTheThreadHaveAThreadOfTheirOwn) {
    const auto path = hand_made_file();
    run_sql(path, fmt::format("UPDATE core_intervals SET message_id = NULL, state = {} "
                              "WHERE state = {}",
                              number_of(hw::CoreState::kWait), number_of(hw::CoreState::kHandler)));
    const json text = json::parse(export_text(path));
    EXPECT_THAT(events(text, "M", "thread_name"),
                Contains(json::parse(R"({"ph": "M", "name": "thread_name", "pid": 2, "tid": 4,
                                         "args": {"name": "protocol processor"}})")));
    EXPECT_THAT(arrows(text, "message"), Contains("1:58 to 4:80"));
    EXPECT_THAT(arrows(text, "message"), Contains("4:121 to 3:142"));
}

TEST_F(PerfettoExportTest, DmaEnginesAndStallsHaveThreadsOfTheirOwn) {
    const json text = json::parse(export_text(file_of(HandMadeLongMessages())));
    std::vector<std::string> threads;
    for (const json& thread : events(text, "M", "thread_name")) {
        threads.push_back(fmt::format("{} {} {}", thread.at("pid").get<int>(),
                                      thread.at("tid").get<int>(),
                                      thread.at("args").at("name").get<std::string>()));
    }
    EXPECT_THAT(threads, ElementsAre("1 1 core", "2 2 core", "1 5 send DMA", "2 8 receive DMA",
                                     "1 9 " + std::string(track_name(Track::kLaunchStall)),
                                     "2 12 " + std::string(track_name(Track::kNetworkStop))));
    EXPECT_EQ(count(), 25 + 1 + 6 + 4 + (4 + 2) + 1 + 2 * (5 + 1 + 3));
}

TEST_F(PerfettoExportTest, ATransferSaysWhatItMovedAndWhatItWaitedFor) {
    const json text = json::parse(export_text(file_of(HandMadeLongMessages())));
    const auto transfers = events(text, "X", "receive DMA");
    ASSERT_EQ(transfers.size(), 3);
    EXPECT_EQ(transfers[1], json::parse(R"({
        "ph": "X", "name": "receive DMA", "pid": 2, "tid": 8, "ts": 300, "dur": 160,
        "args": {
            "begin_cycle": 300, "cycles": 160, "bytes": 128, "port_wait_cycles": 17,
            "queue_wait_cycles": 60, "message": "message 1 of node 0", "from_node": 0,
            "to_node": 1, "message_bytes": 136, "body_bytes": 128, "argument_words": 0,
            "sent_by": "thread", "hops": 1, "restored_words": 0
        }})"));
    EXPECT_EQ(events(text, "X", "send DMA").size(), 3);
}

TEST_F(PerfettoExportTest, AStallSaysWhoWaitsForWhom) {
    const json text = json::parse(export_text(file_of(HandMadeLongMessages())));
    EXPECT_THAT(events(text, "X", "launch stalled"), ElementsAre(json::parse(R"({
        "ph": "X", "name": "launch stalled", "pid": 1, "tid": 9, "ts": 225, "dur": 10,
        "args": {"begin_cycle": 225, "cycles": 10, "waiting": "message 1 of node 0",
                 "waits_for": "message 0 of node 0"}})")));
    const auto stops = events(text, "X", "network stopped");
    ASSERT_EQ(stops.size(), 3);
    EXPECT_EQ(stops[1].at("args"), json::parse(R"({"begin_cycle": 295, "cycles": 5,
                                                   "waiting": "message 1 of node 0"})"));
    EXPECT_THAT(stops[2].at("args").at("waits_for").get<std::string>(),
                Names("message 1", "node 0"));
}

TEST_F(PerfettoExportTest, ArrowsOfLongMessagesLeadToTheHandlerAndTheBodyToItsMemory) {
    const json text = json::parse(export_text(file_of(HandMadeLongMessages())));
    // The first and the last handler end before their receiving DMA transfers.
    EXPECT_THAT(arrows(text, "message"),
                ElementsAre("1:44 to 2:70", "1:234 to 2:260", "1:364 to 2:510", "2:108 to 1:140",
                            "2:248 to 1:330"));
    EXPECT_THAT(arrows(text, "reply"), ElementsAre("2:70 to 2:101"));
    EXPECT_THAT(arrows(text, "body"),
                ElementsAre("5:46 to 8:100", "5:236 to 8:300", "5:366 to 8:540"));
    std::vector<std::string> after;
    for (const json& handler : events(text, "X", "handler")) {
        const json& facts = handler.at("args");
        after.push_back(fmt::format("{} {}", facts.value("receive_dma_cycles", 0),
                                    facts.value("receive_dma_after_handler_cycles", 0)));
    }
    EXPECT_THAT(after, ElementsAre("0 0", "0 0", "50 20", "160 0", "50 20"));
}

TEST_F(PerfettoExportTest, TransactionsOfSharedMemoryMayOverlap) {
    const json text = json::parse(export_text(file_of(HandMadeSharing())));
    const std::vector<json> begins = events(text, "b");
    const std::vector<json> ends = events(text, "e");
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        EXPECT_EQ(begins[i].at("id"), ends.at(i).at("id"));
        shown.push_back(fmt::format("{} / {}: {} to {}", begins[i].at("name").get<std::string>(),
                                    begins[i].at("pid").get<int>() - 1,
                                    begins[i].at("ts").get<double>(),
                                    ends[i].at("ts").get<double>()));
    }
    EXPECT_THAT(shown, ElementsAre("read 0x1000 / 0: 10 to 80", "modify 0x1000 / 0: 100 to 263",
                                   "read 0x1010 / 0: 101 to 300",
                                   Names("software", "modify 0x1000 / 1: 116 to 230"),
                                   Names("0x1000 cache", "read", "0: 10 to 77"),
                                   "0x1000 cache: Read-Only / 0: 77 to 290",
                                   "0x1000 home: Read-Only / 1: 53 to 300"));
    EXPECT_EQ(begins[1].at("args").at("invalidation_cycles"), 34);
    EXPECT_EQ(begins[2].at("args").at("is_prefetch"), 1);
    EXPECT_EQ(begins[3].at("args").at("packets"), 2);
    // Both states are in the same row of the viewer.
    EXPECT_EQ(begins[4].at("id"), begins[5].at("id"));
    EXPECT_NE(begins[5].at("id"), begins[6].at("id"));
    EXPECT_EQ(begins[6].at("args").at("pointers"), 1);
    EXPECT_THAT(events(text, "X", "memory_wait"), testing::SizeIs(1));
}

TEST_F(PerfettoExportTest, AnyNameOfAMarkIsSoundJson) {
    const auto path = hand_made_file();
    run_sql(path,
            "UPDATE marks SET name = '\"\\' || char(10) || CAST(x'FF' AS TEXT)"
            " WHERE name = 'start' AND node = 0");
    const json text = json::parse(export_text(path));
    EXPECT_EQ(events(text, "i").front().at("name"), "\"\\\n\xEF\xBF\xBD");
}

TEST_F(PerfettoExportTest, TheSameTraceGivesTheSameTextWhateverTheOrderOfItsRows) {
    HandMadeTrace reversed;
    std::reverse(reversed.messages.begin(), reversed.messages.end());
    std::reverse(reversed.intervals.begin(), reversed.intervals.end());
    TraceStore store(file("reversed.weir"), 2);
    reversed.report_to(store);
    store.finish();
    EXPECT_EQ(export_text(file("reversed.weir")), export_text(hand_made_file()));
}

}  // namespace
}  // namespace weir::experiments::trace
