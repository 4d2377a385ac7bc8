#include "experiments/trace/measurements/delivery_breakdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using weir::testing::Names;

class DeliveryBreakdownTest : public TraceTest {
  protected:
    static std::vector<std::string> totals(const DeliveryBreakdown& breakdown) {
        std::vector<std::string> found;
        for (const DeliveryBreakdown::Part& part : breakdown.parts) {
            found.push_back(part.name + " " + std::to_string(part.total.count()));
        }
        return found;
    }
    static constexpr CycleWindow kWhole{hw::Cycles(0), hw::Cycles(700)};
};

TEST_F(DeliveryBreakdownTest, EveryCycleOfEveryCoreHasAPart) {
    const Trace trace = read_trace(file_of(HandMadeLongMessages()));
    const DeliveryBreakdown breakdown = delivery_breakdown(trace, kWhole);
    EXPECT_EQ(breakdown.messages, 5);
    EXPECT_EQ(breakdown.total, hw::Cycles(1400));
    EXPECT_DOUBLE_EQ(breakdown.cycles_per_message, 280);
    // Entry and exit of the interrupts take 18, 40 or 46 cycles; 40 in the interrupt that restored
    // words.
    EXPECT_THAT(totals(breakdown),
                ElementsAre("compute 261", "send 84", "blocked 10", "dma 75", "wait 330",
                            "handler 408", "saves 22", "trap 40", "done 170"));
    hw::Cycles sum;
    for (const DeliveryBreakdown::Part& part : breakdown.parts) {
        sum += part.total;
        EXPECT_DOUBLE_EQ(part.mean_cycles, static_cast<double>(part.total.count()) / 5);
    }
    EXPECT_EQ(sum, breakdown.total);
}

TEST_F(DeliveryBreakdownTest, AGapBetweenIntervalsIsAnError) {
    const auto path = file_of(HandMadeLongMessages());
    run_sql(path, "DELETE FROM core_intervals WHERE node = 1 AND begin_cycle = 570");
    EXPECT_THAT(error_of([&] { delivery_breakdown(read_trace(path), kWhole); }),
                Names("1380", "1400"));
}

TEST_F(DeliveryBreakdownTest, AStateOfNoKnownNameIsAnError) {
    const auto path = file_of(HandMadeLongMessages());
    run_sql(path, "UPDATE core_states SET name = 'sleep' WHERE name = 'dma'");
    EXPECT_THAT(error_of([&] { delivery_breakdown(read_trace(path), kWhole); }),
                Names("core_intervals", "state", "3"));
}

}  // namespace
}  // namespace weir::experiments::trace
