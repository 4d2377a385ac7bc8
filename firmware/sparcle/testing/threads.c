/* Each function of pthread.h and semaphore.h, among 7 threads beside main(). Prints a line for each
 * subject; a line "wrong" names a failed check. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS 7
#define CHECK(condition) ((condition) ? 0 : printf("wrong: line %d: %s\n", __LINE__, #condition))

static pthread_t threads[THREADS];
static int numbers[THREADS];
static volatile int failures;

static void start_all(void* (*function)(void*)) {
    for (int i = 0; i < THREADS; ++i) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, function, &numbers[i]) == 0);
    }
}
static void join_all(void) {
    for (int i = 0; i < THREADS; ++i) {
        void* result = NULL;
        CHECK(pthread_join(threads[i], &result) == 0);
        CHECK(result == &numbers[i]);
    }
}

/* ---- mutexes ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked;
static pthread_spinlock_t spin;
static int counts[4];
static struct timespec in(long microseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += microseconds * 1000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void* use_mutexes(void* number) {
    for (int i = 0; i < 20; ++i) {
        pthread_mutex_lock(&mutex);
        const int before = counts[0];
        counts[0] = before + 1;
        pthread_mutex_unlock(&mutex);

        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        CHECK(pthread_mutex_trylock(&recursive) == 0);
        ++counts[1];
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);

        while (pthread_mutex_trylock(&checked) != 0) {
        }
        CHECK(pthread_mutex_lock(&checked) == EDEADLK);
        ++counts[2];
        CHECK(pthread_mutex_unlock(&checked) == 0);
        CHECK(pthread_mutex_unlock(&checked) == EPERM);

        pthread_spin_lock(&spin);
        ++counts[3];
        pthread_spin_unlock(&spin);
    }
    return number;
}

static void test_mutexes(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    CHECK(pthread_mutexattr_settype(&attributes, 7) == EINVAL);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    start_all(use_mutexes);
    join_all();
    printf("mutexes: %d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
    CHECK(pthread_spin_trylock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY);
    pthread_mutex_lock(&mutex);
    const struct timespec soon = in(100);
    CHECK(pthread_mutex_timedlock(&checked, &soon) == 0);
    CHECK(pthread_mutex_destroy(&mutex) == EBUSY);
    pthread_mutex_unlock(&mutex);
    CHECK(pthread_mutex_destroy(&mutex) == 0);
}

static void* hold(void* unused) {
    const struct timespec soon = in(200);
    CHECK(pthread_mutex_timedlock(&checked, &soon) == ETIMEDOUT);
    CHECK(pthread_mutex_trylock(&checked) == EBUSY);
    return unused;
}

/* ---- conditions, semaphores, reader/writer locks ---- */

static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int items;
static int taken;
static sem_t free_places;
static sem_t done;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int written[2];

static void* take_items(void* number) {
    for (int i = 0; i < 10; ++i) {
        pthread_mutex_lock(&mutex);
        while (items == 0) {
            pthread_cond_wait(&filled, &mutex);
        }
        --items;
        ++taken;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&emptied);
    }
    sem_wait(&free_places);
    sem_post(&done);
    for (int i = 0; i < 5; ++i) {
        if (*(int*)number % 2 == 0) {
            pthread_rwlock_wrlock(&rwlock);
            ++written[0];
            ++written[1];
            pthread_rwlock_unlock(&rwlock);
        } else {
            pthread_rwlock_rdlock(&rwlock);
            CHECK(written[0] == written[1]);
            pthread_rwlock_unlock(&rwlock);
        }
    }
    return number;
}

