#include "hw/effect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hw/testing/names.h"

namespace weir::hw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;
using weir::testing::NamesMatcher;

class Given final : public Circumstances {
  public:
    [[nodiscard]] std::optional<ParameterValue> value_of(std::string_view key) const override {
        const auto value = values.find(std::string(key));
        return value == values.end() ? std::nullopt : std::optional(value->second);
    }
    [[nodiscard]] bool is_so(Fact fact) const override { return facts.contains(fact); }

    std::map<std::string, ParameterValue> values;
    std::set<Fact> facts;
};

class ConditionTest : public ::testing::Test {
  protected:
    Given given_;
};

TEST_F(ConditionTest, WithoutPartsItAlwaysHoldsAndSaysNothing) {
    const Condition always;
    EXPECT_TRUE(always.holds(given_));
    EXPECT_EQ(always.text(), "");
    EXPECT_EQ(always.missing(given_), "");
    EXPECT_TRUE((always || when("a.b").is(true)).is_always());
    EXPECT_EQ((always && when("a.b").is(true)).text(), "a.b = true");
}

// Each fact, the truth value that its condition requires, and the words that describe it.
TEST_F(ConditionTest, FactsHoldWhereTheyAreSo) {
    struct OfFact {
        Condition condition;
        Fact fact;
        bool must_be_so;
        std::vector<std::string> words;
    };
    for (const OfFact& one :
         {OfFact{a_kernel_runs(), Fact::kKernel, true, {"kernel"}},
          OfFact{a_kernel_runs("a.b"), Fact::kKernel, true, {"kernel", "a.b"}},
          OfFact{shares_memory(), Fact::kSharedMemory, true, {"kernel", "shares"}},
          OfFact{messages_have_bodies(), Fact::kMessageBodies, true, {"kernel", "bodies"}},
          OfFact{is_in_steady_state(), Fact::kSteadyState, true, {"kernel", "steady", "traffic"}},
          OfFact{solves_one_problem(), Fact::kSteadyState, false, {"kernel", "size"}}}) {
        EXPECT_THAT(one.condition.text(), NamesMatcher(one.words));
        given_.facts.clear();
        EXPECT_EQ(one.condition.holds(given_), !one.must_be_so) << one.condition.text();
        given_.facts.insert(one.fact);
        EXPECT_EQ(one.condition.holds(given_), one.must_be_so) << one.condition.text();
    }
}

TEST_F(ConditionTest, WhatChangesSpeedAloneSaysSoInAConjunction) {
    const Condition alone = changes_speed_alone();
    EXPECT_TRUE(alone.is_always());
    for (const Condition& condition :
         {alone, alone && when("a.b").is(true), when("a.b").is(true) && alone, Condition() && alone,
          when("a.b").is(true) && (when("c.d").is(true) && alone)}) {
        EXPECT_FALSE(condition.changes_results());
    }
    EXPECT_EQ((when("a.b").is(true) && alone).text(), "a.b = true");
    EXPECT_TRUE((when("a.b").is(true) && when("c.d").is(true)).changes_results());
}

TEST_F(ConditionTest, AKeyIsOneOfNames) {
    const Condition condition = when("network.model").is("wormhole", "delay");
    EXPECT_FALSE(condition.holds(given_)) << "no group has the key";
    given_.values["network.model"] = std::string("delay");
    EXPECT_TRUE(condition.holds(given_));
    given_.values["network.model"] = std::string("logp");
    EXPECT_FALSE(condition.holds(given_));
    EXPECT_EQ(condition.text(), R"(network.model = "wormhole" or "delay")");
}

TEST_F(ConditionTest, AKeyIsNoneOfNames) {
    const Condition condition = when("network.topology").is_not("graph");
    EXPECT_FALSE(condition.holds(given_)) << "no group has the key";
    given_.values["network.topology"] = std::string("mesh");
    EXPECT_TRUE(condition.holds(given_));
    given_.values["network.topology"] = std::string("graph");
    EXPECT_FALSE(condition.holds(given_));
    EXPECT_THAT(condition.text(), Names("network.topology", "other", "\"graph\""));
}

