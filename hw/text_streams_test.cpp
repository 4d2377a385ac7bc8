#include "hw/text_streams.h"

#include <gtest/gtest.h>

#include <new>
#include <streambuf>
#include <string>

namespace weir::hw {
namespace {

// A buffer that is refused memory when it grows.
class Refused final : public std::streambuf {
    int_type overflow(int_type /*character*/) override { throw std::bad_alloc(); }
    int_type underflow() override { throw std::bad_alloc(); }
};

template <class Stream>
void refuse(Stream& stream) {
    static Refused refused;
    static_cast<std::ios&>(stream).rdbuf(&refused);
    stream.exceptions(Stream::badbit);
}

TEST(TextWriterTest, WritesWhatItIsGiven) {
    TextWriter text;
    text << "a " << 1 << std::hex << ' ' << 255;
    EXPECT_EQ(text.str(), "a 1 ff");
}

TEST(TextWriterTest, ARefusalOfMemoryIsThrown) {
    TextWriter text;
    EXPECT_EQ(text.exceptions(), std::ios::badbit);
    refuse(text);
    EXPECT_THROW(text << "more", std::bad_alloc);
}

TEST(TextReaderTest, TheEndIsNoException) {
    TextReader text("one two");
    std::string word;
    EXPECT_TRUE(text >> word);
    EXPECT_TRUE(text >> word);
    EXPECT_FALSE(text >> word);
    EXPECT_EQ(word, "two");
}

TEST(TextReaderTest, ARefusalOfMemoryIsThrown) {
    TextReader text("one");
    EXPECT_EQ(text.exceptions(), std::ios::badbit);
    refuse(text);
    std::string line;
    EXPECT_THROW(std::getline(text, line), std::bad_alloc);
}

}  // namespace
}  // namespace weir::hw
