/*
 * IEEE 754 arithmetic in integer instructions alone: the implementation of soft_float.c, which a
 * test also runs on the host. All formats are converted to one internal form; a format is described
 * by two numbers of bits. Arguments and results have their format in memory, in the lower bits of
 * 64.
 *
 * Rounding is to nearest, ties to even; there are no exception flags. NaNs and invalid conversions
 * give the same results as Sparcle's floating-point unit (nodes/sparcle/float_unit.h). A program's
 * results are therefore the same with and without the unit.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_IEEE_ARITHMETIC_H
#define WEIR_FIRMWARE_SPARCLE_IEEE_ARITHMETIC_H

#include <stdint.h>

struct ieee_format {
    int fraction_bits;
    int exponent_bits;
};

static const struct ieee_format ieee_single = {23, 8};
static const struct ieee_format ieee_double = {52, 11};

enum ieee_kind { IEEE_ZERO, IEEE_FINITE, IEEE_INFINITE, IEEE_NAN };

/* IEEE_FINITE, denormal or not: the value is significand / 2^63 * 2^exponent, and bit 63 is set.
 * IEEE_NAN: the fraction is in the significand's upper bits, below bit 63. */
struct ieee_number {
    enum ieee_kind kind;
    int negative;
    int exponent;
    uint64_t significand;
};

/* Always inlined, so that each format's numbers of bits are constants. Inlining halves the time of
 * an addition and adds 4 KB of code in total. */
#define IEEE_FUNCTION static inline __attribute__((always_inline))

#define IEEE_HIGHEST_BIT ((uint64_t)1 << 63)
#define IEEE_QUIET_BIT ((uint64_t)1 << 62) /* set in the significand of a quiet NaN */

#ifdef __sparc__
uint64_t weir_multiply_long(uint32_t one, uint32_t other);
#define IEEE_MULTIPLY(one, other) weir_multiply_long(one, other)
#else
#define IEEE_MULTIPLY(one, other) ((uint64_t)(one) * (other))
#endif

IEEE_FUNCTION int ieee_bias(const struct ieee_format* format) {
    return (1 << (format->exponent_bits - 1)) - 1;
}
IEEE_FUNCTION uint64_t ieee_sign_bit(const struct ieee_format* format) {
    return (uint64_t)1 << (format->exponent_bits + format->fraction_bits);
}
IEEE_FUNCTION uint64_t ieee_infinity(const struct ieee_format* format) {
    return (((uint64_t)1 << format->exponent_bits) - 1) << format->fraction_bits;
}
IEEE_FUNCTION int ieee_is_nan(const struct ieee_format* format, uint64_t bits) {
    return (bits & (ieee_sign_bit(format) - 1)) > ieee_infinity(format);
}

/* Shifts the highest set bit to bit 63; the significand must not be 0. */
IEEE_FUNCTION void ieee_normalise(struct ieee_number* number) {
    for (; number->significand >> 56 == 0; number->exponent -= 8) {
        number->significand <<= 8;
    }
    for (; number->significand >> 63 == 0; --number->exponent) {
        number->significand <<= 1;
    }
}

/* Shifts right. If set bits are lost, the lowest bit is set, so that rounding and ties see them. */
IEEE_FUNCTION uint64_t ieee_shift_right(uint64_t significand, int by) {
    if (by == 0) {
        return significand;
    }
    if (by > 63) {
        return significand != 0;
    }
    return significand >> by | (significand << (64 - by) != 0);
}

IEEE_FUNCTION struct ieee_number ieee_unpack(const struct ieee_format* format, uint64_t bits) {
    const int to_top = 63 - format->fraction_bits;
    const uint64_t magnitude = bits & (ieee_sign_bit(format) - 1);
    const int exponent = (int)(magnitude >> format->fraction_bits);
    struct ieee_number number;
    number.kind = IEEE_FINITE;
    number.negative = bits != magnitude;
    number.exponent = exponent - ieee_bias(format);
    number.significand = magnitude << to_top;
    if (magnitude >= ieee_infinity(format)) {
        number.significand &= IEEE_HIGHEST_BIT - 1;
        number.kind = number.significand != 0 ? IEEE_NAN : IEEE_INFINITE;
    } else if (exponent != 0) {
        number.significand |= IEEE_HIGHEST_BIT;
    } else if (magnitude != 0) {
        ++number.exponent; /* a denormal has the exponent of the smallest normal number */
        ieee_normalise(&number);
    } else {
        number.kind = IEEE_ZERO;
    }
    return number;
}

