#include "experiments/trace/measurements/timeline.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::SizeIs;
using weir::testing::Names;

class TimelineTest : public TraceTest {
  protected:
    static CycleWindow between(int begin, int end) { return {hw::Cycles(begin), hw::Cycles(end)}; }
    static std::string text(CycleWindow cycles) {
        return fmt::format("{}-{}", cycles.begin.count(), cycles.end.count());
    }

    static std::string name_of(Track track) {
        constexpr std::array kNames{"core", "beside", "send", "receive", "launch", "network"};
        return kNames.at(static_cast<std::size_t>(track));
    }
    /// Slices, as "node track/name cut [whole] [message]".
    static std::vector<std::string> slices(const Timeline& timeline) {
        std::vector<std::string> found;
        timeline.for_each_slice([&](const Timeline::Slice& slice) {
            found.push_back(fmt::format("{} {}/{} {}", slice.node.index(), name_of(slice.track),
                                        slice.name, text(slice.cycles)));
            if (text(slice.whole) != text(slice.cycles)) {
                found.back() += " of " + text(slice.whole);
            }
            if (slice.message.valid()) {
                found.back() +=
                    fmt::format(" {}.{}", slice.message.source.index(), slice.message.sequence);
                EXPECT_TRUE(slice.facts == nullptr || slice.facts->id == slice.message);
                found.back() += slice.facts == nullptr ? " unknown" : "";
            }
        });
        return found;
    }
    static std::vector<std::string> trips(const Timeline& timeline) {
        std::vector<std::string> found;
        timeline.for_each_trip([&](const Timeline::Trip& trip) {
            found.push_back(fmt::format("{} {} {} to {} {} {}", trip.message.source.index(),
                                        name_of(trip.from_track), trip.departure.count(),
                                        trip.message.destination.index(), name_of(trip.to_track),
                                        trip.handler_begin.count()));
        });
        return found;
    }
    static std::vector<std::string> sends(const Timeline& timeline) {
        std::vector<std::string> found;
        timeline.for_each_handler_send([&](const Timeline::HandlerSend& send) {
            found.push_back(fmt::format("{} {} {} after {}", send.message.source.index(),
                                        name_of(send.track), text(send.cycles),
                                        send.handler_begin.count()));
        });
        return found;
    }
    /// Transfers, as "node track cut [whole] message bytes port+queue".
    static std::vector<std::string> transfers(const Timeline& timeline) {
        std::vector<std::string> found;
        timeline.for_each_dma_slice([&](const Timeline::DmaSlice& slice) {
            const hw::DmaTransfer& transfer = slice.transfer;
            const CycleWindow whole{transfer.begin, transfer.end};
            found.push_back(fmt::format(
                "{} {} {}{} {}.{} {} {}+{}", transfer.node.index(), name_of(slice.track),
                text(slice.cycles), text(whole) == text(slice.cycles) ? "" : " of " + text(whole),
                transfer.message.source.index(), transfer.message.sequence, transfer.bytes.count(),
                transfer.port_wait.count(), transfer.queue_wait.count()));
            EXPECT_TRUE(slice.facts == nullptr || slice.facts->id == transfer.message);
            found.back() += slice.facts == nullptr ? " unknown" : "";
        });
        return found;
    }
    static std::vector<std::string> bodies(const Timeline& timeline) {
        std::vector<std::string> found;
        timeline.for_each_body_trip([&](const Timeline::BodyTrip& trip) {
            found.push_back(fmt::format("{} {} to {} {}", trip.source.index(),
                                        trip.gather_begin.count(), trip.destination.index(),
                                        trip.scatter_begin.count()));
        });
        return found;
    }
    /// Stalls, as "node track cut [whole]: waiting message, held by message".
    static std::vector<std::string> stalls(const Timeline& timeline) {
        const auto name = [](hw::MessageId id) {
            return id.valid() ? fmt::format("{}.{}", id.source.index(), id.sequence) : "-";
        };
        std::vector<std::string> found;
        timeline.for_each_stall([&](const Timeline::StallSlice& slice) {
            const CycleWindow whole{slice.stall.begin, slice.stall.end};
            found.push_back(fmt::format(
                "{} {} {}{}: {} for {}", slice.stall.node.index(), name_of(slice.track),
                text(slice.cycles), text(whole) == text(slice.cycles) ? "" : " of " + text(whole),
                name(slice.stall.waiting), name(slice.stall.holder)));
        });
        return found;
    }
    static std::vector<std::string> levels(const Timeline& timeline) {
        std::vector<std::string> found;
        timeline.for_each_queue_level([&](const Timeline::QueueLevel& level) {
            found.push_back(fmt::format("{} {} {}: {}", level.node.index(), level.queue,
                                        level.cycle.count(), level.bytes.count()));
        });
        return found;
    }
    static std::vector<std::string> marks(const Timeline& timeline) {
        std::vector<std::string> found;
        timeline.for_each_mark([&](const Timeline::Mark& mark) {
            found.push_back(fmt::format("{} {} {} {} {}", mark.node.index(), mark.name,
                                        mark.occurrence, mark.cycle.count(), mark.value));
        });
        return found;
    }
};

