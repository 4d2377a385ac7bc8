#include "experiments/running/sweeps/plan/figure_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/testing/sweep_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::Names;

class FigureChoiceTest : public SweepTest {
  protected:
    static constexpr const char* kAxes =
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2, 4]\n"
        "[[sweep.axis]]\nnetwork.topology = [\"mesh\", \"torus\"]\n";

    [[nodiscard]] SweepPlan plan_with(const std::string& figure) const {
        return plan(kAxes + ("[[sweep.figure]]\n" + figure));
    }
    [[nodiscard]] std::string refused(const std::string& figure) const {
        return fault_of([&] { static_cast<void>(plan_with(figure)); });
    }
};

TEST_F(FigureChoiceTest, IsKeptInTheDatabase) {
    const SweepPlan study = plan_with(
        "kind = \"lines\"\nmetric = [\"cycles_per_iteration\", \"lopc.cycles_per_iteration\"]\n"
        "x = \"network.hop_cycles\"\nseries = [\"topology\"]\nwhere = \"hop_cycles > 1\"\n"
        "x_scale = \"linear\"\ny_scale = \"logarithmic\"\ntitle = \"T\"\ncaption = \"C\"\n"
        "against = { topology = \"mesh\" }\n");
    static_cast<void>(SweepDatabase::create(file("a.db"), file("a.new"), study));
    const SweepDatabase database =
        SweepDatabase::open(file("a.db"), SweepConnection::Access::kRead);
    ASSERT_EQ(database.figures().size(), 1U);
    const std::vector<FigureChoice> figures = database.figures();
    const FigureChoice& figure = figures.front();
    EXPECT_EQ(figure.kind, FigureChoice::Kind::kLines);
    EXPECT_THAT(figure.metrics, ElementsAre("cycles_per_iteration", "lopc.cycles_per_iteration"));
    EXPECT_EQ(figure.x, "hop_cycles");
    EXPECT_THAT(figure.series, ElementsAre("topology"));
    EXPECT_EQ(figure.where, "hop_cycles > 1");
    EXPECT_EQ(figure.against_column, "topology");
    EXPECT_EQ(figure.against_value, "mesh");
    EXPECT_EQ(figure.x_is_logarithmic, false);
    EXPECT_TRUE(figure.y_is_logarithmic);
    EXPECT_EQ(figure.title, "T");
    EXPECT_EQ(figure.caption, "C");
}

TEST_F(FigureChoiceTest, AFileWithoutFiguresHasNone) {
    static_cast<void>(SweepDatabase::create(file("a.db"), file("a.new"), plan(kAxes)));
    EXPECT_TRUE(
        SweepDatabase::open(file("a.db"), SweepConnection::Access::kRead).figures().empty());
}

TEST_F(FigureChoiceTest, WhatIsNotUnderstoodIsRefusedBeforeAnythingRuns) {
    EXPECT_THAT(refused("title = \"T\"\n"), Names("kind", "lines", "bars", "stacked", "tornado"));
    EXPECT_THAT(refused("kind = \"line\"\n"), Names("\"line\"", "\"lines\"", "\"bars\"",
                                                    "\"stacked\"", "\"tornado\"", "\"lines\""));
    EXPECT_THAT(refused("kind = \"bars\"\nserie = \"topology\"\n"),
                Names("\"serie\"", "\"series\""));
    EXPECT_THAT(refused("kind = \"bars\"\nmetric = \"cycles_per_iteratio\"\n"),
                Names("cycles_per_iteratio", "cycles_per_iteration"));
    EXPECT_THAT(refused("kind = \"bars\"\nmetric = \"lopcc.cycles_per_iteration\"\n"),
                Names("\"lopcc\"", "\"lopc\""));
    EXPECT_THAT(refused("kind = \"lines\"\nx = \"hops\"\n"), Names("\"hops\"", "hop_cycles"));
    EXPECT_THAT(refused("kind = \"lines\"\nx = \"topology\"\n"),
                Names("topology", "mesh", "numbers"));
    EXPECT_THAT(refused("kind = \"lines\"\nwhere = \"hop_cycles > 9\"\n"),
                Names("point", "condition"));
    EXPECT_THAT(refused("kind = \"lines\"\nwhere = \"hop_cycle > 1\"\n"), HasSubstr("hop_cycle"));
    EXPECT_THAT(refused("kind = \"lines\"\nx_scale = \"log\"\n"),
                HasSubstr("accepted: \"linear\" or \"logarithmic\""));
    EXPECT_THAT(refused("kind = \"bars\"\nagainst = \"mesh\"\n"),
                Names("against", "\"mesh\"", "{ topology = \"mesh\" }"));
    EXPECT_THAT(refused("kind = \"bars\"\nagainst = { hops = 1 }\n"),
                Names("\"hops\"", "hop_cycles"));
    EXPECT_THAT(refused("kind = \"bars\"\nagainst = { hop_cycles = 9 }\n"),
                Names("hop_cycles = 9", "\"1\"", "\"2\""));
    EXPECT_THAT(refused("kind = \"stacked\"\nagainst = { hop_cycles = 1 }\n"),
                Names("lines", "bars", "against", "\"lines\"", "\"bars\"", "against"));
    EXPECT_THAT(refused("kind = \"tornado\"\n"), Names("tornado", "\"one-at-a-time\""));
    EXPECT_THAT(refused("kind = \"bars\"\nx = \"hop_cycles\"\nseries = [\"hop_cycles\"]\n"),
                Names("1", "2", "x", "series"));
}

}  // namespace
}  // namespace weir::experiments::running
