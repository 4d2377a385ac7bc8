#include "experiments/pages/findings/sweep_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "experiments/pages/sweep_page.h"
#include "experiments/pages/testing/page_width.h"
#include "experiments/pages/text_page.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/statistics/testing/known_processes.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using statistics::testing::KnownProcess;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;

/// Axis with numeric values.
struct PlantedAxis {
    std::string column;
    std::vector<std::int64_t> values;
};

/// Crossed study with a known value at each combination of levels.
class PlantedStudy {
  public:
    using Value = std::function<double(const std::vector<double>& place, KnownProcess& process)>;

    PlantedStudy(const std::vector<PlantedAxis>& axes, int seeds, const Value& value,
                 const std::string& metric = "cycles_per_iteration", std::uint64_t stream = 1) {
        std::size_t points = 1;
        for (const PlantedAxis& axis : axes) {
            sweep_.names.push_back(
                {"table." + axis.column, axis.column, sweep_.names.size() + 1, axis.column});
            points *= axis.values.size();
        }
        KnownProcess process(stream);
        for (std::size_t number = 0; number < points; ++number) {
            records::StoredPoint point;
            point.number = static_cast<std::int64_t>(number + 1);
            point.main_metric = metric;
            std::vector<double> place;
            std::size_t rest = points;
            for (const PlantedAxis& axis : axes) {
                rest /= axis.values.size();
                const std::int64_t at = axis.values[number / rest % axis.values.size()];
                place.push_back(static_cast<double>(at));
                point.swept.emplace_back(at);
                point.values.push_back(std::to_string(at));
            }
            for (int seed = 1; seed <= seeds; ++seed) {
                const auto run = static_cast<std::int64_t>(sweep_.metrics[metric].size() + 1);
                sweep_.metrics[metric][run] = value(place, process);
                point.runs.push_back(
                    {run, static_cast<std::uint64_t>(seed), "ok", 0, false, "", ""});
            }
            sweep_.points.push_back(std::move(point));
        }
    }

    records::SweepResult& sweep() { return sweep_; }
    /// Study of the only label and metric.
    [[nodiscard]] CrossedStudy study() const {
        const SweepValues values(sweep_);
        return crossed_studies(values, sweep_.figures, {}).front();
    }
    [[nodiscard]] records::Finding finding() const {
        const SweepValues values(sweep_);
        const auto findings = sweep_findings(values, crossed_studies(values, sweep_.figures, {}));
        EXPECT_EQ(findings.size(), 1U);
        return findings.front();
    }
    [[nodiscard]] std::vector<std::string> sentences() const { return finding().sentences; }

  private:
    records::SweepResult sweep_;
};

/// Number of studies with a sentence that has this begin and word, among kStudies that differ by
/// chance alone. With 95 % intervals, about one in twenty has a false effect.
constexpr int kStudies = 20;
constexpr int kMostFalse = 5;  // exceeded in three of 10,000 cases
int studies_that_tell(const std::string& begin, const std::string& word,
                      const std::vector<PlantedAxis>& axes, int seeds,
                      const PlantedStudy::Value& value) {
    int count = 0;
    for (std::uint64_t stream = 1; stream <= kStudies; ++stream) {
        const std::vector<std::string> sentences =
            PlantedStudy(axes, seeds, value, "cycles_per_iteration", stream).sentences();
        count += std::any_of(sentences.begin(), sentences.end(),
                             [&](const std::string& sentence) {
                                 return sentence.starts_with(begin) &&
                                        sentence.find(word) != std::string::npos;
                             })
                     ? 1
                     : 0;
    }
    return count;
}

const PlantedAxis kHops{"hop_cycles", {1, 2, 3}};
const PlantedAxis kQueue{"queue_bytes", {64, 256}};
const std::string kHopsText = setup::spaced_name("hop_cycles");
const std::string kQueueText = setup::spaced_name("queue_bytes");
const std::string kCyclesText = setup::spaced_name("cycles_per_iteration");

// Variances: hops 100 * 2 / 3, noise 1.
double by_hops(const std::vector<double>& place, KnownProcess& process) {
    return 500.0 + 10.0 * place[0] + process.normal();
}

