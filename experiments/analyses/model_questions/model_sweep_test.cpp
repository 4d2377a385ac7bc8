#include "experiments/analyses/model_questions/model_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/testing/fault_text.h"
#include "experiments/analyses/testing/workshop_inputs.h"
#include "experiments/analyses/testing/workshop_model.h"
#include "hw/testing/names.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;
using weir::testing::Names;

class ModelSweepTest : public WorkshopInputsTest {
  protected:
    ModelSweepTest() {
        inputs_.set("customers=3");
        inputs_.set("handler_cycles=100");
    }

    [[nodiscard]] SweepAxis axis(const std::string& option) const {
        return parse_sweep_option(option, inputs_);
    }
    [[nodiscard]] std::vector<double> values(const std::string& sweep) const {
        return axis("work_cycles=" + sweep).values;
    }
    [[nodiscard]] std::string refused(const std::string& option) const {
        return fault_of([&] { static_cast<void>(axis(option)); });
    }
    [[nodiscard]] ModelSweep solved(const std::vector<std::string>& options) {
        std::vector<SweepAxis> axes;
        for (const std::string& option : options) {
            axes.push_back(axis(option));
        }
        return solve_sweep(model_, std::move(axes), shown_in_sweep(model_, {}));
    }
};

TEST_F(ModelSweepTest, StepsIncludeBothEnds) {
    EXPECT_THAT(values("0:400:100"), ElementsAre(0, 100, 200, 300, 400));
    EXPECT_THAT(values("0:10:4"), ElementsAre(0, 4, 8));
    EXPECT_THAT(values("5:5:1"), ElementsAre(5));
    EXPECT_THAT(values("10:0:-5"), ElementsAre(10, 5, 0));
}

TEST_F(ModelSweepTest, StepsHitDecimals) {
    EXPECT_THAT(values("0:1:0.1"), ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1));
    const std::vector<double> many = values("1000:1001:0.001");
    EXPECT_EQ(many.size(), 1001U);
    EXPECT_EQ(many[7], 1000.007);
}

TEST_F(ModelSweepTest, AFactorIncludesBothEnds) {
    EXPECT_THAT(values("1:1000:x10"), ElementsAre(1, 10, 100, 1000));
    EXPECT_THAT(values("2:100:x2"), ElementsAre(2, 4, 8, 16, 32, 64));
    EXPECT_THAT(values("8:1:x0.5"), ElementsAre(8, 4, 2, 1));
    EXPECT_TRUE(axis("work_cycles=1:1000:x10").logarithmic);
    EXPECT_FALSE(axis("work_cycles=1:10:1").logarithmic);
}

TEST_F(ModelSweepTest, AListIsTakenAsItIs) {
    EXPECT_THAT(values("5, 3,4.5"), ElementsAre(5, 3, 4.5));
    EXPECT_THAT(values("7"), ElementsAre(7));
}

TEST_F(ModelSweepTest, RefusesWhatIsNoSweep) {
    EXPECT_THAT(refused("work_cycles"),
                Names("--sweep work_cycles", "\"=\"", "accepted", "NAME=START:STOP:STEP",
                      "NAME=START:STOP:xFACTOR", "NAME=A,B,C"));
    EXPECT_THAT(refused("work_cycles=0:10"),
                Names("work_cycles=0:10:", "accepted", "NAME=START:STOP:STEP"));
    EXPECT_THAT(refused("work_cycles=0:10:1:2"), Names("work_cycles=0:10:1:2:", "accepted"));
    for (const char* sweep : {"", "0::1", "1,", "1:10:x"}) {
        EXPECT_THAT(refused(std::string("work_cycles=") + sweep),
                    Names("missing", "accepted", "NAME=START:STOP:STEP"))
            << sweep;
    }
    EXPECT_THAT(refused("work_cycles=0us:10:1"), Names("\"0us\"", "number"));
    EXPECT_THAT(refused("work_cycles=1 0:20:1"), Names("\"1 0\"", "number"));
    EXPECT_THAT(refused("work_cycles=1e400,2"), Names("\"1e400\"", "number"));
    EXPECT_THAT(refused("work_cycles=0:inf:1"), Names("\"inf\"", "number"));
    EXPECT_THAT(refused("work_cycles=0:10:0"), Names("steps", "0", "0", "10"));
    EXPECT_THAT(refused("work_cycles=10:0:1"), Names("steps", "1", "10", "0"));
    EXPECT_THAT(refused("work_cycles=1:10:x1"), Names("factor", "1", "1", "10"));
    EXPECT_THAT(refused("work_cycles=0:10:x2"), Names("factor", "2", "0", "10"));
}

