/* What csmith's headers need of C's stdio.h; print.c has it. */
#ifndef WEIR_FIRMWARE_SPARCLE_TESTING_CSMITH_STDIO_H
#define WEIR_FIRMWARE_SPARCLE_TESTING_CSMITH_STDIO_H

int printf(const char* format, ...);

#endif
