#include "experiments/trace/measurements/long_messages.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using weir::testing::Names;

class LongMessagesTest : public TraceTest {
  protected:
    [[nodiscard]] std::filesystem::path long_file() const {
        return file_of(HandMadeLongMessages());
    }
    static std::vector<LongMessages> measure(const std::filesystem::path& path,
                                             CycleWindow window = {}) {
        return long_messages(read_trace(path), window);
    }
    static void expect_durations(const Summary& summary, std::int64_t count, double mean,
                                 std::int64_t minimum, std::int64_t maximum) {
        EXPECT_EQ(summary.count, count);
        EXPECT_DOUBLE_EQ(summary.mean_cycles, mean);
        EXPECT_EQ(summary.minimum, hw::Cycles(minimum));
        EXPECT_EQ(summary.maximum, hw::Cycles(maximum));
    }
    static void expect_duration(const Summary& summary, std::int64_t cycles) {
        expect_durations(summary, 1, static_cast<double>(cycles), cycles, cycles);
    }
};

TEST_F(LongMessagesTest, EveryDurationOfEveryLength) {
    const auto lengths = measure(long_file());
    ASSERT_EQ(lengths.size(), 2);

    const LongMessages& shorter = lengths[0];
    EXPECT_EQ(shorter.message_bytes, hw::Bytes(72));
    EXPECT_EQ(shorter.messages, 2);
    EXPECT_EQ(shorter.interrupted_sends, 1);
    expect_duration(shorter.send_overhead, 25);
    // The handler of the first message spent 8 of its cycles on sending a reply.
    expect_durations(shorter.receive_overhead, 2, ((60 - 8) + 60) / 2.0, 52, 60);
    expect_durations(shorter.first_byte_latency, 2, (6 + 5) / 2.0, 5, 6);
    expect_durations(shorter.header_to_dma, 2, (46 + 167) / 2.0, 46, 167);
    expect_durations(shorter.sender, 2, (81 + 91) / 2.0, 81, 91);
    expect_durations(shorter.end_to_end, 2, (130 + 270) / 2.0, 130, 270);
    expect_durations(shorter.network_stopped, 2, (0 + 70) / 2.0, 0, 70);
    expect_durations(shorter.send_port_wait, 2, (3 + 4) / 2.0, 3, 4);
    expect_durations(shorter.receive_port_wait, 2, (7 + 2) / 2.0, 2, 7);
    EXPECT_DOUBLE_EQ(shorter.mean_gap_cycles_per_byte, (70 + 150) / 2.0 / 71);

    const LongMessages& longer = lengths[1];
    EXPECT_EQ(longer.message_bytes, hw::Bytes(136));
    EXPECT_EQ(longer.messages, 1);
    EXPECT_EQ(longer.interrupted_sends, 0);
    expect_duration(longer.send_overhead, 35 - 10);  // the launch was blocked for 10 cycles
    // Its handler waited 160 cycles for the DMA transfer.
    expect_duration(longer.receive_overhead, 240 - 160);
    expect_duration(longer.first_byte_latency, 5);
    expect_duration(longer.header_to_dma, 57);
    expect_duration(longer.sender, 101);
    expect_duration(longer.end_to_end, 260);
    // Stalls of this message's own flits, not of messages behind it.
    expect_duration(longer.network_stopped, 30 + 5);
    expect_duration(longer.send_port_wait, 13);
    expect_duration(longer.receive_port_wait, 17);
    EXPECT_DOUBLE_EQ(longer.mean_gap_cycles_per_byte, 162 / 135.0);
}

TEST_F(LongMessagesTest, TheWindowTakesMessagesWhoseLastByteCameInsideIt) {
    // Last bytes are written at 150, 460 and 590; the handlers end at 130, 500 and 570.
    const auto path = long_file();
    const auto lengths = measure(path, {hw::Cycles(150), hw::Cycles(460)});
    ASSERT_EQ(lengths.size(), 1);
    EXPECT_EQ(lengths[0].messages, 1);
    expect_duration(lengths[0].end_to_end, 130);
    EXPECT_THAT(measure(path, {hw::Cycles(151), hw::Cycles(460)}), IsEmpty());
    EXPECT_EQ(measure(path, {hw::Cycles(460), hw::Cycles(461)}).size(), 1);
}

TEST_F(LongMessagesTest, AHandlerHasWaitedForItsTransferIfItEndsNoEarlier) {
    const auto path = long_file();
    const auto receive_overhead = [&](int handler_end) {
        run_sql(path, fmt::format("UPDATE messages SET handler_end_cycle = {} "
                                  "WHERE message_id = 1",
                                  handler_end));
        return measure(path)[1].receive_overhead;
    };
    expect_duration(receive_overhead(460), 200 - 160);
    expect_duration(receive_overhead(459), 199);
}

