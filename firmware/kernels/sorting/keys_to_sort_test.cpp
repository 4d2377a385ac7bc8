#include "firmware/kernels/sorting/keys_to_sort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/kernel.h"
#include "hw/testing/names.h"
#include "nodes/programming/plain_memory.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;

class KeysToSortTest : public ::testing::Test {
  protected:
    static constexpr std::uint32_t kAt = 8;

    // Six keys, 5 to 0, on two nodes.
    KeysToSortTest() {
        keys_.make(6, 2, hw::RandomStream(1, hw::NodeId(0), "test"),
                   [next = 6U](hw::RandomStream&) mutable { return --next; });
        keys_.write(KeysToSort::from(kAt), memory_);
    }
    std::vector<std::uint32_t> of(std::int32_t node, std::size_t count) {
        std::vector<std::uint32_t> keys(count);
        memory_.read<std::uint32_t>(hw::NodeId(node), kAt, keys);
        return keys;
    }
    void put(std::int32_t node, const std::vector<std::uint32_t>& keys) {
        memory_.write<std::uint32_t>(hw::NodeId(node), kAt, keys);
    }
    std::string fault(const std::vector<std::int64_t>& counts) {
        return keys_.check(counts, KeysToSort::from(kAt), memory_).value_or("none");
    }
    nodes::PlainMemory memory_{2, hw::Bytes(256)};
    KeysToSort keys_;
};

TEST_F(KeysToSortTest, EachNodeHasAsMany) {
    EXPECT_EQ(keys_.each(), 3);
    EXPECT_THAT(of(0, 3), ElementsAre(5, 4, 3));
    EXPECT_THAT(of(1, 3), ElementsAre(2, 1, 0));
}

TEST_F(KeysToSortTest, KeysThatMemoryHasNoRoomForAreRefused) {
    const nodes::MachineShape machine{.mesh_extents = {2}, .memory_bytes = hw::Bytes(64)};
    EXPECT_NO_THROW(keys_.check_room(hw::Bytes(64), machine));
    try {
        keys_.check_room(hw::Bytes(65), machine);
        FAIL() << "taken";
    } catch (const InputFault& fault) {
        EXPECT_THAT(fault.what(), Names("workload.keys: ", "6", "65", "64", "memory.bytes"));
    }
}

TEST_F(KeysToSortTest, SortedIsRightHoweverManyEachNodeHas) {
    put(0, {0, 1, 2});
    put(1, {3, 4, 5});
    EXPECT_EQ(fault({3, 3}), "none");
    put(0, {0});
    put(1, {1, 2, 3, 4, 5});
    EXPECT_EQ(fault({1, 5}), "none");
}

TEST_F(KeysToSortTest, KeysMayLieAnywhere) {
    const auto backwards = [](std::int32_t node, std::int64_t index) {
        return static_cast<std::uint32_t>(100 + 20 * node - 4 * index);
    };
    keys_.write(backwards, memory_);
    EXPECT_THAT(keys_.check({3, 3}, backwards, memory_).value_or("none"),
                Names("key 0", "node 0", "5", "0"));
    std::uint32_t key = 0;
    memory_.read<std::uint32_t>(hw::NodeId(1), 112, {&key, 1});
    EXPECT_EQ(key, 0);
    for (std::int32_t at = 0; at < 6; ++at) {
        key = static_cast<std::uint32_t>(at);
        memory_.write<std::uint32_t>(hw::NodeId(at / 3), backwards(at / 3, at % 3), {&key, 1});
    }
    EXPECT_EQ(keys_.check({3, 3}, backwards, memory_).value_or("none"), "none");
}

TEST_F(KeysToSortTest, WhatIsWrongIsSaid) {
    EXPECT_THAT(fault({3, 3}), Names("key 0", "node 0", "5", "0"));
    put(0, {0, 1, 2});
    put(1, {3, 4, 4});
    EXPECT_THAT(fault({3, 3}), Names("key 5", "node 1", "4", "5"));
    EXPECT_THAT(fault({3, 2}), Names("5", "keys", "6"));
    put(1, {3, 4, 5, 6});
    EXPECT_THAT(fault({3, 4}), Names("node 1", "keys", "6"));
}

TEST_F(KeysToSortTest, KeysThatDoNotDivideAreRefused) {
    const auto make = [this] {
        keys_.make(7, 2, hw::RandomStream(1, hw::NodeId(0), "test"), [](hw::RandomStream& stream) {
            return static_cast<std::uint32_t>(stream.next());
        });
    };
    try {
        make();
        FAIL() << "no fault";
    } catch (const InputFault& fault) {
        EXPECT_THAT(fault.what(), Names("workload.keys: ", "7", "2", "nodes"));
    }
}

}  // namespace
}  // namespace weir::firmware
