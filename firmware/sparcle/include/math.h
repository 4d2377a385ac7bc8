/* The C library's header, reduced to the functions in firmware/sparcle/soft_float.c. */
#ifndef WEIR_FIRMWARE_SPARCLE_INCLUDE_MATH_H
#define WEIR_FIRMWARE_SPARCLE_INCLUDE_MATH_H

double sqrt(double value);
float sqrtf(float value);
static inline double fabs(double value) { return __builtin_fabs(value); }
static inline float fabsf(float value) { return __builtin_fabsf(value); }

#endif