static void test_waits(void) {
    int value = -1;
    pthread_mutex_init(&mutex, NULL);
    sem_init(&free_places, 0, 2);
    sem_init(&done, 0, 0);
    start_all(take_items);
    for (int i = 0; i < 10 * THREADS; ++i) {
        pthread_mutex_lock(&mutex);
        while (items == 3) {
            pthread_cond_wait(&emptied, &mutex);
        }
        ++items;
        pthread_mutex_unlock(&mutex);
        if (i % 2 == 0) {
            pthread_cond_signal(&filled);
        } else {
            pthread_cond_broadcast(&filled);
        }
    }
    for (int i = 0; i < THREADS - 2; ++i) {
        sem_post(&free_places);
    }
    for (int i = 0; i < THREADS; ++i) {
        sem_wait(&done);
    }
    join_all();
    sem_getvalue(&done, &value);
    printf("waits: taken %d, left %d, semaphore %d, written %d\n", taken, items, value, written[1]);
    const struct timespec soon = in(100);
    CHECK(sem_trywait(&done) == -1 && errno == EAGAIN);
    CHECK(sem_timedwait(&done, &soon) == -1 && errno == ETIMEDOUT);
    pthread_mutex_lock(&mutex);
    CHECK(pthread_cond_timedwait(&filled, &mutex, &soon) == ETIMEDOUT);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_rwlock_tryrdlock(&rwlock) == 0 && pthread_rwlock_tryrdlock(&rwlock) == 0);
    CHECK(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    CHECK(pthread_rwlock_trywrlock(&rwlock) == 0 && pthread_rwlock_tryrdlock(&rwlock) == EBUSY);
    pthread_rwlock_unlock(&rwlock);
    CHECK(pthread_cond_destroy(&filled) == 0 && sem_destroy(&done) == 0);
}

/* ---- barriers ---- */

static pthread_barrier_t barrier;
static volatile int passed[THREADS];
static volatile int last;

static void* meet(void* number) {
    const int own = *(int*)number;
    for (int i = 1; i <= 10; ++i) {
        passed[own] = i;
        const int result = pthread_barrier_wait(&barrier);
        for (int other = 0; other < THREADS; ++other) {
            CHECK(passed[other] >= i);
        }
        if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
            ++last;
        } else {
            CHECK(result == 0);
        }
        pthread_barrier_wait(&barrier);
    }
    return number;
}
static void* meet_twice(void* number) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return number;
}

