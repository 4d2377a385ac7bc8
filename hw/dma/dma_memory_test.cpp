#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/dma/dma_engine.h"
#include "hw/testing/names.h"

namespace weir::hw {
namespace {

using weir::testing::Names;

using ::testing::Optional;

TEST(DmaMemoryTest, RefusesNoBytesMisalignmentAndWhatLiesBeyondMemory) {
    const DmaMemory memory(Bytes(64));
    EXPECT_EQ(memory.fault(0, Bytes(8)), std::nullopt);
    EXPECT_THAT(memory.fault(0, Bytes(0)), Optional(Names("DMA", "no")));
    EXPECT_THAT(memory.fault(4, Bytes(8)), Optional(Names("8", "4", "multiples", "8")));
    EXPECT_THAT(memory.fault(0, Bytes(12)), Optional(Names("12", "0", "multiples", "8")));
    EXPECT_THAT(memory.fault(56, Bytes(16)), Optional(Names("16", "56", "beyond", "64")));
    EXPECT_EQ(memory.fault(56, Bytes(8)), std::nullopt);
}

// A shared segment from 0x8000 on; this node's part begins at byte 64 of its DRAM.
class Segment final : public SharedSegment {
  public:
    [[nodiscard]] bool is_shared(std::uint32_t address) const override { return address >= 0x8000; }
    [[nodiscard]] std::optional<std::string> absent(std::uint32_t address,
                                                    Bytes bytes) const override {
        const bool is_here = address + bytes.count() <= 0x8010;
        return is_here ? std::nullopt : std::optional<std::string>("is elsewhere");
    }
    [[nodiscard]] std::uint64_t dram_address(std::uint32_t address) const override {
        return address - 0x8000 + 64;
    }
};

TEST(DmaMemoryTest, AsksForSharedAddressesWhetherTheyAreHereAndWhere) {
    const Segment segment;
    DmaMemory memory(Bytes(64));
    memory.connect(segment);
    EXPECT_EQ(memory.fault(0x8000, Bytes(16)), std::nullopt);
    EXPECT_THAT(memory.fault(0x8000, Bytes(24)),
                Optional(std::string("a DMA of 24 bytes at address 32768: is elsewhere")));
    EXPECT_THAT(memory.fault(0x8004, Bytes(8)), Optional(Names("8", "32772", "multiples", "8")));
    EXPECT_EQ(memory.dram_address(0x8008), 72U);
    EXPECT_EQ(memory.dram_address(0x38), 0x38U);
    EXPECT_THAT(memory.fault(56, Bytes(16)), Optional(Names("16", "56", "beyond", "64")));
}

}  // namespace
}  // namespace weir::hw
