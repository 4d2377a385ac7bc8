/*
 * What `weir bench sparcle-32` runs on every node, for ever: a checksum, a sort, a product of
 * matrices of doubles, and recursion that spills windows. No messages; what it works on stays in
 * the cache.
 */
#include "firmware/sparcle/weir.h"

#define BYTES 2048
#define KEYS 64
#define SIDE 8

static uint8_t text[BYTES];
static int32_t keys[KEYS];
static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
volatile uint32_t speed_answer;

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

static __attribute__((noinline)) void multiply(void) {
    for (int i = 0; i < SIDE; ++i) {
        for (int j = 0; j < SIDE; ++j) {
            double sum = 0.0;
            for (int k = 0; k < SIDE; ++k) {
                sum += left[i][k] * right[k][j];
            }
            product[i][j] = sum;
        }
    }
}

static __attribute__((noinline)) uint32_t depth(uint32_t levels) {
    return levels == 0 ? 1 : depth(levels - 1) + 1;
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    uint32_t state = weir_node() + 1;
    for (;;) {
        for (int i = 0; i < BYTES; ++i) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            text[i] = (uint8_t)state;
            keys[i % KEYS] = (int32_t)state;
        }
        sort(keys, KEYS);
        for (int i = 0; i < SIDE * SIDE; ++i) {
            left[i / SIDE][i % SIDE] = keys[i];
            right[i % SIDE][i / SIDE] = text[i];
        }
        multiply();
        speed_answer = checksum(text, BYTES) + depth(12) + (product[1][2] > 0.0);
    }
}