TEST_F(TimelineTest, ShowsEverythingOfTheWholeRun) {
    const TraceDatabase trace = TraceDatabase::open(hand_made_file());
    const Timeline timeline(trace);
    EXPECT_EQ(text(timeline.window()), "0-800");
    EXPECT_EQ(timeline.node_count(), 2);
    const std::vector<std::string> all = slices(timeline);
    EXPECT_THAT(all, SizeIs(HandMadeTrace().intervals.size()));
    EXPECT_EQ(all[0], "0 core/compute 0-50");
    EXPECT_THAT(all, IsSupersetOf({"0 core/handler 142-200 1.0", "0 core/handler 503-533 1.3",
                                   "0 core/done 720-800", "1 core/handler 80-150 0.0"}));
    EXPECT_THAT(sends(timeline), ElementsAre("1 core 110-122 after 80", "1 core 360-372 after 330",
                                             "1 core 605-617 after 575"));
    EXPECT_THAT(trips(timeline),
                ElementsAre("0 core 58 to 1 core 80", "0 core 308 to 1 core 330",
                            "0 core 547 to 1 core 575", "1 core 121 to 0 core 142",
                            "1 core 198 to 0 core 230", "1 core 371 to 0 core 390",
                            "1 core 478 to 0 core 503", "1 core 616 to 0 core 640"));
    EXPECT_THAT(levels(timeline), ElementsAre("0 output 0: 0", "0 output 59: 8", "0 output 63: 0"));
    EXPECT_THAT(marks(timeline),
                ElementsAre("0 start 0 0 7", "0 round_trip 0 200 1", "0 round_trip 1 450 2",
                            "0 round_trip 2 700 3", "1 start 0 3 8"));
}

TEST_F(TimelineTest, AWindowCutsWhatReachesOverItsEdges) {
    const TraceDatabase trace = TraceDatabase::open(hand_made_file());
    const Timeline timeline(trace, between(115, 200));
    EXPECT_THAT(slices(timeline),
                ElementsAre("0 core/wait 115-142 of 59-142", "0 core/handler 142-200 1.0",
                            "1 core/handler 115-150 of 80-150 0.0", "1 core/compute 150-189",
                            "1 core/send 189-199", "1 core/compute 199-200 of 199-330"));
    EXPECT_THAT(sends(timeline), ElementsAre("1 core 115-122 after 80"));
    // The second message departs at 198, but is handled after the window.
    EXPECT_THAT(trips(timeline), ElementsAre("1 core 121 to 0 core 142"));
    EXPECT_THAT(levels(timeline), ElementsAre("0 output 115: 0"));
    EXPECT_THAT(marks(timeline), IsEmpty());
    EXPECT_THAT(marks(Timeline(trace, between(200, 450))), ElementsAre("0 round_trip 0 200 1"));
}

