/*
 * shared-latencies, compiled: one access to shared memory at a time, by which nodes hold copies of
 * its line. See shared_latencies.h.
 */
#include "firmware/sparcle/marks.h"
#include "firmware/sparcle/shared_memory.h"

#define HOME 0
#define NEIGHBOUR 1
#define FIRST_OF_OTHERS 2
#define MOST_READERS 6
#define STORED_BEFORE 17
#define STORED 4711
/* Time between steps: longer than any access with Alewife's parameters, so that accesses do not
 * overlap. */
#define STEP 10000

/* Marks, in the order of SharedLatencies::scenarios(), which have the same names. */
#define SCENARIOS(mark)                                                                    \
    mark("load_local"), mark("load_remote"), mark("load_changed_at_home"),                 \
        mark("load_changed_elsewhere"), mark("load_sixth_reader"), mark("store_local"),    \
        mark("store_local_one_copy"), mark("store_remote"), mark("store_changed_at_home"), \
        mark("store_changed_elsewhere"), mark("store_five_copies"), mark("store_six_copies")
#define BEGINS(name) name " begins"
#define ENDS(name) name " ends"
static const char* const begins[] = {SCENARIOS(BEGINS)};
static const char* const ends[] = {SCENARIOS(ENDS)};
#define SCENARIO_COUNT (sizeof begins / sizeof begins[0])

WEIR_FROM_HOST struct {
    uint32_t rounds;
    struct scenario {
        uint32_t is_store;
        uint32_t from_home;
        uint32_t readers;
        uint32_t writer;
    } scenarios[SCENARIO_COUNT];
} weir_parameters;

static uint32_t next_step;
static uint32_t wrong;

static void pass_time(void) {
    next_step += STEP;
    weir_wait_until(next_step);
}

/* Functions that consist of an access and its marks. */
static __attribute__((noipa)) uint32_t load(uint32_t before, uint32_t after,
                                            volatile uint32_t* line) {
    weir_mark(before, 0);
    const uint32_t value = *line;
    weir_mark(after, 0);
    return value;
}
static __attribute__((noipa)) void store(uint32_t before, uint32_t after, volatile uint32_t* line,
                                         uint32_t value) {
    weir_mark(before, 0);
    *line = value;
    weir_mark(after, 0);
}

/* Measures an access; returns nonzero if a load has returned a wrong value. */
static uint32_t measure(const struct scenario* scenario, uint32_t number, volatile uint32_t* line) {
    const uint32_t before = (uint32_t)begins[number];
    const uint32_t after = (uint32_t)ends[number];
    if (scenario->is_store) {
        store(before, after, line, STORED);
        return 0;
    }
    return load(before, after, line) != (scenario->writer < weir_nodes ? STORED_BEFORE : 0);
}

static void do_step(uint32_t number, volatile uint32_t* line) {
    const struct scenario* const scenario = &weir_parameters.scenarios[number];
    const uint32_t self = weir_node();
    for (uint32_t turn = 0; turn < MOST_READERS; ++turn) {
        if (turn < scenario->readers && self == FIRST_OF_OTHERS + turn) {
            (void)*line;
        } else if (turn == 0 && self == scenario->writer) {
            *line = STORED_BEFORE;
        }
        pass_time();
    }
    if (self == (scenario->from_home ? HOME : NEIGHBOUR)) {
        wrong |= measure(scenario, number, line);
    }
    pass_time();
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    weir_mark(MARK_PROGRAM_BEGINS, 0);
    for (uint32_t number = 0; number < SCENARIO_COUNT; ++number) {
        for (uint32_t round = 0; round < weir_parameters.rounds; ++round) {
            do_step(number, shared_line(HOME));
        }
    }
    weir_mark(MARK_PROGRAM_ENDS, 0);
    return wrong;
}