TEST(SweepFindingsTest, AParameterThatMattersAndOneThatDoesNotAreToldApart) {
    const PlantedStudy planted({kHops, kQueue}, 5, by_hops);
    const CrossedStudy study = planted.study();
    ASSERT_TRUE(study.shares);
    const statistics::VarianceShare& hops = study.shares->main_effects[0];
    const double truth = (200.0 / 3.0) / (200.0 / 3.0 + 1.0);
    EXPECT_LE(hops.interval->least, truth);
    EXPECT_GE(hops.interval->most, truth);
    const std::vector<std::string> sentences = planted.sentences();
    EXPECT_THAT(sentences[0], AllOf(StartsWith(kHopsText + ": 9"), HasSubstr(" %); mean 5"),
                                    HasSubstr(" at 1 to 5"), HasSubstr(" at 3.")));
    EXPECT_GE(studies_that_tell(kQueueText + ": ", "effect", {kHops, kQueue}, 5, by_hops),
              kStudies - kMostFalse);
    EXPECT_EQ(studies_that_tell(kHopsText + ": 9", "", {kHops, kQueue}, 5, by_hops), kStudies);
    EXPECT_THAT(planted.finding().about, Names("variance", kCyclesText, "95 %"));
}

TEST(SweepFindingsTest, AnInteractionIsToldByWhatItChanges) {
    // Values are halved where hops take 1 cycle, and a tenth higher where they take 3.
    const auto value = [](const std::vector<double>& place, KnownProcess& /*process*/) {
        const double factor = place[1] == 64 ? 1.0 : -0.1 + 0.6 * (place[0] - 1) / 2.0 + 0.6;
        return 100.0 * factor;
    };
    const PlantedStudy planted({kHops, kQueue}, 2, value);
    EXPECT_THAT(planted.sentences(),
                Contains(AllOf(StartsWith(kHopsText + " × " + kQueueText + ": "),
                               Names("256", "64", "-50.0 %", kHopsText + " = 1", "+10.0 %",
                                     kHopsText + " = 3"))));
    EXPECT_EQ(effect_figures(planted.study()).size(), 2U);
}

// A small share beside a much stronger parameter: the sentence still gives the change.
TEST(SweepFindingsTest, AParameterOfLittleShareIsToldByWhatItChanges) {
    const PlantedStudy planted({kHops, kQueue}, 2,
                               [](const std::vector<double>& place, KnownProcess& /*process*/) {
                                   return 100.0 * place[0] + (place[1] == 64 ? 4.0 : 0.0);
                               });
    EXPECT_THAT(planted.sentences(),
                Contains(AllOf(StartsWith(kQueueText + ": "),
                               Names("little", "0.1 %", "0.1", "0.1 %", "256", "64", "-3.8 %",
                                     kHopsText + " = 1", "-1.3 %", kHopsText + " = 3"))));
}

TEST(SweepFindingsTest, AParameterThatOnlyMattersWithAnotherIsToldSo) {
    const auto value = [](const std::vector<double>& place, KnownProcess& process) {
        return 100.0 + (place[0] - 2.0) * (place[1] == 64 ? 10.0 : -10.0) + 0.1 * process.normal();
    };
    const PlantedStudy planted({kHops, kQueue}, 4, value);
    EXPECT_THAT(planted.sentences().front(),
                StartsWith(kHopsText + " × " + kQueueText + ": 100.0 %"));
    EXPECT_THAT(planted.sentences(),
                Contains(AllOf(StartsWith(kQueueText + ": "), Names("itself", "0.1 %"))));
}

TEST(SweepFindingsTest, NoiseIsNoFinding) {
    const auto value = [](const std::vector<double>& /*place*/, KnownProcess& process) {
        return 100.0 + process.normal();
    };
    for (const auto& [begin, word] :
         {std::pair(kHopsText + ": ", "effect"), std::pair(kQueueText + ": ", "effect"),
          std::pair(std::string("Does "), "seeds ")}) {
        EXPECT_GE(studies_that_tell(begin, word, {kHops, kQueue}, 3, value), kStudies - kMostFalse)
            << begin;
    }
}

TEST(SweepFindingsTest, BestAndWorstHaveTheirPlacesAndIntervals) {
    const auto value = [](const std::vector<double>& place, KnownProcess& process) {
        return 10.0 * place[0] + (place[1] == 64 ? 2.0 : 0.0) + 1e-3 * process.normal();
    };
    const PlantedStudy planted({kHops, kQueue}, 3, value);
    EXPECT_THAT(
        planted.sentences(),
        Contains(AllOf(AnyOf(StartsWith("Best: 10 "), StartsWith("Best: 9.999 ")), HasSubstr(" ± "),
                       Names(kCyclesText, kHopsText + " = 1", kQueueText + " = 256"))));
    EXPECT_THAT(
        planted.sentences(),
        Contains(AllOf(StartsWith("Worst: 32"),
                       Names(kCyclesText, "3.2", kHopsText + " = 3", kQueueText + " = 64"))));
    // For a rate the greatest value is best; a difference by chance makes points equal.
    const PlantedStudy rate(
        {kHops, kQueue}, 3,
        [](const std::vector<double>& place, KnownProcess& process) {
            return place[0] + 1e-3 * process.normal();
        },
        "accepted_load");
    EXPECT_THAT(rate.sentences(), Contains(AllOf(StartsWith("Best: 3"), Names("1 other"))));
    // The unit of a ratio does not tell which direction is better.
    const PlantedStudy ratio(
        {kHops}, 1,
        [](const std::vector<double>& place, KnownProcess& /*process*/) { return place[0]; },
        "slowdown");
    EXPECT_THAT(ratio.sentences(), Contains(Names("Least", "1", "slowdown", kHopsText + " = 1")));
}

