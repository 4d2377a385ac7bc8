/*
 * Every floating-point operation for which a compiler has a support function, on operands at the
 * limits of the formats. The same source runs on a Sparcle node, with and without the unit, and on
 * the host.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_TESTING_REAL_OPERATIONS_H
#define WEIR_FIRMWARE_SPARCLE_TESTING_REAL_OPERATIONS_H

#include <math.h>
#include <stdint.h>

#define REAL_SPECIALS 15
#define REAL_RANDOM_PAIRS 250
#define REAL_PAIRS (REAL_SPECIALS * REAL_SPECIALS + REAL_RANDOM_PAIRS)
#define REAL_OPERATIONS 26

union real_double {
    double value;
    uint64_t bits;
};
union real_single {
    float value;
    uint32_t bits;
};

static inline double double_of_bits(uint64_t bits) {
    union real_double both;
    both.bits = bits;
    return both.value;
}
static inline float single_of_bits(uint32_t bits) {
    union real_single both;
    both.bits = bits;
    return both.value;
}
static inline uint64_t double_bits(double value) {
    union real_double both;
    both.value = value;
    return both.bits;
}
static inline uint64_t single_bits(float value) {
    union real_single both;
    both.value = value;
    return both.bits;
}

/* Zeros, the smallest and largest denormal, the smallest normal and its neighbour, 1 and its
 * neighbours. A tie of conversions, the largest finite number, infinities, a quiet NaN and a
 * signaling NaN. */
static const uint64_t real_special_doubles[REAL_SPECIALS] = {
    0x0000000000000000ULL, 0x8000000000000000ULL, 0x0000000000000001ULL, 0x800fffffffffffffULL,
    0x0010000000000000ULL, 0x8010000000000001ULL, 0x3ff0000000000000ULL, 0xbfefffffffffffffULL,
    0x3ff0000000000001ULL, 0x36a0000000000000ULL, 0x41dfffffffe00000ULL, 0x7fefffffffffffffULL,
    0xfff0000000000000ULL, 0x7ff8000000000123ULL, 0xfff0000000000456ULL};
static const uint32_t real_special_singles[REAL_SPECIALS] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x80800001, 0x3f800000, 0xbf7fffff,
    0x3f800001, 0x4effffff, 0xcf000000, 0x7f7fffff, 0xff800000, 0x7fc00123, 0xff800456};

struct real_pair {
    double a, b;
    float c, d;
};

static inline uint32_t real_random(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Half of the random pairs have similar exponents. */
static inline struct real_pair real_operands(int number) {
    struct real_pair pair;
    if (number < REAL_SPECIALS * REAL_SPECIALS) {
        pair.a = double_of_bits(real_special_doubles[number / REAL_SPECIALS]);
        pair.b = double_of_bits(real_special_doubles[number % REAL_SPECIALS]);
        pair.c = single_of_bits(real_special_singles[number / REAL_SPECIALS]);
        pair.d = single_of_bits(real_special_singles[number % REAL_SPECIALS]);
        return pair;
    }
    uint32_t state = 0x9e3779b9u * (uint32_t)number;
    uint32_t high[2];
    for (int i = 0; i < 20; ++i) {
        high[i % 2] = real_random(&state);
    }
    if (number % 2 == 0) {
        high[0] = 0x3fe00000 ^ (high[0] & 0x807fffff);
        high[1] = 0x3fe00000 ^ (high[1] & 0x807fffff);
    }
    pair.c = single_of_bits(high[0]);
    pair.d = single_of_bits(high[1]);
    pair.a = double_of_bits((uint64_t)high[0] << 32 | real_random(&state));
    pair.b = double_of_bits((uint64_t)high[1] << 32 | real_random(&state));
    return pair;
}

/* Whether C defines the conversion to an integer. */
static inline int real_fits(double value, double least, double most) {
    return value > least && value < most;
}

static inline uint64_t real_operation(int operation, struct real_pair pair) {
    const double a = pair.a;
    const double b = pair.b;
    const float c = pair.c;
    const float d = pair.d;
    const uint64_t whole = double_bits(a);
    switch (operation) {
        case 0:
            return double_bits(a + b);
        case 1:
            return double_bits(a - b);
        case 2:
            return double_bits(a * b);
        case 3:
            return double_bits(a / b);
        case 4:
            return double_bits(sqrt(a));
        case 5:
            return (uint64_t)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) +
                              32 * (a >= b) + 64 * __builtin_isunordered(a, b) +
                              128 * __builtin_isless(a, b) + 256 * !(a > b) + 512 * !(a <= b));
        case 6:
            return single_bits((float)a);
        case 7:
            return real_fits(a, -2147483649.0, 2147483648.0) ? (uint32_t)(int32_t)a : 0;
        case 8:
            return real_fits(a, -1.0, 4294967296.0) ? (uint32_t)a : 0;
        case 9:
            return real_fits(a, -9.3e18, 9.2e18) ? (uint64_t)(int64_t)(a * 0.5) : 0;
        case 10:
            return real_fits(a, -1.0, 18446744073709551616.0) ? (uint64_t)a : 0;
        case 11:
            return double_bits((double)(int32_t)whole);
        case 12:
            return double_bits((double)(uint32_t)whole);
        case 13:
            return double_bits((double)(int64_t)whole);
        case 14:
            return double_bits((double)whole);
        case 15:
            return single_bits(c + d);
        case 16:
            return single_bits(c - d);
        case 17:
            return single_bits(c * d);
        case 18:
            return single_bits(c / d);
        case 19:
            return single_bits(sqrtf(c));
        case 20:
            return (uint64_t)((c < d) + 2 * (c <= d) + 4 * (c == d) + 8 * (c != d) + 16 * (c > d) +
                              32 * (c >= d) + 64 * __builtin_isunordered(c, d) + 128 * !(c > d));
        case 21:
            return double_bits((double)c);
        case 22:
            return real_fits(c, -1.0, 4294967296.0) ? (uint32_t)c : 0;
        case 23:
            return real_fits(c, -9.2e18, 9.2e18) ? (uint64_t)(int64_t)c : 0;
        case 24:
            return single_bits((float)(int64_t)whole) << 32 | single_bits((float)whole);
        default:
            return single_bits((float)(int32_t)whole) << 32 | single_bits((float)(uint32_t)whole);
    }
}

#endif
