/* newlib's features, and those of POSIX that Weir adds (posix.c). */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_FEATURES_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_FEATURES_H

#include_next <sys/features.h>

#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 200809L
#define _POSIX_CPUTIME 200809L
#define _POSIX_THREAD_CPUTIME 200809L
#define _POSIX_PRIORITY_SCHEDULING 200809L

#endif