/* Rounds and packs a number. IEEE_FINITE may become infinity, a denormal or zero. */
IEEE_FUNCTION uint64_t ieee_pack(const struct ieee_format* format, struct ieee_number number) {
    const uint64_t sign = number.negative ? ieee_sign_bit(format) : 0;
    const uint64_t infinity = ieee_infinity(format);
    const int dropped = 63 - format->fraction_bits;
    int exponent = number.exponent + ieee_bias(format);
    switch (number.kind) {
        case IEEE_ZERO:
            return sign;
        case IEEE_INFINITE:
            return sign | infinity;
        case IEEE_NAN:
            return sign | infinity | number.significand >> dropped;
        default:
            break;
    }
    if (exponent >= 1 << format->exponent_bits) {
        return sign | infinity;
    }
    if (exponent < 1) {
        number.significand = ieee_shift_right(number.significand, 1 - exponent);
        exponent = 1;
    }
    const uint64_t rest = number.significand << (64 - dropped);
    uint64_t kept = number.significand >> dropped;
    kept += rest > IEEE_HIGHEST_BIT || (rest == IEEE_HIGHEST_BIT && (kept & 1) != 0);
    /* The exponent is added, not combined by OR: the highest bit of a normal number increments it,
     * and so does a carry from rounding. */
    kept += (uint64_t)(exponent - 1) << format->fraction_bits;
    return sign | (kept > infinity ? infinity : kept);
}

/* Result of invalid operations: all bits are 1 except the sign. */
IEEE_FUNCTION struct ieee_number ieee_invalid(void) {
    struct ieee_number nan = {IEEE_NAN, 0, 0, IEEE_HIGHEST_BIT - 1};
    return nan;
}
IEEE_FUNCTION struct ieee_number ieee_quieted(struct ieee_number nan) {
    nan.significand |= IEEE_QUIET_BIT;
    return nan;
}
IEEE_FUNCTION int ieee_is_signaling(struct ieee_number number) {
    return number.kind == IEEE_NAN && (number.significand & IEEE_QUIET_BIT) == 0;
}
/* NaN operand that becomes the result, if at least one operand is a NaN: a signaling NaN first;
 * otherwise the second operand first. */
IEEE_FUNCTION struct ieee_number ieee_chosen_nan(struct ieee_number a, struct ieee_number b) {
    const int is_first = b.kind != IEEE_NAN || (ieee_is_signaling(a) && !ieee_is_signaling(b));
    return ieee_quieted(is_first ? a : b);
}

/* Returns a + b for finite operands, in whose significands the 11 lowest bits are 0. */
IEEE_FUNCTION struct ieee_number ieee_finite_sum(struct ieee_number a, struct ieee_number b) {
    if (a.exponent < b.exponent) {
        const struct ieee_number kept = a;
        a = b;
        b = kept;
    }
    /* The significands are shifted right by one bit, to leave room for a carry. If an operand loses
     * bits, it is so small that a difference's highest bit moves by at most one position. */
    const uint64_t larger = a.significand >> 1;
    const uint64_t smaller = ieee_shift_right(b.significand >> 1, a.exponent - b.exponent);
    ++a.exponent;
    if (a.negative == b.negative) {
        a.significand = larger + smaller;
    } else if (larger >= smaller) {
        a.significand = larger - smaller;
    } else {
        a.significand = smaller - larger;
        a.negative = b.negative;
    }
    if (a.significand == 0) {
        a.kind = IEEE_ZERO;
        a.negative = 0;
        return a;
    }
    ieee_normalise(&a);
    return a;
}

IEEE_FUNCTION uint64_t ieee_add(const struct ieee_format* format, uint64_t one, uint64_t other) {
    const struct ieee_number a = ieee_unpack(format, one);
    const struct ieee_number b = ieee_unpack(format, other);
    if (a.kind == IEEE_FINITE && b.kind == IEEE_FINITE) {
        return ieee_pack(format, ieee_finite_sum(a, b));
    }
    if (a.kind == IEEE_NAN || b.kind == IEEE_NAN) {
        return ieee_pack(format, ieee_chosen_nan(a, b));
    }
    if (a.kind == b.kind && a.negative != b.negative) {
        return a.kind == IEEE_ZERO ? 0 : ieee_pack(format, ieee_invalid());
    }
    return a.kind > b.kind ? one : other;
}

