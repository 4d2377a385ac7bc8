#include "firmware/sparcle/collectives.h"

#include "firmware/sparcle/memory.h"

/* Most data words in a message; the first argument has their number and offset. */
#define PIECE_WORDS 12
#define COUNT_SHIFT 24
#define MOST_ROUNDS 16

/* Destination of this operation's words, number of words that have arrived, and number of words
 * for which the program waits. */
static uint32_t* place;
static volatile uint32_t come;
static volatile uint32_t awaited;
static volatile uint32_t all_are_there;

/* State of a reduction: words received from each child, and whether the parent has taken this
 * node's last piece. */
static uint32_t partial[MOST_ROUNDS][AM_COMBINED_WORDS] __attribute__((aligned(8)));
static volatile uint32_t partial_come[MOST_ROUNDS];
static volatile uint32_t partial_taken;

/* ---- handlers ---- */

/* Arguments: (words << COUNT_SHIFT | offset, words) */
static void take_piece(void) {
    const uint32_t what = am_argument(0);
    const uint32_t words = what >> COUNT_SHIFT;
    uint32_t* const to = place + (what & ((1u << COUNT_SHIFT) - 1));
    for (uint32_t i = 0; i < words; ++i) {
        to[i] = am_argument(1 + i);
    }
    come += words;
    if (come >= awaited) {
        all_are_there = 1;
    }
}

/* Arguments: (words << COUNT_SHIFT | round, words) */
static void take_partial(void) {
    const uint32_t what = am_argument(0);
    const uint32_t round = what & ((1u << COUNT_SHIFT) - 1);
    for (uint32_t i = 0; i < what >> COUNT_SHIFT; ++i) {
        partial[round][i] = am_argument(1 + i);
    }
    partial_come[round] = 1;
}

static void note_taken(void) { partial_taken = 1; }

/* ---- program ---- */

static void send_words(uint32_t node, am_handler handler, uint32_t what, const uint32_t* words,
                       uint32_t count) {
    uint32_t arguments[1 + PIECE_WORDS];
    arguments[0] = count << COUNT_SHIFT | what;
    for (uint32_t i = 0; i < count; ++i) {
        arguments[1 + i] = words[i];
    }
    am_wait_for_room(1 + count);
    am_send(node, handler, 1 + count, arguments);
}

static void send_pieces(uint32_t node, uint32_t offset, const uint32_t* words, uint32_t count) {
    for (uint32_t done = 0; done < count; done += PIECE_WORDS) {
        const uint32_t left = count - done;
        send_words(node, take_piece, offset + done, words + done,
                   left < PIECE_WORDS ? left : PIECE_WORDS);
    }
}

static void begin(void* data) {
    place = data;
    come = 0;
    am_barrier();
}

static void wait_for_words(uint32_t words) {
    all_are_there = 0;
    awaited = words;
    if (come >= words) {
        all_are_there = 1;
    }
    am_wait(&all_are_there);
}

static uint32_t node_at(uint32_t distance, uint32_t root) {
    const uint32_t node = root + distance;
    return node < weir_nodes ? node : node - weir_nodes;
}

static uint32_t distance_from(uint32_t root) {
    return weir_node() >= root ? weir_node() - root : weir_node() + weir_nodes - root;
}

/* A piece is passed on as soon as it has arrived. In round k, nodes at a distance less than 2^k
 * from the root send to the nodes 2^k further. */
void am_broadcast(uint32_t root, void* data, uint32_t words) {
    const uint32_t own = distance_from(root);
    begin(data);
    for (uint32_t done = 0; done < words;) {
        const uint32_t left = words - done;
        const uint32_t piece = left < PIECE_WORDS ? left : PIECE_WORDS;
        if (own != 0) {
            wait_for_words(done + piece);
        }
        for (uint32_t step = 1; step < weir_nodes; step *= 2) {
            if (own < step && own + step < weir_nodes) {
                send_pieces(node_at(own + step, root), done, (uint32_t*)data + done, piece);
            }
        }
        done += piece;
    }
}

/* Reduces along the broadcast's tree, from the leaves to the root. A node sends a piece when its
 * parent has taken the previous piece. */
void am_reduce(uint32_t root, void* data, uint32_t words, am_combine combine) {
    const uint32_t own = distance_from(root);
    uint32_t* const all = data;
    begin(NULL);
    partial_taken = 1;
    for (uint32_t done = 0; done < words;) {
        const uint32_t left = words - done;
        const uint32_t piece = left < AM_COMBINED_WORDS ? left : AM_COMBINED_WORDS;
        uint32_t round = 0;
        uint32_t own_round = 0;
        for (uint32_t step = 1; step < weir_nodes; step *= 2, ++round) {
            if (own >= step) {
                /* At the end of the loop: the round of a broadcast in which the parent sends to
                 * this node. */
                own_round = round;
            } else if (own + step < weir_nodes) {
                am_wait(&partial_come[round]);
                combine(all + done, partial[round], piece);
                partial_come[round] = 0;
                am_wait_for_room(0);
                am_send_0(node_at(own + step, root), note_taken);
            }
        }
        if (own != 0) {
            am_wait(&partial_taken);
            partial_taken = 0;
            send_words(node_at(own - (1u << own_round), root), take_partial, own_round, all + done,
                       piece);
        }
        done += piece;
    }
    if (own != 0 && words != 0) {
        am_wait(&partial_taken);
    }
}

void am_all_reduce(void* data, uint32_t words, am_combine combine) {
    am_reduce(0, data, words, combine);
    am_broadcast(0, data, words);
}

void am_gather(uint32_t root, const void* own, uint32_t words, void* all) {
    begin(all);
    if (weir_node() != root) {
        send_pieces(root, words * weir_node(), own, words);
        return;
    }
    memcpy((uint32_t*)all + words * root, own, words * WEIR_WORD_BYTES);
    wait_for_words(words * (weir_nodes - 1));
}

/* Begins with the next node, so that destinations are spread. */
void am_all_to_all(const void* out, uint32_t words, void* in) {
    const uint32_t self = weir_node();
    begin(in);
    memcpy((uint32_t*)in + words * self, (const uint32_t*)out + words * self,
           words * WEIR_WORD_BYTES);
    for (uint32_t distance = 1; distance < weir_nodes; ++distance) {
        const uint32_t other = node_at(distance, self);
        send_pieces(other, words * self, (const uint32_t*)out + words * other, words);
    }
    wait_for_words(words * (weir_nodes - 1));
}

uint32_t am_sum(uint32_t value) {
    am_all_reduce(&value, 1, am_add_words);
    return value;
}

double am_sum_double(double value) {
    am_all_reduce(&value, 2, am_add_doubles);
    return value;
}

/* ---- combining functions ---- */

/* Replaces a value of `type` by `result`, an expression of `value` and `another`. */
#define COMBINE(name, type, result)                                             \
    void name(void* own, const void* other, uint32_t words) {                   \
        type* const values = own;                                               \
        const type* const others = other;                                       \
        for (uint32_t i = 0; i < words * WEIR_WORD_BYTES / sizeof(type); ++i) { \
            const type value = values[i];                                       \
            const type another = others[i];                                     \
            values[i] = result;                                                 \
        }                                                                       \
    }
COMBINE(am_add_words, uint32_t, value + another)
COMBINE(am_least_words, uint32_t, another < value ? another : value)
COMBINE(am_most_words, uint32_t, another > value ? another : value)
COMBINE(am_add_doubles, double, value + another)
COMBINE(am_least_doubles, double, another < value ? another : value)
COMBINE(am_most_doubles, double, another > value ? another : value)
