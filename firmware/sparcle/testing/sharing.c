/*
 * Random accesses to shared memory by all nodes, with messages that interrupt them if the program
 * does not poll, counters under locks, and barriers. With hardware contexts, every context does the
 * same. main(accesses, seed, number of lines that are sometimes requested at the same time, whether
 * words are changed at their homes too).
 */
#include "firmware/sparcle/shared_memory.h"

#define LINES 12
#define LOCK_KINDS 3
#define MOST_AT_ONCE 16

union line {
    volatile uint8_t bytes[16];
    volatile uint16_t halves[8];
    volatile uint32_t words[4];
    volatile uint64_t doubles[2];
};

#ifdef WEIR_CONTEXTS
#define THREADS SPARCLE_CONTEXTS
#define TURNS 1
#define STACK_BYTES 4096
static unsigned char stacks[THREADS][STACK_BYTES] __attribute__((aligned(8)));
#else
#define THREADS 1
#define TURNS 4
#endif

static uint32_t accesses;
static uint32_t seed;
static uint32_t burst;
static uint32_t fetches;
static union line* lines[LINES];
/* Lines at two homes that all nodes write at the same time. */
static volatile uint32_t* at_once[MOST_AT_ONCE];
static struct shared_lock locks[LOCK_KINDS];
static volatile uint32_t* counters[LOCK_KINDS];
static volatile uint32_t* added_to;
static volatile uint32_t handled;
static volatile uint32_t changed; /* number of changes that this node has made at homes */
static volatile uint32_t* all_changed;
static struct shared_barrier barrier;
static volatile uint32_t received;
static volatile uint32_t threads_done[THREADS];

/* Hash of the values that each thread has loaded, for the test. */
uint32_t sharing_loaded[THREADS];
/* Addresses of lines, which the host compares with its own calculation. */
uint32_t sharing_addresses[LINES];

static uint32_t next_random(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void note(uint32_t thread, uint32_t value) {
    sharing_loaded[thread] = sharing_loaded[thread] * 31 + value;
}

static void note_message(void) {
    handled += am_argument(0);
    ++received;
}

static void change_at_home(uint32_t thread, uint32_t random, volatile uint32_t* word) {
    switch (random >> 16 & 3) {
        case 0:
            note(thread, shared_fetch_and_add(word, random));
            break;
        case 1:
            note(thread, shared_fetch_and_and(word, random));
            break;
        case 2:
            note(thread, shared_fetch_and_or(word, random));
            break;
        default:
            note(thread, shared_exchange_at_home(word, random));
            break;
    }
    (void)shared_fetch_and_add(added_to, 1);
}

static void access_line(uint32_t thread, uint32_t random, union line* line) {
    const uint32_t place = random >> 8;
    if (fetches != 0 && (random >> 20 & 3) == 0) {
        change_at_home(thread, random, &line->words[place & 3]);
        ++changed;
        return;
    }
    switch (random >> 4 & 15) {
        case 0:
            line->words[place & 3] = random;
            break;
        case 1:
            line->halves[place & 7] = (uint16_t)random;
            break;
        case 2:
            line->bytes[place & 15] = (uint8_t)random;
            break;
        case 3:
            line->doubles[place & 1] = (uint64_t)random << 32 | thread;
            break;
        case 4:
            note(thread, shared_exchange(&line->words[place & 3], random));
            break;
        case 5:
            note(thread, shared_test_and_set(&line->bytes[place & 15]));
            break;
        case 6:
            shared_prefetch(line);
            break;
        case 7:
            shared_prefetch_to_write(line);
            break;
        case 8:
            note(thread, line->bytes[place & 15]);
            break;
        case 9:
            note(thread, line->halves[place & 7]);
            break;
        case 10:
            note(thread, (uint32_t)(line->doubles[place & 1] >> 7));
            break;
        default:
            note(thread, line->words[place & 3]);
            break;
    }
}

static void access_all(uint32_t thread) {
    uint32_t state = seed + 977 * (weir_node() * SPARCLE_CONTEXTS + thread + 1);
    for (uint32_t i = 0; i < accesses; ++i) {
        const uint32_t random = next_random(&state);
        access_line(thread, random, lines[next_random(&state) % LINES]);
        if (thread == 0 && i % 16 == 0 && !am_polls()) {
            am_send_1(weir_node() + 1 < weir_nodes ? weir_node() + 1 : 0, note_message, i);
        }
        for (uint32_t j = 0; i % 4 == 0 && j < burst; ++j) {
            shared_prefetch_to_write(at_once[j]);
        }
        if ((random & 15) == 0) {
            weir_work(40);
        }
    }
}

static void count(uint32_t thread) {
    for (uint32_t turn = 0; turn < TURNS; ++turn) {
        for (uint32_t kind = 0; kind < LOCK_KINDS; ++kind) {
            shared_lock_acquire(&locks[kind], thread);
            *counters[kind] = *counters[kind] + 1;
            shared_lock_release(&locks[kind], thread);
        }
    }
}

static void run_thread(uint32_t thread) {
    access_all(thread);
    count(thread);
    threads_done[thread] = 1;
}

int main(int count_of_words, const unsigned* words) {
    accesses = count_of_words > 0 ? words[0] : 100;
    seed = count_of_words > 1 ? words[1] : 1;
    for (uint32_t i = 0; i < LINES; ++i) {
        lines[i] = shared_allocate(i % 3, sizeof *lines[i]);
        sharing_addresses[i] = (uint32_t)lines[i];
    }
    burst = count_of_words > 2 ? words[2] : 0;
    fetches = count_of_words > 3 ? words[3] : 0;
    added_to = shared_line(0);
    all_changed = shared_line(1);
    for (uint32_t i = 0; i < MOST_AT_ONCE; ++i) {
        at_once[i] = shared_line(i % 2);
    }
    for (uint32_t kind = 0; kind < LOCK_KINDS; ++kind) {
        shared_lock_make(&locks[kind], kind, kind % weir_nodes, THREADS);
        counters[kind] = shared_line(weir_nodes - 1);
    }
    shared_barrier_make(&barrier);
    shared_barrier_meet(&barrier);
#ifdef WEIR_CONTEXTS
    for (uint32_t thread = 1; thread < THREADS; ++thread) {
        context_start(thread, run_thread, thread, stacks[thread]);
    }
#endif
    run_thread(0);
    for (uint32_t thread = 0; thread < THREADS; ++thread) {
        while (threads_done[thread] == 0) {
            shared_look_again();
        }
    }
    const uint32_t messages = am_polls() ? 0 : (accesses + 15) / 16;
    while (received < messages) {
    }
    if (fetches != 0) {
        (void)shared_fetch_and_add(all_changed, changed);
    }
    shared_barrier_meet(&barrier);
    uint32_t wrong = *added_to != *all_changed;
    for (uint32_t kind = 0; kind < LOCK_KINDS; ++kind) {
        wrong |= *counters[kind] != weir_nodes * THREADS * TURNS;
    }
    wrong |= messages != 0 && handled != 16 * messages * (messages - 1) / 2;
    return (int)wrong;
}
