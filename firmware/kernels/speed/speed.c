/*
 * Program of `weir bench sparcle-32`, run forever by every node: a checksum, a sort, a product of
 * matrices of doubles, and recursion that spills windows. The program sends no messages, and its
 * data fit into the cache. For `weir bench shared-32`, the data are in shared memory at the node
 * (speed_shared.c).
 */
#ifdef SPEED_IN_SHARED_MEMORY
#include "firmware/sparcle/shared_memory.h"
#else
#include "firmware/sparcle/weir.h"
#endif

#define BYTES 2048
#define KEYS 64
#define SIDE 8

struct work {
    uint8_t text[BYTES];
    int32_t keys[KEYS];
    double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
};
volatile uint32_t speed_answer;

#ifdef SPEED_IN_SHARED_MEMORY
static struct work* place_of_work(void) {
    struct work* place = NULL;
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        struct work* const one = shared_allocate(node, sizeof *one);
        if (node == weir_node()) {
            place = one;
        }
    }
    return place;
}
#else
static struct work* place_of_work(void) {
    static struct work own;
    return &own;
}
#endif

static __attribute__((noinline)) uint32_t checksum(const uint8_t* bytes, uint32_t count) {
    uint32_t crc = ~0u;
    while (count-- > 0) {
        crc ^= *bytes++;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
        }
    }
    return ~crc;
}

static __attribute__((noinline)) void sort(int32_t* values, int count) {
    for (int i = 1; i < count; ++i) {
        const int32_t value = values[i];
        int j = i;
        for (; j > 0 && values[j - 1] > value; --j) {
            values[j] = values[j - 1];
        }
        values[j] = value;
    }
}

static __attribute__((noinline)) void multiply(struct work* work) {
    for (int i = 0; i < SIDE; ++i) {
        for (int j = 0; j < SIDE; ++j) {
            double sum = 0.0;
            for (int k = 0; k < SIDE; ++k) {
                sum += work->left[i][k] * work->right[k][j];
            }
            work->product[i][j] = sum;
        }
    }
}

static __attribute__((noinline)) uint32_t depth(uint32_t levels) {
    return levels == 0 ? 1 : depth(levels - 1) + 1;
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    struct work* const work = place_of_work();
    uint32_t state = weir_node() + 1;
    for (;;) {
        for (int i = 0; i < BYTES; ++i) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            work->text[i] = (uint8_t)state;
            work->keys[i % KEYS] = (int32_t)state;
        }
        sort(work->keys, KEYS);
        for (int i = 0; i < SIDE * SIDE; ++i) {
            work->left[i / SIDE][i % SIDE] = work->keys[i];
            work->right[i % SIDE][i / SIDE] = work->text[i];
        }
        multiply(work);
        speed_answer = checksum(work->text, BYTES) + depth(12) + (work->product[1][2] > 0.0);
    }
}
