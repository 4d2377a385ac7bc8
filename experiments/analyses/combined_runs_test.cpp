#include "experiments/analyses/combined_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace weir::experiments::analyses {
namespace {

using namespace records;

using ::testing::ElementsAre;
using ::testing::Pair;

records::SimulationResult run_with(std::uint64_t seed, const Metrics& metrics,
                                   const Metrics& round_trip = {}) {
    records::SimulationResult result;
    result.seed = seed;
    result.cycles = static_cast<std::int64_t>(1000 * seed);
    result.wall_seconds = 0.5;
    result.messages = 7;
    result.machine_seconds = 0.25;
    result.processor_seconds = 0.375;
    result.measured.metrics = metrics;
    result.measured.round_trip = round_trip;
    return result;
}

TEST(EstimateOfChangeTest, RoundingIsNoChangeAndMakesNoInterval) {
    const Estimate none = estimate_of_change("cycles", {0.1 + 0.2, 1.0}, {0.3, 1.0});
    EXPECT_EQ(none.mean, 0.0);
    EXPECT_EQ(none.half_width, 0.0);
    // Both differences are 1/7, of numbers that are rounded differently.
    const Estimate equal = estimate_of_change("cycles", {1000.0, 100'000.0},
                                              {1000.0 + 1.0 / 7.0, 100'000.0 + 1.0 / 7.0});
    EXPECT_NEAR(equal.mean, 1.0 / 7.0, 1e-9);
    EXPECT_EQ(equal.half_width, 0.0);
    // A small rest of large numbers (computed_from = 1e6) is within the rounding of these numbers.
    EXPECT_EQ(estimate_of_change("rest", {0.0, 0.0}, {1e-9, 0.0}, 1e6).mean, 0.0);
    EXPECT_NE(estimate_of_change("rest", {0.0, 0.0}, {1e-9, 0.0}).mean, 0.0);
    EXPECT_GT(estimate_of_change("cycles", {1e10, 1e10}, {1e10, 1e10 + 1.0}).half_width, 0.0);
}

// 10, 12 and 17 have the mean 13 and the sample variance (9 + 1 + 16) / 2 = 13. Student's t with 2
// degrees of freedom has 97.5 % below 4.302653 (any table), so the half width is
// 4.302653 * sqrt(13 / 3) = 8.95669.
TEST(ResultTest, EstimateIsMeanAndStudentsHalfWidth) {
    const PointResult point =
        combine({run_with(1, {{"handler_cycles", 10.0}}), run_with(2, {{"handler_cycles", 12.0}}),
                 run_with(3, {{"handler_cycles", 17.0}})});
    const Estimate* estimate = find_estimate(point, "handler_cycles");
    ASSERT_NE(estimate, nullptr);
    EXPECT_DOUBLE_EQ(estimate->mean, 13.0);
    ASSERT_TRUE(estimate->half_width.has_value());
    // The quantile in the table has seven digits.
    EXPECT_NEAR(*estimate->half_width, 8.95669, 1e-5);
}

// With two seeds t is 12.70620 and the half width 12.70620 * |a - b| / 2.
TEST(ResultTest, TwoSeeds) {
    const PointResult point =
        combine({run_with(1, {{"latency_cycles", 20.0}}), run_with(2, {{"latency_cycles", 22.0}})});
    EXPECT_NEAR(find_estimate(point, "latency_cycles")->half_width.value(), 12.70620, 1e-5);
}

TEST(ResultTest, SeedsThatAgreeHaveNoWidth) {
    const PointResult point =
        combine({run_with(1, {{"latency_cycles", 21.0}}), run_with(2, {{"latency_cycles", 21.0}})});
    EXPECT_DOUBLE_EQ(find_estimate(point, "latency_cycles")->half_width.value(), 0.0);
}

TEST(ResultTest, OneSeedSaysNothingOfConfidence) {
    const PointResult point = combine({run_with(1, {{"latency_cycles", 21.0}})});
    EXPECT_DOUBLE_EQ(find_estimate(point, "latency_cycles")->mean, 21.0);
    EXPECT_FALSE(find_estimate(point, "latency_cycles")->half_width.has_value());
}

TEST(ResultTest, MetricThatASeedCouldNotGiveIsNotEstimatedFromTheOthers) {
    const PointResult point =
        combine({run_with(1, {{"latency_cycles", 21.0}, {"sender_gap_cycles", 15.0}}),
                 run_with(2, {{"latency_cycles", 21.0}})});
    EXPECT_NE(find_estimate(point, "latency_cycles"), nullptr);
    EXPECT_EQ(find_estimate(point, "sender_gap_cycles"), nullptr);
}

TEST(ResultTest, RoundTripIsTheMeanOverSeeds) {
    const PointResult point =
        combine({run_with(1, {}, {{"compute", 10.0}, {"request_send", 15.0}}),
                 run_with(2, {}, {{"compute", 20.0}, {"request_send", 15.0}})});
    EXPECT_THAT(point.round_trip, ElementsAre(Pair("compute", 15.0), Pair("request_send", 15.0)));
}

// A part that is left out would be missing from the sum of parts.
TEST(ResultTest, APartThatASeedLacksTookItNoCycles) {
    const PointResult point = combine({run_with(1, {}, {{"compute", 10.0}}),
                                       run_with(2, {}, {{"compute", 20.0}, {"blocked", 6.0}})});
    EXPECT_THAT(point.round_trip, ElementsAre(Pair("compute", 15.0), Pair("blocked", 3.0)));
    EXPECT_TRUE(
        combine({run_with(1, {}, {{"compute", 10.0}}), run_with(2, {})}).round_trip.empty());
}

TEST(ResultTest, RunsOfAPointAreListedBySeed) {
    const PointResult point = combine({run_with(3, {}), run_with(1, {})});
    EXPECT_THAT(point.seeds, ElementsAre(3, 1));
    EXPECT_THAT(point.cycles, ElementsAre(3000, 1000));
    EXPECT_DOUBLE_EQ(point.wall_seconds, 1.0);
    EXPECT_EQ(point.messages, 14);
    EXPECT_DOUBLE_EQ(point.machine_seconds, 0.5);
    EXPECT_DOUBLE_EQ(point.processor_seconds, 0.75);
}

TEST(ResultTest, OnePointStandsOnTopOfTheObject) {
    ExperimentResult result;
    result.kernel = "remap";
    result.wall_seconds = 9.0;
    result.points.push_back(combine({run_with(1, {{"latency_cycles", 21.0}})}));
    const auto json = to_json(result);
    EXPECT_EQ(json["measured"]["latency_cycles"], 21.0);
    EXPECT_EQ(json["wall_seconds"], 9.0);
    EXPECT_FALSE(json.contains("points"));
}

TEST(ResultTest, SeveralPointsAreAList) {
    ExperimentResult result;
    result.points.push_back(combine({run_with(1, {{"latency_cycles", 21.0}})}));
    result.points.push_back(combine({run_with(1, {{"latency_cycles", 22.0}})}));
    const auto json = to_json(result);
    ASSERT_EQ(json["points"].size(), 2U);
    EXPECT_EQ(json["points"][1]["measured"]["latency_cycles"], 22.0);
    EXPECT_EQ(json["points"][1]["wall_seconds"], 0.5);
    EXPECT_EQ(json["points"][1]["machine_seconds"], 0.25);
    EXPECT_EQ(json["points"][1]["processor_seconds"], 0.375);
    EXPECT_FALSE(json.contains("measured"));
}

// The file through which a simulation's process passes its result to the report loses nothing.
TEST(ResultTest, SimulationResultSurvivesItsFile) {
    records::SimulationResult result =
        run_with(UINT64_MAX, {{"latency_cycles", 1.0 / 3.0}}, {{"compute", 1e-300}});
    result.end = nodes::RunEnd::kDeadlock;
    result.cycles = INT64_MAX;
    result.measured.model_inputs = {{"work_cycles", 0.1}};
    *result.facts = {{"nonzeros", 5.0}};
    result.explanation = "a cycle of parts:\n  \"core\" waits";
    result.wrong_answer = true;
    const std::string text = to_json(result).dump();
    const records::SimulationResult again =
        simulation_result_from(nlohmann::ordered_json::parse(text));
    EXPECT_EQ(again.end, result.end);
    EXPECT_EQ(again.seed, result.seed);
    EXPECT_EQ(again.cycles, result.cycles);
    EXPECT_EQ(again.wall_seconds, result.wall_seconds);
    EXPECT_EQ(again.messages, result.messages);
    EXPECT_EQ(again.machine_seconds, result.machine_seconds);
    EXPECT_EQ(again.processor_seconds, result.processor_seconds);
    EXPECT_EQ(again.measured.metrics, result.measured.metrics);
    EXPECT_EQ(again.measured.round_trip, result.measured.round_trip);
    EXPECT_EQ(again.measured.model_inputs, result.measured.model_inputs);
    EXPECT_EQ(again.facts, result.facts);
    EXPECT_EQ(again.explanation, result.explanation);
    EXPECT_EQ(again.wrong_answer, result.wrong_answer);
}

}  // namespace
}  // namespace weir::experiments::analyses
