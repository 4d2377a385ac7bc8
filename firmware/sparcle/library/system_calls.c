/*
 * System calls of newlib for a program on a node. Memory ends below the buffer of overflow traps
 * and the stack. Files and console come from the host (host_call.h), and time from the cycle
 * counter. newlib calls these functions by their plain names (MISSING_SYSCALL_NAMES).
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/host_call.h"
#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/library/ranks.h"
#ifdef WEIR_THREADS
#include "firmware/sparcle/threads/thread.h"
#endif
#include "firmware/sparcle/trap.h"

#undef errno
extern int errno; /* newlib copies it to the program's errno */
int* __errno(void);

_Static_assert(O_ACCMODE == WEIR_OPEN_ACCESS && O_APPEND == WEIR_OPEN_APPEND &&
                   O_CREAT == WEIR_OPEN_CREATE && O_TRUNC == WEIR_OPEN_EMPTY &&
                   O_EXCL == WEIR_OPEN_NEW,
               "newlib's flags");
_Static_assert(ENOENT == WEIR_ERROR_NO_FILE && EBADF == WEIR_ERROR_BAD_FILE &&
                   EEXIST == WEIR_ERROR_THERE && EISDIR == WEIR_ERROR_FOLDER &&
                   EINVAL == WEIR_ERROR_BAD_ARGUMENT && EMFILE == WEIR_ERROR_TOO_MANY &&
                   EFBIG == WEIR_ERROR_TOO_LARGE && ESPIPE == WEIR_ERROR_NO_PLACE &&
                   ENAMETOOLONG == WEIR_ERROR_NAME_TOO_LONG && EROFS == WEIR_ERROR_READ_ONLY,
               "newlib's errors");

#define BLOCK_BYTES 1024
/* A program may define a function with the same name for another purpose. */
#define OVERRIDABLE __attribute__((weak))

/* Written by the host before the run: clock frequency, and the words of main(). */
WEIR_FROM_HOST uint32_t weir_processor_khz = 20000;
WEIR_FROM_HOST char weir_argument_text[WEIR_ARGUMENT_BYTES] = {0};

static int refuse(int error) {
    errno = error;
    *__errno() = error; /* for a program that calls a function of this file itself */
    return -1;
}

/* The words of the call are static, because the stack may lie in shared memory. From the first
 * store to the last load there is no other access. An access to shared memory could switch
 * contexts, and another thread would use the same words. Handlers are held off for the same reason.
 */
int weir_call_host(uint32_t operation, uint32_t one, uint32_t two, uint32_t three) {
    static volatile uint32_t call[WEIR_CALL_WORDS];
    const uint32_t psr = hold_handlers_off();
    call[WEIR_CALL_OPERATION] = operation;
    call[WEIR_CALL_ARGUMENT] = one;
    call[WEIR_CALL_ARGUMENT + 1] = two;
    call[WEIR_CALL_ARGUMENT + 2] = three;
    WEIR_DEVICE(WEIR_HOST_CALL) = (uint32_t)call;
    const uint32_t cycles = call[WEIR_CALL_CYCLES];
    const uint32_t error = call[WEIR_CALL_ERROR];
    const uint32_t result = call[WEIR_CALL_RESULT];
    let_handlers_come(psr);
    if (cycles != 0) {
        weir_wait_until(weir_cycle() + cycles);
    }
    return error != 0 ? refuse((int)error) : (int)result;
}

#ifdef WEIR_SHARED_MEMORY

/* Buffer for names and data in shared memory. The program copies them by ordinary loads and stores,
 * which are coherent and take their time. */
static char buffer[BLOCK_BYTES];
static volatile uint8_t buffer_is_taken; /* by a thread of this node */

static void take_buffer(void) {
    while (shared_test_and_set(&buffer_is_taken) != 0) {
        shared_look_again();
    }
}
static void free_buffer(void) {
    __asm__ volatile("" : : : "memory");
    buffer_is_taken = 0;
}

/* Reads to shared memory, or writes from there, in pieces of the buffer's size. */
static ssize_t transfer(uint32_t operation, int file, char* bytes, size_t count) {
    size_t done = 0;
    int moved = 0;
    take_buffer();
    do {
        const size_t left = count - done;
        const size_t piece = left < sizeof buffer ? left : sizeof buffer;
        if (operation == WEIR_CALL_WRITE) {
            memcpy(buffer, bytes + done, piece);
        }
        moved = weir_call_host(operation, (uint32_t)file, (uint32_t)buffer, piece);
        if (moved <= 0) {
            break;
        }
        if (operation == WEIR_CALL_READ) {
            memcpy(bytes + done, buffer, (size_t)moved);
        }
        done += (size_t)moved;
    } while (done < count && (size_t)moved == sizeof buffer);
    free_buffer();
    return done == 0 ? moved : (ssize_t)done;
}

