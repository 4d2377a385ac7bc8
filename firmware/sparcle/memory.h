/* Memory and string functions of the C library. */
#ifndef WEIR_FIRMWARE_SPARCLE_MEMORY_H
#define WEIR_FIRMWARE_SPARCLE_MEMORY_H

#include <stddef.h>

void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* one, const void* other, size_t bytes);
void* memchr(const void* where, int value, size_t bytes);
size_t strlen(const char* text);
int strcmp(const char* one, const char* other);
int strncmp(const char* one, const char* other, size_t most);
char* strcpy(char* to, const char* from);
char* strncpy(char* to, const char* from, size_t most);
char* strcat(char* to, const char* from);
char* strchr(const char* text, int character);
char* strrchr(const char* text, int character);
char* strstr(const char* text, const char* part);

#endif
