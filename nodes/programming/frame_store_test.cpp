#include <gtest/gtest.h>
#include <malloc.h>

#include <cstring>
#include <thread>

#include "nodes/programming/task.h"

namespace weir::nodes {
namespace {

constexpr std::size_t kLarge = 10'000;

#ifndef WEIR_HAS_SANITIZERS
TEST(FrameStoreTest, GivesWhatOneHadToTheNextOfItsSize) {
    FrameStore store;
    void* const first = store.take(200);
    void* const second = store.take(200);
    EXPECT_NE(first, second);
    store.give_back(first, 200);
    void* const smaller = store.take(100);
    EXPECT_NE(smaller, first);
    // 193 and 200 bytes are in one size class of 64-byte steps.
    void* const third = store.take(193);
    EXPECT_EQ(third, first);
    store.give_back(smaller, 100);
    store.give_back(second, 200);
    store.give_back(third, 193);
}
#endif

TEST(FrameStoreTest, FramesOfAllSizesHaveTheirBytes) {
    FrameStore store;
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{64}, std::size_t{65}, kLarge}) {
        for (int i = 0; i < 2; ++i) {
            void* const frame = store.take(bytes);
            EXPECT_GE(malloc_usable_size(frame), bytes);
            std::memset(frame, 0xff, bytes);  // a sanitizer checks the bounds
            store.give_back(frame, bytes);
        }
    }
}

TEST(FrameStoreTest, AFrameMayEndInAnotherThreadThanItBeganIn) {
    void* frame = nullptr;
    std::thread([&frame] { frame = FrameStore::of_thread().take(200); }).join();
    std::memset(frame, 0xff, 200);
    FrameStore::of_thread().give_back(frame, 200);
#ifndef WEIR_HAS_SANITIZERS
    EXPECT_EQ(FrameStore::of_thread().take(200), frame);
    FrameStore::of_thread().give_back(frame, 200);
#endif
}

}  // namespace
}  // namespace weir::nodes
