#include "experiments/pages/comparison_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "experiments/analyses/combined_runs.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/analyses/whole_of_parts.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

/// Run whose parts sum to its makespan and, with ten operations, to its cycles per operation.
records::SimulationResult program_run(std::uint64_t seed, const records::Metrics& parts) {
    records::SimulationResult run;
    run.seed = seed;
    double makespan = 0.0;
    for (const auto& [name, cycles] : parts) {
        makespan += cycles;
    }
    const analyses::ProgramMetrics& m = analyses::program_metrics();
    constexpr double kOperations = 10.0;
    run.measured.round_trip = parts;
    add(run.measured.metrics, m.makespan_cycles, makespan);
    add(run.measured.metrics, m.cycles_per_operation, makespan / kOperations);
    analyses::add_whole(m.makespan_cycles, 1.0, run.measured);
    analyses::add_whole(m.cycles_per_operation, 1.0 / kOperations, run.measured);
    return run;
}

records::MachineComparison comparison_of(const std::vector<records::SimulationResult>& first,
                                         const std::vector<records::SimulationResult>& second,
                                         const std::string& leading) {
    records::MachineComparison comparison;
    comparison.first.file = "a.toml";
    comparison.second.file = "b.toml";
    comparison.first.leading_metric = leading;
    records::ComparedPoint point{"", {}, first, second};
    for (const records::SimulationResult& run : first) {
        point.seeds.push_back(run.seed);
    }
    comparison.first.points.push_back(analyses::combine(first));
    comparison.second.points.push_back(analyses::combine(second));
    comparison.points.push_back(std::move(point));
    return comparison;
}

std::string sentences_of(const records::MachineComparison& comparison) {
    std::string text;
    for (const records::Finding& finding : comparison_document(comparison).findings) {
        for (const std::string& sentence : finding.sentences) {
            text += sentence + "\n";
        }
    }
    return text;
}

/// Table of the section "Where the cycles go".
records::Table parts_table_of(const records::MachineComparison& comparison) {
    for (const records::Section& section : comparison_document(comparison).sections) {
        for (const records::Block& block : section.blocks) {
            const auto* table = std::get_if<records::Table>(&block);
            if (section.title == "Where the cycles go" && table != nullptr) {
                return *table;
            }
        }
    }
    return {};
}

// Printed number in units of its last decimal, so that sums are exact.
struct Printed {
    std::int64_t units = 0;
    std::size_t decimals = 0;
};
Printed printed(std::string text) {
    text = text.substr(0, text.find(" ±"));
    const std::size_t point = text.find('.');
    Printed number;
    number.decimals = point == std::string::npos ? 0 : text.size() - point - 1;
    std::erase(text, '.');
    std::erase(text, '+');
    number.units = std::stoll(text);
    return number;
}

TEST(ComparisonPageTest, APartThatOneMachineLacksTookItNoCycles) {
    const auto comparison =
        comparison_of({program_run(1, {{"compute", 100.0}, {"blocked", 60.0}})},
                      {program_run(1, {{"compute", 90.0}, {"switch", 5.0}})}, "makespan_cycles");
    EXPECT_THAT(sentences_of(comparison),
                Names(setup::spaced_name("makespan_cycles"), "160.00", "95.00", "-65.00", "-40.6 %",
                      "-65.00", "blocked -60.00", "compute -10.00", "switch +5.00", "0.00"));
    const auto json = comparison_json(comparison).at("points").at(0);
    EXPECT_EQ(json.at("round_trip_of"), "makespan_cycles");
    EXPECT_EQ(json.at("round_trip").at("blocked").at("second"), 0.0);
    EXPECT_EQ(json.at("round_trip").at("switch").at("first"), 0.0);
}

// The mean of five times 2653.333 differs from 2653.333 in the last bit.
TEST(ComparisonPageTest, RoundingMakesNoInterval) {
    const auto runs = [](double blocked) {
        std::vector<records::SimulationResult> all;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            all.push_back(program_run(seed, {{"compute", 7960.0 / 3.0}, {"blocked", blocked}}));
            // A small remainder of large numbers, which rounding does not explain.
            all.back().measured.metrics.front().second += 1.0 / 7.0;
        }
        return all;
    };
    const auto changed = comparison_of(runs(60.0 / 7.0), runs(10.0 / 7.0), "makespan_cycles");
    EXPECT_THAT(sentences_of(changed),
                Names(setup::spaced_name("makespan_cycles"), "2662.048 ± 0.000", "2654.905 ± 0.000",
                      "-7.143 ± 0.000", "-0.3 %", "-7.143", "blocked -7.143 ± 0.000", "0.000"));
    const auto same = comparison_of(runs(60.0 / 7.0), runs(60.0 / 7.0), "makespan_cycles");
    EXPECT_THAT(sentences_of(same), HasSubstr(", the same.\n"));
    for (const records::MachineComparison& comparison : {changed, same}) {
        EXPECT_THAT(comparison_json(comparison).dump(), Not(HasSubstr("e-")));
    }
}