TEST_F(LongMessagesTest, AStageNotPassedDoesNotCount) {
    const auto path = long_file();
    run_sql(path,
            "UPDATE messages SET handler_end_cycle = NULL, tail_arrival_cycle = NULL "
            "WHERE message_id = 1; DELETE FROM dma_transfers WHERE message_id = 1");
    const LongMessages longer = measure(path)[1];
    EXPECT_EQ(longer.messages, 1);
    expect_durations(longer.receive_overhead, 0, 0, 0, 0);
    expect_durations(longer.send_port_wait, 0, 0, 0, 0);
    EXPECT_EQ(longer.mean_gap_cycles_per_byte, 0);
    expect_duration(longer.end_to_end, 260);

    run_sql(path, "UPDATE messages SET receive_dma_end_cycle = NULL WHERE message_id = 1");
    EXPECT_EQ(measure(path).size(), 1);
}

TEST_F(LongMessagesTest, ShortMessagesAreNotMeasured) {
    EXPECT_THAT(measure(hand_made_file("short.sqlite")), IsEmpty());
    const auto path = long_file();
    run_sql(path, "UPDATE messages SET receive_dma_end_cycle = 200 WHERE source_node = 1");
    EXPECT_EQ(measure(path).size(), 2);
}

TEST_F(LongMessagesTest, WithoutASendersIntervalsIsAnError) {
    const auto path = long_file();
    run_sql(path, "DELETE FROM core_intervals WHERE node = 0");
    EXPECT_THAT(error_of([&] { measure(path); }),
                AllOf(HasSubstr(path.string()), Names("intervals", "node 0")));
}

// --- The input queue over time ------------------------------------------------------------------

// Two bytes per cycle arrive from cycle 1 to the tail in 99. From cycle 30 on, the engine takes a
// burst of 16 bytes every 4 cycles while enough bytes are there. The first burst has 8 bytes, up to
// a boundary.
QueueCourse hand_made_course() {
    QueueCourse course{.message_bytes = hw::Bytes(200),
                       .header_arrival = hw::Cycles(3),
                       .dma_begin = hw::Cycles(29),
                       .tail_arrival = hw::Cycles(99),
                       .dma_end = hw::Cycles(110)};
    std::int64_t bytes = 0;
    std::int64_t next_burst = 30;
    for (std::int64_t cycle = 1; cycle <= 110; ++cycle) {
        bytes += cycle <= 100 ? 2 : 0;
        const std::int64_t burst = cycle == 30 ? 8 : 16;
        if (cycle >= next_burst && bytes >= burst) {
            bytes -= burst;
            next_burst = cycle + 4;
        }
        course.levels.push_back({hw::Cycles(cycle), hw::Bytes(bytes)});
    }
    return course;
}

TEST(QueueCourseTest, PeaksWhenTheEngineBegins) {
    EXPECT_EQ(hand_made_course().peak(), hw::Bytes(58));  // the peak is in cycle 29
}

// In 4 cycles a burst takes 16 bytes out of the queue and 8 bytes arrive.
TEST(QueueCourseTest, DrainsAtTheDifferenceOfTheRates) {
    EXPECT_DOUBLE_EQ(hand_made_course().drained_bytes_per_cycle().value(), (16.0 - 8.0) / 4.0);
}

// 52 bytes are left in cycle 30, 4 in cycle 54: the burst of cycle 58 has to wait for bytes.
TEST(QueueCourseTest, EndsWhereTheEngineFirstWaits) {
    const QueueCourse course = hand_made_course();
    EXPECT_EQ(course.until_caught_up().back().cycle, hw::Cycles(54));
    EXPECT_EQ(course.crossover_bytes(), hw::Bytes(2 * 54));
}

TEST(QueueCourseTest, AShortMessageEndsBefore) {
    QueueCourse course = hand_made_course();
    course.tail_arrival = hw::Cycles(50);
    EXPECT_EQ(course.crossover_bytes(), std::nullopt);
    course.levels.resize(34);  // levels of the first two bursts only
    EXPECT_EQ(course.drained_bytes_per_cycle(), std::nullopt);
}

TEST_F(LongMessagesTest, WithoutLevelsThereIsNoCourse) {
    EXPECT_FALSE(input_queue_course(read_trace(long_file())).has_value());
}

}  // namespace
}  // namespace weir::experiments::trace
