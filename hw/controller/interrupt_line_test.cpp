#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/controller/message_controller.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/waveform.h"

namespace weir::hw {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class RecordingCore final : public ClockedPart {
  public:
    using ClockedPart::ClockedPart;
    void tick(Cycles now) override { ticks.push_back(now.count()); }
    std::vector<std::int64_t> ticks;
};

class InterruptLineTest : public ::testing::Test {
  public:
    void drive(bool level, std::int64_t cycle) {
        controller_.at(cycle, [this, level](Cycles now) { line.drive(level, now); });
    }

    ClockDomainParameters parameters;
    ClockDomain domain{"clock", parameters};
    InterruptLine line;

  private:
    testing::ScriptedPart controller_{domain};
};

TEST_F(InterruptLineTest, CoreSeesTheLevelTheCycleAfterItIsDriven) {
    testing::Waveform seen(domain, Cycles(20), [&](Cycles now) { return line.raised(now); });
    drive(true, 5);
    drive(false, 11);
    domain.run_until(Cycles(100));
    EXPECT_THAT(seen.changes(), ElementsAre(Pair(6, 1), Pair(12, 0)));
}

TEST_F(InterruptLineTest, DriverSeesTheLevelAtOnce) {
    EXPECT_FALSE(line.driven());
    line.drive(true, Cycles(5));
    EXPECT_TRUE(line.driven());
}

TEST_F(InterruptLineTest, WakesTheCoreInTheCycleInWhichTheRiseIsSeenAndNotElse) {
    RecordingCore core(domain);
    line.set_core(core);
    drive(true, 5);
    drive(true, 8);    // no effect: the line is already high
    drive(false, 11);  // falls
    drive(true, 14);
    domain.run_until(Cycles(100));
    EXPECT_THAT(core.ticks, ElementsAre(6, 15));
}

}  // namespace
}  // namespace weir::hw
