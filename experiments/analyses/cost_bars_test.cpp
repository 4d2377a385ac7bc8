#include "experiments/analyses/cost_bars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const records::Metrics kMeasured{{"gets_per_nonzero", 0.5}, {"cycles_per_nonzero", 200.0}};
const records::Metrics kRoundTrip{{"compute", 60.0},
                                  {"wait", 2.0},
                                  {"request_send", 15.0},
                                  {"interference", 20.0},
                                  {"request_network_unloaded", 5.0},
                                  {"request_network_contention", 1.0},
                                  {"request_notify", 10.0},
                                  {"request_queueing", 30.0},
                                  {"request_handler", 80.0},
                                  {"reply_send", 15.0},
                                  {"reply_network_unloaded", 5.0},
                                  {"reply_network_contention", 1.0},
                                  {"reply_notify", 10.0},
                                  {"reply_queueing", 8.0},
                                  {"reply_handler", 100.0}};

records::Prediction lopc(const std::string& name) {
    return {.model = name,
            .metrics = {{"cycles_per_nonzero", 220.0}},
            .inputs = {{"work_cycles", 80.0}, {"latency_cycles", 6.0}, {"handler_cycles", 145.0}}};
}

TEST(CostBarsTest, MeasuredPartsAreThoseOfTheRoundTripAndSumToTheWhole) {
    const CostBars bars = cost_bars(kMeasured, kRoundTrip, {});
    ASSERT_EQ(bars.size(), 1U);
    EXPECT_EQ(bars[0].who, "measured");
    EXPECT_THAT(bars[0].parts,
                ElementsAre(Pair("compute", 31.0), Pair("send", 7.5), Pair("network", 15.0),
                            Pair("handlers", 97.5), Pair("contention", 30.0), Pair("idle", 19.0)));
}

// If the bar lacked a part of the round trip, that part would count as idle time.
TEST(CostBarsTest, EveryPartOfTheRoundTripIsInTheBar) {
    for (const auto& [name, cycles] : kRoundTrip) {
        records::Metrics longer = kRoundTrip;
        for (auto& [part, value] : longer) {
            value += part == name ? 10.0 : 0.0;
        }
        EXPECT_EQ(records::find_metric(cost_bars(kMeasured, longer, {})[0].parts, "idle"), 14.0)
            << name;
    }
}

TEST(CostBarsTest, LopcHasWorkTwoTripsTwoHandlersAndContention) {
    const CostBars bars = cost_bars(kMeasured, kRoundTrip, {lopc("lopc")});
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_EQ(bars[1].who, "lopc");
    EXPECT_THAT(bars[1].parts, ElementsAre(Pair("compute", 40.0), Pair("network", 6.0),
                                           Pair("handlers", 145.0), Pair("contention", 29.0)));
}

TEST(CostBarsTest, WhatTheFileGivesComesFirst) {
    const CostBars bars = cost_bars(kMeasured, kRoundTrip, {lopc("lopc"), lopc("lopc_given")});
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_EQ(bars[1].who, "lopc_given");
}

TEST(CostBarsTest, AModelThatSaysNothingHasNoBar) {
    records::Prediction silent = lopc("lopc");
    silent.metrics.clear();
    EXPECT_EQ(cost_bars(kMeasured, kRoundTrip, {silent}).size(), 1U);
}

TEST(CostBarsTest, OnlyASparseProductHasThem) {
    EXPECT_TRUE(cost_bars({{"cycles_per_iteration", 400.0}}, kRoundTrip, {lopc("lopc")}).empty());
    EXPECT_TRUE(cost_bars(kMeasured, {}, {}).empty());
}

class CostBarsRunTest : public ProgramTest {};

TEST_F(CostBarsRunTest, ARunLeavesTheNumbers) {
    write("spmv.toml", kSmallSpmv);
    const auto result =
        result_of("spmv.toml", {"--out", "run", "--set", "models.compare=[\"lopc\"]"});
    const auto& bars = result.at("cost_bars");
    ASSERT_TRUE(bars.contains("measured") && bars.contains("lopc"));
    for (const char* who : {"measured", "lopc"}) {
        double sum = 0.0;
        for (const auto& [name, cycles] : bars.at(who).items()) {
            sum += cycles.get<double>();
        }
        const double whole = who == std::string("lopc")
                                 ? result.at("predicted").at("lopc").at("cycles_per_nonzero")
                                 : result.at("measured").at("cycles_per_nonzero");
        EXPECT_NEAR(sum, whole, 1e-9 * whole) << who;
    }
    EXPECT_THAT(read("run/report.txt"), HasSubstr("Where a non-zero's cycles go"));
}

TEST_F(CostBarsRunTest, OtherKernelsLeaveNone) {
    write("remap.toml", kSmallRemap);
    EXPECT_FALSE(result_of("remap.toml", {"--out", "run"}).contains("cost_bars"));
}

}  // namespace
}  // namespace weir::experiments::analyses
