/*
 * C++ support functions for programs without a C++ library: new and delete, under their names on a
 * 32-bit SPARC. A pure virtual call ends the run.
 */
#include <stdlib.h>

#include "firmware/sparcle/library/library.h"

void* _Znwj(unsigned bytes);
void* _Znaj(unsigned bytes);
void _ZdlPv(void* object);
void _ZdaPv(void* objects);
void _ZdlPvj(void* object, unsigned bytes);
void _ZdaPvj(void* objects, unsigned bytes);
void __cxa_pure_virtual(void) __attribute__((noreturn));

/* operator new; ends the run if the heap is full, because there are no exceptions */
__attribute__((weak)) void* _Znwj(unsigned bytes) {
    void* const object = malloc(bytes == 0 ? 1 : bytes);
    if (object == NULL) {
        weir_fault("operator new: the heap is full", NULL);
    }
    return object;
}
/* operator new[] */
__attribute__((weak)) void* _Znaj(unsigned bytes) { return _Znwj(bytes); }

/* operator delete and delete[], with the size and without */
__attribute__((weak)) void _ZdlPv(void* object) { free(object); }
__attribute__((weak)) void _ZdaPv(void* objects) { _ZdlPv(objects); }
__attribute__((weak)) void _ZdlPvj(void* object, unsigned bytes) {
    (void)bytes;
    _ZdlPv(object);
}
__attribute__((weak)) void _ZdaPvj(void* objects, unsigned bytes) {
    (void)bytes;
    _ZdaPv(objects);
}

void __cxa_pure_virtual(void) { weir_fault("a pure virtual function was called", NULL); }
