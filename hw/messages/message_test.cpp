#include "hw/messages/message.h"

#include <gtest/gtest.h>

namespace weir::hw {
namespace {

TEST(HeaderWordTest, PacksAndUnpacksItsThreeFields) {
    const unsigned header = WEIR_HEADER(0xa5, 16, 0xfedc);
    EXPECT_EQ(header, 0xa510fedcU);
    EXPECT_EQ(WEIR_HEADER_OPERATION(header), 0xa5U);
    EXPECT_EQ(WEIR_HEADER_WORDS(header), 16U);
    EXPECT_EQ(WEIR_HEADER_DESTINATION(header), 0xfedcU);
}

}  // namespace
}  // namespace weir::hw
