/*
 * Functions of the C library, alone and with the host. The expected output is in the test
 * (experiments/program_tests/c_library_run_test.cpp).
 */
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NUMBERS 1000

static jmp_buf place;
static int frames;

/* Recursion beyond the number of register windows. */
static int deep(int depth, int result) {
    volatile int here = depth;
    ++frames;
    if (depth == 0) {
        longjmp(place, result);
    }
    return deep(depth - 1, result) + here;
}

static int by_value(const void* one, const void* other) {
    return *(const int*)one - *(const int*)other;
}

static void print_formats(void) {
    printf("%lld %llx %hhd|%5d|%-5d|%05d|%+d\n", -123456789012345678LL, 0xfedcba9876543210ULL, 300,
           42, 42, 42, 42);
    printf("%f %.3e %g %a %Lf %s|%.2s|%*c\n", 3.25, 12345.678, 1e100, 1.0, 2.5L, "text", "text", 3,
           'c');
}

static void sort_in_heap(void) {
    int* const numbers = malloc(NUMBERS * sizeof *numbers);
    for (int i = 0; i < NUMBERS; ++i) {
        numbers[i] = i * 7919 % NUMBERS;
    }
    qsort(numbers, NUMBERS, sizeof *numbers, by_value);
    const int* const found = bsearch(&(int){500}, numbers, NUMBERS, sizeof *numbers, by_value);
    printf("%d %d %d\n", numbers[0], (int)(found - numbers), numbers[NUMBERS - 1]);
    free(numbers);
    printf("%s\n", malloc(1u << 30) == NULL && errno == ENOMEM ? "no room" : "room");
}

static void jump(void) {
    volatile int before = 5;
    const int result = setjmp(place);
    if (result == 0) {
        before = 6;
        deep(30, 7);
    }
    printf("%d %d %d\n", result, before, frames);
    if (result == 7) {
        deep(2, 0); /* returns to setjmp, with result 1 */
    }
}

static void compute(void) {
    volatile double two = 2.0;
    volatile long double long_two = 2.0L;
    const double _Complex product = (1.0 + two * I) * (3.0 - 4.0 * I);
    const double _Complex quotient = product / (1.0 + 1.0 * I);
    printf("%.12f %.12f %.12f %d\n", sin(1.0), pow(two, 0.5), exp(1.0), (int)sizeof long_two);
    printf("%.6f %g %g %g %g\n", (double)sqrtl(long_two), creal(product), cimag(product),
           creal(quotient), cimag(quotient));
}

static void change_atomically(void) {
    atomic_int number = 3;
    atomic_llong wide = 1LL << 40;
    int expected = 7;
    atomic_fetch_add(&number, 4);
    const int swapped = atomic_compare_exchange_strong(&number, &expected, 100);
    atomic_fetch_sub(&wide, 1);
    printf("%d %d %lld %d\n", number, swapped, wide, __sync_fetch_and_or(&expected, 8));
}

static int copy_lines(const char* from, const char* to) {
    char line[80];
    FILE* const in = fopen(from, "r");
    if (in == NULL) {
        printf("%s: %s\n", from, strerror(errno));
        return 0;
    }
    FILE* const out = fopen(to, "w");
    int lines = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        fprintf(out, "%d %s", ++lines, line);
    }
    fclose(in);
    fclose(out);
    return lines;
}

int main(int count, char** words) {
    for (int i = 0; i < count; ++i) {
        printf("[%s]", words[i]);
    }
    printf(" %d\n", words[count] == NULL);
    if (count > 2) {
        const int lines = copy_lines(words[1], words[2]);
        FILE* const again = fopen(words[2], "a+");
        if (lines > 0) {
            fseek(again, 0, SEEK_SET);
            printf("%d lines, %c\n", lines, fgetc(again));
            fputs("end\n", again);
        }
        return 0;
    }
    print_formats();
    sort_in_heap();
    jump();
    compute();
    change_atomically();
    printf("%c %ld %s\n", toupper('x'), strtol("-0x2a", NULL, 0), strtok((char[]){"a,b"}, ","));
    const clock_t begin = clock();
    while (clock() - begin < 1000) { /* busy for a millisecond */
    }
    fprintf(stderr, "%d\n", (int)((clock() - begin) / 1000));
    return 0;
}
