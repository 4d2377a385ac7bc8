// std::atomic in memory that all nodes share. Every node adds to the same objects of 1, 4, 8 and 12
// bytes, and to a plain number under a lock of std::atomic_flag. A lost or torn change alters the
// output of node 0.
#include <atomic>
#include <cstdio>
#include <new>

#include "firmware/sparcle/shared_memory.h"

namespace {

constexpr int kTurns = 50;

struct Three {
    int words[3];
};

struct Shared {
    std::atomic<unsigned char> byte{0};
    std::atomic<int> whole{0};
    std::atomic<long long> large{0};
    std::atomic<int> swapped{0};
    std::atomic<Three> three{};
    std::atomic<int*> place{nullptr};
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    int locked = 0;
};

void change(Shared& shared) {
    ++shared.byte;
    shared.whole.fetch_add(3);
    shared.large += 1LL << 31;
    for (int before = shared.swapped; !shared.swapped.compare_exchange_weak(before, before + 5);) {
    }
    Three before = shared.three;
    Three after{};
    do {
        after = {before.words[0] + 1, before.words[1] + 2, before.words[2] + 3};
    } while (!shared.three.compare_exchange_strong(before, after));
    shared.place.fetch_add(1);
    while (shared.lock.test_and_set(std::memory_order_acquire)) {
    }
    ++shared.locked;
    shared.lock.clear(std::memory_order_release);
}

}  // namespace

int main() {
    static shared_barrier barrier;
    static_assert(sizeof(Shared) <= 64, "");
    void* const memory = shared_allocate(0, 64);
    shared_barrier_make(&barrier);
    Shared* const shared = weir_node() == 0 ? new (memory) Shared : static_cast<Shared*>(memory);
    shared_barrier_meet(&barrier);
    for (int turn = 0; turn < kTurns; ++turn) {
        change(*shared);
    }
    shared_barrier_meet(&barrier);
    if (weir_node() == 0) {
        const Three three = shared->three;
        std::printf("%d %d %lld %d %d %d %d %d %d\n", shared->byte.load(), shared->whole.load(),
                    shared->large.load(), shared->swapped.exchange(0), three.words[0],
                    three.words[1], three.words[2],
                    static_cast<int>(reinterpret_cast<unsigned long>(shared->place.load())),
                    shared->locked);
    }
    return 0;
}
