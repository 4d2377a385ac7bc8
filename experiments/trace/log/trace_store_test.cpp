#include "experiments/trace/log/trace_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "experiments/setup/surroundings_fault.h"
#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using weir::testing::Names;

class TraceStoreTest : public TraceTest {
  protected:
    [[nodiscard]] std::filesystem::path log() const { return file("trace.weir"); }
};

TEST_F(TraceStoreTest, AMessageIsARowWithEveryStageOfItsTrip) {
    EXPECT_THAT(
        rows_of(hand_made_file(), "SELECT * FROM messages WHERE source_node = 1 AND sequence = 0"),
        ElementsAre("1099511627776 1 0 0 0 1 12 0 1 8 0 0 "
                    "110 122 122 - 128 129 132 134 142 142 162 - 174 - 175 200"));
    EXPECT_THAT(rows_of(file(),
                        "SELECT launch_blocked_cycles, restored_words, parent_message_id "
                        "FROM messages WHERE source_node = 0 AND sequence = 2"),
                ElementsAre("5 1 -"));
}

TEST_F(TraceStoreTest, AStageNeverReachedIsNull) {
    EXPECT_THAT(
        rows_of(hand_made_file(), "SELECT * FROM messages WHERE source_node = 0 AND sequence = 3"),
        ElementsAre("3 0 3 1 - 0 8 0 1 8 0 0 711 720 - - - - - - - - - - - - - -"));
}