TEST_F(ConditionTest, ANumberIsAtLeastAndAbove) {
    const Condition two = when("memory.caches").at_least(2);
    given_.values["memory.caches"] = std::int64_t{1};
    EXPECT_FALSE(two.holds(given_));
    given_.values["memory.caches"] = std::int64_t{2};
    EXPECT_TRUE(two.holds(given_));
    EXPECT_THAT(two.text(), Names("memory.caches", "2", "more"));

    const Condition precise = when("run.relative_precision").above(0.0);
    given_.values["run.relative_precision"] = 0.0;
    EXPECT_FALSE(precise.holds(given_));
    given_.values["run.relative_precision"] = 0.01;
    EXPECT_TRUE(precise.holds(given_));
    EXPECT_EQ(precise.text(), "run.relative_precision above 0");
}

TEST_F(ConditionTest, AFactIsSoOrIsNot) {
    const Condition steady = is_in_steady_state();
    EXPECT_FALSE(steady.holds(given_));
    EXPECT_TRUE(solves_one_problem().holds(given_));
    given_.facts.insert(Fact::kSteadyState);
    EXPECT_TRUE(steady.holds(given_));
    EXPECT_FALSE(solves_one_problem().holds(given_));
    EXPECT_THAT(solves_one_problem().text(), Names("kernel", "size"));
}

TEST_F(ConditionTest, AGroupComputesItsOwnPart) {
    bool has_sets = false;
    const Condition condition = Condition::that("l1.ways > 1", [&] { return has_sets; });
    EXPECT_EQ(condition.missing(given_), "l1.ways > 1");
    has_sets = true;
    EXPECT_TRUE(condition.holds(given_));
}

TEST_F(ConditionTest, WhatIsMissingLeavesOutWhatHolds) {
    const Condition condition = when("network.model").is("delay") &&
                                when("network.delay").is("constant") && a_kernel_runs();
    given_.values["network.model"] = std::string("wormhole");
    given_.values["network.delay"] = std::string("manhattan");
    given_.facts.insert(Fact::kKernel);
    EXPECT_EQ(condition.missing(given_),
              R"(network.model = "delay" and network.delay = "constant")");
    given_.values["network.model"] = std::string("delay");
    EXPECT_EQ(condition.missing(given_), R"(network.delay = "constant")");
    given_.values["network.delay"] = std::string("constant");
    EXPECT_TRUE(condition.holds(given_));
    EXPECT_EQ(condition.missing(given_), "");
}

TEST_F(ConditionTest, AlternativesInAConjunctionStandInParentheses) {
    const Condition condition = when("a.b").is(true) && (when("c.d").is(true) || a_kernel_runs());
    EXPECT_THAT(condition.text(), Names("a.b = true", "(", "c.d = true", "kernel", ")"));
    given_.values["a.b"] = true;
    const std::string missing = condition.missing(given_);
    EXPECT_THAT(missing, Names("c.d = true", "kernel"));
    EXPECT_THAT(missing, Not(HasSubstr("a.b")));
    EXPECT_THAT(missing, Not(HasSubstr("(")));
}

TEST_F(ConditionTest, WantsOfAlternativesTheFirst) {
    const Condition condition = when("a.b").is("x") && (when("c.d").at_least(3) || a_kernel_runs());
    const std::vector<Condition::Comparison> wanted = condition.wanted();
    ASSERT_EQ(wanted.size(), 2U);
    EXPECT_EQ(wanted[0].key, "a.b");
    EXPECT_EQ(wanted[1].key, "c.d");
    EXPECT_EQ(wanted[1].values, std::vector<ParameterValue>{std::int64_t{3}});
}

}  // namespace
}  // namespace weir::hw
