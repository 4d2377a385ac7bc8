#include "experiments/running/sweeps/scaling/machine_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/user_fault.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::ElementsAre;
using weir::testing::Names;

std::vector<std::int64_t> nodes_of(const std::vector<MachineShape>& machines) {
    std::vector<std::int64_t> nodes;
    for (const MachineShape& machine : machines) {
        nodes.push_back(machine.nodes);
    }
    return nodes;
}

std::string refusal(const std::string& text) {
    try {
        static_cast<void>(parse_shape("--nodes", text));
    } catch (const setup::UserFault& fault) {
        return fault.what();
    }
    return "";
}

TEST(MachineSizesTest, ShapesAreNearestToASquareOrGiven) {
    EXPECT_THAT(parse_shape("--nodes", "1024").extents, ElementsAre(32, 32));
    EXPECT_THAT(parse_shape("--nodes", "48").extents, ElementsAre(8, 6));
    const MachineShape cube = parse_shape("--nodes", "4x4x2");
    EXPECT_EQ(cube.nodes, 32);
    EXPECT_THAT(cube.extents, ElementsAre(4, 4, 2));
}

TEST(MachineSizesTest, OtherTextsAreRefused) {
    for (const std::string text : {"", "1", "0", "-8", "8x", "x8", "8.5", "eight", "999999999",
                                   "200x200", "99999999999999999999"}) {
        EXPECT_THAT(refusal(text), Names("--nodes", "16384", "32x32")) << text;
    }
}

TEST(MachineSizesTest, UsualMachinesLieBetweenFractionsOfTheLarger) {
    EXPECT_THAT(nodes_of(usual_small_machines(1024)),
                ElementsAre(8, 9, 10, 12, 15, 16, 20, 24, 30, 32, 36, 40, 48, 56, 64));
    EXPECT_THAT(nodes_of(usual_small_machines(64)), ElementsAre(4, 6, 8, 9, 10, 12, 15, 16));
    EXPECT_THAT(nodes_of(usual_small_machines(16)), ElementsAre(4));
}

}  // namespace
}  // namespace weir::experiments::running
