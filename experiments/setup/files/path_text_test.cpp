#include "experiments/setup/files/path_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/setup/testing/setup_fixture.h"
#include "experiments/setup/text/utf8_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using weir::testing::Names;

const Place kPlace{"a.toml", 3, 1};

TEST(PathTextTest, PathsInUtf8StayAsTheyAre) {
    for (const char* path : {"a.dot", "../b c/a%20.dot", "/home/\u00e9/a.dot", "file:a.dot"}) {
        EXPECT_EQ(path_as_text(path), path);
        EXPECT_FALSE(is_file_uri(path));
    }
}

TEST(PathTextTest, OtherBytesAreEscapesOfAUri) {
    EXPECT_EQ(path_as_text("/a\xff/b c%.dot"), "file:///a%FF/b%20c%25.dot");
    EXPECT_EQ(path_as_text("/a\xc3/../\xfe"), "file:///%FE");
}

TEST(PathTextTest, EachPathComesBack) {
    for (int byte = 1; byte < 256; ++byte) {
        const std::string path = std::string("/\xff") + static_cast<char>(byte) + "x";
        const std::string text = path_as_text(path);
        ASSERT_TRUE(is_utf8(text));
        ASSERT_TRUE(is_file_uri(text));
        const std::string expected = byte == '/' ? "/\xff/x" : path;
        EXPECT_EQ(path_of_uri(kPlace, text), expected) << byte;
    }
    EXPECT_EQ(path_of_uri(kPlace, "file://localhost/a"), "/a");
}

std::string refusal_of_uri(const std::string& uri) {
    return fault_of([&] { (void)path_of_uri(kPlace, uri); });
}

TEST(PathTextTest, FaultyUrisAreRefused) {
    for (const char* uri : {"file://", "file://elsewhere/a", "file://a"}) {
        EXPECT_THAT(refusal_of_uri(uri), Names("a.toml:3:1", uri, "file://")) << uri;
    }
    for (const char* uri : {"file:///a%", "file:///a%f", "file:///a%0", "file:///a%zz",
                            "file:///a%00", "file:///%-1"}) {
        EXPECT_THAT(refusal_of_uri(uri), Names("a.toml:3:1", "escape", "hexadecimal")) << uri;
    }
}

}  // namespace
}  // namespace weir::experiments::setup
