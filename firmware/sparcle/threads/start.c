/* Start of a program with threads, in place of library/start.c: main() runs once, on node 0. */
#include "firmware/sparcle/threads/thread.h"

int __real_main(int count, char** words, char** environment);
int __wrap_main(int count, const uint32_t* words);

int __wrap_main(int count, const uint32_t* words) {
    (void)words;
    weir_start_threads(__real_main, count);
}