IEEE_FUNCTION uint64_t ieee_subtract(const struct ieee_format* format, uint64_t one,
                                     uint64_t other) {
    return ieee_add(format, one,
                    ieee_is_nan(format, other) ? other : other ^ ieee_sign_bit(format));
}

/* Returns the upper half of a * b; its lowest bit is also set if the lower half is not 0. */
IEEE_FUNCTION uint64_t ieee_upper_product(uint64_t a, uint64_t b) {
    const uint32_t a_low = (uint32_t)a;
    const uint32_t b_low = (uint32_t)b;
    const uint32_t a_high = (uint32_t)(a >> 32);
    const uint32_t b_high = (uint32_t)(b >> 32);
    if ((a_low | b_low) == 0) { /* both operands are of single precision */
        return IEEE_MULTIPLY(a_high, b_high);
    }
    const uint64_t low = IEEE_MULTIPLY(a_low, b_low);
    const uint64_t one_middle = IEEE_MULTIPLY(a_low, b_high);
    const uint64_t other_middle = IEEE_MULTIPLY(a_high, b_low);
    const uint64_t middle = (low >> 32) + (uint32_t)one_middle + (uint32_t)other_middle;
    const uint64_t high =
        IEEE_MULTIPLY(a_high, b_high) + (one_middle >> 32) + (other_middle >> 32) + (middle >> 32);
    return high | (((uint32_t)middle | (uint32_t)low) != 0);
}

IEEE_FUNCTION uint64_t ieee_multiply(const struct ieee_format* format, uint64_t one,
                                     uint64_t other) {
    struct ieee_number a = ieee_unpack(format, one);
    const struct ieee_number b = ieee_unpack(format, other);
    if (a.kind == IEEE_NAN || b.kind == IEEE_NAN) {
        return ieee_pack(format, ieee_chosen_nan(a, b));
    }
    a.negative ^= b.negative;
    if (a.kind == IEEE_FINITE && b.kind == IEEE_FINITE) {
        a.exponent += b.exponent + 1;
        a.significand = ieee_upper_product(a.significand, b.significand);
        ieee_normalise(&a);
    } else if (a.kind + b.kind == IEEE_ZERO + IEEE_INFINITE && a.kind != b.kind) {
        a = ieee_invalid();
    } else {
        a.kind = a.kind == IEEE_FINITE ? b.kind : a.kind;
    }
    return ieee_pack(format, a);
}

/* Divides a by b: the significand gets one bit beyond the fraction, and a lowest bit that is set if
 * more bits follow. */
IEEE_FUNCTION void ieee_divide_finite(const struct ieee_format* format, struct ieee_number* a,
                                      const struct ieee_number* b) {
    const int bits = format->fraction_bits + 2;
    /* The bit shifted out is 0; the highest bit is left free for the remainder. */
    const uint64_t divisor = b->significand >> 1;
    uint64_t remainder = a->significand >> 1;
    uint64_t quotient = 0;
    a->exponent -= b->exponent;
    if (remainder < divisor) {
        remainder <<= 1;
        --a->exponent;
    }
    for (int i = 0; i < bits; ++i) {
        quotient <<= 1;
        if (remainder >= divisor) {
            remainder -= divisor;
            quotient |= 1;
        }
        remainder <<= 1;
    }
    a->significand = quotient << (64 - bits) | (remainder != 0);
}

IEEE_FUNCTION uint64_t ieee_divide(const struct ieee_format* format, uint64_t one, uint64_t other) {
    struct ieee_number a = ieee_unpack(format, one);
    const struct ieee_number b = ieee_unpack(format, other);
    if (a.kind == IEEE_NAN || b.kind == IEEE_NAN) {
        return ieee_pack(format, ieee_chosen_nan(a, b));
    }
    a.negative ^= b.negative;
    if (a.kind == IEEE_FINITE && b.kind == IEEE_FINITE) {
        ieee_divide_finite(format, &a, &b);
    } else if (a.kind == b.kind) {
        a = ieee_invalid();
    } else if (b.kind == IEEE_ZERO) {
        a.kind = IEEE_INFINITE;
    } else if (b.kind == IEEE_INFINITE) {
        a.kind = IEEE_ZERO;
    }
    return ieee_pack(format, a);
}

