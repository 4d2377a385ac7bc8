/* POSIX semaphores between the threads of a program. Named semaphores do not exist. */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEM_VALUE_MAX 0x7fffffff

typedef struct {
    struct weir_queue waiting;
    int value;
} WEIR_OF_A_LINE sem_t;

int sem_init(sem_t* semaphore, int shared, unsigned value);
int sem_destroy(sem_t* semaphore);
int sem_wait(sem_t* semaphore);
int sem_trywait(sem_t* semaphore);
int sem_timedwait(sem_t* semaphore, const struct timespec* until);
int sem_post(sem_t* semaphore);
int sem_getvalue(sem_t* semaphore, int* value);

#ifdef __cplusplus
}
#endif

#endif
