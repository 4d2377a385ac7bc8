/*
 * Functions of POSIX, beside newlib's own and system_calls.c, that portable programs call. A
 * program may define its own function with such a name. The linker drops what a program does not
 * call.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <malloc.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/contexts.h"
#include "firmware/sparcle/host_call.h"
#include "firmware/sparcle/library/library.h"

#define OVERRIDABLE __attribute__((weak))

#define PAGE_BYTES 4096 /* a unit for programs; nodes have no pages */
#define POSIX_VERSION 200809L

static int refuse(int error) {
    errno = error;
    return -1;
}

/* ---- the machine ---- */

OVERRIDABLE int get_nprocs(void) {
#ifdef WEIR_THREADS
    return (int)weir_nodes;
#else
    return 1;
#endif
}
OVERRIDABLE int get_nprocs_conf(void) { return get_nprocs(); }

OVERRIDABLE int getpagesize(void) { return PAGE_BYTES; }

OVERRIDABLE long sysconf(int name) {
    switch (name) {
        case _SC_ARG_MAX:
            return WEIR_ARGUMENT_BYTES;
        case _SC_CLK_TCK:
            return CLOCKS_PER_SEC;
        case _SC_OPEN_MAX:
        case _SC_STREAM_MAX:
            return WEIR_FIRST_FILE + WEIR_MOST_FILES;
        case _SC_VERSION:
        case _SC_TIMERS:
        case _SC_MONOTONIC_CLOCK:
        case _SC_CPUTIME:
        case _SC_THREAD_CPUTIME:
            return POSIX_VERSION;
#ifdef WEIR_THREADS
        case _SC_THREADS:
        case _SC_BARRIERS:
        case _SC_SEMAPHORES:
            return POSIX_VERSION;
        case _SC_THREAD_THREADS_MAX:
            return get_nprocs();
#endif
        case _SC_PAGESIZE:
            return PAGE_BYTES;
        case _SC_NPROCESSORS_CONF:
        case _SC_NPROCESSORS_ONLN:
            return get_nprocs();
        case _SC_PHYS_PAGES:
            return (long)(weir_memory_bytes() / PAGE_BYTES);
        case _SC_AVPHYS_PAGES:
            return (long)(weir_rest_of_heap() / PAGE_BYTES);
        case _SC_HOST_NAME_MAX:
            return sizeof(((struct utsname*)NULL)->nodename) - 1;
        case _SC_LINE_MAX:
            return BUFSIZ;
        default:
            return refuse(EINVAL);
    }
}

OVERRIDABLE int gethostname(char* name, size_t bytes) {
    const int length = snprintf(name, bytes, "node-%u", (unsigned)weir_node());
    return (size_t)length < bytes ? 0 : refuse(ENAMETOOLONG);
}

OVERRIDABLE int uname(struct utsname* names) {
    strcpy(names->sysname, "Weir");
    strcpy(names->release, "1");
    strcpy(names->version, "1");
    strcpy(names->machine, "sparc");
    return gethostname(names->nodename, sizeof names->nodename);
}

OVERRIDABLE int sched_yield(void) {
#ifdef WEIR_CONTEXTS
    context_yield();
#endif
    return 0;
}
OVERRIDABLE int sched_getcpu(void) { return (int)weir_node(); }
OVERRIDABLE int sched_get_priority_min(int policy) {
    (void)policy;
    return 0;
}
OVERRIDABLE int sched_get_priority_max(int policy) {
    (void)policy;
    return 0;
}

OVERRIDABLE pid_t getppid(void) { return 0; }
OVERRIDABLE uid_t getuid(void) { return 0; }
OVERRIDABLE uid_t geteuid(void) { return 0; }
OVERRIDABLE gid_t getgid(void) { return 0; }
OVERRIDABLE gid_t getegid(void) { return 0; }

/* ---- memory ---- */

OVERRIDABLE int posix_memalign(void** result, size_t alignment, size_t bytes) {
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void* const memory = memalign(alignment, bytes);
    if (memory == NULL) {
        return ENOMEM;
    }
    *result = memory;
    return 0;
}

