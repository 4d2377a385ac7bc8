#include "firmware/sparcle/elf_image.h"
#include "firmware/sparcle/images.h"
#include "firmware/sparcle/testing/made_elf.h"
#include "hw/testing/fuzz_target.h"

namespace weir::firmware {
namespace {

std::string text_of(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const hw::testing::FuzzTarget kElfFuzz({
    .name = "elf",
    .sources = {"firmware/sparcle/elf_image.cpp"},
    .read =
        [](const std::string& input) {
            const ElfImage image(
                "made.elf", {reinterpret_cast<const std::uint8_t*>(input.data()), input.size()});
            for (const ElfImage::Symbol& symbol : image.symbols()) {
                static_cast<void>(image.place(symbol.address).text());
            }
            static_cast<void>(image.place(image.entry()).text());
            image.check_fits(0x1000'0000, "memory.bytes");
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                text_of(MadeElf().segment(0x1000, 8, 8).segment(0x40, 8, 0xfc0).bytes()),
                text_of(built_in_image("speed"))};
        },
    .tests = "ElfImage.*",
});

}  // namespace
}  // namespace weir::firmware