TEST_F(TimelineTest, TheLevelAtTheWindowsBeginIsTheLastBefore) {
    const TraceDatabase trace = TraceDatabase::open(hand_made_file());
    EXPECT_THAT(levels(Timeline(trace, between(58, 60))),
                ElementsAre("0 output 58: 0", "0 output 59: 8"));
    EXPECT_THAT(levels(Timeline(trace, between(59, 60))), ElementsAre("0 output 59: 8"));
    EXPECT_THAT(levels(Timeline(trace, between(60, 63))), ElementsAre("0 output 60: 8"));
    EXPECT_THAT(levels(Timeline(trace, between(0, 59))), IsEmpty());
}

TEST_F(TimelineTest, ATraceOfAWindowShowsThatWindow) {
    const TraceDatabase trace =
        TraceDatabase::open(hand_made_file("window.sqlite", between(60, 400)));
    const Timeline timeline(trace, between(0, 300));
    EXPECT_EQ(text(timeline.window()), "60-300");
    EXPECT_EQ(text(Timeline(trace).window()), "60-400");
    // Message 0 of node 0 was launched before the window: the trace has its handler, but not its
    // row.
    EXPECT_THAT(slices(timeline),
                IsSupersetOf({"1 core/handler 80-150 0.0 unknown", "0 core/handler 142-200 1.0"}));
    EXPECT_THAT(trips(timeline),
                ElementsAre("1 core 121 to 0 core 142", "1 core 198 to 0 core 230"));
    // The level before the queue's first row is unknown.
    EXPECT_THAT(levels(timeline), ElementsAre("0 output 63: 0"));
}

TEST_F(TimelineTest, HandlersBesideTheThreadHaveATrackOfTheirOwn) {
    const auto path = hand_made_file();
    // Machine with a protocol processor: the core's intervals are those of the thread alone.
    run_sql(path,
            fmt::format("UPDATE core_intervals SET message_id = NULL, state = {} WHERE state = {}; "
                        "UPDATE messages SET handler_end_cycle = NULL "
                        "WHERE message_id = (1 << 40) + 4",
                        number_of(hw::CoreState::kWait), number_of(hw::CoreState::kHandler)));
    const TraceDatabase trace = TraceDatabase::open(path);
    const Timeline timeline(trace);
    EXPECT_THAT(slices(timeline),
                IsSupersetOf({"0 core/wait 142-200", "0 beside/handler 142-200 1.0",
                              // This handler had not ended when the run ended.
                              "0 beside/handler 640-800 1.4"}));
    EXPECT_THAT(sends(timeline), testing::Contains("1 beside 110-122 after 80"));
    EXPECT_THAT(trips(timeline),
                IsSupersetOf({"0 core 58 to 1 beside 80", "1 beside 121 to 0 beside 142",
                              "1 core 198 to 0 beside 230"}));
}

TEST_F(TimelineTest, ASendThatATrapInterruptsIsShownBeforeAndAfterIt) {
    const auto path = trapped_file();
    const TraceDatabase trace = TraceDatabase::open(path);
    EXPECT_THAT(slices(Timeline(trace)),
                IsSupersetOf({"1 core/handler 80-112 0.0", "1 core/trap 112-118",
                              "1 core/handler 118-150 0.0"}));
    const auto all = sends(Timeline(trace));
    EXPECT_EQ(all[0], "1 core 110-112 after 80");
    EXPECT_EQ(all[1], "1 core 118-122 after 80");
    EXPECT_THAT(all, SizeIs(4));
    EXPECT_THAT(sends(Timeline(trace, between(111, 120))),
                ElementsAre("1 core 111-112 after 80", "1 core 118-120 after 80"));
    EXPECT_THAT(sends(Timeline(trace, between(112, 118))), IsEmpty());
}

