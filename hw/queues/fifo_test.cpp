#include "hw/queues/fifo.h"

#include <gtest/gtest.h>

#include <deque>

#include "hw/random_stream.h"
#include "hw/units.h"

namespace weir::hw {
namespace {

TEST(FifoTest, IsEmptyBeforeTheFirstAndAfterTheLast) {
    Fifo<int> fifo;
    EXPECT_TRUE(fifo.empty());
    fifo.push_back(7);
    EXPECT_FALSE(fifo.empty());
    EXPECT_EQ(fifo.front(), 7);
    EXPECT_EQ(fifo.back(), 7);
    fifo.pop_front();
    EXPECT_TRUE(fifo.empty());
    EXPECT_EQ(fifo.size(), 0U);
    fifo.push_back(8);
    fifo.push_back(9);
    fifo.clear();
    EXPECT_TRUE(fifo.empty());
    fifo.push_back(10);
    EXPECT_EQ(fifo.front(), 10);
    EXPECT_EQ(fifo.size(), 1U);
}

// Covers a ring that grows while its oldest item is in the middle.
TEST(FifoTest, HoldsWhatADequeHolds) {
    Fifo<std::uint64_t> fifo;
    std::deque<std::uint64_t> deque;
    RandomStream stream(1, NodeId(0), "fifo");
    for (int step = 0; step < 10'000; ++step) {
        const bool grows = stream.below(1000) < (step % 2000 < 1000 ? 600U : 400U);
        if (grows || deque.empty()) {
            deque.push_back(stream.next());
            fifo.push_back(deque.back());
        } else if (stream.below(4) == 0) {
            deque.pop_back();
            fifo.pop_back();
        } else {
            deque.pop_front();
            fifo.pop_front();
        }
        ASSERT_EQ(fifo.size(), deque.size());
        ASSERT_EQ(fifo.empty(), deque.empty());
        for (std::size_t i = 0; i < deque.size(); ++i) {
            ASSERT_EQ(fifo[i], deque[i]) << "item " << i << " after step " << step;
        }
        if (!deque.empty()) {
            ASSERT_EQ(fifo.front(), deque.front());
            ASSERT_EQ(fifo.back(), deque.back());
        }
    }
}

}  // namespace
}  // namespace weir::hw
