/*
 * Test programs as a compiler makes them. Each computes a number on a Sparcle node and, compiled
 * from the same source, on the host. The results do not depend on memory's byte order.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_TESTING_PROGRAMS_H
#define WEIR_FIRMWARE_SPARCLE_TESTING_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PROGRAM_COUNT 16

static uint32_t program_state;

static inline uint32_t next_random(void) {
    program_state ^= program_state << 13;
    program_state ^= program_state >> 17;
    program_state ^= program_state << 5;
    return program_state;
}

static inline uint64_t mix(uint64_t digest, uint64_t value) {
    digest ^= value;
    digest *= 0x100000001b3ULL;
    return digest ^ digest >> 29;
}

static inline uint64_t bits_of(double value) {
    union {
        double value;
        uint64_t bits;
    } both;
    both.value = value;
    return both.bits;
}

static inline void quick_sort(int32_t* values, int first, int last) {
    int low = first;
    int high = last;
    const int32_t pivot = values[(first + last) / 2];
    while (low <= high) {
        while (values[low] < pivot) {
            ++low;
        }
        while (values[high] > pivot) {
            --high;
        }
        if (low <= high) {
            const int32_t kept = values[low];
            values[low++] = values[high];
            values[high--] = kept;
        }
    }
    if (first < high) {
        quick_sort(values, first, high);
    }
    if (low < last) {
        quick_sort(values, low, last);
    }
}

static inline uint64_t sorting(void) {
    int32_t values[300];
    uint64_t digest = 1;
    for (int i = 0; i < 300; ++i) {
        values[i] = (int32_t)next_random();
    }
    quick_sort(values, 0, 299);
    for (int i = 0; i < 300; ++i) {
        digest = mix(digest, (uint32_t)values[i]);
    }
    return digest;
}

static inline uint64_t checksum(void) {
    uint32_t crc = 0xffffffff;
    for (int i = 0; i < 500; ++i) {
        crc ^= next_random() & 0xff;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
        }
    }
    return ~crc;
}

static inline int sign(int value) { return (value > 0) - (value < 0); }

static inline uint64_t strings(void) {
    char text[200];
    char other[200];
    uint64_t digest = 2;
    for (unsigned from = 0; from < 9; ++from) {
        for (unsigned to = 0; to < 9; ++to) {
            for (unsigned i = 0; i < sizeof text; ++i) {
                text[i] = (char)('a' + (i * 7 + from) % 23);
                other[i] = '-';
            }
            text[190] = 0;
            other[199] = 0;
            memcpy(other + to, text + from, 60 + 3 * from);
            digest = mix(digest, (unsigned char)other[to + 30]);
            digest = mix(digest, strlen(other));
            memmove(other + to + 5, other + from, 90);
            memmove(other + from, other + to + 3, 77);
            memset(other + to * 3, 'x' + (int)to, 11 + from);
            digest = mix(digest, (uint64_t)(5 + sign(memcmp(text, other, 150))));
            digest = mix(digest, (uint64_t)(5 + sign(strcmp(text + to, text + from))));
            digest = mix(digest, (uint64_t)(strchr(text, 'k') - text));
            digest = mix(digest, (uint64_t)(strrchr(text, 'k') - text));
            digest = mix(digest, strstr(text, "zz") == NULL);
            for (unsigned i = 0; i < sizeof other; ++i) {
                digest = mix(digest, (unsigned char)other[i]);
            }
        }
    }
    return digest;
}

static inline uint64_t words(void) {
    uint64_t digest = 3;
    for (int i = 0; i < 200; ++i) {
        const uint32_t a = next_random() >> (i % 32);
        const uint32_t b = (next_random() >> (i * 7 % 32)) | 1;
        const int32_t c = (int32_t)a * (i % 2 ? -1 : 1);
        const int32_t d = (int32_t)(b & 0x7fffffff) * (i % 3 ? -1 : 1);
        digest = mix(digest, a * b);
        digest = mix(digest, a / b);
        digest = mix(digest, a % b);
        digest = mix(digest, (uint32_t)(c == INT32_MIN ? 0 : c / d));
        digest = mix(digest, (uint32_t)(c == INT32_MIN ? 0 : c % d));
        digest = mix(digest, (uint64_t)a * b);
        digest = mix(digest, (uint64_t)((int64_t)c * d));
    }
    return digest;
}

static inline uint64_t long_words(void) {
    uint64_t digest = 4;
    for (int i = 0; i < 150; ++i) {
        const uint64_t a = ((uint64_t)next_random() << 32 | next_random()) >> (i % 64);
        const uint64_t b = (((uint64_t)next_random() << 32 | next_random()) >> (i * 11 % 64)) | 1;
        const int64_t c = (int64_t)(a >> 1) * (i % 2 ? -1 : 1);
        const int64_t d = (int64_t)((b >> 1) | 1) * (i % 3 ? -1 : 1);
        const int shift = i % 64;
        digest = mix(digest, a * b);
        digest = mix(digest, a / b);
        digest = mix(digest, a % b);
        digest = mix(digest, (uint64_t)(c / d));
        digest = mix(digest, (uint64_t)(c % d));
        digest = mix(digest, a << shift);
        digest = mix(digest, a >> shift);
        digest = mix(digest, (uint64_t)(c >> shift));
        digest = mix(digest, a + b < a);
        digest = mix(digest, (uint64_t)__builtin_popcountll(a) + (uint64_t)__builtin_clzll(b) +
                                 (uint64_t)__builtin_ctzll(b));
        digest = mix(digest, __builtin_bswap64(a) ^ __builtin_bswap32((uint32_t)b));
    }
    return digest;
}

static inline uint64_t reals(void) {
    uint64_t digest = 5;
    double sum = 0.0;
    float single = 1.0f;
    for (int i = 1; i < 200; ++i) {
        const double a = (double)(int32_t)next_random() / 65536.0;
        const double b = (double)next_random() + 1.0;
        sum += a * b / 3.0 - b / (a + 0.5);
        single = single * 1.0001f + (float)a / (float)b;
        digest = mix(digest, bits_of(sum));
        digest = mix(digest, bits_of((double)single));
        digest = mix(digest, (uint32_t)(int32_t)a);
        digest = mix(digest, (uint32_t)b);
        digest = mix(digest, (uint64_t)((a < b) + 2 * (a > -b) + 4 * (a == b) + 8 * (a != a)));
        digest = mix(digest, bits_of(-a));
    }
    return digest;
}

static inline uint64_t long_reals(void) {
    uint64_t digest = 6;
    for (int i = 0; i < 150; ++i) {
        const uint64_t a = ((uint64_t)next_random() << 32 | next_random()) >> (i % 64);
        const int64_t c = (int64_t)(a >> 1) * (i % 2 ? -1 : 1);
        union {
            float value;
            uint32_t bits;
        } single;
        digest = mix(digest, bits_of((double)a));
        digest = mix(digest, bits_of((double)c));
        single.value = (float)a;
        digest = mix(digest, single.bits);
        single.value = (float)c;
        digest = mix(digest, single.bits);
        digest = mix(digest, (uint64_t)((double)(a >> 1) * 0.75));
        digest = mix(digest, (uint64_t)(int64_t)((double)c * 0.75));
        digest = mix(digest, (uint64_t)(int64_t)((float)c * 0.5f));
    }
    return digest;
}

/* Recursion through many windows, with work after each return. */
__attribute__((noinline)) static uint32_t descend(uint32_t depth, uint32_t value) {
    const uint32_t below = depth == 0 ? 1 : descend(depth - 1, value * 3 + depth);
    return (below ^ value) + (below << 3) + depth;
}
__attribute__((noinline)) static uint32_t ackermann(uint32_t m, uint32_t n) {
    if (m == 0) {
        return n + 1;
    }
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static inline uint64_t recursion(void) {
    return mix(mix(7, descend(100, next_random())), ackermann(2, 5));
}

static inline uint64_t program(int number) {
    program_state = 12345u + (uint32_t)number;
    switch (number % 8) {
        case 0:
            return sorting();
        case 1:
            return checksum();
        case 2:
            return strings();
        case 3:
            return words();
        case 4:
            return long_words();
        case 5:
            return reals();
        case 6:
            return long_reals();
        default:
            return recursion();
    }
}

#endif
