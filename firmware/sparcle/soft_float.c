/*
 * Compiler support functions for floating point with -msoft-float (_SOFT_FLOAT): for nodes without
 * a floating-point unit, and for programs with contexts, which would share its registers.
 */
#ifdef _SOFT_FLOAT

#include "firmware/sparcle/ieee_arithmetic.h"
#include "firmware/sparcle/include/math.h"

#define REAL float
#define BITS uint32_t
#define FORMAT (&ieee_single)
#define NAME(before, after) before##sf##after
#include "firmware/sparcle/soft_float.inc"

#define REAL double
#define BITS uint64_t
#define FORMAT (&ieee_double)
#define NAME(before, after) before##df##after
#include "firmware/sparcle/soft_float.inc"

double __extendsfdf2(float value) {
    return weir_df_from_bits(ieee_convert(&ieee_single, &ieee_double, weir_sf_to_bits(value)));
}
float __truncdfsf2(double value) {
    return weir_sf_from_bits(ieee_convert(&ieee_double, &ieee_single, weir_df_to_bits(value)));
}

double sqrt(double value) {
    return weir_df_from_bits(ieee_square_root(&ieee_double, weir_df_to_bits(value)));
}
float sqrtf(float value) {
    return weir_sf_from_bits(ieee_square_root(&ieee_single, weir_sf_to_bits(value)));
}

#else

#include "firmware/sparcle/include/math.h"

double sqrt(double value) {
    __asm__("fsqrtd %1, %0" : "=f"(value) : "f"(value));
    return value;
}
float sqrtf(float value) {
    __asm__("fsqrts %1, %0" : "=f"(value) : "f"(value));
    return value;
}

#endif
