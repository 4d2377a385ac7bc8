#include "hw/messages/message_pool.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <thread>

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

TEST(MessagePoolTest, PoolsOfTilesHaveTheSameMessages) {
    MessagePool one;
    MessagePool two(one);
    const MessageSlot of_one = one.allocate();
    const MessageSlot of_two = two.allocate();
    EXPECT_NE(of_one, of_two);
    one[of_one].id = MessageId{NodeId(1), 5};
    EXPECT_EQ(two[of_one].id, (MessageId{NodeId(1), 5}));
    EXPECT_EQ(one.in_use(), 2U);
    two.release(of_one);
    EXPECT_EQ(one.in_use(), 1U);
    EXPECT_EQ(two.in_use(), 1U);
}

// All messages go in one direction: the sender's pool reuses slots that the receiver's pool got
// back.
TEST(MessagePoolTest, SlotsComeBackFromTheTileWhereMessagesEnd) {
    MessagePool sender;
    MessagePool receiver(sender);
    std::set<MessageSlot> used;
    for (int i = 0; i < 10'000; ++i) {
        const MessageSlot slot = sender.allocate();
        used.insert(slot);
        receiver.release(slot);
    }
    EXPECT_LT(used.size(), 500U);
    EXPECT_EQ(sender.in_use(), 0U);
}

TEST(MessagePoolTest, TilesAllocateAtTheSameTime) {
    MessagePool one;
    MessagePool two(one);
    constexpr int kMessages = 20'000;
    const auto fill = [](MessagePool& pool, std::int32_t node) {
        std::deque<MessageSlot> slots;
        for (std::int64_t i = 0; i < kMessages; ++i) {
            slots.push_back(pool.allocate());
            pool[slots.back()].id = MessageId{NodeId(node), i};
            if (i % 3 == 0) {
                pool.release(slots.front());
                slots.pop_front();
            }
        }
    };
    std::thread other([&] { fill(two, 1); });
    fill(one, 0);
    other.join();
    std::set<MessageId> ids;
    one.for_each([&ids](const Message& message) { ids.insert(message.id); });
    EXPECT_EQ(ids.size(), one.in_use());
    EXPECT_EQ(one.in_use(), 2U * (kMessages - (kMessages + 2) / 3));
}

}  // namespace
}  // namespace weir::hw
