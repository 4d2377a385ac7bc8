#include "nodes/programming/plain_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "memory/coherence/address_map.h"
#include "nodes/programming/processor.h"

namespace weir::nodes {
namespace {

using ::testing::Each;

class PlainMemoryTest : public ::testing::Test {
  protected:
    std::vector<std::uint8_t> read(std::int32_t node, std::uint32_t address, std::size_t bytes) {
        std::vector<std::uint8_t> data(bytes, 0xff);
        memory_.read_memory(hw::NodeId(node), address, data);
        return data;
    }
    PlainMemory memory_{2, hw::Bytes(16'384)};
};

TEST_F(PlainMemoryTest, DataOfSeveralPagesAreReadAsTheyWereWritten) {
    std::vector<std::uint8_t> data(9'000);
    std::iota(data.begin(), data.end(), std::uint8_t{1});
    memory_.write_memory(hw::NodeId(1), 4'000, data);
    EXPECT_EQ(read(1, 4'000, data.size()), data);
    EXPECT_THAT(read(1, 0, 4'000), Each(0));
    EXPECT_THAT(read(1, 13'000, 3'384), Each(0));
    EXPECT_THAT(read(0, 0, 16'384), Each(0));
}

TEST_F(PlainMemoryTest, WhatLiesOutsideIsAFaultOfTheProgram) {
    std::vector<std::uint8_t> data(2);
    memory_.write_memory(hw::NodeId(0), 16'382, data);
    EXPECT_THROW(memory_.write_memory(hw::NodeId(0), 16'383, data), ProgramFault);
    EXPECT_THROW(memory_.read_memory(hw::NodeId(0), 16'383, data), ProgramFault);
    EXPECT_THROW(memory_.read_memory(hw::NodeId(0), UINT32_MAX, data), ProgramFault);
}

TEST(SharedPlainMemoryTest, OneMemoryIsSharedByAllNodesAtItsOwnAddresses) {
    constexpr std::uint32_t kBase = memory::kSharedBase;
    PlainMemory memory(2, hw::Bytes(16'384), hw::Bytes(4096));
    const std::vector<std::uint8_t> data{1, 2, 3};
    memory.write_memory(hw::NodeId(0), kBase + 4094, data);
    std::vector<std::uint8_t> read(3);
    memory.read_memory(hw::NodeId(1), kBase + 4094, read);
    EXPECT_EQ(read, data);
    memory.read_memory(hw::NodeId(0), 4094, read);
    EXPECT_THAT(read, Each(0));
    EXPECT_THROW(memory.write_memory(hw::NodeId(0), kBase + 8190, data), ProgramFault);
    EXPECT_THROW(PlainMemory(2, hw::Bytes(16'384)).write_memory(hw::NodeId(0), kBase, data),
                 ProgramFault);
}

}  // namespace
}  // namespace weir::nodes
