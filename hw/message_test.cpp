#include "hw/message.h"

#include <gtest/gtest.h>

namespace weir::hw {
namespace {

TEST(MessagePoolTest, UsesASlotAgainOnceItsMessageIsDoneAndCleansIt) {
    MessagePool pool;
    const MessageSlot first = pool.allocate();
    const MessageSlot second = pool.allocate();
    EXPECT_NE(first, second);
    pool[first].id = MessageId{NodeId(3), 7};
    pool[first].times.notify = Cycles(9);
    pool.release(first);
    EXPECT_EQ(pool.in_use(), 1U);
    EXPECT_EQ(pool.allocate(), first);
    EXPECT_EQ(pool[first].times.notify, kNever);
    EXPECT_FALSE(pool[first].id.valid());
}

TEST(MessagePoolTest, MessagesStayWhereTheyAreWhileOthersAreAdded) {
    MessagePool pool;
    const Message& first = pool[pool.allocate()];
    for (int i = 0; i < 10'000; ++i) {
        pool.allocate();
    }
    EXPECT_EQ(&first, &pool[0]);
}

TEST(MessagePoolTest, VisitsTheMessagesThatAreUnderWay) {
    MessagePool pool;
    for (std::int64_t sequence = 0; sequence < 3; ++sequence) {
        pool[pool.allocate()].id = MessageId{NodeId(1), sequence};
    }
    pool.release(1);
    std::int64_t sequences = 0;
    pool.for_each([&](const Message& message) { sequences += 10 + message.id.sequence; });
    EXPECT_EQ(sequences, 22);
}

TEST(HeaderWordTest, PacksAndUnpacksItsThreeFields) {
    const unsigned header = WEIR_HEADER(0xa5, 16, 0xfedc);
    EXPECT_EQ(header, 0xa510fedcU);
    EXPECT_EQ(WEIR_HEADER_OPERATION(header), 0xa5U);
    EXPECT_EQ(WEIR_HEADER_WORDS(header), 16U);
    EXPECT_EQ(WEIR_HEADER_DESTINATION(header), 0xfedcU);
}

}  // namespace
}  // namespace weir::hw