int weir_call_host_by_name(uint32_t operation, const char* name, uint32_t flags) {
    const size_t length = strlen(name);
    if (!weir_is_shared(name)) {
        return weir_call_host(operation, (uint32_t)name, length, flags);
    }
    if (length > sizeof buffer) {
        return refuse(ENAMETOOLONG);
    }
    take_buffer();
    memcpy(buffer, name, length);
    const int result = weir_call_host(operation, (uint32_t)buffer, length, flags);
    free_buffer();
    return result;
}

#else

static ssize_t transfer(uint32_t operation, int file, char* bytes, size_t count) {
    return weir_call_host(operation, (uint32_t)file, (uint32_t)bytes, count);
}

int weir_call_host_by_name(uint32_t operation, const char* name, uint32_t flags) {
    return weir_call_host(operation, (uint32_t)name, strlen(name), flags);
}

#endif

/* ---- memory; that of threads is in threads/heap.c ---- */

#ifndef WEIR_THREADS
static unsigned char* heap_end = weir_data;
static unsigned char* taken_from; /* start of the memory taken from the heap's end; NULL: none taken
                                   * yet */

const void* weir_end_of_heap(void) { return heap_end; }

size_t weir_rest_of_heap(void) {
    unsigned char* const end = taken_from == NULL ? (unsigned char*)weir_data_end() : taken_from;
    return end < heap_end ? 0 : (size_t)(end - heap_end);
}

void* weir_take_from_heaps_end(size_t bytes) {
    const size_t rest = weir_rest_of_heap();
    /* Number of bytes to leave unused so that the memory begins at a multiple of 8. */
    const size_t lost = (size_t)(heap_end + rest - bytes) & 7;
    if (rest < bytes || rest - bytes < lost) {
        return NULL;
    }
    taken_from = heap_end + rest - bytes - lost;
    return taken_from;
}

OVERRIDABLE void* sbrk(ptrdiff_t bytes) {
    /* Handlers are held off, since they may take memory from the heap's end. */
    const uint32_t psr = hold_handlers_off();
    unsigned char* const before = heap_end;
    const int fits = bytes <= (ptrdiff_t)weir_rest_of_heap() && bytes >= weir_data - heap_end;
    heap_end += fits ? bytes : 0;
    let_handlers_come(psr);
    if (!fits) {
        errno = ENOMEM;
        return (void*)-1;
    }
    return before;
}

#endif

/* ---- files ---- */

OVERRIDABLE int open(const char* name, int flags, ...) {
    return weir_call_host_by_name(WEIR_CALL_OPEN, name, (uint32_t)flags);
}

OVERRIDABLE int close(int file) { return weir_call_host(WEIR_CALL_CLOSE, (uint32_t)file, 0, 0); }

OVERRIDABLE ssize_t read(int file, void* bytes, size_t count) {
    return weir_is_shared(bytes)
               ? transfer(WEIR_CALL_READ, file, bytes, count)
               : weir_call_host(WEIR_CALL_READ, (uint32_t)file, (uint32_t)bytes, count);
}

OVERRIDABLE ssize_t write(int file, const void* bytes, size_t count) {
    return weir_is_shared(bytes)
               ? transfer(WEIR_CALL_WRITE, file, (char*)bytes, count)
               : weir_call_host(WEIR_CALL_WRITE, (uint32_t)file, (uint32_t)bytes, count);
}

OVERRIDABLE off_t lseek(int file, off_t offset, int from) {
    return weir_call_host(WEIR_CALL_SEEK, (uint32_t)file, (uint32_t)offset, (uint32_t)from);
}

/* Standard input is a file with workload.stdin, and else an empty console. */
static int is_console(int file) {
    if (file != WEIR_FILE_INPUT) {
        return file == WEIR_FILE_CONSOLE || file == WEIR_FILE_ERRORS;
    }
    const int error = *__errno();
    const int is = weir_call_host(WEIR_CALL_SIZE, WEIR_FILE_INPUT, 0, 0) < 0;
    *__errno() = error;
    return is;
}

OVERRIDABLE int isatty(int file) { return is_console(file) ? 1 : refuse(ENOTTY) + 1; }

OVERRIDABLE int fstat(int file, struct stat* stat) {
    memset(stat, 0, sizeof *stat);
    stat->st_blksize = BLOCK_BYTES;
    if (is_console(file)) {
        stat->st_mode = S_IFCHR;
        return 0;
    }
    const int bytes = weir_call_host(WEIR_CALL_SIZE, (uint32_t)file, 0, 0);
    stat->st_mode = S_IFREG;
    stat->st_size = bytes;
    return bytes < 0 ? -1 : 0;
}

OVERRIDABLE int stat(const char* name, struct stat* stat) {
    const int file = open(name, O_RDONLY);
    if (file < 0) {
        return -1;
    }
    const int result = fstat(file, stat);
    (void)close(file);
    return result;
}

