/*
 * Start and end of a program with the C library, around its main(). The linker option --wrap=main
 * makes boot.S call this function; ranks.c calls it for each rank of a node.
 */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/weir.h"

extern char weir_argument_text[];
typedef void (*initializer)(void);
extern const initializer weir_initializers_begin[], weir_initializers_end[];

#ifdef WEIR_RANKS
#define __wrap_main weir_run_program
#endif

int __real_main(int count, char** words);
int __wrap_main(int count, const uint32_t* words);

int __wrap_main(int count, const uint32_t* words) {
    static char* arguments[WEIR_MOST_ARGUMENT_WORDS + 1];
    char* text = weir_argument_text;
    (void)words;
    for (int i = 0; i < count; ++i) {
        arguments[i] = text;
        text += strlen(text) + 1;
    }
    for (const initializer* next = weir_initializers_begin; next != weir_initializers_end; ++next) {
        (*next)();
    }
    exit(__real_main(count, arguments));
}
