/* Calls of POSIX as portable programs make them. Prints one line for each group. */
#define _GNU_SOURCE
#include <byteswap.h>
#include <endian.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <malloc.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <values.h>

long time(); /* as old programs declare it */

static int is_aligned(const void* address, size_t bytes) {
    return address != NULL && (uintptr_t)address % bytes == 0;
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    return clock_gettime(clock, &now) != 0 ? -1 : now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void show_machine(void) {
    struct utsname names;
    char host[32];
    struct rlimit limit;
    printf("machine %ld %d %d %ld %ld %d\n", sysconf(_SC_PAGESIZE), getpagesize(), get_nprocs(),
           sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_CLK_TCK),
           sysconf(-5) == -1 && errno == EINVAL);
    printf("names %d %s %s %d", uname(&names), names.sysname, names.machine, gethostname(host, 3));
    printf(" %d %s %d\n", gethostname(host, sizeof host), host, getpid() != getppid());
    printf("limits %d", getrlimit(RLIMIT_STACK, &limit));
    printf(" %lu %d %d\n", limit.rlim_cur, setrlimit(RLIMIT_STACK, &limit),
           sched_yield() + sched_getcpu());
    printf("values %d %lx %x\n", MAXINT, (unsigned long)bswap_32(0x01020304u), htole16(0x0102));
}

static void show_memory(void) {
    void* memory = NULL;
    const int refused = posix_memalign(&memory, 24, 10);
    const int given = posix_memalign(&memory, 256, 1000);
    char* const pages =
        mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("memory %d %d %d %d %d %d", refused == EINVAL, given, is_aligned(memory, 256),
           is_aligned(aligned_alloc(64, 128), 64), is_aligned(memalign(32, 5), 32),
           is_aligned(valloc(10), 4096));
    printf(" %d %d %d", is_aligned(pages, 4096), pages[9999], munmap(pages, 10000));
    printf(" %d\n", mmap(NULL, 100, PROT_READ, MAP_SHARED, 3, 0) == MAP_FAILED && errno == ENODEV);
}

static void show_time(void) {
    struct timespec step;
    struct timeval day;
    struct rusage usage;
    struct tms used;
    const int64_t begin = nanoseconds(CLOCK_MONOTONIC);
    usleep(3000);
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    const int64_t slept = nanoseconds(CLOCK_REALTIME) - begin;
    gettimeofday(&day, NULL);
    getrusage(RUSAGE_SELF, &usage);
    printf("slept %d %d %ld %d\n", slept >= 5000000 && slept < 5500000,
           clock_getres(CLOCK_MONOTONIC, &step), step.tv_nsec,
           clock_gettime(99, &step) == -1 && errno == EINVAL);
    const int64_t now = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / 1000;
    printf("clocks %d %d %d %d %d\n", now - day.tv_usec < 2000, now - usage.ru_utime.tv_usec < 2000,
           nanoseconds(CLOCK_THREAD_CPUTIME_ID) / 1000 - now < 2000, clock() - now < 2000,
           (int64_t)times(&used) - now < 3000);
    sleep(1);
    printf("time %ld\n", time(NULL));
}

static void show_files(void) {
    char text[32] = "";
    char folder[8];
    char path[] = "a/b.c/";
    char* line = NULL;
    size_t size = 0;
    printf("none %d", access("none", F_OK));
    printf(" %d %d\n", errno == ENOENT, open("none", O_RDONLY) < 0);
    FILE* file = fopen("made.txt", "w");
    fputs("first line\nsecond", file);
    fclose(file);
    printf("made %d %d %d", access("made.txt", R_OK | W_OK), mkdir("sub", 0777), isatty(1));
    file = fopen("made.txt", "r");
    printf(" %d", (int)getline(&line, &size, file));
    printf(" %d %s", (int)getdelim(&line, &size, 'n', file), line);
    printf(" %d\n", (int)getline(&line, &size, file));
    fclose(file);
    printf("removed %d", unlink("made.txt"));
    printf(" %d %d\n", access("made.txt", F_OK), errno == ENOENT);
    file = tmpfile();
    fputs("temporary", file);
    rewind(file);
    printf("temporary %s %s %s %s\n", fgets(text, sizeof text, file), getcwd(folder, 8),
           basename("x/y.c"), dirname(path));
    fclose(file);
    fclose(fopen("/dev/null", "w"));
    file = fopen("/dev/stdout", "w");
    fputs("by its name\n", file);
    fclose(file);
    errno = ENOENT;
    warn("warning %d", 1);
    warnx("warning %d", 2);
}

int main(void) {
    show_machine();
    show_memory();
    show_time();
    show_files();
    char input[32];
    while (fgets(input, sizeof input, stdin) != NULL) {
        printf("input %d %s", isatty(0), input);
    }
    printf("environment %d", setenv("NAME", "value", 1));
    printf(" %s\n", getenv("NAME"));
    srandom(1);
    srand48(1);
    printf("random %d %d\n", random() != random(), drand48() < 1);
    errno = ENOENT;
    err(0, "end");
}
