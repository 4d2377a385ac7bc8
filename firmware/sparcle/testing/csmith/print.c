/*
 * Output of csmith's programs: texts (%s), and numbers in eight hexadecimal digits (%X, %lX).
 * Characters go to the console on a node, and to linux_start.S under Linux.
 */
#include <stdarg.h>

#include "firmware/sparcle/testing/csmith/stdio.h"

void console_character(char character);

static void print_text(const char* text) {
    while (*text != 0) {
        console_character(*text++);
    }
}

static void print_number(unsigned number) {
    for (int shift = 28; shift >= 0; shift -= 4) {
        console_character("0123456789ABCDEF"[number >> shift & 0xf]);
    }
}

int printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (; *format != 0; ++format) {
        if (*format != '%') {
            console_character(*format);
            continue;
        }
        ++format;
        if (*format == 'l') {
            ++format;
        }
        if (*format == 's') {
            print_text(va_arg(arguments, const char*));
        } else {
            print_number(va_arg(arguments, unsigned)); /* %lX too: long is as large as unsigned */
        }
    }
    va_end(arguments);
    return 0;
}
