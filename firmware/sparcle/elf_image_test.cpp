#include "firmware/sparcle/elf_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/sparcle/images.h"
#include "firmware/sparcle/testing/made_elf.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

/// Text of the fault when the image is read.
std::string fault_of(const std::vector<std::uint8_t>& bytes) {
    hw::testing::note_seed("elf", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    try {
        const ElfImage image("made.elf", bytes);
    } catch (const ImageFault& fault) {
        return fault.what();
    }
    return "";
}

TEST(ElfImage, ASegmentHasItsDataAndZerosBehind) {
    const ElfImage image("made.elf", MadeElf().segment(0x40, 8, 32).bytes());
    ASSERT_EQ(image.segments().size(), 1U);
    EXPECT_EQ(image.segments()[0].address, 0x40U);
    EXPECT_EQ(image.segments()[0].memory_bytes, 32U);
    EXPECT_EQ(image.segments()[0].data.size(), 8U);
    EXPECT_EQ(image.segments()[0].data[0], 0x7f);
}

TEST(ElfImage, SegmentsAreInTheOrderOfTheirAddresses) {
    const ElfImage image("made.elf",
                         MadeElf().segment(0x1000, 8, 8).segment(0x40, 8, 0xfc0).bytes());
    ASSERT_EQ(image.segments().size(), 2U);
    EXPECT_EQ(image.segments()[0].address, 0x40U);
    EXPECT_EQ(image.segments()[1].address, 0x1000U);
}

TEST(ElfImage, AnAddressInACopyIsThatOfTheImage) {
    ElfImage image("multithread", built_in_image("multithread"));
    const ElfImage::Copies copies{.begin = 0x2000, .stride = 0x40000, .count = 3};
    image.set_copies(copies);
    const std::uint32_t main = image.address_of("main");
    ASSERT_GE(main, copies.begin);
    for (std::uint32_t copy = 0; copy < copies.count; ++copy) {
        const std::uint32_t address = main + 4 + copy * copies.stride;
        EXPECT_EQ(image.original(address), main + 4);
        EXPECT_EQ(image.symbol_at(address)->name, "main");
        EXPECT_EQ(image.place(address).offset, 4U);
        EXPECT_EQ(image.place(address).line, image.place(main + 4).line);
        EXPECT_EQ(image.word_at(address), image.word_at(main + 4));
        EXPECT_TRUE(image.frame_rules(address));
    }
    // Behind the copies, and before them.
    const std::uint32_t behind = main + copies.count * copies.stride;
    EXPECT_EQ(image.original(behind), behind);
    EXPECT_EQ(image.symbol_at(behind), nullptr);
    EXPECT_EQ(image.original(0x1000), 0x1000U);
}

TEST(ElfImage, AnImageWithoutTheLinkersRelocationsHasNone) {
    const ElfImage image("multithread", built_in_image("multithread"));
    EXPECT_TRUE(image.relocations().empty());
}

TEST(ElfImage, WhatIsNotAnElfIsRefused) {
    EXPECT_THAT(fault_of({'#', '!', '/', 'b', 'i', 'n'}), Names("made.elf: ", "not", "ELF"));
    EXPECT_THAT(fault_of({}), Names("made.elf: ", "not", "ELF"));
}

TEST(ElfImage, OtherMachinesAreRefusedByName) {
    EXPECT_THAT(fault_of(MadeElf().machine(EM_SPARC32PLUS).segment(0, 8, 8).bytes()),
                Names("SPARC V8+"));
    EXPECT_THAT(fault_of(MadeElf().machine(EM_386).segment(0, 8, 8).bytes()), Names("Intel 80386"));
    EXPECT_THAT(fault_of(MadeElf().machine(77).segment(0, 8, 8).bytes()), Names("machine 77"));
}

TEST(ElfImage, WhatIsNotLinkedIsRefused) {
    EXPECT_THAT(fault_of(MadeElf().type(ET_REL).bytes()), Names("object"));
    EXPECT_THAT(fault_of(MadeElf().type(ET_DYN).segment(0, 8, 8).bytes()),
                Names("position-independent"));
    EXPECT_THAT(fault_of(MadeElf().segment(0, 0, 0).bytes()), Names("nothing", "load"));
}

TEST(ElfImage, SegmentsThatOverlapAreRefused) {
    EXPECT_THAT(fault_of(MadeElf().segment(0, 8, 0x101).segment(0x100, 8, 8).bytes()),
                Names("overlap", "0x0", "0x101", "0x100"));
    EXPECT_EQ(fault_of(MadeElf().segment(0, 8, 0x100).segment(0x100, 8, 8).bytes()), "");
}

TEST(ElfImage, SegmentsBeyondTheFileOrTheAddressesAreRefused) {
    EXPECT_THAT(fault_of(MadeElf().segment(0, 1000, 1000).bytes()), Names("cut"));
    EXPECT_THAT(fault_of(MadeElf().segment(0, 8, 4).bytes()), Names("cut"));
    EXPECT_THAT(fault_of(MadeElf().segment(0xfffffff0, 8, 17).bytes()), Names("beyond", "4 GB"));
    EXPECT_EQ(fault_of(MadeElf().segment(0xfffffff0, 8, 16).bytes()), "");
}

TEST(ElfImage, ItMustFitIntoANodesMemory) {
    const ElfImage image("made.elf", MadeElf().segment(0, 8, 0x1001).bytes());
    EXPECT_NO_THROW(image.check_fits(0x1001, "memory.bytes"));
    try {
        image.check_fits(0x1000, "memory.bytes");
        FAIL();
    } catch (const ImageFault& fault) {
        EXPECT_THAT(fault.what(), Names("made.elf: ", "0x1001", "0x1000", "1", "memory.bytes"));
    }
}

TEST(ElfImage, AFileThatIsNotThereIsRefused) {
    EXPECT_THROW(ElfImage::read_file("no/such/file.elf"), ImageFault);
}

class BuiltInImage : public ::testing::Test {
  protected:
    ElfImage image_{"ping", built_in_image("ping")};
};

TEST_F(BuiltInImage, StartsWithTheTrapTableAtZero) {
    EXPECT_EQ(image_.entry(), 0U);
    EXPECT_EQ(image_.segments().front().address, 0U);
    EXPECT_EQ(image_.address_of("weir_trap_table"), 0U);
    EXPECT_EQ(image_.address_of("weir_data") % 256, 0U);
}

TEST_F(BuiltInImage, SymbolsAreFoundByNameAndAddress) {
    const std::uint32_t begin = image_.address_of("main");
    ASSERT_NE(image_.symbol_at(begin + 4), nullptr);
    EXPECT_EQ(image_.symbol_at(begin + 4)->name, "main");
    EXPECT_NE(image_.symbol_at(begin - 4)->name, "main");
    EXPECT_EQ(image_.symbol_at(0xffff0000), nullptr);
    EXPECT_EQ(image_.find_symbol("no such"), nullptr);
    EXPECT_THROW((void)image_.address_of("no such"), ImageFault);
}

TEST_F(BuiltInImage, LinesAreFoundOfCAndAssembly) {
    const auto c = image_.place(image_.address_of("main"));
    EXPECT_EQ(c.file, "firmware/kernels/ping/ping.c");
    EXPECT_GT(c.line, 0);
    const auto assembly = image_.place(image_.address_of("message_interrupt") + 4);
    EXPECT_EQ(assembly.file, "firmware/sparcle/traps.S");
    EXPECT_EQ(assembly.symbol->name, "message_interrupt");
    EXPECT_EQ(assembly.text(), "message_interrupt+0x4 (firmware/sparcle/traps.S:" +
                                   std::to_string(assembly.line) + ")");
    EXPECT_TRUE(image_.place(0xffff0000).file.empty());
}

// The file's first bytes: 0x7f, "ELF" and 1.
TEST(ElfImage, WhatIsNotShownOrHasNoEndIsNoText) {
    const ElfImage image("made.elf", MadeElf().segment(0x1000, 8, 16).bytes());
    EXPECT_EQ(image.text_at(0x1001), "");
    EXPECT_EQ(image.text_at(0x1007), "");
    EXPECT_EQ(image.text_at(0x1009), "") << "zeros that are in no file";
    EXPECT_EQ(image.text_at(0xfff), "");
}

// gdb ignores debug information at address 0 unless a section begins there.
TEST_F(BuiltInImage, NoSectionForDebuggersBeginsAtZeroAndNothingElseDiffers) {
    const std::vector<std::uint8_t> bytes = image_.bytes_for_debuggers();
    ASSERT_EQ(bytes.size(), image_.bytes().size());
    const auto word = [](const std::vector<std::uint8_t>& all, std::size_t at) {
        return std::uint32_t{all.at(at)} << 24 | std::uint32_t{all.at(at + 1)} << 16 |
               std::uint32_t{all.at(at + 2)} << 8 | std::uint32_t{all.at(at + 3)};
    };
    const std::uint32_t headers = word(bytes, 32);
    const std::uint32_t count = word(bytes, 48) >> 16;
    std::size_t differing = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t header = headers + std::size_t{40} * i;
        const bool is_loaded = (word(bytes, header + 8) & 2) != 0;
        EXPECT_FALSE(is_loaded && word(bytes, header + 12) == 0) << "section " << i;
        if (word(bytes, header + 12) != word(image_.bytes(), header + 12)) {
            ++differing;
            EXPECT_EQ(word(bytes, header + 12), ElfImage::kResetBytes);
            EXPECT_EQ(word(bytes, header + 16) - word(image_.bytes(), header + 16),
                      ElfImage::kResetBytes);
            EXPECT_EQ(word(image_.bytes(), header + 20) - word(bytes, header + 20),
                      ElfImage::kResetBytes);
        }
    }
    EXPECT_EQ(differing, 1U);
    std::size_t other = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        other += bytes[i] == image_.bytes()[i] ? 0 : 1;
    }
    EXPECT_LE(other, 12U);
    EXPECT_EQ(ElfImage("copy", bytes).address_of("weir_trap_table"), 0U);
}

TEST_F(BuiltInImage, TheTrapTableHasNoLinesOfDroppedFunctions) {
    for (std::uint32_t address = ElfImage::kResetBytes; address < 0x1000; address += 4) {
        const std::string file = image_.place(address).file;
        EXPECT_TRUE(file.empty() || file == "firmware/sparcle/traps.S") << address << ": " << file;
    }
    EXPECT_GT(image_.place(ElfImage::kResetBytes).line, 0);
}

TEST_F(BuiltInImage, NoOtherIsBuiltIn) { EXPECT_TRUE(built_in_image("no such").empty()); }

}  // namespace
}  // namespace weir::firmware