TEST_F(TimelineTest, ShowsDmaEnginesAndStalls) {
    const TraceDatabase trace = TraceDatabase::open(file_of(HandMadeLongMessages()));
    const Timeline timeline(trace);
    EXPECT_THAT(transfers(timeline),
                ElementsAre("0 send 46-90 0.0 64 3+5", "0 send 236-290 0.1 128 13+2",
                            "0 send 366-400 0.2 64 4+0", "1 receive 100-150 0.0 64 7+11",
                            "1 receive 300-460 0.1 128 17+60", "1 receive 540-590 0.2 64 2+1"));
    EXPECT_THAT(bodies(timeline), ElementsAre("0 46 to 1 100", "0 236 to 1 300", "0 366 to 1 540"));
    EXPECT_THAT(stalls(timeline),
                ElementsAre("0 launch 225-235: 0.1 for 0.0", "1 network 260-290: 0.1 for 0.1",
                            "1 network 295-300: 0.1 for -", "1 network 380-450: 0.2 for 0.1"));
}

TEST_F(TimelineTest, TheFactsOfALongMessageAreWhole) {
    const TraceDatabase trace = TraceDatabase::open(file_of(HandMadeLongMessages()));
    const hw::Message made = HandMadeLongMessages().messages[2];
    int found = 0;
    Timeline(trace).for_each_dma_slice([&](const Timeline::DmaSlice& slice) {
        if (slice.facts->id != made.id) {
            return;
        }
        found += 1;
        EXPECT_EQ(slice.facts->bytes, made.bytes);
        EXPECT_EQ(slice.facts->body_bytes, made.body_bytes);
        EXPECT_EQ(slice.facts->launch_blocked, made.launch_blocked);
        EXPECT_EQ(slice.facts->times.network_entry, made.times.network_entry);
        EXPECT_EQ(slice.facts->times.send_dma_end, made.times.send_dma_end);
        EXPECT_EQ(slice.facts->times.tail_entry, made.times.tail_entry);
        EXPECT_EQ(slice.facts->times.code_begin, made.times.code_begin);
        EXPECT_EQ(slice.facts->times.receive_dma_begin, made.times.receive_dma_begin);
        EXPECT_EQ(slice.facts->times.code_end, made.times.code_end);
        EXPECT_EQ(slice.facts->times.receive_dma_end, made.times.receive_dma_end);
        EXPECT_EQ(slice.facts->times.dispose, made.times.dispose);
        EXPECT_EQ(slice.facts->times.handler_end, made.times.handler_end);
    });
    EXPECT_EQ(found, 2);
}

TEST_F(TimelineTest, AWindowCutsTransfersAndStalls) {
    const TraceDatabase trace =
        TraceDatabase::open(file_of(HandMadeLongMessages(), "window.sqlite", between(240, 600)));
    const Timeline timeline(trace, between(0, 400));
    // Message 1 of node 0 was launched before the trace begins.
    EXPECT_THAT(
        transfers(timeline),
        ElementsAre("0 send 240-290 of 236-290 0.1 128 13+2 unknown", "0 send 366-400 0.2 64 4+0",
                    "1 receive 300-400 of 300-460 0.1 128 17+60 unknown"));
    EXPECT_THAT(bodies(timeline), IsEmpty());
    EXPECT_THAT(bodies(Timeline(trace, between(366, 541))), ElementsAre("0 366 to 1 540"));
    EXPECT_THAT(bodies(Timeline(trace, between(366, 540))), IsEmpty());
    EXPECT_THAT(stalls(timeline),
                ElementsAre("1 network 260-290: 0.1 for 0.1", "1 network 295-300: 0.1 for -",
                            "1 network 380-400 of 380-450: 0.2 for 0.1"));
}

TEST_F(TimelineTest, OfTwoStallsAtATimeTheLaterOneIsShownWhereItIsAlone) {
    // A core and its protocol processor launch; of the last two stalls, one lies inside the other.
    const auto path = file_of(HandMadeLongMessages());
    run_sql(path,
            "INSERT INTO stalls VALUES (0, 0, 230, 240, 2, 0), (0, 0, 300, 340, 2, 0), "
            "(0, 0, 310, 320, 3, 2)");
    const TraceDatabase trace = TraceDatabase::open(path);
    auto launches = stalls(Timeline(trace));
    launches.resize(4);
    EXPECT_THAT(
        launches,
        ElementsAre("0 launch 225-235: 0.1 for 0.0", "0 launch 235-240 of 230-240: 0.2 for 0.0",
                    "0 launch 300-340: 0.2 for 0.0", "0 launch 310-320: 0.3 for 0.2"));
}

