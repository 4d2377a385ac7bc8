#include "experiments/records/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::experiments::records {
namespace {

using ::testing::ElementsAre;

class Cycles : public MetricGroup {
  public:
    Metric total{*this, "total_cycles", "cycles", "All of them"};
    Metric phase{*this, "phase_NAME_cycles", "cycles", "Those of a phase"};
};

class OtherCycles : public MetricGroup {
  public:
    Metric exchange{*this, "phase_exchange_cycles", "cycles", "Those of a phase by its name"};
    Metric total{*this, "total_cycles", "cycles", "The same again"};
    Metric idle{*this, "idle_cycles", "cycles", "Those without work"};
};

TEST(MetricTest, OfEachNameTheFirstIsListed) {
    const Cycles cycles;
    const OtherCycles others;
    const MetricList all = metrics_of({&cycles, &others});
    EXPECT_THAT(names_of(all), ElementsAre("total_cycles", "phase_NAME_cycles", "idle_cycles"));
    EXPECT_EQ(all.at(0), &cycles.total);
}

TEST(MetricTest, APatternAfterANameIsListedToo) {
    const Cycles cycles;
    const OtherCycles others;
    EXPECT_THAT(
        names_of(metrics_of({&others, &cycles})),
        ElementsAre("phase_exchange_cycles", "total_cycles", "idle_cycles", "phase_NAME_cycles"));
}

TEST(MetricTest, IsFoundByAnyNameThatItsPatternHas) {
    const Cycles cycles;
    const MetricList all = metrics_of({&cycles});
    EXPECT_EQ(find_metric(all, "phase_exchange_cycles"), &cycles.phase);
    EXPECT_EQ(find_metric(all, "phase__cycles"), nullptr);
    EXPECT_EQ(find_metric(all, "phase_a-b_cycles"), nullptr);
    EXPECT_EQ(find_metric(all, "total_cycles"), &cycles.total);
}

}  // namespace
}  // namespace weir::experiments::records