TEST_F(TraceStoreTest, AMessageIdIsSourceTimes2To40PlusSequence) {
    TraceStore store(log(), 65'536);
    hw::Message message;
    message.source = hw::NodeId(65'535);
    message.id = {message.source, (std::int64_t{1} << 40) - 1};
    message.parent = {hw::NodeId(2), 5};
    store.message(message);
    store.finish();
    EXPECT_THAT(rows_of(log(),
                        "SELECT message_id, message_id / (1 << 40), parent_message_id "
                        "FROM messages"),
                ElementsAre("72057594037927935 65535 2199023255557"));
}

TEST_F(TraceStoreTest, CoreIntervalsNameTheirStateAndTheMessageHandled) {
    EXPECT_THAT(rows_of(hand_made_file(),
                        "SELECT node, begin_cycle, end_cycle, name, message_id FROM core_intervals "
                        "JOIN core_states USING (state) WHERE node = 0 AND begin_cycle >= 503 "
                        "AND begin_cycle < 600"),
                ElementsAre("0 503 533 handler 1099511627779", "0 533 540 send -",
                            "0 540 545 blocked -", "0 545 548 send -", "0 548 640 wait -"));
}

TEST_F(TraceStoreTest, AMessageWithABodyHasTheStagesOfItsDmaEngines) {
    EXPECT_THAT(rows_of(file_of(HandMadeLongMessages()),
                        "SELECT * FROM messages WHERE source_node = 0 AND sequence = 1"),
                ElementsAre("1 0 1 1 - 0 136 128 1 8 10 0 "
                            "200 235 236 290 300 240 243 402 253 260 280 300 480 460 461 500"));
}

TEST_F(TraceStoreTest, ATransferNamesItsEngineAndItsMessage) {
    EXPECT_THAT(rows_of(file_of(HandMadeLongMessages()),
                        "SELECT node, name, begin_cycle, end_cycle, message_id, bytes, "
                        "port_wait_cycles, queue_wait_cycles "
                        "FROM dma_transfers JOIN dma_engines USING (engine)"),
                ElementsAre("0 send 46 90 0 64 3 5", "0 send 236 290 1 128 13 2",
                            "0 send 366 400 2 64 4 0", "1 receive 100 150 0 64 7 11",
                            "1 receive 300 460 1 128 17 60", "1 receive 540 590 2 64 2 1"));
}

TEST_F(TraceStoreTest, AStallNamesItsPlaceWhoWaitsAndForWhom) {
    EXPECT_THAT(rows_of(file_of(HandMadeLongMessages()),
                        "SELECT node, name, begin_cycle, end_cycle, waiting_message_id, "
                        "holder_message_id FROM stalls JOIN stall_places USING (place)"),
                ElementsAre("0 launch 225 235 1 0", "1 input queue 260 290 1 1",
                            "1 input queue 295 300 1 -", "1 input queue 380 450 2 1"));
}

TEST_F(TraceStoreTest, EveryStateEngineAndPlaceHasAName) {
    EXPECT_THAT(rows_of(hand_made_file(), "SELECT * FROM core_states"),
                ElementsAre("0 compute", "1 send", "2 blocked", "3 dma", "4 wait", "5 handler",
                            "6 trap", "7 done"));
    EXPECT_THAT(rows_of(file(), "SELECT * FROM dma_engines"), ElementsAre("0 send", "1 receive"));
    EXPECT_THAT(rows_of(file(), "SELECT * FROM stall_places"),
                ElementsAre("0 launch", "1 input queue"));
}

TEST_F(TraceStoreTest, TheWindowKeepsTransfersAndStallsThatOverlapIt) {
    const auto kept = [&](int begin, int end, const char* table) {
        const std::string name = fmt::format("{}-{}-{}.sqlite", table, begin, end);
        const auto path =
            file_of(HandMadeLongMessages(), name, {hw::Cycles(begin), hw::Cycles(end)});
        return rows_of(path, fmt::format("SELECT begin_cycle, end_cycle FROM {}", table));
    };
    EXPECT_THAT(kept(289, 301, "dma_transfers"), ElementsAre("236 290", "300 460"));
    EXPECT_THAT(kept(290, 300, "dma_transfers"), ElementsAre());
    EXPECT_THAT(kept(289, 296, "stalls"), ElementsAre("260 290", "295 300"));
    EXPECT_THAT(kept(290, 295, "stalls"), ElementsAre());
}

TEST_F(TraceStoreTest, OfSeveralQueueLevelsInOneCycleTheLastStays) {
    TraceStore store(log(), 2);
    const auto report = [&](int cycle, int bytes, int messages) {
        store.queue_level(hw::NodeId(1), hw::QueueKind::kInput, hw::Cycles(cycle), hw::Bytes(bytes),
                          messages);
    };
    report(10, 8, 1);
    report(10, 20, 2);
    report(10, 12, 1);
    report(11, 0, 0);
    store.finish();
    EXPECT_THAT(rows_of(log(),
                        "SELECT node, name, cycle, bytes, messages FROM queue_levels "
                        "JOIN queue_kinds USING (queue)"),
                ElementsAre("1 input 10 12 1", "1 input 11 0 0"));
}

TEST_F(TraceStoreTest, MarksAreNumberedForEachNodeAndName) {
    EXPECT_THAT(rows_of(hand_made_file(), "SELECT * FROM marks"),
                ElementsAre("0 round_trip 0 200 1", "0 round_trip 1 450 2", "0 round_trip 2 700 3",
                            "0 start 0 0 7", "1 start 0 3 8"));
}

TEST_F(TraceStoreTest, TheRunSaysWhatWasRunAndThatItEnded) {
    TraceStore store(log(), 2, {hw::Cycles(100), hw::Cycles(500)});
    store.set_run_info("seed", "1");
    store.set_run_info("seed", "42");
    store.set_run_info("host_name", "here");
    store.finish();
    EXPECT_THAT(rows_of(log(), "SELECT * FROM run"),
                ElementsAre("complete yes", "host_name here", "node_count 2", "schema_version 3",
                            "seed 42", "window_begin_cycle 100", "window_end_cycle 500"));
}

TEST_F(TraceStoreTest, TheWindowKeepsMessagesLaunchedInsideIt) {
    const CycleWindow window{hw::Cycles(122), hw::Cycles(309)};
    EXPECT_THAT(rows_of(hand_made_file("trace.sqlite", window),
                        "SELECT launch_cycle FROM messages ORDER BY launch_cycle"),
                ElementsAre("122", "199"));
}

TEST_F(TraceStoreTest, TheWindowKeepsIntervalsThatOverlapItAndQueueLevelsInsideIt) {
    const CycleWindow window{hw::Cycles(60), hw::Cycles(142)};
    EXPECT_THAT(rows_of(hand_made_file("trace.sqlite", window),
                        "SELECT node, begin_cycle, end_cycle FROM core_intervals"),
                ElementsAre("0 59 142", "1 0 80", "1 80 150"));
    EXPECT_THAT(rows_of(file(), "SELECT cycle FROM queue_levels"), ElementsAre("63"));
}

TEST_F(TraceStoreTest, TheWindowKeepsEveryMark) {
    const CycleWindow window{hw::Cycles(1000), hw::Cycles(1001)};
    EXPECT_THAT(rows_of(hand_made_file("trace.sqlite", window), "SELECT count(*) FROM marks"),
                ElementsAre("5"));
    EXPECT_THAT(rows_of(file(), "SELECT count(*) FROM messages"), ElementsAre("0"));
}

TEST_F(TraceStoreTest, AMessageNeverLaunchedIsKeptOnlyInAWindowWithoutEnd) {
    hw::Message composing;
    composing.id = HandMadeTrace::id(0, 0);
    composing.times.compose = hw::Cycles(5);
    TraceStore open(file("open.weir"), 1, {hw::Cycles(10), hw::kNever});
    open.message(composing);
    open.finish();
    TraceStore closed(file("closed.weir"), 1, {hw::Cycles(0), hw::Cycles(1000)});
    closed.message(composing);
    closed.finish();
    EXPECT_THAT(rows_of(file("open.weir"), "SELECT compose_cycle, launch_cycle FROM messages"),
                ElementsAre("5 -"));
    EXPECT_THAT(rows_of(file("closed.weir"), "SELECT * FROM messages"), ElementsAre());
}

TEST_F(TraceStoreTest, ARunMayGoOnAndEndAfterItsTraceWasRead) {
    TraceStore store(log(), 2, {}, 1);
    const HandMadeTrace made;
    store.message(made.messages[0]);
    EXPECT_EQ(read_log(log()).messages.size(), 1U);
    EXPECT_EQ(read_log(log()).run.at("complete"), "no");
    store.message(made.messages[1]);
    store.finish();
    EXPECT_EQ(read_log(log()).messages.size(), 2U);
    EXPECT_EQ(read_log(log()).run.at("complete"), "yes");
}

TEST_F(TraceStoreTest, AStoreThatIsNotFinishedKeepsItsRowsAndSaysSo) {
    {
        TraceStore store(log(), 2);
        HandMadeTrace().report_to(store);
    }
    EXPECT_THAT(rows_of(log(), "SELECT value FROM run WHERE key = 'complete'"), ElementsAre("no"));
    EXPECT_THAT(rows_of(log(), "SELECT count(*) FROM messages"), ElementsAre("9"));
}

TEST_F(TraceStoreTest, TheTraceOfAKilledRunIsReadableUpToItsLastCommit) {
    constexpr int kRowsPerCommit = 7;
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
        TraceStore store(log(), 2, {}, kRowsPerCommit);
        HandMadeTrace().report_to(store);  // 9 messages, 36 intervals, 2 levels and 5 marks
        raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_THAT(rows_of(log(),
                        "SELECT (SELECT count(*) FROM messages), "
                        "(SELECT count(*) FROM core_intervals), "
                        "(SELECT count(*) FROM queue_levels), "
                        "(SELECT count(*) FROM marks), "
                        "(SELECT value FROM run WHERE key = 'complete')"),
                ElementsAre("9 36 2 2 no"));
}

TEST_F(TraceStoreTest, AFolderThatIsNotThereIsAnErrorWithThePath) {
    try {
        TraceStore store(file("missing/trace.weir"), 2);
        FAIL() << "nothing is wrong";
    } catch (const setup::SurroundingsFault& fault) {
        EXPECT_EQ(std::string(fault.what()),
                  file("missing/trace.weir").string() + ": " + std::strerror(ENOENT));
    }
}

TEST_F(TraceStoreTest, AFileThatExistsIsNeverOverwritten) {
    const auto path = hand_made_file();
    EXPECT_THAT(error_of([&] { TraceStore store(path, 2); }),
                AllOf(StartsWith(path.string()), HasSubstr("name")));
    EXPECT_THAT(rows_of(path, "SELECT count(*) FROM messages"), ElementsAre("9"));
}

TEST_F(TraceStoreTest, AMessageReportedTwiceIsAnErrorOfWhoReadsIt) {
    TraceStore store(log(), 2);
    const HandMadeTrace made;
    store.message(made.messages[0]);
    store.message(made.messages[0]);
    store.finish();
    EXPECT_THAT(error_of([&] { static_cast<void>(read_log(log())); }),
                Names(log().string(), "messages", "message_id = 0"));
}

TEST_F(TraceStoreTest, AFullDiskIsAnErrorWithThePath) {
    // The operating system refuses longer files, like a full disk.
    constexpr rlim_t kFileBytes = 200'000;
    rlimit unlimited{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    const rlimit limited{.rlim_cur = kFileBytes, .rlim_max = unlimited.rlim_max};
    const auto old_handler = signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
    std::string error;
    try {
        TraceStore store(log(), 1, {}, 100);
        for (int cycle = 0; cycle < 100'000; ++cycle) {
            store.core_interval(hw::NodeId(0), hw::CoreState::kCompute, hw::Cycles(cycle),
                                hw::Cycles(cycle + 1), {});
        }
        store.finish();
    } catch (const setup::SurroundingsFault& fault) {
        error = fault.what();
    }
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    signal(SIGXFSZ, old_handler);
    EXPECT_THAT(error, AllOf(StartsWith(log().string()), HasSubstr(std::strerror(EFBIG))));
    EXPECT_THAT(rows_of(log(), "SELECT value FROM run WHERE key = 'complete'"), ElementsAre("no"));
}

}  // namespace
}  // namespace weir::experiments::trace
