#include "experiments/trace/exports/vcd_export.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/trace/testing/exported_file.h"
#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"

namespace weir::experiments::trace {
namespace {

using testing::HasSubstr;

class VcdExportTest : public TraceTest {
  protected:
    [[nodiscard]] std::string export_text(const std::filesystem::path& trace_file,
                                          CycleWindow window = {}, const TimeScale& scale = {}) {
        const TraceDatabase trace = TraceDatabase::open(trace_file);
        const Timeline timeline(trace, window);
        ExportFile out(file("out.vcd"), "out.vcd", false);
        changes_ = export_to_vcd(timeline, scale, out);
        out.close();
        return text_of_export(file("out.vcd"));
    }
    [[nodiscard]] std::int64_t changes() const { return changes_; }

  private:
    std::int64_t changes_ = 0;
};

TEST_F(VcdExportTest, EveryCycleOfEveryCoreIsWhatTheTraceSays) {
    const ValueChangeDump dump(export_text(hand_made_file()));
    for (const HandMadeTrace::Interval& interval : HandMadeTrace().intervals) {
        const std::string scope = fmt::format("machine.node_{}.", interval.node);
        for (int cycle = interval.begin; cycle < interval.end; ++cycle) {
            ASSERT_EQ(dump.number(scope + "core_state", cycle), static_cast<int>(interval.state))
                << scope << cycle;
            const bool handles = interval.message.valid();
            ASSERT_EQ(dump.number(scope + "handler", cycle), handles ? 1 : 0) << scope << cycle;
            ASSERT_EQ(dump.number(scope + "handled_source", cycle),
                      handles ? interval.message.source.index() : -1);
            ASSERT_EQ(dump.number(scope + "handled_sequence", cycle), interval.message.sequence);
        }
    }
    EXPECT_EQ(dump.first_time(), 0);
    EXPECT_EQ(dump.last_time(), 800);
}

TEST_F(VcdExportTest, EveryCycleOfDmaEnginesAndTheNetworkIsWhatTheTraceSays) {
    const HandMadeLongMessages made;
    const ValueChangeDump dump(export_text(file_of(made)));
    const auto in = [](int cycle, hw::Cycles begin, hw::Cycles end) {
        return CycleWindow{begin, end}.contains(hw::Cycles(cycle));
    };
    for (int node = 0; node < 2; ++node) {
        const std::string scope = fmt::format("machine.node_{}.", node);
        for (int cycle = 0; cycle < 700; ++cycle) {
            const auto served = [&](hw::DmaKind engine) {
                return std::count_if(made.transfers.begin(), made.transfers.end(),
                                     [&](const hw::DmaTransfer& transfer) {
                                         return transfer.node == hw::NodeId(node) &&
                                                transfer.engine == engine &&
                                                in(cycle, transfer.begin, transfer.end);
                                     });
            };
            const auto stalled = [&](hw::StallPlace place) {
                return std::count_if(
                    made.stalls.begin(), made.stalls.end(), [&](const hw::Stall& stall) {
                        return stall.node == hw::NodeId(node) && stall.place == place &&
                               in(cycle, stall.begin, stall.end);
                    });
            };
            ASSERT_EQ(dump.number(scope + "send_dma", cycle), served(hw::DmaKind::kSend)) << cycle;
            ASSERT_EQ(dump.number(scope + "receive_dma", cycle), served(hw::DmaKind::kReceive))
                << cycle;
            ASSERT_EQ(dump.number(scope + "launch_stalled", cycle),
                      stalled(hw::StallPlace::kLaunch))
                << cycle;
            ASSERT_EQ(dump.number(scope + "network_stopped", cycle),
                      stalled(hw::StallPlace::kInputQueue))
                << cycle;
        }
    }
    EXPECT_EQ(dump.signals().at("machine.node_0.core_state"), 4);
    EXPECT_EQ(dump.number("machine.node_0.core_state", 240), number_of(hw::CoreState::kDma));
    EXPECT_EQ(dump.number("machine.node_0.core_state", 639), number_of(hw::CoreState::kTrap));
    EXPECT_EQ(dump.number("machine.node_0.core_state", 640), number_of(hw::CoreState::kDone));
}

TEST_F(VcdExportTest, OfTwoStallsAtATimeOneThatLiesInTheOtherDoesNotEndIt) {
    // A core and its protocol processor launch at the same time.
    const auto path = file_of(HandMadeLongMessages());
    run_sql(path,
            "INSERT INTO stalls VALUES (0, 0, 230, 240, 2, 0), (0, 0, 300, 340, 2, 0), "
            "(0, 0, 310, 320, 3, 2)");
    const ValueChangeDump dump(export_text(path));
    for (int cycle = 0; cycle < 700; ++cycle) {
        const bool stalled = (cycle >= 225 && cycle < 240) || (cycle >= 300 && cycle < 340);
        ASSERT_EQ(dump.number("machine.node_0.launch_stalled", cycle), stalled ? 1 : 0) << cycle;
    }
}

TEST_F(VcdExportTest, QueuesAreThereWhereTheyWereTraced) {
    const ValueChangeDump dump(export_text(hand_made_file()));
    EXPECT_EQ(dump.signals().size(), 17);
    const std::string queue = "machine.node_0.output_queue_bytes";
    EXPECT_EQ(dump.signals().at(queue), 32);
    EXPECT_EQ(dump.number(queue, 58), 0);
    EXPECT_EQ(dump.number(queue, 59), 8);
    EXPECT_EQ(dump.number(queue, 62), 8);
    EXPECT_EQ(dump.number(queue, 63), 0);
}

TEST_F(VcdExportTest, CountsTheKnownValuesItWrites) {
    const std::string text = export_text(hand_made_file());
    const ValueChangeDump dump(text);
    // The dump begins with four unknown values: two signals for the handled message of each core.
    EXPECT_EQ(changes(), dump.changes() - 4);
}

TEST_F(VcdExportTest, AWindowBeginsWithTheValuesOfItsFirstCycle) {
    const ValueChangeDump dump(export_text(hand_made_file(), {hw::Cycles(100), hw::Cycles(150)}));
    EXPECT_EQ(dump.first_time(), 100);
    EXPECT_EQ(dump.last_time(), 150);
    EXPECT_EQ(dump.number("machine.node_0.core_state", 100), number_of(hw::CoreState::kWait));
    EXPECT_EQ(dump.number("machine.node_0.core_state", 142), number_of(hw::CoreState::kHandler));
    EXPECT_EQ(dump.number("machine.node_1.handler", 100), 1);
    EXPECT_EQ(dump.number("machine.node_0.output_queue_bytes", 100), 0);
}

TEST_F(VcdExportTest, HandlersBackToBackAreOneHighBitAndTwoMessages) {
    using enum hw::CoreState;
    TraceStore store(file("trace.weir"), 1);
    const hw::NodeId node(0);
    store.core_interval(node, kHandler, hw::Cycles(0), hw::Cycles(5), HandMadeTrace::id(0, 3));
    store.core_interval(node, kHandler, hw::Cycles(5), hw::Cycles(9), HandMadeTrace::id(0, 4));
    // A gap between intervals, which foreign traces may have.
    store.core_interval(node, kCompute, hw::Cycles(12), hw::Cycles(20), {});
    store.finish();
    const ValueChangeDump dump(export_text(file("trace.weir")));
    for (int cycle = 0; cycle < 20; ++cycle) {
        EXPECT_EQ(dump.number("machine.node_0.handler", cycle), cycle < 9 ? 1 : 0);
        EXPECT_EQ(dump.number("machine.node_0.handled_sequence", cycle),
                  cycle < 5 ? 3 : (cycle < 9 ? 4 : -1));
        EXPECT_EQ(dump.number("machine.node_0.core_state", cycle),
                  cycle < 9 ? number_of(kHandler) : (cycle < 12 ? -1 : 0));
    }
}

TEST_F(VcdExportTest, TimeIsInTheLongestUnitThatDividesTheCycle) {
    const auto dump = [&](std::int64_t picoseconds) {
        return ValueChangeDump(export_text(hand_made_file(fmt::format("{}.sqlite", picoseconds)),
                                           {}, {.cycle_picoseconds = picoseconds}));
    };
    EXPECT_EQ(dump(50'000).timescale(), "10 ns");
    EXPECT_EQ(dump(50'001).timescale(), "1 ps");
    EXPECT_EQ(dump(1'000'000).timescale(), "1 us");
    EXPECT_EQ(dump(2'500).timescale(), "100 ps");
    const ValueChangeDump slow = dump(50'001'000);
    EXPECT_EQ(slow.timescale(), "1 ns");
    EXPECT_EQ(slow.last_time(), 800 * 50'001);
    EXPECT_EQ(slow.number("machine.node_0.core_state", 50 * 50'001 - 1), 0);
    EXPECT_EQ(slow.number("machine.node_0.core_state", 50 * 50'001), 1);
}

TEST_F(VcdExportTest, TheCommentSaysWhatItIs) {
    const std::string text =
        export_text(hand_made_file(), {}, {.cycle_picoseconds = 50'000, .source = "a clock"});
    EXPECT_THAT(text, HasSubstr("cycles 0 to 800\n    1 cycle = 0.05 us (a clock)\n"));
    EXPECT_THAT(text, HasSubstr("core_state: 0 compute 1 send 2 blocked 3 dma 4 wait 5 handler "
                                "6 trap 7 done 8 switch 9 memory_wait 10 synchronize\n"));
}

TEST_F(VcdExportTest, ManySignalsHaveIdentifiersOfTheirOwn) {
    TraceStore store(file("trace.weir"), 3000);
    for (int node = 0; node < 3000; ++node) {
        store.core_interval(hw::NodeId(node), hw::CoreState::kWait, hw::Cycles(node),
                            hw::Cycles(4000), {});
    }
    store.finish();
    const ValueChangeDump dump(export_text(file("trace.weir")));
    EXPECT_EQ(dump.signals().size(), 24'000);
    EXPECT_EQ(dump.number("machine.node_2999.core_state", 2998), -1);
    EXPECT_EQ(dump.number("machine.node_2999.core_state", 2999), number_of(hw::CoreState::kWait));
}

}  // namespace
}  // namespace weir::experiments::trace
