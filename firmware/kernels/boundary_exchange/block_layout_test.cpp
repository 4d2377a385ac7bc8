#include "firmware/kernels/boundary_exchange/block_layout.h"

#include <gtest/gtest.h>

#include <set>

namespace weir::firmware {
namespace {

// 3 x 3 values with their halo are 5 rows of 40 bytes; a buffer has 24 bytes.
const BlockLayout kThree(3);

TEST(BlockLayoutTest, ArraysOfEvenAndOddSteps) {
    EXPECT_EQ(kThree.value(0, -1, -1), 0U);
    EXPECT_EQ(kThree.value(0, 0, 0), 48U);
    EXPECT_EQ(kThree.value(0, 2, 1), 40U * 3 + 16);
    EXPECT_EQ(kThree.value(1, 0, 0), 256U + 48);
    EXPECT_EQ(kThree.value(6, 0, 0), 48U);
}

TEST(BlockLayoutTest, EdgesAndTheHalosBeyondThem) {
    EXPECT_EQ(kThree.edge(0, Side::kWest), kThree.value(0, 0, 0));
    EXPECT_EQ(kThree.edge(0, Side::kEast), kThree.value(0, 0, 2));
    EXPECT_EQ(kThree.edge(0, Side::kNorth), kThree.value(0, 0, 0));
    EXPECT_EQ(kThree.edge(0, Side::kSouth), kThree.value(0, 2, 0));
    EXPECT_EQ(kThree.halo(1, Side::kWest), kThree.value(1, 0, -1));
    EXPECT_EQ(kThree.halo(1, Side::kEast), kThree.value(1, 0, 3));
    EXPECT_EQ(kThree.halo(1, Side::kNorth), kThree.value(1, -1, 0));
    EXPECT_EQ(kThree.halo(1, Side::kSouth), kThree.value(1, 3, 0));
    EXPECT_EQ(kThree.edge_stride(Side::kWest), 40U);
    EXPECT_EQ(kThree.edge_stride(Side::kEast), 40U);
    EXPECT_EQ(kThree.edge_stride(Side::kNorth), 8U);
    EXPECT_EQ(kThree.edge_stride(Side::kSouth), 8U);
}

TEST(BlockLayoutTest, BuffersStandBehindTheArraysEachByItself) {
    std::set<std::uint32_t> buffers{kThree.send_buffer(Side::kWest),
                                    kThree.send_buffer(Side::kEast)};
    for (const Side side : {Side::kWest, Side::kEast}) {
        buffers.insert(kThree.receive_buffer(4, side));
        buffers.insert(kThree.receive_buffer(5, side));
    }
    EXPECT_EQ(buffers, (std::set<std::uint32_t>{512, 768, 1024, 1280, 1536, 1792}));
    EXPECT_EQ(kThree.bytes(), 2048);
    EXPECT_EQ(kThree.edge_bytes(), 24);
}

TEST(BlockLayoutTest, OppositeSides) {
    for (const Side side : kSides) {
        EXPECT_NE(opposite(side), side);
        EXPECT_EQ(opposite(opposite(side)), side);
        EXPECT_EQ(is_column(opposite(side)), is_column(side));
    }
    EXPECT_EQ(opposite(Side::kWest), Side::kEast);
}

}  // namespace
}  // namespace weir::firmware
