/*
 * Time of a barrier made of a mutex and a condition variable, and of pthread_barrier_wait().
 * Argument: the number of threads, at most the number of nodes.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define ROUNDS 50
#define CYCLES_PER_MICROSECOND 20
#define MOST_THREADS 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_arrived = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int arrived;
static int thread_count;
static long times[3];

static long microseconds(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (long)now.tv_sec * 1000000 + now.tv_usec;
}

static void wait_by_condition(void) {
    pthread_mutex_lock(&mutex);
    if (++arrived == thread_count) {
        arrived = 0;
        pthread_cond_broadcast(&all_arrived);
    } else {
        pthread_cond_wait(&all_arrived, &mutex);
    }
    pthread_mutex_unlock(&mutex);
}

static void* run(void* measures) {
    wait_by_condition(); /* the threads begin together */
    if (measures != NULL) {
        times[0] = microseconds();
    }
    for (int round = 0; round < ROUNDS; ++round) {
        wait_by_condition();
    }
    if (measures != NULL) {
        times[1] = microseconds();
    }
    for (int round = 0; round < ROUNDS; ++round) {
        pthread_barrier_wait(&barrier);
    }
    if (measures != NULL) {
        times[2] = microseconds();
    }
    return NULL;
}

int main(int count, char** words) {
    thread_count = count == 2 ? atoi(words[1]) : 0;
    if (thread_count < 1 || thread_count > MOST_THREADS) {
        fprintf(stderr, "argument: the number of threads, from 1 to %d\n", MOST_THREADS);
        return 2;
    }
    pthread_barrier_init(&barrier, NULL, (unsigned)thread_count);
    pthread_t threads[MOST_THREADS];
    for (int i = 1; i < thread_count; ++i) {
        if (pthread_create(&threads[i], NULL, run, NULL) != 0) {
            fprintf(stderr, "thread %d cannot be created\n", i);
            return 1;
        }
    }
    run(&thread_count);
    for (int i = 1; i < thread_count; ++i) {
        pthread_join(threads[i], NULL);
    }
    printf("%d threads: condition %ld cycles, barrier %ld cycles\n", thread_count,
           (times[1] - times[0]) * CYCLES_PER_MICROSECOND / ROUNDS,
           (times[2] - times[1]) * CYCLES_PER_MICROSECOND / ROUNDS);
    return 0;
}