TEST(SweepFindingsTest, OneParameterAndOneSeedAreSaidToBeSo) {
    const PlantedStudy planted(
        {kHops}, 1,
        [](const std::vector<double>& place, KnownProcess& /*process*/) { return 9 + place[0]; });
    EXPECT_THAT(planted.finding().about, HasSubstr("without"));
    EXPECT_THAT(planted.sentences(),
                ElementsAre(Names(kHopsText, "100.0 %", "10", "1", "11", "2", "12", "3"),
                            Names("Best", "10", kCyclesText, kHopsText + " = 1"),
                            Names("Worst", "12", kCyclesText, "1.2", kHopsText + " = 3")));
    EXPECT_TRUE(effect_figures(planted.study()).empty());
}

TEST(SweepFindingsTest, WhatIsEqualEverywhereIsToldInOneSentence) {
    const PlantedStudy planted(
        {kHops, kQueue}, 2,
        [](const std::vector<double>& /*place*/, KnownProcess& /*process*/) { return 7.0; });
    EXPECT_THAT(planted.sentences(), ElementsAre(Names("effect", "7 ± 0", "6 points")));
}

TEST(SweepFindingsTest, LargeFactorsAreComparedByTheirLogarithms) {
    // Times ten for each hop, times two for the queue. Variances of logarithms: 2 / 3 * ln(10)^2
    // and ln(2)^2 / 4.
    const PlantedStudy planted({kHops, kQueue}, 2,
                               [](const std::vector<double>& place, KnownProcess& /*process*/) {
                                   return std::pow(10.0, place[0]) * (place[1] == 64 ? 1.0 : 2.0);
                               });
    EXPECT_THAT(planted.finding().about, HasSubstr("logarithm"));
    const double hops = 2.0 / 3.0 * std::pow(std::log(10.0), 2);
    const double queue = std::pow(std::log(2.0), 2) / 4.0;
    EXPECT_NEAR(planted.study().shares->main_effects[1].share, queue / (hops + queue), 1e-9);
    EXPECT_NEAR(planted.study().shares->interactions[0].share, 0.0, 1e-9);
}

TEST(SweepFindingsTest, RunsThatDidNotEndWellAreToldWithWhatTheyShare) {
    PlantedStudy planted({kHops, kQueue}, 2, by_hops);
    for (records::StoredPoint& point : planted.sweep().points) {
        if (point.values[1] == "64" && point.values[0] != "1") {
            point.runs[0].status = "deadlocked";
            planted.sweep().metrics["cycles_per_iteration"].erase(point.runs[0].run_id);
        }
    }
    EXPECT_THAT(planted.sentences(), Contains(Names("fit", "12 runs", "2 deadlocked", "2 points",
                                                    kQueueText + " = 64")));
}

TEST(SweepFindingsTest, WhatIsNotCrossedIsSaid) {
    PlantedStudy planted({{"hop_cycles", {1, 2, 3, 4}}, {"nodes", {8, 16, 32}}}, 2, by_hops);
    std::erase_if(planted.sweep().points, [](const records::StoredPoint& point) {
        return point.values[1] == "32" && point.values[0] != "1";
    });
    EXPECT_THAT(planted.sentences(), Contains(Names("crossed", "9", "12", "8", "nodes = 32")));
    EXPECT_EQ(planted.study().effects().size(), 3U);
    // The best point may lie outside of the crossed part.
    EXPECT_THAT(planted.sentences(), Contains(AllOf(StartsWith("Best"), HasSubstr("= 1"))));
    PlantedStudy diagonal({kHops, {"nodes", {8, 16, 32}}}, 2, by_hops);
    std::erase_if(diagonal.sweep().points, [](const records::StoredPoint& point) {
        return point.values != std::vector<std::string>{"1", "8"} &&
               point.values != std::vector<std::string>{"2", "16"};
    });
    EXPECT_THAT(diagonal.sentences(), Contains(Names("crossed", "2", "4", "shares")));
}

