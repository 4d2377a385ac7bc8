// Compares the disassembly of the tests' programs with objdump's.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "firmware/sparcle/elf_image.h"
#include "nodes/sparcle/disassembly.h"

namespace weir::firmware {
namespace {

// Converts objdump's listing to our format of blanks, brackets and addresses; drops its notes after
// an instruction.
std::string normalised(std::string text) {
    static const std::vector<std::pair<std::regex, std::string>> kChanges = {
        {std::regex(R"(\s*(<|!).*)"), ""},
        {std::regex(R"(\s+)"), " "},
        {std::regex(R"(\[ )"), "["},
        {std::regex(R"( \])"), "]"},
        {std::regex(R"(^((?:f?b[a-z,]*|call) )([0-9a-f]+)$)"), "$010x$2"},
        {std::regex(R"(\(0\))"), "(0x0)"},
        {std::regex(R"( $)"), ""}};
    for (const auto& [pattern, with] : kChanges) {
        text = std::regex_replace(text, pattern, with);
    }
    return text;
}

TEST(DisassemblyOfProgramsTest, IsThatOfObjdump) {
    const std::string path = std::string(WEIR_TEST_IMAGES) + "/programs.elf";
    const ElfImage image = ElfImage::read_file(path);
    struct Close {
        void operator()(std::FILE* pipe) const { pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> listing(
        popen(("sparc64-linux-gnu-objdump -d --no-show-raw-insn " + path).c_str(), "re"));
    ASSERT_NE(listing, nullptr);
    const std::regex row(R"(^ *([0-9a-f]+):\t(.*)\n$)");
    int compared = 0;
    char* line = nullptr;
    std::size_t room = 0;
    while (getline(&line, &room, listing.get()) > 0) {
        std::cmatch match;
        if (!std::regex_match(static_cast<const char*>(line), match, row)) {
            continue;
        }
        const auto address = static_cast<std::uint32_t>(std::stoul(match[1], nullptr, 16));
        const ElfImage::Symbol* const function = image.symbol_at(address);
        // The last function is followed by constants.
        if (function == nullptr || !function->is_function ||
            address - function->address >= function->bytes) {
            continue;
        }
        const std::string ours =
            nodes::sparcle::disassembly(image.word_at(address).value_or(0), address);
        ++compared;
        EXPECT_EQ(ours, normalised(match[2])) << line;
    }
    free(line);
    EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace weir::firmware
