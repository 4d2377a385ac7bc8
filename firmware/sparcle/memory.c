#include "firmware/sparcle/memory.h"

#include <stdint.h>

typedef unsigned char byte;

static int aligned(const void* one, const void* other, uintptr_t alignment) {
    return (((uintptr_t)one | (uintptr_t)other) & (alignment - 1)) == 0;
}

void* memcpy(void* to, const void* from, size_t bytes) {
    byte* out = to;
    const byte* in = from;
    if (aligned(to, from, 8)) {
        for (; bytes >= 8; bytes -= 8, out += 8, in += 8) {
            *(uint64_t*)out = *(const uint64_t*)in;
        }
    }
    if (aligned(out, in, 4)) {
        for (; bytes >= 4; bytes -= 4, out += 4, in += 4) {
            *(uint32_t*)out = *(const uint32_t*)in;
        }
    }
    for (; bytes > 0; --bytes) {
        *out++ = *in++;
    }
    return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
    byte* out = to;
    const byte* in = from;
    if ((uintptr_t)to - (uintptr_t)from >= bytes) {
        return memcpy(to, from, bytes);
    }
    while (bytes-- > 0) {
        out[bytes] = in[bytes];
    }
    return to;
}

void* memset(void* to, int value, size_t bytes) {
    byte* out = to;
    uint32_t word = (byte)value;
    word |= word << 8;
    word |= word << 16;
    for (; bytes > 0 && ((uintptr_t)out & 7) != 0; --bytes) {
        *out++ = (byte)value;
    }
    for (; bytes >= 8; bytes -= 8, out += 8) {
        *(uint64_t*)out = (uint64_t)word << 32 | word;
    }
    for (; bytes > 0; --bytes) {
        *out++ = (byte)value;
    }
    return to;
}

int memcmp(const void* one, const void* other, size_t bytes) {
    const byte* a = one;
    const byte* b = other;
    for (; bytes > 0; --bytes, ++a, ++b) {
        if (*a != *b) {
            return *a - *b;
        }
    }
    return 0;
}

void* memchr(const void* where, int value, size_t bytes) {
    for (const byte* in = where; bytes > 0; --bytes, ++in) {
        if (*in == (byte)value) {
            return (void*)in;
        }
    }
    return NULL;
}

size_t strlen(const char* text) {
    const char* end = text;
    while (*end != 0) {
        ++end;
    }
    return (size_t)(end - text);
}

int strcmp(const char* one, const char* other) {
    for (; *one != 0 && *one == *other; ++one, ++other) {
    }
    return (byte)*one - (byte)*other;
}

int strncmp(const char* one, const char* other, size_t most) {
    for (; most > 0 && *one != 0 && *one == *other; --most, ++one, ++other) {
    }
    return most == 0 ? 0 : (byte)*one - (byte)*other;
}

char* strcpy(char* to, const char* from) {
    memcpy(to, from, strlen(from) + 1);
    return to;
}

char* strncpy(char* to, const char* from, size_t most) {
    size_t i = 0;
    for (; i < most && from[i] != 0; ++i) {
        to[i] = from[i];
    }
    for (; i < most; ++i) {
        to[i] = 0;
    }
    return to;
}

char* strcat(char* to, const char* from) {
    strcpy(to + strlen(to), from);
    return to;
}

char* strchr(const char* text, int character) { return memchr(text, character, strlen(text) + 1); }

char* strrchr(const char* text, int character) {
    for (const char* at = text + strlen(text);; --at) {
        if (*at == (char)character) {
            return (char*)at;
        }
        if (at == text) {
            return NULL;
        }
    }
}

char* strstr(const char* text, const char* part) {
    const size_t length = strlen(part);
    for (;; ++text) {
        if (strncmp(text, part, length) == 0) {
            return (char*)text;
        }
        if (*text == 0) {
            return NULL;
        }
    }
}