OVERRIDABLE void* mmap(void* address, size_t bytes, int protection, int flags, int file,
                       off_t offset) {
    (void)address;
    (void)protection;
    (void)file;
    (void)offset;
    if ((flags & MAP_FIXED) != 0 || bytes == 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if ((flags & MAP_ANONYMOUS) == 0) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    void* const memory = memalign(PAGE_BYTES, bytes);
    return memory == NULL ? MAP_FAILED : memset(memory, 0, bytes);
}

OVERRIDABLE int munmap(void* address, size_t bytes) {
    (void)bytes;
    free(address);
    return 0;
}

/* ---- time ---- */

#define NANOSECONDS 1000000000u

extern uint32_t weir_processor_khz;

OVERRIDABLE int clock_gettime(clockid_t clock, struct timespec* time) {
    uint32_t seconds;
    uint32_t nanoseconds;
    if (clock > CLOCK_BOOTTIME) {
        return refuse(EINVAL);
    }
    weir_time(&seconds, &nanoseconds);
    time->tv_sec = (time_t)seconds;
    time->tv_nsec = (long)nanoseconds;
    return 0;
}

/* A cycle, rounded up to nanoseconds. */
OVERRIDABLE int clock_getres(clockid_t clock, struct timespec* resolution) {
    if (clock > CLOCK_BOOTTIME) {
        return refuse(EINVAL);
    }
    if (resolution != NULL) {
        resolution->tv_sec = 0;
        resolution->tv_nsec = (long)((1000000 + weir_processor_khz - 1) / weir_processor_khz);
    }
    return 0;
}

OVERRIDABLE int clock_settime(clockid_t clock, const struct timespec* time) {
    (void)clock;
    (void)time;
    return refuse(EPERM);
}

static void wait_cycles(uint64_t cycles) {
    const uint64_t end = weir_long_cycle() + cycles;
    for (uint64_t now; (now = weir_long_cycle()) < end;) {
#ifdef WEIR_CONTEXTS
        context_yield();
#else
        /* The longest wait of weir_wait_until is 2^31 - 1 cycles. */
        const uint64_t left = end - now;
        weir_wait_until((uint32_t)now + (uint32_t)(left > INT32_MAX ? INT32_MAX : left));
#endif
    }
}

OVERRIDABLE int nanosleep(const struct timespec* time, struct timespec* rest) {
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= (long)NANOSECONDS) {
        return refuse(EINVAL);
    }
    wait_cycles((uint64_t)time->tv_sec * 1000 * weir_processor_khz +
                (uint64_t)time->tv_nsec * weir_processor_khz / 1000000);
    if (rest != NULL) {
        rest->tv_sec = 0;
        rest->tv_nsec = 0;
    }
    return 0;
}

OVERRIDABLE int usleep(useconds_t microseconds) {
    wait_cycles((uint64_t)microseconds * weir_processor_khz / 1000);
    return 0;
}

OVERRIDABLE unsigned sleep(unsigned seconds) {
    wait_cycles((uint64_t)seconds * 1000 * weir_processor_khz);
    return 0;
}

OVERRIDABLE int getrusage(int who, struct rusage* usage) {
    memset(usage, 0, sizeof *usage);
    if (who == RUSAGE_CHILDREN) {
        return 0;
    }
    if (who != RUSAGE_SELF && who != RUSAGE_THREAD) {
        return refuse(EINVAL);
    }
    uint32_t seconds;
    uint32_t nanoseconds;
    weir_time(&seconds, &nanoseconds);
    usage->ru_utime.tv_sec = (time_t)seconds;
    usage->ru_utime.tv_usec = (suseconds_t)(nanoseconds / 1000);
    return 0;
}

OVERRIDABLE int getrlimit(int resource, struct rlimit* limit) {
    limit->rlim_cur = resource == RLIMIT_STACK    ? weir_boot.stack_bytes
                      : resource == RLIMIT_NOFILE ? WEIR_FIRST_FILE + WEIR_MOST_FILES
                      : resource == RLIMIT_CORE   ? 0
                                                  : RLIM_INFINITY;
    limit->rlim_max = limit->rlim_cur;
    return 0;
}