static void test_barriers(void) {
    CHECK(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    pthread_barrier_init(&barrier, NULL, THREADS);
    start_all(meet);
    join_all();
    /* Others than before meet: main() in place of a thread. */
    for (int i = 0; i < THREADS - 1; ++i) {
        pthread_create(&threads[i], NULL, meet_twice, &numbers[i]);
    }
    (void)meet_twice(NULL);
    for (int i = 0; i < THREADS - 1; ++i) {
        pthread_join(threads[i], NULL);
    }
    printf("barriers: %d\n", last);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
}

/* ---- once, keys, thread-local variables, ends ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int destroyed;
static int onces;
static __thread int own_zero;
static __thread int own_set = 5;
static __thread char own_text[24] = "own";
static int cleaned;

static void count_once(void) { ++onces; }
static void destroy(void* value) {
    pthread_mutex_lock(&mutex);
    destroyed += *(int*)value + 1;
    pthread_mutex_unlock(&mutex);
}
static void clean(void* value) {
    pthread_mutex_lock(&mutex);
    cleaned += *(int*)value;
    pthread_mutex_unlock(&mutex);
}
static void leave(void* number) {
    pthread_cleanup_push(clean, number);
    pthread_exit(number);
    pthread_cleanup_pop(0);
}
static void* use_own(void* number) {
    pthread_once(&once, count_once);
    CHECK(own_zero == 0 && own_set == 5 && strcmp(own_text, "own") == 0);
    own_zero = own_set += *(int*)number;
    CHECK(pthread_getspecific(key) == NULL);
    CHECK(pthread_setspecific(key, number) == 0);
    jmp_buf place;
    volatile int jumps = 0;
    if (setjmp(place) < 3) {
        ++jumps;
        longjmp(place, jumps);
    }
    CHECK(jumps == 3 && own_set == 5 + *(int*)number && pthread_getspecific(key) == number);
    CHECK(pthread_equal(pthread_self(), pthread_self()));
    errno = *(int*)number;
    sched_yield();
    CHECK(errno == *(int*)number);
    if (*(int*)number % 2 == 1) {
        leave(number);
    }
    return number;
}

static void test_own(void) {
    pthread_key_create(&key, destroy);
    own_set = -1;
    start_all(use_own);
    join_all();
    printf("own: once %d, destroyed %d, cleaned %d, main's %d\n", onces, destroyed, cleaned,
           own_set);
    CHECK(pthread_key_delete(key) == 0 && pthread_setspecific(key, &key) == EINVAL);
    CHECK(pthread_join(pthread_self(), NULL) == EDEADLK);
}

/* ---- attributes, stacks, memory ---- */

static volatile int detached;
static void* end_detached(void* unused) {
    (void)unused;
    __atomic_fetch_add(&detached, 1, __ATOMIC_SEQ_CST);
    return NULL;
}
static int depth_of(int depth) {
    volatile int frame[64];
    frame[depth % 64] = depth;
    return depth == 0 ? 0 : 1 + depth_of(depth - 1) + frame[depth % 64] - depth;
}
static void* use_memory(void* number) {
    unsigned seed = (unsigned)*(int*)number;
    unsigned char* blocks[16] = {NULL};
    size_t sizes[16] = {0};
    for (int i = 0; i < 120; ++i) {
        const int at = i % 16;
        for (size_t byte = 0; byte < sizes[at]; byte += 97) {
            CHECK(blocks[at][byte] == (unsigned char)(at + *(int*)number));
        }
        seed = seed * 1103515245u + 12345u;
        const size_t size = 1 + (seed >> 16) % (i % 5 == 0 ? 9000 : 400);
        if (i % 3 == 0) {
            free(blocks[at]);
            blocks[at] = malloc(size);
        } else if (i % 3 == 1) {
            blocks[at] = realloc(blocks[at], size);
        } else {
            free(blocks[at]);
            blocks[at] = calloc(size, 1);
            CHECK(blocks[at][0] == 0 && blocks[at][size - 1] == 0);
        }
        sizes[at] = size;
        memset(blocks[at], at + *(int*)number, size);
    }
    for (int at = 0; at < 16; ++at) {
        free(blocks[at]);
    }
    void* aligned = NULL;
    CHECK(posix_memalign(&aligned, 16384, 100) == 0 && (size_t)aligned % 16384 == 0);
    free(aligned);
    CHECK(depth_of(100) == 100);
    return number;
}

static void test_attributes(void) {
    pthread_attr_t attributes;
    size_t bytes = 0;
    pthread_attr_init(&attributes);
    pthread_attr_getstacksize(&attributes, &bytes);
    CHECK(pthread_attr_setstacksize(&attributes, 16) == EINVAL);
    pthread_attr_setstacksize(&attributes, 16384);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 20; ++i) { /* more than contexts: the ended ones are reused */
        pthread_t thread;
        CHECK(pthread_create(&thread, &attributes, end_detached, NULL) == 0);
        while (detached <= i) {
            sched_yield();
        }
        const struct timespec moment = {0, 200000};
        nanosleep(&moment, NULL);
    }
    start_all(use_memory);
    join_all();
    printf("attributes: stack %zu, detached %d\n", bytes, detached);
    CHECK(malloc((size_t)1 << 30) == NULL && errno == ENOMEM);
}

int main(int count, char** words) {
    setvbuf(stdout, NULL, _IOLBF, 256);
    test_mutexes();
    pthread_mutex_lock(&recursive);
    pthread_create(&threads[0], NULL, hold, NULL);
    pthread_join(threads[0], NULL);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&checked);
    test_waits();
    test_barriers();
    test_own();
    test_attributes();
    printf("%d %s\n", count, words[count - 1]);
    return failures;
}