TEST_F(TimelineTest, ALastTransferOrStallIsStillInTheTrace) {
    for (const char* sql : {"DELETE FROM stalls", "DELETE FROM dma_transfers"}) {
        const auto path = file_of(HandMadeLongMessages(), std::string(sql + 12) + ".sqlite");
        run_sql(path,
                "UPDATE dma_transfers SET end_cycle = 800 WHERE begin_cycle = 540; "
                "UPDATE stalls SET end_cycle = 900 WHERE begin_cycle = 380");
        run_sql(path, sql);
        const TraceDatabase trace = TraceDatabase::open(path);
        EXPECT_EQ(text(Timeline(trace).window()),
                  std::string(sql) == "DELETE FROM stalls" ? "0-800" : "0-900");
    }
}

TEST_F(TimelineTest, TheTraceOfAKilledRunIsShownAsFarAsItGoes) {
    {
        TraceStore store(file("trace.weir"), 2);
        HandMadeTrace().report_to(store);
    }
    const TraceDatabase trace = TraceDatabase::open(file("trace.weir"));
    const Timeline timeline(trace);
    EXPECT_THAT(slices(timeline), SizeIs(HandMadeTrace().intervals.size()));
    EXPECT_THAT(trips(timeline), SizeIs(8));
}

TEST_F(TimelineTest, RunInfoIsWithoutTheHost) {
    const auto path = hand_made_file();
    run_sql(path, "INSERT INTO run VALUES ('seed', '7'), ('host_name', 'here')");
    const TraceDatabase trace = TraceDatabase::open(path);
    EXPECT_THAT(Timeline(trace).run_info(),
                ElementsAre(testing::Pair("complete", "yes"), testing::Pair("node_count", "2"),
                            testing::Pair("schema_version", "3"), testing::Pair("seed", "7"),
                            testing::Pair("window_begin_cycle", "0"),
                            testing::Pair("window_end_cycle", "never")));
}

TEST_F(TimelineTest, AWindowWithNothingInItIsAnErrorThatSaysWhereTheTraceIs) {
    const TraceDatabase trace = TraceDatabase::open(hand_made_file());
    EXPECT_THAT(error_of([&] { const Timeline timeline(trace, between(800, 900)); }),
                Names(trace.path(), "800", "900", "0", "800"));
    EXPECT_THAT(error_of([&] {
                    const Timeline timeline(trace, {hw::Cycles(801), hw::kNever});
                }),
                Names(trace.path(), "801", "0", "800"));
    TraceStore(file("empty.weir"), 2).finish();
    const TraceDatabase empty = TraceDatabase::open(file("empty.weir"));
    EXPECT_THAT(error_of([&] { const Timeline timeline(empty); }), Names("no cycles", "0"));
}

TEST_F(TimelineTest, ANodeThatTheTraceDoesNotHaveIsAnError) {
    const auto path = hand_made_file();
    run_sql(path, "UPDATE marks SET node = 2 WHERE node = 1");
    const TraceDatabase trace = TraceDatabase::open(path);
    EXPECT_THAT(error_of([&] { const Timeline timeline(trace); }),
                Names(trace.path(), "node 2", "2"));
    for (const char* table : {"dma_transfers", "stalls"}) {
        const auto other = file_of(HandMadeLongMessages(), std::string(table) + ".sqlite");
        run_sql(other, fmt::format("UPDATE {} SET node = 3 WHERE node = 1", table));
        const TraceDatabase long_trace = TraceDatabase::open(other);
        EXPECT_THAT(error_of([&] { const Timeline timeline(long_trace); }), Names("node 3"));
    }
}

}  // namespace
}  // namespace weir::experiments::trace
