#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_ERR_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_ERR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Print a message to standard error: warn() and err() with the text of errno. err() and errx() end
 * the program with the status. */
void warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
void warnx(const char* format, ...) __attribute__((format(printf, 1, 2)));
void err(int status, const char* format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void errx(int status, const char* format, ...) __attribute__((noreturn, format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