/* The program removes only files that it has made: those of the host stay. */
OVERRIDABLE int unlink(const char* name) {
    return weir_call_host_by_name(WEIR_CALL_REMOVE, name, 0);
}
OVERRIDABLE int link(const char* name, const char* other) {
    (void)name;
    (void)other;
    return refuse(EROFS);
}

/* ---- time ---- */

uint64_t weir_microseconds(void) { return weir_long_cycle() * 1000 / weir_processor_khz; }

/* Divides 32-bit numbers where it can: the division of 64-bit numbers takes hundreds of cycles. */
void weir_time(uint32_t* seconds, uint32_t* nanoseconds) {
    const uint32_t most_khz = UINT32_MAX / 1000;
    const uint32_t khz = weir_processor_khz;
    const uint64_t cycles = weir_long_cycle();
    if (khz > most_khz) {
        *seconds = (uint32_t)(cycles / (uint64_t)khz / 1000);
        *nanoseconds = (uint32_t)((cycles - *seconds * (uint64_t)khz * 1000) * 1000000 / khz);
        return;
    }
    const uint32_t in_second = 1000 * khz;
    *seconds = cycles >> 32 == 0 ? (uint32_t)cycles / in_second : (uint32_t)(cycles / in_second);
    uint32_t rest = (uint32_t)cycles - *seconds * in_second;
    const uint32_t milliseconds = rest / khz;
    rest = 1000 * (rest - milliseconds * khz);
    const uint32_t microseconds = rest / khz;
    rest = 1000 * (rest - microseconds * khz);
    *nanoseconds = 1000000 * milliseconds + 1000 * microseconds + rest / khz;
}

OVERRIDABLE clock_t times(struct tms* times) {
    const clock_t now = (clock_t)weir_microseconds();
    times->tms_utime = now;
    times->tms_stime = 0;
    times->tms_cutime = 0;
    times->tms_cstime = 0;
    return now;
}

/* Time since the machine's start, which counts as the beginning of 1970. */
OVERRIDABLE int gettimeofday(struct timeval* time, void* zone) {
    uint32_t seconds;
    uint32_t nanoseconds;
    (void)zone;
    weir_time(&seconds, &nanoseconds);
    time->tv_sec = (time_t)seconds;
    time->tv_usec = (suseconds_t)(nanoseconds / 1000);
    return 0;
}

/* ---- random numbers ---- */

/* Bytes that differ between nodes, cycles and calls, and are the same in each repetition of a run.
 * For std::random_device and arc4random(). */
OVERRIDABLE int getentropy(void* bytes, size_t count) {
    static uint64_t state;
    unsigned char* const out = bytes;
    state += weir_long_cycle() << 16 ^ weir_rank_number();
    for (size_t i = 0; i < count; ++i) {
        state += 0x9e3779b97f4a7c15;
        uint64_t mixed = (state ^ state >> 30) * 0xbf58476d1ce4e5b9; /* splitmix64 */
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        out[i] = (unsigned char)(mixed >> 56);
    }
    return 0;
}

/* ---- process ---- */

const char* weir_fault_of_exit;

void _exit(int status) {
    const int32_t told = status & 0xff;
    if (told != 0 && weir_fault_of_exit != NULL) {
        weir_fault(weir_fault_of_exit, &told);
    }
#ifdef WEIR_THREADS
    weir_end_program(told);
#elif defined(WEIR_RANKS)
    weir_end_rank(told);
#else
    WEIR_DEVICE(WEIR_HOST_EXIT) = (uint32_t)told;
    am_interrupts(1);
    for (;;) {
        (void)WEIR_DEVICE(WEIR_HOST_IDLE);
    }
#endif
}

#ifdef WEIR_THREADS
OVERRIDABLE pid_t getpid(void) { return 1; }
#else
OVERRIDABLE pid_t getpid(void) { return (pid_t)weir_rank_number() + 1; }
#endif

/* Signals have no handlers; abort() raises SIGABRT. */
OVERRIDABLE int kill(pid_t process, int signal) {
    if (process != getpid()) {
        return refuse(ESRCH);
    }
    if (signal == 0) {
        return 0; /* a test whether the process exists */
    }
    weir_fault(signal == SIGABRT ? "the program has aborted (signal %d)"
                                 : "the program has raised signal %d, which it does not handle",
               (const int32_t[]){signal});
}

/* Failure of assert() in <assert.h>. */
OVERRIDABLE void __assert_func(const char* file, int line, const char* function,
                               const char* expression) {
    weir_fault("the assertion \"%s\" is false (%s:%d, function %s)",
               (const int32_t[]){(int32_t)expression, (int32_t)file, line,
                                 (int32_t)(function == NULL ? "?" : function)});
}
