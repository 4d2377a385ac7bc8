#include <stdarg.h>

#include "firmware/sparcle/memory.h"
#include "firmware/sparcle/weir.h"

void console_character(char character) {
    WEIR_DEVICE(WEIR_HOST_CONSOLE) = (unsigned char)character;
}

void console_text(const char* text) {
    while (*text != 0) {
        console_character(*text++);
    }
}

static int pad(char with, int width) {
    int count = 0;
    for (; count < width; ++count) {
        console_character(with);
    }
    return count;
}

struct field {
    int width;
    int left;
    int zeros;
};

static int put_text(const char* text, int length, const struct field* field) {
    int count = field->left ? 0 : pad(' ', field->width - length);
    for (int i = 0; i < length; ++i) {
        console_character(text[i]);
    }
    count += length;
    return field->left ? count + pad(' ', field->width - length) : count;
}

static int put_number(unsigned value, unsigned base, char letter_a, int negative,
                      const struct field* field) {
    char digits[12];
    char* digit = digits + sizeof digits;
    int count = 0;
    do {
        const unsigned low = base == 16 ? value & 15 : value % 10;
        *--digit = (char)(low < 10 ? '0' + low : letter_a + low - 10);
        value = base == 16 ? value >> 4 : value / 10;
    } while (value != 0);
    const int length = (int)(digits + sizeof digits - digit);
    if (field->zeros && !field->left) {
        if (negative) {
            console_character('-');
            ++count;
        }
        count += pad('0', field->width - length - negative);
        const struct field plain = {0, 0, 0};
        return count + put_text(digit, length, &plain);
    }
    if (negative) {
        *--digit = '-';
    }
    return put_text(digit, length + negative, field);
}

int console_printf(const char* format, ...) {
    int count = 0;
    va_list arguments;
    va_start(arguments, format);
    for (; *format != 0; ++format) {
        if (*format != '%') {
            console_character(*format);
            ++count;
            continue;
        }
        struct field field = {0, 0, 0};
        for (++format; *format == '-' || *format == '0'; ++format) {
            field.left |= *format == '-';
            field.zeros |= *format == '0';
        }
        for (; *format >= '0' && *format <= '9'; ++format) {
            field.width = 10 * field.width + (*format - '0');
        }
        while (*format == 'l') {
            ++format;
        }
        switch (*format) {
            case 'd':
            case 'i': {
                const int value = va_arg(arguments, int);
                const int negative = value < 0;
                count += put_number(negative ? 0u - (unsigned)value : (unsigned)value, 10, 'a',
                                    negative, &field);
                break;
            }
            case 'u':
                count += put_number(va_arg(arguments, unsigned), 10, 'a', 0, &field);
                break;
            case 'x':
            case 'p':
                count += put_number(va_arg(arguments, unsigned), 16, 'a', 0, &field);
                break;
            case 'X':
                count += put_number(va_arg(arguments, unsigned), 16, 'A', 0, &field);
                break;
            case 'c': {
                const char character = (char)va_arg(arguments, int);
                count += put_text(&character, 1, &field);
                break;
            }
            case 's': {
                const char* text = va_arg(arguments, const char*);
                count += put_text(text, (int)strlen(text), &field);
                break;
            }
            case 0:
                va_end(arguments);
                return count;
            default:
                console_character(*format);
                ++count;
        }
    }
    va_end(arguments);
    return count;
}
