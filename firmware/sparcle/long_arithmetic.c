/*
 * Compiler support functions for 64-bit integers and their conversions. Debian's libgcc has them
 * for V8+ only, which can be linked without a warning but is illegal here.
 */
#include "firmware/sparcle/long_arithmetic.h"

#include <stdint.h>

uint64_t weir_multiply_long(uint32_t one, uint32_t other);

uint64_t __muldi3(uint64_t a, uint64_t b) {
    const uint32_t high = (uint32_t)(a >> 32) * (uint32_t)b + (uint32_t)a * (uint32_t)(b >> 32);
    return weir_multiply_long((uint32_t)a, (uint32_t)b) + ((uint64_t)high << 32);
}

static int leading_zeros(uint64_t value) { /* the value must not be 0 */
    int zeros = 0;
    for (; value >> 63 == 0; value <<= 1) {
        ++zeros;
    }
    return zeros;
}

uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t* remainder) {
    uint64_t quotient = 0;
    if ((dividend | divisor) >> 32 == 0) {
        const uint32_t low = (uint32_t)dividend;
        *remainder = low % (uint32_t)divisor;
        return low / (uint32_t)divisor;
    }
    if (divisor == 0) {
        *remainder = 0;
        return 1u / (uint32_t)divisor; /* traps */
    }
    if (dividend >= divisor) {
        int shift = leading_zeros(divisor) - leading_zeros(dividend);
        divisor <<= shift;
        for (; shift >= 0; --shift, divisor >>= 1) {
            quotient <<= 1;
            if (dividend >= divisor) {
                dividend -= divisor;
                quotient |= 1;
            }
        }
    }
    *remainder = dividend;
    return quotient;
}

static uint64_t magnitude(int64_t value) { return value < 0 ? -(uint64_t)value : (uint64_t)value; }

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
    uint64_t remainder;
    return __udivmoddi4(dividend, divisor, &remainder);
}

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
    uint64_t remainder;
    __udivmoddi4(dividend, divisor, &remainder);
    return remainder;
}

int64_t __divdi3(int64_t dividend, int64_t divisor) {
    const uint64_t quotient = __udivdi3(magnitude(dividend), magnitude(divisor));
    return (int64_t)((dividend ^ divisor) < 0 ? -quotient : quotient);
}

int64_t __moddi3(int64_t dividend, int64_t divisor) {
    const uint64_t remainder = __umoddi3(magnitude(dividend), magnitude(divisor));
    return (int64_t)(dividend < 0 ? -remainder : remainder);
}

int64_t __divmoddi4(int64_t dividend, int64_t divisor, int64_t* remainder) {
    *remainder = __moddi3(dividend, divisor);
    return __divdi3(dividend, divisor);
}

uint64_t __ashldi3(uint64_t value, int shift) {
    const uint32_t high = (uint32_t)(value >> 32);
    const uint32_t low = (uint32_t)value;
    if (shift >= 32) {
        return (uint64_t)(low << (shift - 32)) << 32;
    }
    return shift == 0 ? value
                      : (uint64_t)(high << shift | low >> (32 - shift)) << 32 | low << shift;
}

uint64_t __lshrdi3(uint64_t value, int shift) {
    const uint32_t high = (uint32_t)(value >> 32);
    const uint32_t low = (uint32_t)value;
    if (shift >= 32) {
        return high >> (shift - 32);
    }
    return shift == 0 ? value
                      : (uint64_t)(high >> shift) << 32 | (high << (32 - shift) | low >> shift);
}

int64_t __ashrdi3(int64_t value, int shift) {
    const uint64_t shifted = __lshrdi3((uint64_t)value, shift);
    return (int64_t)(value < 0 && shift > 0 ? shifted | __ashldi3(~(uint64_t)0, 64 - shift)
                                            : shifted);
}

int __clzsi2(uint32_t value) { return leading_zeros(value) - 32; }
int __clzdi2(uint64_t value) { return leading_zeros(value); }
int __ctzsi2(uint32_t value) { return 63 - leading_zeros(value & -value); }
int __ctzdi2(uint64_t value) { return 63 - leading_zeros(value & -value); }
int __ffsdi2(uint64_t value) { return value == 0 ? 0 : __ctzdi2(value) + 1; }
int __popcountsi2(uint32_t value) {
    int count = 0;
    for (; value != 0; value &= value - 1) {
        ++count;
    }
    return count;
}
int __popcountdi2(uint64_t value) {
    return __popcountsi2((uint32_t)(value >> 32)) + __popcountsi2((uint32_t)value);
}
int __paritysi2(uint32_t value) { return __popcountsi2(value) & 1; }

uint32_t __bswapsi2(uint32_t value) {
    return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
}
uint64_t __bswapdi2(uint64_t value) {
    return (uint64_t)__bswapsi2((uint32_t)value) << 32 | __bswapsi2((uint32_t)(value >> 32));
}

#ifndef _SOFT_FLOAT /* with -msoft-float, soft_float.c has these functions */

/* Converts a 64-bit integer in two halves: each conversion is exact, and only the sum rounds. */
double __floatundidf(uint64_t value) {
    return (double)(uint32_t)(value >> 32) * 4294967296.0 + (double)(uint32_t)value;
}
double __floatdidf(int64_t value) {
    return (double)(int32_t)(value >> 32) * 4294967296.0 + (double)(uint32_t)value;
}

/* Gathers the bits below double precision in one bit, so that a first rounding to double does not
 * turn a value into a tie. */
static uint64_t sticky(uint64_t value) {
    if (value >> 53 == 0) {
        return value;
    }
    return (value & ~(uint64_t)0x7ff) | ((value & 0x7ff) != 0 ? 0x400 : 0);
}
float __floatundisf(uint64_t value) { return (float)__floatundidf(sticky(value)); }
float __floatdisf(int64_t value) {
    const float size = __floatundisf(magnitude(value));
    return value < 0 ? -size : size;
}

uint64_t __fixunsdfdi(double value) {
    if (!(value >= 1.0)) {
        return value <= -1.0 ? (uint64_t) - (int64_t)__fixunsdfdi(-value) : 0;
    }
    const uint32_t high = (uint32_t)(value * (1.0 / 4294967296.0));
    return (uint64_t)high << 32 | (uint32_t)(value - (double)high * 4294967296.0);
}
int64_t __fixdfdi(double value) {
    return (int64_t)(value < 0 ? -__fixunsdfdi(-value) : __fixunsdfdi(value));
}
uint64_t __fixunssfdi(float value) { return __fixunsdfdi(value); }
int64_t __fixsfdi(float value) { return __fixdfdi(value); }

#endif
