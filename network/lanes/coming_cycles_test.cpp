#include "network/lanes/coming_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/random_stream.h"

namespace weir::network {
namespace {

using hw::Cycles;

// Beside a list of the cycles themselves; one a cycle, as far ahead as may be.
TEST(ComingCyclesTest, AreThoseOfAList) {
    hw::RandomStream random(1, hw::NodeId(0), "coming cycles");
    ComingCycles coming;
    std::vector<std::int64_t> cycles;
    std::int64_t farthest = 0;
    for (std::int64_t now = 0; now < 5000;
         now += static_cast<std::int64_t>(random.below(100)) / 33) {
        const auto cycle = now + 1 +
                           static_cast<std::int64_t>(random.below(
                               static_cast<std::uint64_t>(ComingCycles::kMost.count())));
        if (random.below(3) == 0 && std::count(cycles.begin(), cycles.end(), cycle) == 0) {
            coming.add(Cycles(cycle), Cycles(now));
            cycles.push_back(cycle);
            farthest = std::max(farthest, cycle - now);
        }
        std::erase_if(cycles, [now](std::int64_t each) { return each <= now; });
        ASSERT_EQ(coming.count_after(Cycles(now)), static_cast<std::int64_t>(cycles.size())) << now;
        if (!cycles.empty()) {
            ASSERT_EQ(coming.first_after(Cycles(now)).count(),
                      *std::min_element(cycles.begin(), cycles.end()))
                << now;
        }
    }
    EXPECT_EQ(farthest, ComingCycles::kMost.count());
    EXPECT_EQ(coming.count_after(Cycles(1'000'000)), 0);
}

}  // namespace
}  // namespace weir::network