TEST(SweepFindingsTest, ModelsThatDoNotFitAreToldWithTheirFarthestPoint) {
    PlantedStudy planted({kHops}, 1,
                         [](const std::vector<double>& place, KnownProcess& /*process*/) {
                             return 100.0 * place[0];
                         });
    records::SweepResult& sweep = planted.sweep();
    const std::string metric = "cycles_per_iteration";
    sweep.models[metric] = {"logp", "lopc", "logpc"};
    for (const auto& [run, value] : sweep.metrics[metric]) {
        const double far = run == 3 ? 0.5 : 0.9;
        sweep.metrics["logp." + metric][run] = far * value;
        sweep.metrics["logpc." + metric][run] = far * value;
        sweep.metrics["lopc." + metric][run] = 1.02 * value;
    }
    EXPECT_THAT(
        planted.sentences(),
        AllOf(Contains(Names("fit", "logp", "logpc", "-50.0", "-10.0 %", kHopsText + " = 3")),
              Contains(Names("Models", "lopc", "+2.0", "+2.0 %", "3 points"))));
}

// Programs are not an effect: each label has its own finding.
TEST(SweepFindingsTest, LabelsAreToldOneByOne) {
    PlantedStudy planted({kHops, kQueue}, 3, by_hops);
    for (std::size_t i = 0; i < planted.sweep().points.size(); ++i) {
        planted.sweep().points[i].label = i % 2 == 0 ? "LU" : "FFT";
    }
    const SweepValues values(planted.sweep());
    const auto findings = sweep_findings(values, crossed_studies(values, {}, {}));
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_THAT(findings[0].about, AllOf(StartsWith("LU: "), HasSubstr(kCyclesText)));
    EXPECT_THAT(findings[1].about, StartsWith("FFT: "));
}

TEST(SweepFindingsTest, AxesOneAtATimeAreRankedByWhatTheyChange) {
    PlantedStudy planted({kHops, kQueue}, 3, by_hops);
    records::SweepResult& sweep = planted.sweep();
    sweep.design = records::SweepDesign::kOneAtATime;
    std::erase_if(sweep.points, [](const records::StoredPoint& point) {
        return point.values[0] != "1" && point.values[1] != "64";
    });
    for (records::StoredPoint& point : sweep.points) {
        if (point.values[0] != "1") {
            point.varied_axis = 1;
        } else if (point.values[1] != "64") {
            point.varied_axis = 2;
        }
    }
    const SweepValues values(sweep);
    const auto findings = sweep_findings(values, {});
    ASSERT_EQ(findings.size(), 1U);
    ASSERT_EQ(findings[0].sentences.size(), 2U);
    EXPECT_THAT(findings[0].sentences[0], AllOf(StartsWith(kHopsText + ": +"),
                                                HasSubstr(" % at 2 to +"), HasSubstr(" % at 3.")));
    EXPECT_THAT(findings[0].sentences[1], Names("effect", kQueueText));
}

TEST(SweepFindingsTest, AxesOneAtATimeAreToldOfEachLabelAndOfAll) {
    PlantedStudy planted({kHops, kQueue}, 3, [](const std::vector<double>& place, KnownProcess&) {
        return 100.0 + 10.0 * (place[0] - 1.0) - (place[1] == 256.0 ? 5.0 : 0.0);
    });
    records::SweepResult& sweep = planted.sweep();
    sweep.design = records::SweepDesign::kOneAtATime;
    std::erase_if(sweep.points, [](const records::StoredPoint& point) {
        return point.values[0] != "1" && point.values[1] != "64";
    });
    for (records::StoredPoint& point : sweep.points) {
        point.label = "LU";
        if (point.values[0] != "1") {
            point.varied_axis = 1;
        } else if (point.values[1] != "64") {
            point.varied_axis = 2;
        }
    }
    // Another label whose points are all equal.
    std::vector<records::StoredPoint> flat(sweep.points.size(), sweep.points.front());
    for (std::size_t i = 0; i < flat.size(); ++i) {
        flat[i].label = "FFT";
        flat[i].values = sweep.points[i].values;
        flat[i].swept = sweep.points[i].swept;
        flat[i].varied_axis = sweep.points[i].varied_axis;
    }
    sweep.points.insert(sweep.points.end(), flat.begin(), flat.end());
    const auto findings = sweep_findings(SweepValues(sweep), {});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(
        findings[0].sentences,
        ElementsAre(Names(kHopsText, "1", "2", "LU"), Names(kHopsText, "+20.0 ± 0.0 %", "3", "LU"),
                    Names(kQueueText, "-5.0 ± 0.0 %", "256", "LU"),
                    Names("LU", kHopsText, "+10.0 ± 0.0 %", "2", "+20.0 ± 0.0 %", "3", kQueueText,
                          "-5.0 ± 0.0 %", "256"),
                    Names("FFT", "effect", "0.1 %", kQueueText, kHopsText)));
}

