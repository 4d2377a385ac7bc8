/* Support functions of the compiler, under the compiler's names. */
#ifndef WEIR_FIRMWARE_SPARCLE_LONG_ARITHMETIC_H
#define WEIR_FIRMWARE_SPARCLE_LONG_ARITHMETIC_H

#include <stdint.h>

uint64_t __muldi3(uint64_t a, uint64_t b);
uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t* remainder);
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);
int64_t __divdi3(int64_t dividend, int64_t divisor);
int64_t __moddi3(int64_t dividend, int64_t divisor);
int64_t __divmoddi4(int64_t dividend, int64_t divisor, int64_t* remainder);
uint64_t __ashldi3(uint64_t value, int shift);
uint64_t __lshrdi3(uint64_t value, int shift);
int64_t __ashrdi3(int64_t value, int shift);
int __clzsi2(uint32_t value);
int __clzdi2(uint64_t value);
int __ctzsi2(uint32_t value);
int __ctzdi2(uint64_t value);
int __ffsdi2(uint64_t value);
int __popcountsi2(uint32_t value);
int __popcountdi2(uint64_t value);
int __paritysi2(uint32_t value);
uint32_t __bswapsi2(uint32_t value);
uint64_t __bswapdi2(uint64_t value);
double __floatundidf(uint64_t value);
double __floatdidf(int64_t value);
float __floatundisf(uint64_t value);
float __floatdisf(int64_t value);
uint64_t __fixunsdfdi(double value);
int64_t __fixdfdi(double value);
uint64_t __fixunssfdi(float value);
int64_t __fixsfdi(float value);

#endif
