#include "hw/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "hw/testing/names.h"

namespace weir::hw {
namespace {

using weir::testing::Names;

TEST(RefusalTest, SaysWhereWhatWhatIsAcceptedAndTheNearestName) {
    EXPECT_THAT(Refusal(Fault{"a.toml:3:1", "no kernel \"rmap\"", "a kernel", "remap"}).what(),
                Names("a.toml:3:1: no kernel \"rmap\"", "accepted: a kernel", "\"remap\""));
    EXPECT_STREQ(Refusal("all").what(), "all");
}

TEST(RefusalTest, ControlCharactersAreShownAndNotObeyed) {
    EXPECT_EQ(shown("red \x1b[31m, bell \x07, delete \x7f"),
              "red \\x1b[31m, bell \\x07, delete \\x7f");
    EXPECT_EQ(shown("U+009B: \xc2\x9b"), "U+009B: \\xc2\\x9b");
    EXPECT_EQ(shown("two\nlines, ±, …"), "two\nlines, ±, …");
}

TEST(RefusalTest, NothingBehindATextIsRead) {
    constexpr std::string_view kWhole = "half \xc2\x85";
    EXPECT_EQ(shown(kWhole.substr(0, 6)), "half \xc2");
}

// The limit of 200 bytes counts characters as displayed: an escape is longer than its character.
TEST(RefusalTest, ControlCharactersCountAsTheirEscapes) {
    const std::string text = shown("is \"" + std::string(150, '\x1b') + "\"");
    EXPECT_EQ(text.size(), std::string("is ").size() + 200);
    EXPECT_EQ(shown(text), text);
    EXPECT_EQ(shown("half: \xc2 1"), "half: \xc2 1");
    const std::string open = shown("\"" + std::string(300, 'x') + "ä");
    EXPECT_TRUE(open.ends_with("x…\"")) << "no half of a character";
}

TEST(RefusalTest, WhatAMessageQuotesIsShort) {
    EXPECT_EQ(shortened(std::string(200, 'x')).size(), 200U);
    EXPECT_EQ(shortened(std::string(5'000, 'x')), std::string(197, 'x') + "…");
    std::string umlauts;
    for (int i = 0; i < 300; ++i) {
        umlauts += "ä";
    }
    EXPECT_EQ(shortened(umlauts).size(), 199U);  // cut before a two-byte character
}

// Found by fuzzing: UTF-8 continuation bytes without a leading byte.
TEST(RefusalTest, WhatIsNoTextIsCutAsOneIs) {
    const std::string bytes(300, '\x88');
    EXPECT_EQ(shortened("x" + bytes), "x" + bytes.substr(0, 196) + "…");
    const std::string text = shown("\"" + bytes + "\" is no key");
    EXPECT_EQ(text, "\"" + bytes.substr(0, 195) + "…\" is no key");
    EXPECT_EQ(shown(text), text);
    // Up to three bytes may belong to a character before the cut.
    EXPECT_EQ(shown(std::string(9'000, '\x88')).size(), 4'000U - 3);
}

TEST(RefusalTest, WhatIsQuotedIsCut) {
    const std::string fits(198, 'x');
    EXPECT_EQ(shown("is \"" + fits + "\" here"), "is \"" + fits + "\" here");
    const std::string cut = shown("is \"" + fits + "yz\" here");
    EXPECT_EQ(cut, "is \"" + fits.substr(0, 195) + "…\" here");
    EXPECT_EQ(shown(cut), cut);
    EXPECT_EQ(shown("is \"" + std::string(5'000, 'x')), "is \"" + fits.substr(0, 195) + "…\"");

    std::string list = "[1";
    for (int i = 0; i < 9'000; ++i) {
        list += ", 1";
    }
    EXPECT_EQ(shown("the list " + list + "]; accepted: [2]").size(),
              std::string("the list ; accepted: [2]").size() + 200);
    // The cut must not split a character.
    std::string umlauts = "\"";
    for (int i = 0; i < 300; ++i) {
        umlauts += "ä";
    }
    EXPECT_EQ(shown(umlauts + "\"").size() % 2, 1U);
}

// A bracket or quote that the cut, or the end of the text, leaves open is closed exactly once.
TEST(RefusalTest, WhatWasCutStaysAsItIs) {
    for (const char* begin : {"[", "[[[[=[[", "\"", "[\""}) {
        for (const char* end : {"", "]", "]]; accepted: [1]"}) {
            const std::string text = shown(begin + std::string(300, 'x') + end);
            EXPECT_LT(text.size(), 230U) << text;
            EXPECT_EQ(shown(text), text);
        }
    }
}

TEST(RefusalTest, AFileThatThePlaceNamesIsNotNamedAgain) {
    const auto text = [](const std::string& key, const std::string& found) {
        return std::string(Refusal(key, found, "a file").what());
    };
    EXPECT_EQ(text("a.cfg", "a.cfg: can't be read"), "a.cfg: can't be read; accepted: a file");
    EXPECT_EQ(text("--trace a.db", "a.db: no trace"), "--trace a.db: no trace; accepted: a file");
    EXPECT_EQ(text("--set network.graph_file=a", "\"a\" is no graph"),
              "--set network.graph_file=a: it is no graph; accepted: a file");
    EXPECT_EQ(text("--set x.y=b c.dot", "the file \"b c.dot\" can't be read"),
              "--set x.y=b c.dot: the file can't be read; accepted: a file");
    // Other places, and lines of the file, stay.
    EXPECT_EQ(text("a.toml:3:1", "\"a\" is no graph"),
              "a.toml:3:1: \"a\" is no graph; accepted: a file");
    EXPECT_EQ(text("--set x.y=a.dot", "a.dot:1:2: a fault"),
              "--set x.y=a.dot: a.dot:1:2: a fault; accepted: a file");
    EXPECT_EQ(text("", ": a fault"), ": a fault; accepted: a file");
    EXPECT_EQ(Refusal("a", "a: b").fault().found, "a: b");
}

// Quotes within a quoted input are mistaken for the message's own quotes.
TEST(RefusalTest, AMessageIsShortWhateverQuotesItsQuotesHave) {
    const std::string text =
        shown("found \"m\"t" + std::string(9'000, 'x') + "\"; accepted: a matrix");
    EXPECT_LE(text.size(), 4'000U);
    EXPECT_EQ(text.substr(0, 11), "found \"m\"tx");
    EXPECT_EQ(text.substr(text.size() - 21), "\"; accepted: a matrix");
    EXPECT_EQ(shown(text), text);
    std::string umlauts = "\"m\"";
    for (int i = 0; i < 4'000; ++i) {
        umlauts += "ä";
    }
    EXPECT_EQ(shown(shown(umlauts)), shown(umlauts));
    EXPECT_LE(shown(umlauts).size(), 4'000U);
}

}  // namespace
}  // namespace weir::hw