TEST(SweepFindingsTest, FiguresOfChangesAreSaid) {
    PlantedStudy planted({kHops, kQueue}, 5,
                         [](const std::vector<double>& place, KnownProcess& process) {
                             return 500.0 - (place[1] == 256.0 ? 50.0 * (place[0] - 1.0) : 0.0) +
                                    0.1 * process.normal();
                         });
    records::FigureChoice choice;
    choice.x = "hop_cycles";
    choice.series = {"queue_bytes"};
    choice.against_column = "queue_bytes";
    choice.against_value = "64";
    choice.title = "A larger queue";
    choice.points = {0, 1, 2, 3, 4, 5};
    const SweepValues values(planted.sweep());
    const auto findings = change_findings(values, {choice});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(findings[0].about, Names("A larger queue", kQueueText + " = 64"));
    ASSERT_EQ(findings[0].sentences.size(), 1U);
    EXPECT_THAT(findings[0].sentences[0],
                AllOf(StartsWith(kQueueText + " = 256: -10.0 ± 0."),
                      Names(kHopsText + " = 2", "-20.0 ± 0.", kHopsText + " = 3", "0", "0.",
                            kHopsText + " = 1")));
    choice.kind = records::FigureChoice::Kind::kBars;
    EXPECT_EQ(change_findings(values, {choice})[0].sentences, findings[0].sentences);
    choice.against_column = "";
    EXPECT_THAT(change_findings(values, {choice}), ::testing::IsEmpty());
}

TEST(SweepFindingsTest, ThePageBeginsWithThemAndFitsATerminal) {
    PlantedStudy planted({kHops, kQueue}, 3, by_hops);
    planted.sweep().title = "A study";
    planted.sweep().file = "study.toml";
    planted.sweep().digest = "0123";
    planted.sweep().weir_version = "0.1.0";
    planted.sweep().planned_runs = 20;
    const records::Document document = sweep_document(planted.sweep());
    const std::string page = text_page(document);
    expect_fits_the_page(page);
    EXPECT_THAT(page, Names("finished", "18", "20"));
    EXPECT_LT(page.find("- " + kHopsText + ": "), page.find("0123"));
    EXPECT_EQ(document.sections.front().title, "What matters");
    // A requested metric other than the kernel's has its own sentences.
    planted.sweep().metrics["blocked_cycles"] = planted.sweep().metrics["cycles_per_iteration"];
    EXPECT_THAT(text_page(sweep_document(planted.sweep(), {"blocked_cycles"})),
                HasSubstr(setup::spaced_name("blocked_cycles")));
}

TEST(SweepFindingsTest, PointsWithoutTheMainMetricAreListedWithThatOfTheFigures) {
    PlantedStudy planted({kHops}, 2, by_hops, "accepted_load");
    for (records::StoredPoint& point : planted.sweep().points) {
        point.main_metric = "packet_latency_cycles";
    }
    records::FigureChoice choice;
    choice.metrics = {"accepted_load"};
    choice.points = {0, 1, 2};
    planted.sweep().figures = {choice};
    const std::string page = text_page(sweep_document(planted.sweep()));
    const std::string points = page.substr(page.find("All points"));
    EXPECT_THAT(points, AllOf(HasSubstr(setup::spaced_name("accepted_load")), HasSubstr("  511.3"),
                              HasSubstr("  521.2")));
    EXPECT_THAT(points, Not(HasSubstr(setup::spaced_name("packet_latency"))));
}

TEST(SweepFindingsTest, MainEffectsShareOneFigureInTheOrderOfWhatMatters) {
    const PlantedStudy planted({kQueue, kHops}, 3,
                               [](const std::vector<double>& place, KnownProcess& process) {
                                   return 500.0 + 10.0 * place[1] + process.normal();
                               });
    const auto figures = effect_figures(planted.study());
    ASSERT_EQ(figures.size(), 1U);
    const auto& chart = std::get<records::PanelChart>(figures.front().chart);
    ASSERT_EQ(chart.panels.size(), 2U);
    EXPECT_EQ(chart.panels[0].x_label, kHopsText);
    EXPECT_EQ(chart.panels[0].places.size(), 3U);
    EXPECT_TRUE(chart.panels[0].points[0].half_width);
    EXPECT_THAT(chart.panels[1].title, HasSubstr("effect"));
}

}  // namespace
}  // namespace weir::experiments::pages
