#include "experiments/setup/parameters/parameter_effect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::weir::testing::Names;

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
    EXPECT_THAT(found->found, Names("cache.random", "effect", "machine"));
    EXPECT_THAT(found->accepted, Names("memory.caches", "1", "cache.ways", "2", "cache.random"));
}

TEST_F(ParameterEffectTest, WhatItsGroupNeedsHoldsForAllOfIt) {
    give(cache_.ways, std::int64_t{2});
    EXPECT_THAT(fault()->accepted, Names("memory.caches", "1", "cache.ways"));
    give(memory_.caches, std::int64_t{1});
    give(cache_.random, true);
    EXPECT_FALSE(fault());
    give(cache_.ways, std::int64_t{1});
    EXPECT_THAT(fault()->accepted, Names("cache.ways", "2", "cache.random"));
}

TEST_F(ParameterEffectTest, AFactIsTheRuns) {
    give(workload_.buffers, std::int64_t{2});
    EXPECT_THAT(fault()->found, Names("workload.buffers", "effect", "run"));
    EXPECT_FALSE(fault({hw::Fact::kMessageBodies}));
}

}  // namespace
}  // namespace weir::experiments::setup
