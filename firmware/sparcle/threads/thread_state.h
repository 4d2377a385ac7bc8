/*
 * State of a program's threads, which the host reads to explain for what they wait
 * (firmware/sparcle/thread_waits.h), and settings that the host writes. Plain C; the constants are
 * indices of words.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_THREADS_THREAD_STATE_H
#define WEIR_FIRMWARE_SPARCLE_THREADS_THREAD_STATE_H

/* weir_thread_settings, written by the host in every node's private memory. */
#define WEIR_THREADS_CONTEXTS 0    /* threads of a node */
#define WEIR_THREADS_HEAP_END 1    /* first byte behind the heap: an address of shared memory */
#define WEIR_THREADS_SEGMENT 2     /* bytes from one node's memory to the next's; 0: interleaved */
#define WEIR_THREADS_LOCK_BYTES 3  /* bytes at each segment's end that are not for the heap */
#define WEIR_THREADS_STACK_BYTES 4 /* size of a stack, unless the program chooses another */
#define WEIR_THREADS_SETTING_WORDS 5

/* A thread, in shared memory; weir_all_threads is the address of the newest one. */
#define WEIR_THREAD_OLDER 0  /* address of the thread created before this one; 0: none */
#define WEIR_THREAD_NUMBER 1 /* 0: main() */
#define WEIR_THREAD_STATE 2
#define WEIR_THREAD_NODE 3
#define WEIR_THREAD_CONTEXT 4
#define WEIR_THREAD_START 5  /* address of the thread's function */
#define WEIR_THREAD_WAIT 6   /* for what it waits: a kind, below */
#define WEIR_THREAD_OBJECT 7 /* address of the object that it waits for */
#define WEIR_THREAD_CALLER 8 /* address of the call that waits */
#define WEIR_THREAD_WORDS 9
#define WEIR_THREAD_REENT 36 /* offset in bytes; for the library only */

#define WEIR_THREAD_RUNS 1
#define WEIR_THREAD_HAS_ENDED 2

#define WEIR_WAIT_NONE 0
#define WEIR_WAIT_MUTEX 1
#define WEIR_WAIT_CONDITION 2
#define WEIR_WAIT_BARRIER 3
#define WEIR_WAIT_SEMAPHORE 4
#define WEIR_WAIT_READ_LOCK 5
#define WEIR_WAIT_WRITE_LOCK 6
#define WEIR_WAIT_SPIN_LOCK 7
#define WEIR_WAIT_JOIN 8
#define WEIR_WAIT_KINDS 9

/* A mutex, and a queue entry. */
#define WEIR_MUTEX_HOLDER 1  /* address of the holder's queue entry; 0: none */
#define WEIR_WAITER_THREAD 2 /* address of the entry's thread */

#endif
