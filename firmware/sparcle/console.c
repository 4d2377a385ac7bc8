#include <stdarg.h>

#include "firmware/sparcle/memory.h"
#include "firmware/sparcle/trap.h"
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
    int precision; /* precision of the conversion; -1: none given */
    int left;
    int zeros;
    int alternate;
    char sign; /* character in front of a number that is not negative; 0: none */
};

static int put_text(const char* text, int length, const struct field* field) {
    int count = field->left ? 0 : pad(' ', field->width - length);
    for (int i = 0; i < length; ++i) {
        console_character(text[i]);
    }
    count += length;
    return field->left ? count + pad(' ', field->width - length) : count;
}

static int put_number(unsigned long long value, unsigned base, char letter_a, const char* prefix,
                      const struct field* field) {
    char digits[24];
    char* digit = digits + sizeof digits;
    while (value > 0xffffffffu) {
        const unsigned low = (unsigned)(value % base);
        *--digit = (char)(low < 10 ? '0' + low : letter_a + low - 10);
        value /= base;
    }
    for (unsigned rest = (unsigned)value; rest != 0; rest /= base) {
        const unsigned low = rest % base;
        *--digit = (char)(low < 10 ? '0' + low : letter_a + low - 10);
    }
    const int length = (int)(digits + sizeof digits - digit);
    const int before = (int)strlen(prefix);
    int zeros = (field->precision < 0 ? 1 : field->precision) - length;
    if (field->precision < 0 && field->zeros && !field->left) {
        zeros = field->width - before - length;
    }
    zeros = zeros < 0 ? 0 : zeros;
    const int width = before + zeros + length;
    int count = field->left ? 0 : pad(' ', field->width - width);
    console_text(prefix);
    count += before + pad('0', zeros) + length;
    for (int i = 0; i < length; ++i) {
        console_character(digit[i]);
    }
    return field->left ? count + pad(' ', field->width - width) : count;
}

static int put_signed(long long value, const struct field* field) {
    const char sign[2] = {value < 0 ? '-' : field->sign, 0};
    return put_number(value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value, 10,
                      'a', sign, field);
}

static void refuse(char conversion) __attribute__((noreturn));
static void refuse(char conversion) {
    console_text("\nnode ");
    put_signed(weir_node(), &(struct field){.precision = -1});
    console_text(": console_printf knows no %");
    console_character(conversion);
    console_text("; printf of <stdio.h> does\n");
    weir_stop(WEIR_STATUS_NO_CONVERSION);
}

static int decimal(const char** format, int before) {
    int number = before;
    while (**format >= '0' && **format <= '9') {
        number = 10 * number + (*(*format)++ - '0');
    }
    return number;
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
        struct field field = {.precision = -1};
        for (++format;; ++format) {
            field.left |= *format == '-';
            field.zeros |= *format == '0';
            field.alternate |= *format == '#';
            if (*format == '+' || (*format == ' ' && field.sign == 0)) {
                field.sign = *format;
            }
            if (*format == 0 || strchr("-0#+ ", *format) == NULL) {
                break;
            }
        }
        if (*format == '*') {
            field.width = va_arg(arguments, int);
            field.left |= field.width < 0;
            field.width = field.width < 0 ? -field.width : field.width;
            ++format;
        } else {
            field.width = decimal(&format, 0);
        }
        if (*format == '.') {
            ++format;
            if (*format == '*') {
                field.precision = va_arg(arguments, int);
                ++format;
            } else {
                field.precision = decimal(&format, 0);
            }
        }
        /* Size of the argument: number of 'l' less number of 'h'; -1: short, -2: char. */
        int longs = 0;
        for (;; ++format) {
            if (*format == 'l' || *format == 'h') {
                longs += *format == 'l' ? 1 : -1;
            } else if (*format == 'j') {
                longs = 2;
            } else if (*format != 'z' && *format != 't') {
                break;
            }
        }
        switch (*format) {
            case 'd':
            case 'i': {
                long long value =
                    longs >= 2 ? va_arg(arguments, long long) : va_arg(arguments, int);
                value = longs == -1 ? (short)value : longs == -2 ? (signed char)value : value;
                count += put_signed(value, &field);
                break;
            }
            case 'u':
            case 'o':
            case 'x':
            case 'X':
            case 'p': {
                unsigned long long value = longs >= 2 ? va_arg(arguments, unsigned long long)
                                                      : va_arg(arguments, unsigned);
                value = longs == -1   ? (unsigned short)value
                        : longs == -2 ? (unsigned char)value
                                      : value;
                const unsigned base = *format == 'u' ? 10 : *format == 'o' ? 8 : 16;
                const char* prefix = !field.alternate || value == 0 || base == 10 ? ""
                                     : base == 8                                  ? "0"
                                     : *format == 'X'                             ? "0X"
                                                                                  : "0x";
                count += put_number(value, base, *format == 'X' ? 'A' : 'a', prefix, &field);
                break;
            }
            case 'c': {
                const char character = (char)va_arg(arguments, int);
                count += put_text(&character, 1, &field);
                break;
            }
            case 's': {
                const char* text = va_arg(arguments, const char*);
                int length = 0;
                while (length != field.precision && text[length] != 0) {
                    ++length;
                }
                count += put_text(text, length, &field);
                break;
            }
            case '%':
                console_character('%');
                ++count;
                break;
            case 0:
                va_end(arguments);
                return count;
            default:
                refuse(*format);
        }
    }
    va_end(arguments);
    return count;
}
