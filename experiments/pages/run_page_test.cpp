#include "experiments/pages/run_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "experiments/pages/run_figures.h"
#include "experiments/pages/testing/page_width.h"
#include "experiments/pages/text_page.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using weir::testing::Names;

// Every experiment of the repository prints a page of 80 columns. Runs are shortened, since the
// layout does not depend on their length.
class PageTest : public ProgramTest {
  protected:
    void expect_page(const std::string& experiment, const Arguments& shorter) const {
        Arguments arguments{"run", std::string(WEIR_EXPERIMENTS) + "/" + experiment};
        for (const std::string& option : shorter) {
            arguments.insert(arguments.end(), {"--set", option});
        }
        expect_fits_the_page(output_of(arguments));
    }
};

TEST_F(PageTest, Table1Ping) { expect_page("logpc/table1-ping.toml", {}); }

TEST_F(PageTest, Flood) { expect_page("logpc/flood.toml", {"workload.messages=20"}); }

TEST_F(PageTest, SyncRemap) {
    expect_page("logpc/sync-remap.toml",
                {"workload.iterations=5", "run.warmup_cycles=0", "run.seeds=[1, 2]"});
}

TEST_F(PageTest, Spmv) {
    expect_page("lopc/spmv.toml", {"workload.rows=200", "workload.nonzeros=2000",
                                   "run.warmup_cycles=0", "run.seeds=[1, 2]"});
}

TEST_F(PageTest, SpmvWithCaches) {
    expect_page("lopc/figure8-spmv.toml", {"workload.rows=200", "workload.nonzeros=2000",
                                           "run.warmup_cycles=0", "run.seeds=[1]"});
}

TEST_F(PageTest, SpmvRows) {
    expect_page("lopc/spmv-rows.toml", {"workload.rows=200", "workload.nonzeros=2000",
                                        "run.warmup_cycles=0", "run.seeds=[1]"});
}

TEST_F(PageTest, FftOnACm5) {
    expect_page("logp/figure6-8-cm5.toml",
                {"machine.nodes=16", "network.dimensions=[16]", "workload.points=256"});
}

TEST_F(PageTest, Em3dByPolling) {
    expect_page("logpc/em3d.toml", {"workload.iterations=1", "workload.graph_nodes=320"});
}

TEST_F(PageTest, Lu) {
    for (const char* experiment : {"logp/section4-2-lu.toml", "logp/lu.toml"}) {
        expect_page(experiment, {"workload.rows=16"});
    }
}

TEST_F(PageTest, PointerChase) {
    for (const char* experiment : {"lopc/multi-hop.toml", "lopc/pointer-chase.toml"}) {
        expect_page(experiment, {"workload.requests=5", "run.warmup_cycles=0", "run.seeds=[1, 2]"});
    }
}

TEST_F(PageTest, HotSpot) {
    for (const char* experiment : {"logpc/hot-spot.toml", "logpc/hot-spot-long.toml"}) {
        expect_page(experiment, {"workload.records=3"});
    }
}

TEST_F(PageTest, ProducerConsumer) {
    for (const char* experiment :
         {"logpc/producer-consumer.toml", "logpc/producer-consumer-long.toml"}) {
        expect_page(experiment, {"workload.records=3"});
    }
}

TEST_F(PageTest, Table2Body) { expect_page("logpc/table2-body.toml", {"workload.pairs=one"}); }

TEST_F(PageTest, LoadCurve) {
    expect_page("networks/load-curve.toml",
                {"traffic.warm_up_cycles=100", "traffic.measurement_cycles=500"});
}

TEST_F(PageTest, Patterns) {
    expect_page("networks/patterns.toml",
                {"traffic.warm_up_cycles=100", "traffic.measurement_cycles=500"});
}

TEST_F(PageTest, Agarwal) {
    expect_page("networks/agarwal.toml",
                {"traffic.warm_up_cycles=100", "traffic.measurement_cycles=500"});
}

TEST_F(PageTest, Referee) {
    for (const char* experiment : {"networks/referee.toml", "networks/referee-patterns.toml",
                                   "networks/referee-networks.toml"}) {
        expect_page(experiment, {"traffic.warm_up_cycles=100", "traffic.measurement_cycles=500",
                                 "traffic.drain_cycles=500", "run.seeds=[1, 2]"});
    }
}

TEST_F(PageTest, Figure3Queue) { expect_page("logpc/figure3-queue.toml", {}); }

TEST_F(PageTest, Figure4And5Bandwidth) { expect_page("logpc/figure4-5-bandwidth.toml", {}); }

TEST_F(PageTest, Figure6LongRemap) {
    expect_page("logpc/figure6-long-remap.toml",
                {"workload.body_bytes=256", "workload.iterations=20", "run.seeds=[1]",
                 "run.warmup_cycles=0"});
}

TEST_F(PageTest, Figure9DiamondDag) {
    expect_page("logpc/figure9-diamond-dag.toml",
                {"workload.tasks_per_side=32", "workload.blocks=2", "workload.message_bytes=256"});
}

TEST_F(PageTest, OverflowTrap) { expect_page("logpc/overflow-trap.toml", {}); }

records::PointResult hand_made_point(const std::string& label) {
    records::PointResult point;
    point.label = label;
    point.seeds = {1, 2};
    point.cycles = {1'000'000, 2'000'000};
    point.measured = {{"cycles_per_iteration", 400.0, 2.5}, {"latency_cycles", 21.0, std::nullopt}};
    point.round_trip = {{"compute", 100.0}, {"request_send", 15.0}, {"reply_handler", 285.0}};
    point.predictions = {
        {"logp", {{"cycles_per_iteration", 300.0}}, {{"latency_cycles", 21.0}}, ""},
        {"logpc", {}, {}, "2 nodes"}};
    return point;
}