TEST(ComparisonPageTest, PartsHaveTheUnitOfTheLeadingMetric) {
    const std::string text = sentences_of(comparison_of({program_run(1, {{"compute", 1000.0}})},
                                                        {program_run(1, {{"compute", 7041.0}})},
                                                        "cycles_per_operation"));
    EXPECT_THAT(text, AllOf(Names(setup::spaced_name("cycles_per_operation"), "100.0", "704.1",
                                  "+604.1", "compute +604.1"),
                            Not(HasSubstr("6041"))));
}

// The finding has the metric's own numbers; the parts have those of the metric that they sum to.
TEST(ComparisonPageTest, PartsOfAnotherMetricComeWithThatMetric) {
    auto first = program_run(1, {{"compute", 1000.0}});
    auto second = program_run(1, {{"compute", 1500.0}});
    first.measured.metrics.emplace_back("load_remote_cycles", 38.0);
    second.measured.metrics.emplace_back("load_remote_cycles", 45.0);
    EXPECT_THAT(sentences_of(comparison_of({first}, {second}, "load_remote_cycles")),
                Names(setup::spaced_name("load_remote_cycles"), "38", "45", "+7", "+18.4 %",
                      setup::spaced_name("makespan_cycles"), "1000.0", "1500.0", "+500.0",
                      "+50.0 %", "+500.0", "compute +500.0", "0.0"));
}

// As in a sparse product, round trips are only a share of the whole.
TEST(ComparisonPageTest, CyclesBeyondThePartsAreARowOfTheirOwn) {
    const auto run = [](double trip, double whole) {
        records::SimulationResult result;
        result.seed = 1;
        result.measured.round_trip = {{"request_send", trip}};
        add(result.measured.metrics, analyses::iteration_metrics().cycles_per_iteration, whole);
        analyses::add_whole(analyses::iteration_metrics().cycles_per_iteration, 0.5,
                            result.measured);
        return result;
    };
    const records::Table table = parts_table_of(
        comparison_of({run(100.0, 80.0)}, {run(140.0, 95.0)}, "cycles_per_iteration"));
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0][3].text, "+20.00");
    EXPECT_EQ(table.rows[1][0].text, setup::spaced_name("outside_of_these_parts"));
    EXPECT_EQ(table.rows[1][3].text, "-5.00");
    EXPECT_EQ(table.rows[2][3].text, "+15.00");
}

TEST(ComparisonPageTest, WhatOneMachineDoesNotMeasureIsNotCompared) {
    auto second = program_run(1, {{"compute", 90.0}});
    second.measured.metrics.clear();
    const auto comparison =
        comparison_of({program_run(1, {{"compute", 100.0}})}, {second}, "makespan_cycles");
    EXPECT_THAT(sentences_of(comparison),
                Names(setup::spaced_name("makespan_cycles"), "100", "measured"));
    const auto json = comparison_json(comparison).at("points").at(0).at("metrics");
    EXPECT_EQ(json.at("makespan_cycles").at("first"), 100.0);
    EXPECT_TRUE(json.at("makespan_cycles").at("second").is_null());
    EXPECT_TRUE(json.at("makespan_cycles").at("change").is_null());
}

// Law for any numbers: in each column the printed parts sum to the printed total. Each row's change
// is the difference of its two numbers.
TEST(ComparisonPageTest, WhatIsPrintedSums) {
    std::mt19937 random(7);
    const std::vector<std::string> names{"compute", "send", "blocked", "wait", "handler", "done"};
    for (int trial = 0; trial < 300; ++trial) {
        std::lognormal_distribution<double> cycles(trial % 12, 3.0);
        const auto runs = [&] {
            std::vector<records::SimulationResult> all;
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                records::Metrics parts;
                for (const std::string& name : names) {
                    if (random() % 4 != 0) {
                        parts.emplace_back(name, cycles(random));
                    }
                }
                parts.emplace_back("trap", cycles(random));
                all.push_back(program_run(seed, parts));
            }
            return all;
        };
        const records::Table table = parts_table_of(comparison_of(
            runs(), runs(), trial % 2 == 0 ? "makespan_cycles" : "cycles_per_operation"));
        ASSERT_GE(table.rows.size(), 2U);
        const std::size_t decimals = printed(table.rows.front()[1].text).decimals;
        for (const std::size_t column : {1U, 2U, 3U}) {
            std::int64_t sum = 0;
            for (const auto& row : table.rows) {
                EXPECT_EQ(printed(row[column].text).decimals, decimals);
                sum += &row != &table.rows.back() ? printed(row[column].text).units : 0;
                EXPECT_EQ(printed(row[2].text).units - printed(row[1].text).units,
                          printed(row[3].text).units);
                // Rounding error: one unit of the last decimal, two for a difference.
                EXPECT_NEAR(static_cast<double>(printed(row[column].text).units),
                            row[column].value.value() * std::pow(10.0, decimals),
                            column == 3 ? 2.0 : 1.0);
            }
            EXPECT_EQ(sum, printed(table.rows.back()[column].text).units) << trial;
        }
    }
}

}  // namespace
}  // namespace weir::experiments::pages
