#include "memory/coherence/address_map.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

namespace weir::memory {

namespace {

constexpr std::int32_t kNodes = 6;
constexpr hw::Bytes kBytes(8192);
constexpr std::array kMaps{HomeMap::kSegment, HomeMap::kLine, HomeMap::kPage, HomeMap::kHash};

TEST(AddressMapTest, EveryByteHasOnePlaceAndEveryPlaceOneAddress) {
    for (const HomeMap kind : kMaps) {
        const AddressMap map(kind, kBytes, kNodes);
        std::set<std::pair<std::int32_t, std::uint64_t>> places;
        for (std::uint64_t i = 0; i < kNodes * 8192; i += 8) {
            const std::uint64_t address = kSharedBase + i;
            ASSERT_TRUE(map.is_shared(address));
            const hw::NodeId home = map.home_of(address);
            const std::uint64_t offset = map.offset_of(address);
            ASSERT_LT(home.index(), kNodes);
            ASSERT_LT(offset, 8192U);
            ASSERT_TRUE(places.emplace(home.index(), offset).second) << address;
            ASSERT_EQ(map.address_at(home, offset), address);
        }
        EXPECT_FALSE(map.is_shared(kSharedBase - 1));
        EXPECT_FALSE(map.is_shared(kSharedBase + kNodes * 8192));
    }
}

TEST(AddressMapTest, AStretchALineOrAPageHasOneHome) {
    const auto home = [](HomeMap kind, std::uint64_t offset) {
        return AddressMap(kind, kBytes, kNodes).home_of(kSharedBase + offset).index();
    };
    EXPECT_EQ(home(HomeMap::kSegment, 8191), 0);
    EXPECT_EQ(home(HomeMap::kSegment, 8192), 1);
    EXPECT_EQ(home(HomeMap::kLine, 15), 0);
    EXPECT_EQ(home(HomeMap::kLine, 16), 1);
    EXPECT_EQ(home(HomeMap::kPage, 4095), 0);
    EXPECT_EQ(home(HomeMap::kPage, 4096), 1);
    // Lines a round apart have the same home with kLine, and several homes with kHash.
    std::set<std::int32_t> in_turn;
    std::set<std::int32_t> hashed;
    for (std::uint64_t round = 0; round < 32; ++round) {
        in_turn.insert(home(HomeMap::kLine, round * kNodes * 16));
        hashed.insert(home(HomeMap::kHash, round * kNodes * 16));
    }
    EXPECT_EQ(in_turn.size(), 1U);
    EXPECT_GT(hashed.size(), 4U);
}

// The hash is the upper half of the round's number times 2^64 divided by the golden ratio:
// 0x9e3779b9, 0x3c6ef372 and 0xdaa66d2c for the first three.
TEST(AddressMapTest, ARoundBeginsWhereFibonacciHashingSays) {
    constexpr std::int32_t kEight = 8;
    const AddressMap map(HomeMap::kHash, kBytes, kEight);
    const auto first_home = [&](std::uint64_t round) {
        return map.home_of(kSharedBase + round * kEight * 16).index();
    };
    EXPECT_EQ(first_home(0), 0);
    EXPECT_EQ(first_home(1), static_cast<std::int32_t>(0x9e3779b9U % kEight));
    EXPECT_EQ(first_home(2), static_cast<std::int32_t>(0x3c6ef372U % kEight));
    EXPECT_EQ(first_home(3), static_cast<std::int32_t>(0xdaa66d2cU % kEight));
}

}  // namespace

}  // namespace weir::memory