records::ExperimentResult hand_made_result() {
    records::ExperimentResult result;
    result.title = "A title";
    result.kernel = "remap";
    result.leading_metric = "cycles_per_iteration";
    result.warmup_cycles = 500;
    result.folder = "runs/a-001";
    result.points = {hand_made_point("base")};
    return result;
}

// The page with single blanks between words, so that text is found whatever its columns.
std::string page_of(const records::ExperimentResult& result) {
    const std::string page = text_page(result);
    expect_fits_the_page(page);
    return words_of(page);
}

TEST(RunPageTest, MeasuredStandsBesidePredictedAndPublished) {
    records::ExperimentResult result = hand_made_result();
    result.points[0].published = {{"cycles_per_iteration", 500.0, "LoGPC Table 4", "", {}, {}}};
    const std::string page = page_of(result);
    for (const char* text :
         {"kernel remap", "2 of 1 point, 3.0 million cycles", "cycle 500",
          " measured 400 ± 2.5 – logp 300 -25.0 % logpc – – published 500 +25.0 % ", " 2 nodes ",
          " 500 400 ± 2.5 -20.0 % – open ", " sum 400 ", " results are in runs/a-001 "}) {
        EXPECT_THAT(page, HasSubstr(text));
    }
}

TEST(RunPageTest, PublishedValuesOfOtherMetricsStandBesideTheirSource) {
    records::ExperimentResult result = hand_made_result();
    result.points[0].published = {{"latency_cycles", 20.0, "LoGPC Table 1", "", {}, {}},
                                  {"handler_cycles",
                                   145.0,
                                   "a paper with a title that alone is nearly as long as the page, "
                                   "Section 4.5, Table 12",
                                   "",
                                   {},
                                   {}}};
    const std::string page = page_of(result);
    EXPECT_THAT(page,
                HasSubstr(" " + setup::spaced_name("latency_cycles") + " 20 21 +5.0 % – open "));
    EXPECT_THAT(page, Names("145", "measured"));
}

// One figure for the main metric, and one panel for all other metrics that a model predicts.
TEST(RunPageTest, OnePanelHasWhatElseWasMeasuredOfAPoint) {
    records::ExperimentResult result = hand_made_result();
    records::PointResult& point = result.points[0];
    point.measured.push_back({"request_queueing_cycles", 60.0, 1.0});
    point.measured.push_back({"blocked_cycles", 7.0, std::nullopt});  // no model predicts it
    point.predictions.push_back(
        {"lopc", {{"cycles_per_iteration", 450.0}, {"request_queueing_cycles", 66.0}}, {}, ""});
    point.predictions.push_back({"md1", {{"latency_cycles", 22.0}}, {}, ""});
    const std::vector<records::Figure> figures = metric_figures(result);
    ASSERT_EQ(figures.size(), 2U);
    const auto& leading = std::get<records::DotChart>(figures[0].chart);
    EXPECT_THAT(leading.categories, ElementsAre("measured", "logp", "lopc"));
    const auto& others = std::get<records::DotChart>(figures[1].chart);
    EXPECT_THAT(others.title, EndsWith(", cycles"));
    EXPECT_THAT(others.categories,
                UnorderedElementsAre("latency", setup::spaced_name("request_queueing")));
    ASSERT_EQ(others.series.size(), 3U);  // logp predicts neither of these two
    EXPECT_EQ(others.series[0].dots.size(), 2U);
    EXPECT_EQ(others.series[1].dots.size() + others.series[2].dots.size(), 2U);
}

TEST(RunPageTest, EveryPointAndModelIsShown) {
    records::ExperimentResult result = hand_made_result();
    result.points = {hand_made_point("P = 2"),
                     hand_made_point("network.dimensions = [2, 2], network.hop_cycles = 1, "
                                     "controller.notify_cycles = 10")};
    for (records::PointResult& point : result.points) {
        for (const char* model : {"lopc_rule_of_thumb", "lopc_rule_of_thumb_given", "lopc"}) {
            point.predictions.push_back({model, {{"cycles_per_iteration", 12345.6}}, {}, ""});
        }
    }
    const std::string page = page_of(result);
    for (const char* text : {"P = 2 400 ± 2.5 300 -25.0 % ", "network.dimensions = [2, 2]", "logpc",
                             "lopc_rule_of_thumb_given", "12346"}) {
        EXPECT_THAT(page, HasSubstr(text));
    }
}

TEST(RunPageTest, LongNamesAndNumbersKeepThePage) {
    records::ExperimentResult result = hand_made_result();
    result.title = std::string(30, 'x') + " " + std::string(60, 'y');
    result.points[0].measured.push_back(
        {"lopc_rule_of_thumb_given_over_measured_percent", 1e8, 1e7});
    result.sensitivity = {
        {"a thing with a name that goes on and on until it is longer than the "
         "page of eighty columns is wide",
         {hand_made_point("a variant whose label is longer than its column too")}}};
    EXPECT_THAT(page_of(result), HasSubstr(" 400 ± 2.5 +0.0 % "));
}

TEST(RunPageTest, OneDocumentHasWhatATerminalAndABrowserShow) {
    const records::Document document = run_document(hand_made_result());
    EXPECT_THAT(text_page(document), HasSubstr("All metrics"));
    EXPECT_THAT(text_page(document), Not(HasSubstr("Configuration")));
    EXPECT_THAT(document.sections, Contains(Field(&records::Section::title, "Configuration")));
}

}  // namespace
}  // namespace weir::experiments::pages