OVERRIDABLE int setrlimit(int resource, const struct rlimit* limit) {
    (void)resource;
    (void)limit;
    return refuse(EPERM);
}

/* ---- files ---- */

/* A file that can be read can be written too: the program then has a version of its own. */
OVERRIDABLE int access(const char* name, int mode) {
    struct stat unused;
    if (stat(name, &unused) != 0) {
        return -1;
    }
    return (mode & X_OK) == 0 ? 0 : refuse(EACCES);
}

/* Names of files are relative to one folder. */
OVERRIDABLE char* getcwd(char* name, size_t bytes) {
    if (name == NULL) {
        return strdup(".");
    }
    if (bytes < sizeof ".") {
        errno = ERANGE;
        return NULL;
    }
    return strcpy(name, ".");
}

/* A file's folders are made with the file. */
OVERRIDABLE int mkdir(const char* name, mode_t mode) {
    (void)name;
    (void)mode;
    return 0;
}

OVERRIDABLE int fsync(int file) {
    struct stat unused;
    return fstat(file, &unused);
}

OVERRIDABLE FILE* tmpfile(void) {
    char name[] = "weir-temporary-000";
    char* const digits = name + sizeof name - 4;
    for (int number = 0; number < 1000; ++number) {
        digits[0] = (char)('0' + number / 100);
        digits[1] = (char)('0' + number / 10 % 10);
        digits[2] = (char)('0' + number % 10);
        const int file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (file >= 0) {
            FILE* const stream = fdopen(file, "w+");
            (void)unlink(name);
            if (stream == NULL) {
                (void)close(file);
            }
            return stream;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return NULL;
}

OVERRIDABLE ssize_t getdelim(char** line, size_t* size, int delimiter, FILE* file) {
    return __getdelim(line, size, delimiter, file);
}
OVERRIDABLE ssize_t getline(char** line, size_t* size, FILE* file) {
    return __getdelim(line, size, '\n', file);
}

static void remove_slashes_at_end(char* path) {
    for (char* end = path + strlen(path); end > path + 1 && end[-1] == '/'; --end) {
        end[-1] = 0;
    }
}

/* basename() of libgen.h, which names this function __xpg_basename in C. */
OVERRIDABLE char* __xpg_basename(char* path) {
    if (path == NULL || *path == 0) {
        return (char*)".";
    }
    remove_slashes_at_end(path);
    char* const slash = strrchr(path, '/');
    return slash == NULL || slash[1] == 0 ? path : slash + 1;
}

/* basename() of string.h with _GNU_SOURCE, which changes nothing. */
char* __gnu_basename(const char* path);
OVERRIDABLE char* __gnu_basename(const char* path) {
    char* const slash = strrchr(path, '/');
    return slash == NULL ? (char*)path : slash + 1;
}

OVERRIDABLE char* dirname(char* path) {
    if (path == NULL || *path == 0) {
        return (char*)".";
    }
    remove_slashes_at_end(path);
    char* const slash = strrchr(path, '/');
    if (slash == NULL) {
        return (char*)".";
    }
    slash[slash == path] = 0;
    remove_slashes_at_end(path);
    return path;
}

/* ---- messages ---- */

static void tell(int error, const char* format, va_list arguments) {
    if (format != NULL) {
        (void)vfprintf(stderr, format, arguments);
    }
    (void)fprintf(stderr, "%s%s\n", error != 0 && format != NULL ? ": " : "",
                  error != 0 ? strerror(error) : "");
}

OVERRIDABLE void warn(const char* format, ...) {
    const int error = errno;
    va_list arguments;
    va_start(arguments, format);
    tell(error, format, arguments);
    va_end(arguments);
}
OVERRIDABLE void warnx(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(0, format, arguments);
    va_end(arguments);
}
OVERRIDABLE void err(int status, const char* format, ...) {
    const int error = errno;
    va_list arguments;
    va_start(arguments, format);
    tell(error, format, arguments);
    va_end(arguments);
    exit(status);
}
OVERRIDABLE void errx(int status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(0, format, arguments);
    va_end(arguments);
    exit(status);
}
