/* Scheduling as programs with threads ask for it. A thread has its hardware context for itself. */
#ifndef _SCHED_H
#define _SCHED_H

#include <sys/sched.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

int sched_yield(void);
int sched_get_priority_min(int policy);
int sched_get_priority_max(int policy);
/* Number of the node on which the calling thread runs. */
int sched_getcpu(void);

#ifdef __cplusplus
}
#endif

#endif
