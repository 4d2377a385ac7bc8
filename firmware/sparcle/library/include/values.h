/* Old names of limits. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_VALUES_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_VALUES_H

#include <float.h>
#include <limits.h>

#define CHARBITS 8
#define SHORTBITS 16
#define INTBITS 32
#define LONGBITS 32
#define MAXSHORT SHRT_MAX
#define MAXINT INT_MAX
#define MAXLONG LONG_MAX
#define MINSHORT SHRT_MIN
#define MININT INT_MIN
#define MINLONG LONG_MIN
#define MAXDOUBLE DBL_MAX
#define MAXFLOAT FLT_MAX
#define MINDOUBLE DBL_MIN
#define MINFLOAT FLT_MIN

#endif
