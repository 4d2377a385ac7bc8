// Drives every reader of a folder over its seeds and some mutations of them, the same each time.
// Findings of a longer search (.ci/fuzz) become tests of the reader itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "hw/testing/fuzz_target.h"

namespace weir::hw::testing {
namespace {

class FuzzTest : public ::testing::TestWithParam<const FuzzTarget*> {};

TEST_P(FuzzTest, SeedsAndTheirMutationsAreReadOrRefused) {
    constexpr int kMutations = 300;
    const FuzzTarget& target = *GetParam();
    const std::vector<std::string> seeds = target.seeds();
    int accepted = 0;
    int refused = 0;
    const auto read = [&](const std::string& input) {
        try {
            ++(target.read(input).empty() ? accepted : refused);
        } catch (const std::exception& fault) {
            ADD_FAILURE() << fault.what() << "\non reading\n"
                          << ::testing::PrintToString(input.substr(0, 2'000));
        }
    };
    std::for_each(seeds.begin(), seeds.end(), read);
    EXPECT_GT(accepted, 0) << "no seed is one that is read";
    Mutator mutator(seeds, target.words(), 1);
    for (int i = 0; i < kMutations; ++i) {
        read(mutator.next());
    }
    EXPECT_EQ(refused > 0, target.refuses());
}

std::string test_name(const ::testing::TestParamInfo<const FuzzTarget*>& info) {
    std::string name = info.param->name();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzTest, ::testing::ValuesIn(fuzz_targets()), test_name);

}  // namespace
}  // namespace weir::hw::testing
