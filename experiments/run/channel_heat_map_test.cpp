#include "experiments/run/channel_heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace weir::experiments::run {
namespace {

using ::testing::HasSubstr;

TEST(ChannelHeatMapTest, BetweenTwoNodesTheChannelThereAndTheOneBack) {
    const ChannelUses uses{{"node 0 injection", 0.5}, {"(0,0) +x", 0.12}, {"(1,0) -x", 0.07},
                           {"(0,0) +y", 1.0},         {"(0,1) -y", 0.0},  {"(1,0) +y", 0.336},
                           {"(1,1) -y", 0.5},         {"(0,1) +x", 0.25}, {"(1,1) -x", 0.05}};
    EXPECT_EQ(heat_map_text(uses),
              "o 12  7 o       \n"
              "100  0   34 50  \n"
              "o 25  5 o       \n");
}

TEST(ChannelHeatMapTest, WideGridsHaveTenths) {
    ChannelUses uses;
    for (int x = 0; x < 12; ++x) {
        uses.push_back({"(" + std::to_string(x) + ",0) +x", 0.72});
        uses.push_back({"(" + std::to_string(x + 1) + ",0) -x", 0.04});
    }
    EXPECT_THAT(heat_map_text(uses), HasSubstr("o70 o70 o70 "));
    uses.push_back({"(18,0) +x", 0.1});
    EXPECT_NE(heat_map_text(uses), "");
    uses.push_back({"(19,0) +x", 0.1});
    EXPECT_EQ(heat_map_text(uses), "");
}

TEST(ChannelHeatMapTest, OtherNetworksHaveNone) {
    EXPECT_EQ(heat_map_text({{"(0,0,0) +x", 0.1}, {"(1,0,0) -x", 0.1}}), "");
    EXPECT_EQ(heat_map_text({{"3 bit 0", 0.1}}), "");
    EXPECT_EQ(heat_map_picture({{"(0) +x", 0.1}}, "a line"), "");
}

TEST(ChannelHeatMapTest, ThePictureHasAnArrowAChannel) {
    const std::string svg =
        heat_map_picture({{"(0,0) +x", 0.0}, {"(1,0) -x", 1.0}}, "mesh 2 x 1 <a & b>");
    EXPECT_THAT(svg, HasSubstr("<title>(0,0) +x: 0.0 %</title>"));
    EXPECT_THAT(svg, HasSubstr("<g stroke=\"#160b39\" fill=\"#160b39\"><title>(1,0) -x: 100.0 %"));
    EXPECT_THAT(svg, HasSubstr("mesh 2 x 1 &lt;a &amp; b&gt;"));
    std::size_t arrows = 0;
    for (std::size_t at = svg.find("<g "); at != std::string::npos; at = svg.find("<g ", at + 1)) {
        ++arrows;
    }
    EXPECT_EQ(arrows, 2U);
}

}  // namespace
}  // namespace weir::experiments::run
