/*
 * Compiler support functions for multiplication and division of complex numbers. An infinite
 * operand gives an infinite product, as in C's Annex G.
 */
#include <math.h>

#define COMPLEX_ARITHMETIC(real, letter, suffix)                                               \
    real _Complex __mul##letter##c3(real a, real b, real c, real d);                           \
    real _Complex __div##letter##c3(real a, real b, real c, real d);                           \
    static real boxed_##letter(real value) {                                                   \
        return copysign##suffix(isinf(value) ? (real)1 : (real)0, value);                      \
    }                                                                                          \
    static real finite_##letter(real value) {                                                  \
        return isnan(value) ? copysign##suffix((real)0, value) : value;                        \
    }                                                                                          \
    static real _Complex of_parts_##letter(real x, real y) {                                   \
        real _Complex value;                                                                   \
        __real__ value = x;                                                                    \
        __imag__ value = y;                                                                    \
        return value;                                                                          \
    }                                                                                          \
    real _Complex __mul##letter##c3(real a, real b, real c, real d) {                          \
        const real ac = a * c, bd = b * d, ad = a * d, bc = b * c;                             \
        const real x = ac - bd, y = ad + bc;                                                   \
        if (!isnan(x) || !isnan(y)) {                                                          \
            return of_parts_##letter(x, y);                                                    \
        }                                                                                      \
        int is_infinite = 0;                                                                   \
        if (isinf(a) || isinf(b)) {                                                            \
            a = boxed_##letter(a), b = boxed_##letter(b);                                      \
            c = finite_##letter(c), d = finite_##letter(d);                                    \
            is_infinite = 1;                                                                   \
        }                                                                                      \
        if (isinf(c) || isinf(d)) {                                                            \
            c = boxed_##letter(c), d = boxed_##letter(d);                                      \
            a = finite_##letter(a), b = finite_##letter(b);                                    \
            is_infinite = 1;                                                                   \
        }                                                                                      \
        if (!is_infinite && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {              \
            a = finite_##letter(a), b = finite_##letter(b);                                    \
            c = finite_##letter(c), d = finite_##letter(d);                                    \
            is_infinite = 1;                                                                   \
        }                                                                                      \
        const real infinite = (real)INFINITY;                                                  \
        return is_infinite                                                                     \
                   ? of_parts_##letter(infinite * (a * c - b * d), infinite * (a * d + b * c)) \
                   : of_parts_##letter(x, y);                                                  \
    }                                                                                          \
    real _Complex __div##letter##c3(real a, real b, real c, real d) {                          \
        const real greater = fmax##suffix(fabs##suffix(c), fabs##suffix(d));                   \
        int scale = 0;                                                                         \
        if (greater != 0 && isfinite(greater)) {                                               \
            scale = -ilogb##suffix(greater);                                                   \
            c = scalbn##suffix(c, scale), d = scalbn##suffix(d, scale);                        \
        }                                                                                      \
        const real norm = c * c + d * d;                                                       \
        real x = scalbn##suffix((a * c + b * d) / norm, scale);                                \
        real y = scalbn##suffix((b * c - a * d) / norm, scale);                                \
        if (isnan(x) && isnan(y)) {                                                            \
            if (norm == 0 && (!isnan(a) || !isnan(b))) {                                       \
                x = copysign##suffix((real)INFINITY, c) * a;                                   \
                y = copysign##suffix((real)INFINITY, c) * b;                                   \
            } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                 \
                a = boxed_##letter(a), b = boxed_##letter(b);                                  \
                x = (real)INFINITY * (a * c + b * d);                                          \
                y = (real)INFINITY * (b * c - a * d);                                          \
            } else if (isinf(greater) && isfinite(a) && isfinite(b)) {                         \
                c = boxed_##letter(c), d = boxed_##letter(d);                                  \
                x = (real)0 * (a * c + b * d);                                                 \
                y = (real)0 * (b * c - a * d);                                                 \
            }                                                                                  \
        }                                                                                      \
        return of_parts_##letter(x, y);                                                        \
    }

COMPLEX_ARITHMETIC(double, d, )
COMPLEX_ARITHMETIC(float, s, f)
