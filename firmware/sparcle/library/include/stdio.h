/* newlib's stdio.h, and functions of POSIX that it does not declare. */
#include_next <stdio.h>

#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_STDIO_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_STDIO_H

#if __POSIX_VISIBLE >= 200809
#ifdef __cplusplus
extern "C" {
#endif

ssize_t getdelim(char** line, size_t* size, int delimiter, FILE* file);
ssize_t getline(char** line, size_t* size, FILE* file);

#ifdef __cplusplus
}
#endif
#endif

#endif
