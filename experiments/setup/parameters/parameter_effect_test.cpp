#include "experiments/setup/parameters/parameter_effect.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::experiments::setup {
namespace {

struct CacheParameters : hw::ParameterGroup {
    CacheParameters() : ParameterGroup("cache", "A cache", hw::when("memory.caches").at_least(1)) {}
    hw::Parameter<std::int64_t> ways{*this, "ways", 1, {1, 8}, "Lines of a set"};
    hw::Parameter<bool> random{
        *this, "random", false, {}, "Any line makes room", hw::when("cache.ways").at_least(2)};
};

struct MemoryParameters : hw::ParameterGroup {
    MemoryParameters() : ParameterGroup("memory", "A memory") {}
    hw::Parameter<std::int64_t> caches{*this, "caches", 0, {0, 4}, "Levels of cache"};
};

struct WorkloadParameters : hw::ParameterGroup {
    WorkloadParameters() : ParameterGroup("workload", "A kernel") {}
    hw::Parameter<std::int64_t> buffers{*this,  "buffers",          1,
                                        {1, 2}, "Bodies under way", hw::messages_have_bodies()};
};

class ParameterEffectTest : public ::testing::Test {
  protected:
    std::optional<hw::Fault> fault(std::vector<hw::Fact> facts = {}) {
        const std::vector<hw::ParameterGroup*> groups{&cache_, &memory_, &workload_};
        return parameter_without_effect(SetupCircumstances(groups, std::move(facts)),
                                        "this machine");
    }
    void give(hw::ParameterBase& parameter, const hw::ParameterValue& value) {
        ASSERT_TRUE(parameter.set(value));
    }

    CacheParameters cache_;
    MemoryParameters memory_;
    WorkloadParameters workload_;
};

TEST_F(ParameterEffectTest, WhatIsNotGivenIsNoFault) { EXPECT_FALSE(fault()); }

TEST_F(ParameterEffectTest, AGivenKeySaysWhatItNeeds) {
    give(cache_.random, true);
    const auto found = fault();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->key, "cache.random");
    EXPECT_EQ(found->found, "cache.random has no effect on this machine");
    EXPECT_EQ(found->accepted,
              "memory.caches of 1 or more and cache.ways of 2 or more, or no cache.random");
}

TEST_F(ParameterEffectTest, WhatItsGroupNeedsHoldsForAllOfIt) {
    give(cache_.ways, std::int64_t{2});
    EXPECT_EQ(fault()->accepted, "memory.caches of 1 or more, or no cache.ways");
    give(memory_.caches, std::int64_t{1});
    give(cache_.random, true);
    EXPECT_FALSE(fault());
    give(cache_.ways, std::int64_t{1});
    EXPECT_EQ(fault()->accepted, "cache.ways of 2 or more, or no cache.random");
}

TEST_F(ParameterEffectTest, AFactIsTheRuns) {
    give(workload_.buffers, std::int64_t{2});
    EXPECT_EQ(fault()->found, "workload.buffers has no effect on this run");
    EXPECT_FALSE(fault({hw::Fact::kMessageBodies}));
}

}  // namespace
}  // namespace weir::experiments::setup
