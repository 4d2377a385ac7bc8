#include "experiments/analyses/model_questions/model_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/testing/fault_text.h"
#include "experiments/analyses/testing/workshop_inputs.h"
#include "experiments/analyses/testing/workshop_model.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
    EXPECT_EQ(refused("work_cycles"),
              "--sweep work_cycles: there is no \"=\"; accepted: NAME=START:STOP:STEP, "
              "NAME=START:STOP:xFACTOR or NAME=A,B,C");
    EXPECT_THAT(refused("work_cycles=0:10"), HasSubstr(": \"0:10\" is no sweep; accepted: NAME="));
    EXPECT_THAT(refused("work_cycles=0:10:1:2"), HasSubstr("\"0:10:1:2\" is no sweep;"));
    EXPECT_THAT(refused("work_cycles="), HasSubstr(": a number is missing; accepted: NAME="));
    EXPECT_THAT(refused("work_cycles=0::1"), HasSubstr("a number is missing"));
    EXPECT_THAT(refused("work_cycles=1,"), HasSubstr("a number is missing"));
    EXPECT_THAT(refused("work_cycles=0us:10:1"), HasSubstr("\"0us\" is no number"));
    EXPECT_THAT(refused("work_cycles=1 0:20:1"), HasSubstr("\"1 0\" is no number"));
    EXPECT_THAT(refused("work_cycles=1e400,2"), HasSubstr("\"1e400\" is no number"));
    EXPECT_THAT(refused("work_cycles=0:inf:1"), HasSubstr("\"inf\" is no number"));
    EXPECT_THAT(refused("work_cycles=0:10:0"), HasSubstr("steps of 0 do not lead from 0 to 10"));
    EXPECT_THAT(refused("work_cycles=10:0:1"), HasSubstr("steps of 1 do not lead from 10 to 0"));
    EXPECT_THAT(refused("work_cycles=1:10:x1"), HasSubstr("a factor of 1 does not lead from 1 to"));
    EXPECT_THAT(refused("work_cycles=0:10:x2"), HasSubstr("a factor of 2 does not lead from 0 to"));
    EXPECT_THAT(refused("work_cycles=1:10:x"), HasSubstr("a number is missing"));
}

TEST_F(ModelSweepTest, RefusesInputsThatAreNoNumberOrAreSet) {
    EXPECT_EQ(
        refused("order=1,2"),
        "--sweep order=1,2: order can't be swept, it is not a number; accepted: a sweep of an "
        "input that is a number, or a list, swept as one number");
    RoutingModel routing;
    const ModelInputs routing_inputs(routing);
    EXPECT_THAT(
        fault_of([&] { static_cast<void>(parse_sweep_option("visits=0,1", routing_inputs)); }),
        HasSubstr("visits (V) can't be swept"));
    EXPECT_THAT(refused("beside=0,1"), HasSubstr("beside can't be swept"));
    EXPECT_EQ(refused("customers=1:3:1"),
              "--sweep customers=1:3:1: customers (N) is both set and swept; accepted: one of the "
              "two");
    EXPECT_THAT(refused("wrk_cycles=1,2"), EndsWith("did you mean \"work_cycles\"?"));
    EXPECT_THAT(refused("work_us=1,2"), HasSubstr("the model counts in cycles"));
}

TEST_F(ModelSweepTest, RefusesValuesTheInputDoesNotTakeBeforeSolving) {
    EXPECT_EQ(refused("work_cycles=-50:50:50"),
              "--sweep work_cycles=-50:50:50: work_cycles (W) is -50; accepted: a number from "
              "0 to 1e+15");
    WorkshopModel model;
    const ModelInputs none(model);
    EXPECT_THAT(fault_of([&] { static_cast<void>(parse_sweep_option("customers=1:3:0.5", none)); }),
                HasSubstr("customers (N) is 1.5; accepted: a whole number"));
}

TEST_F(ModelSweepTest, RefusesTooManyPoints) {
    EXPECT_EQ(refused("work_cycles=0:1e15:0.001"),
              "--sweep work_cycles=0:1e15:0.001: the sweep has more than 100000 points; accepted: "
              "fewer points: a larger step or fewer sweeps");
    EXPECT_THAT(
        fault_of([&] {
            static_cast<void>(solved({"work_cycles=0:999:1", "handler_squared_cv=0:10:0.01"}));
        }),
        StartsWith("--sweep: the sweep has more than 100000 points"));
}

TEST_F(ModelSweepTest, SolvesEveryPoint) {
    const ModelSweep sweep = solved({"work_cycles=0:900:300"});
    ASSERT_EQ(sweep.points.size(), 4U);
    EXPECT_THAT(sweep.points[1].at, ElementsAre(300));
    EXPECT_EQ(sweep.points[1].outputs[0], 400.0);
    EXPECT_EQ(sweep.points[1].outputs[2], 0.25);
    EXPECT_EQ(sweep.points[1].outputs[3], std::nullopt);  // it does not apply here
    EXPECT_EQ(sweep.points[2].outputs[3], 100.0);
    EXPECT_THAT(sweep.points[2].notes, ElementsAre("above 500 cycles there is time to spare"));
    EXPECT_TRUE(sweep.has_solution());
}

TEST_F(ModelSweepTest, CrossesAxesTheLastFastest) {
    const ModelSweep sweep = solved({"work_cycles=0,1", "handler_squared_cv=0,1,2"});
    ASSERT_EQ(sweep.points.size(), 6U);
    EXPECT_THAT(sweep.points[1].at, ElementsAre(0, 1));
    EXPECT_THAT(sweep.points[5].at, ElementsAre(1, 2));
    EXPECT_EQ(sweep.place_of(sweep.points[5]), "work_cycles = 1, handler_squared_cv = 2");
    EXPECT_TRUE(sweep.sweeps(model_.work_cycles));
    EXPECT_FALSE(sweep.sweeps(model_.handler_cycles));
}

TEST_F(ModelSweepTest, KeepsWhyAPointHasNoSolution) {
    const ModelSweep sweep = solved({"work_cycles=999,1000"});
    EXPECT_TRUE(sweep.points[0].is_solved());
    EXPECT_EQ(sweep.points[1].error, "work_cycles (W) is 1000; accepted: below 1000 cycles");
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
    EXPECT_THAT(model_.shares.value(), ElementsAre(0.5));  // the last value stays
    EXPECT_THAT(refused("shares=0.5,2"),
                StartsWith("--sweep shares=0.5,2: shares (s) is [2]; accepted: a list, each entry "
                           "a number from 0 to 1"));
}

}  // namespace
}  // namespace weir::experiments::analyses
