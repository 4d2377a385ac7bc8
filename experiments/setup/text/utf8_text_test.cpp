#include "experiments/setup/text/utf8_text.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace weir::experiments::setup {
namespace {

using namespace std::string_view_literals;

TEST(Utf8TextTest, CharactersOfEachLengthAreTaken) {
    constexpr std::array kTexts{""sv,
                                "plain"sv,
                                "\0"sv,
                                "\xc2\x80"sv,
                                "\xdf\xbf"sv,
                                "\u00e9\u2026"sv,
                                "\xe0\xa0\x80"sv,
                                "\xed\x9f\xbf"sv,
                                "\xee\x80\x80"sv,
                                "\xf0\x90\x80\x80"sv,
                                "\xf4\x8f\xbf\xbf"sv};
    for (const std::string_view text : kTexts) {
        EXPECT_TRUE(is_utf8(text)) << text;
        EXPECT_EQ(with_utf8_escapes(text), text);
    }
}

// Continuation bytes alone, overlong forms, surrogates, values above U+10FFFF, and truncated
// characters.
TEST(Utf8TextTest, OtherBytesAreNone) {
    constexpr std::array kTexts{"\x80"sv,
                                "\xbf"sv,
                                "\xc0\x80"sv,
                                "\xc1\xbf"sv,
                                "\xe0\x9f\xbf"sv,
                                "\xed\xa0\x80"sv,
                                "\xf0\x8f\xbf\xbf"sv,
                                "\xf4\x90\x80\x80"sv,
                                "\xf5\x80\x80\x80"sv,
                                "\xfe"sv,
                                "\xff"sv,
                                "\xc2"sv,
                                "\xe2\x80"sv,
                                "\xf0\x90\x80"sv,
                                "\xc2x"sv};
    for (const std::string_view text : kTexts) {
        EXPECT_FALSE(is_utf8(text)) << byte_escape(text.front());
        EXPECT_TRUE(is_utf8(with_utf8_escapes(text)));
    }
}

TEST(Utf8TextTest, EachOtherByteIsAnEscape) {
    EXPECT_EQ(with_utf8_escapes("a\xfe\u00e9\xc2.toml"), "a\\xfe\u00e9\\xc2.toml");
}

TEST(Utf8TextTest, APrintableLineHasNoLineEnd) {
    EXPECT_EQ(printable_line("a\nb\x1b\xff"), "a\\nb\\x1b\\xff");
}

TEST(Utf8TextTest, NoTerminalObeysAPrintableText) {
    EXPECT_EQ(printable("a\tb\n\u00e9 \u2028"), "a\tb\n\u00e9 \u2028");
    EXPECT_EQ(printable("\x1b[2J\x7f\r\a"), "\\x1b[2J\\x7f\\x0d\\x07");
    EXPECT_EQ(printable("\u0080\u009b31m\u00a0"), "\\xc2\\x80\\xc2\\x9b31m\u00a0");
    EXPECT_EQ(printable("\x9b\xff"), "\\x9b\\xff");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

}  // namespace
}  // namespace weir::experiments::setup
