/* Parts of C's stdio.h that csmith's headers need; implemented in print.c. */
#ifndef WEIR_FIRMWARE_SPARCLE_TESTING_CSMITH_STDIO_H
#define WEIR_FIRMWARE_SPARCLE_TESTING_CSMITH_STDIO_H

int printf(const char* format, ...);

#endif
