/*
 * Start and end of a program with the C++ library. At the start, the unwinder gets the program's
 * tables. At exit, functions marked as destructors run after the destructors of static objects.
 */
#include <stdint.h>
#include <stdlib.h>

typedef void (*finalizer)(void);
extern const finalizer weir_finalizers_begin[], weir_finalizers_end[];
extern const char weir_unwind_tables[];

/* Function of libgcc. `kept`: memory for 6 words, which the unwinder keeps. */
void __register_frame_info(const void* tables, void* kept);

/* Identifies the program in registrations of destructors; there are no shared libraries. */
void* __dso_handle;

/* Terminates the tables. */
__attribute__((used, section(".weir_unwind_tables_end"))) static const uint32_t tables_end = 0;

static void run_finalizers(void) {
    for (const finalizer* next = weir_finalizers_end; next != weir_finalizers_begin;) {
        (*--next)();
    }
}

/* Priority 101, the first that a program can have: before the constructors of static objects. */
__attribute__((constructor(101))) static void begin(void) {
    static uint32_t kept[6];
    __register_frame_info(weir_unwind_tables, kept);
    (void)atexit(run_finalizers);
}
