#include "experiments/running/sweeps/scaling/machine_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/user_fault.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Not;
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
    const std::vector<MachineShape> of_large = usual_small_machines({1024, {32, 32}});
    EXPECT_EQ(of_large.front().nodes, 8);
    EXPECT_EQ(of_large.back().nodes, 64);
    EXPECT_THAT(nodes_of(usual_small_machines({16, {4, 4}})), ElementsAre(4, 4));
}

// Both ways round where the larger machine has room. A line is the same network both ways.
TEST(MachineSizesTest, UsualMachinesArePartsOfTheLarger) {
    const auto extents = [](const std::vector<MachineShape>& machines) {
        std::vector<std::vector<std::int64_t>> all;
        for (const MachineShape& machine : machines) {
            all.push_back(machine.extents);
        }
        return all;
    };
    const auto of_square = extents(usual_small_machines({64, {8, 8}}));
    EXPECT_THAT(of_square, IsSupersetOf<std::vector<std::int64_t>>(
                               {{2, 2}, {4, 1}, {8, 1}, {4, 2}, {2, 4}, {8, 2}, {2, 8}, {4, 4}}));
    EXPECT_THAT(of_square, Not(AnyOf(Contains(ElementsAre(16, 1)), Contains(ElementsAre(1, 8)))));
    EXPECT_THAT(of_square.back(), ElementsAre(4, 4));
    EXPECT_THAT(extents(usual_small_machines({32, {1, 32}})),
                ElementsAre(ElementsAre(1, 4), ElementsAre(1, 5), ElementsAre(1, 6),
                            ElementsAre(1, 7), ElementsAre(1, 8)));
}

}  // namespace
}  // namespace weir::experiments::running