TEST_F(ModelSweepTest, RefusesInputsThatAreNoNumberOrAreSet) {
    EXPECT_THAT(refused("order=1,2"), Names("--sweep order=1,2", "order", "accepted", "number"));
    RoutingModel routing;
    const ModelInputs routing_inputs(routing);
    EXPECT_THAT(
        fault_of([&] { static_cast<void>(parse_sweep_option("visits=0,1", routing_inputs)); }),
        Names("visits (V)", "swept", "accepted"));
    EXPECT_THAT(refused("beside=0,1"), Names("beside", "swept", "accepted"));
    EXPECT_THAT(refused("customers=1:3:1"),
                Names("--sweep customers=1:3:1", "customers (N)", "set", "swept", "accepted"));
    EXPECT_THAT(refused("wrk_cycles=1,2"), Names("\"shares\"", "\"work_cycles\""));
    EXPECT_THAT(refused("work_us=1,2"), Names("\"work_us\"", "cycles", "accepted"));
}

TEST_F(ModelSweepTest, RefusesValuesTheInputDoesNotTakeBeforeSolving) {
    EXPECT_THAT(
        refused("work_cycles=-50:50:50"),
        Names("--sweep work_cycles=-50:50:50", "work_cycles (W)", "-50", "accepted", "0", "1e+15"));
    WorkshopModel model;
    const ModelInputs none(model);
    EXPECT_THAT(fault_of([&] { static_cast<void>(parse_sweep_option("customers=1:3:0.5", none)); }),
                Names("customers (N)", "1.5", "accepted", "whole"));
}

TEST_F(ModelSweepTest, RefusesTooManyPoints) {
    EXPECT_THAT(refused("work_cycles=0:1e15:0.001"),
                Names("--sweep work_cycles=0:1e15:0.001", "100000", "accepted"));
    EXPECT_THAT(
        fault_of([&] {
            static_cast<void>(solved({"work_cycles=0:999:1", "handler_squared_cv=0:10:0.01"}));
        }),
        ::testing::AllOf(StartsWith("--sweep: "), Names("100000", "accepted")));
}

TEST_F(ModelSweepTest, SolvesEveryPoint) {
    const ModelSweep sweep = solved({"work_cycles=0:900:300"});
    ASSERT_EQ(sweep.points.size(), 4U);
    EXPECT_THAT(sweep.points[1].at, ElementsAre(300));
    EXPECT_EQ(sweep.points[1].outputs[0], 400.0);
    EXPECT_EQ(sweep.points[1].outputs[2], 0.25);
    EXPECT_EQ(sweep.points[1].outputs[3], std::nullopt);  // does not apply at this point
    EXPECT_EQ(sweep.points[2].outputs[3], 100.0);
    EXPECT_THAT(sweep.points[2].notes, ElementsAre(Names("500")));
    EXPECT_TRUE(sweep.has_solution());
}

TEST_F(ModelSweepTest, CrossesAxesTheLastFastest) {
    const ModelSweep sweep = solved({"work_cycles=0,1", "handler_squared_cv=0,1,2"});
    ASSERT_EQ(sweep.points.size(), 6U);
    EXPECT_THAT(sweep.points[1].at, ElementsAre(0, 1));
    EXPECT_THAT(sweep.points[5].at, ElementsAre(1, 2));
    EXPECT_EQ(sweep.place_of(sweep.points[5]), "work_cycles = 1, handler_squared_cv = 2");
    EXPECT_TRUE(sweep.sweeps(*model_.find_input("work_cycles")));
    EXPECT_FALSE(sweep.sweeps(*model_.find_input("handler_cycles")));
}

TEST_F(ModelSweepTest, KeepsWhyAPointHasNoSolution) {
    const ModelSweep sweep = solved({"work_cycles=999,1000"});
    EXPECT_TRUE(sweep.points[0].is_solved());
    EXPECT_THAT(sweep.points[1].error, Names("work_cycles (W)", "1000", "accepted", "1000"));
    EXPECT_EQ(sweep.points[1].outputs[0], std::nullopt);
    EXPECT_TRUE(sweep.has_solution());
    EXPECT_FALSE(solved({"work_cycles=1000,2000"}).has_solution());
}

TEST_F(ModelSweepTest, WithoutAnAxisIsOnePoint) {
    inputs_.set("work_cycles=3");
    const ModelSweep sweep = solved({});
    ASSERT_EQ(sweep.points.size(), 1U);
    EXPECT_EQ(sweep.points[0].outputs[0], 103.0);
}

TEST_F(ModelSweepTest, SweepsAListAsOneOfASingleNumber) {
    inputs_.set("work_cycles=3");
    const ModelSweep sweep = solved({"shares=0.25,0.5"});
    ASSERT_EQ(sweep.points.size(), 2U);
    EXPECT_THAT(sweep.points[0].at, ElementsAre(0.25));
    EXPECT_THAT(model_.shares, ElementsAre(0.5));  // the model keeps the last swept value
    EXPECT_THAT(refused("shares=0.5,2"),
                Names("--sweep shares=0.5,2", "shares (s)", "[2]", "accepted", "0", "1"));
}

}  // namespace
}  // namespace weir::experiments::analyses