IEEE_FUNCTION uint64_t ieee_square_root(const struct ieee_format* format, uint64_t bits) {
    struct ieee_number a = ieee_unpack(format, bits);
    if (a.kind == IEEE_NAN) {
        return ieee_pack(format, ieee_quieted(a));
    }
    if (a.kind == IEEE_ZERO || (a.kind == IEEE_INFINITE && !a.negative)) {
        return bits;
    }
    if (a.negative) {
        return ieee_pack(format, ieee_invalid());
    }
    /* Computes one bit of the root at a time, in fixed point with 1.0 at bit 60. The remainder is
     * what the square of the root leaves, doubled at each bit: (root + bit)^2 - root^2 = bit * (2
     * root + bit). */
    const int odd = a.exponent & 1;
    uint64_t remainder = a.significand >> (3 - odd);
    uint64_t root = 0;
    uint64_t bit = (uint64_t)1 << 60;
    for (int i = 0; i < format->fraction_bits + 2; ++i, bit >>= 1) {
        if (remainder >= 2 * root + bit) {
            remainder -= 2 * root + bit;
            root |= bit;
        }
        remainder <<= 1;
    }
    a.exponent = (a.exponent - odd) / 2;
    a.significand = root << 3 | (remainder != 0);
    return ieee_pack(format, a);
}

/* -1 less, 0 equal, 1 greater; `unordered` if an operand is a NaN. */
IEEE_FUNCTION int ieee_compare(const struct ieee_format* format, uint64_t a, uint64_t b,
                               int unordered) {
    const uint64_t sign = ieee_sign_bit(format);
    if (ieee_is_nan(format, a) || ieee_is_nan(format, b)) {
        return unordered;
    }
    if (a == b || ((a | b) & (sign - 1)) == 0) {
        return 0;
    }
    if (((a | b) & sign) == 0) {
        return a < b ? -1 : 1;
    }
    return (a & sign) != 0 && ((b & sign) == 0 || a > b) ? -1 : 1;
}

IEEE_FUNCTION uint64_t ieee_convert(const struct ieee_format* from, const struct ieee_format* to,
                                    uint64_t bits) {
    struct ieee_number number = ieee_unpack(from, bits);
    return ieee_pack(to, number.kind == IEEE_NAN ? ieee_quieted(number) : number);
}

IEEE_FUNCTION uint64_t ieee_from_unsigned(const struct ieee_format* format, uint64_t value) {
    struct ieee_number number = {IEEE_FINITE, 0, 63, value};
    if (value == 0) {
        return 0;
    }
    ieee_normalise(&number);
    return ieee_pack(format, number);
}
IEEE_FUNCTION uint64_t ieee_from_signed(const struct ieee_format* format, int64_t value) {
    return value < 0 ? ieee_from_unsigned(format, -(uint64_t)value) | ieee_sign_bit(format)
                     : ieee_from_unsigned(format, (uint64_t)value);
}

/* Rounds toward zero; larger numbers and NaNs give `most`. */
IEEE_FUNCTION uint64_t ieee_magnitude(const struct ieee_number* number, uint64_t most) {
    if (number->kind == IEEE_ZERO || (number->kind == IEEE_FINITE && number->exponent < 0)) {
        return 0;
    }
    if (number->kind != IEEE_FINITE || number->exponent > 63) {
        return most;
    }
    const uint64_t magnitude = number->significand >> (63 - number->exponent);
    return magnitude < most ? magnitude : most;
}
/* Numbers out of range give the end of the range with their sign. */
IEEE_FUNCTION int64_t ieee_to_signed(const struct ieee_format* format, uint64_t bits,
                                     int integer_bits) {
    const struct ieee_number number = ieee_unpack(format, bits);
    const uint64_t limit = (uint64_t)1 << (integer_bits - 1);
    return number.negative ? (int64_t)-ieee_magnitude(&number, limit)
                           : (int64_t)ieee_magnitude(&number, limit - 1);
}
IEEE_FUNCTION uint64_t ieee_to_unsigned(const struct ieee_format* format, uint64_t bits,
                                        int integer_bits) {
    const struct ieee_number number = ieee_unpack(format, bits);
    return number.negative ? 0 : ieee_magnitude(&number, ~(uint64_t)0 >> (64 - integer_bits));
}

#endif
