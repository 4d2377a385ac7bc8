/*
 * Random mixture of all uses of shared memory by threads: locks, exchanges, full/empty words, logs,
 * bytes, prefetches, Peterson's and Lamport's algorithms, litmus tests and rings. Checks its
 * counters and returns 0.
 *
 * main(seed, operations of a thread, kinds of operations by bit, threads of a node, litmus tests,
 * items of a ring)
 */
#include "firmware/sparcle/full_empty.h"
#include "firmware/sparcle/shared_memory.h"
#define MAXT 4
#define MAXG 128
#define NCNT 3
#define NBAG 4
#ifdef WEIR_CONTEXTS
#define STACK 6144
static unsigned char stacks[MAXT][STACK] __attribute__((aligned(8)));
#endif
static uint32_t seed, ops, mask, T, G, litmus, ring;
static struct shared_lock locks[NCNT];
/* Words 0 and 1 of a counter are incremented together under its lock. */
static volatile uint32_t* cnt[NCNT];
/* One line: byte locks 0 to 2, and their counters in words 1 to 3. */
static volatile uint32_t* bl;
static volatile uint32_t* bag[NBAG];
static volatile uint32_t* lel[2];
static volatile uint32_t* fa;
static volatile uint32_t* log_of[MAXG]; /* log of each thread, a double; two threads share a line */
static volatile uint8_t* bytes_of[MAXG / 16 + 1];
static volatile uint16_t* halves_of[MAXG / 8 + 1];
static volatile uint32_t *mpd[MAXG], *mpf[MAXG];
/* Peterson's algorithm, a line for each pair of threads: two flags, turn, counter. */
static volatile uint32_t* pet[MAXG];
static volatile uint32_t *bak_ch, *bak_no[8], *bak_cnt;
static volatile uint32_t* own[MAXG];
static volatile uint32_t* tot[MAXG]; /* published totals: 5 lines a thread */
static volatile uint32_t *sbx[64], *sby[64], *sbr[64], *prog[MAXG];
static volatile uint32_t* rings[MAXG];
static volatile uint32_t mine[MAXT][20];
static volatile uint32_t done[MAXT];
static volatile uint32_t got, got_sum;
static struct shared_barrier barrier;
static volatile uint32_t bad;
static volatile uint32_t private_area[4096];

static uint32_t rnd(uint32_t* s) {
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return *s;
}
static void fail(const char* what, uint32_t a, uint32_t b, uint32_t c) {
    console_printf("BAD %s %u %u %u node %u cycle %u\n", what, a, b, c, weir_node(),
                   (uint32_t)weir_cycle());
    bad = 1;
}
static void hand(void) {
    got++;
    got_sum += am_argument(0);
}
static void pause_some(uint32_t r) {
    if ((r & 7) == 0) weir_work(r >> 20 & 127);
}

static void one(uint32_t t, uint32_t g, uint32_t* s, uint32_t* last_seen) {
    uint32_t r = rnd(s), w = r >> 5 & 31, k, c, x;
    if (!(mask >> w & 1)) return;
    r = rnd(s);
    switch (w) {
        case 0:
        case 1:
        case 2:
            k = w % NCNT;
            shared_lock_acquire(&locks[k], t);
            c = cnt[k][0];
            pause_some(r);
            if (cnt[k][1] != c) fail("lock pair", k, c, cnt[k][1]);
            cnt[k][0] = c + 1;
            cnt[k][1] = c + 1;
            shared_lock_release(&locks[k], t);
            mine[t][k]++;
            break;
        case 3:
            k = r % 3;
            while (shared_test_and_set((volatile uint8_t*)bl + k)) shared_look_again();
            c = bl[1 + k];
            pause_some(r);
            bl[1 + k] = c + 1;
            ((volatile uint8_t*)bl)[k] = 0;
            mine[t][3 + k]++;
            break;
        case 4:
        case 5:
            k = r % NBAG;
            x = (g << 20) + mine[t][6] + 1;
            mine[t][7] += x;
            mine[t][8] += shared_exchange(bag[k], x);
            mine[t][6]++;
            break;
        case 6:
            k = r & 1;
            c = l_take(lel[k]);
            pause_some(r);
            l_put(lel[k], c + 1);
            mine[t][9 + k]++;
            break;
        case 7:
        case 8: { /* logs */
            volatile uint64_t* p = (volatile uint64_t*)log_of[g];
            uint32_t n = ++mine[t][11];
            *p = (uint64_t)n << 32 | (n ^ 0x5a5a5a5a);
            k = r % G;
            uint64_t v = *(volatile uint64_t*)log_of[k];
            uint32_t hi = v >> 32, lo = (uint32_t)v;
            if (v != 0 && (hi ^ 0x5a5a5a5a) != lo) fail("torn double", k, hi, lo);
            if (hi < last_seen[k]) fail("log went back", k, hi, last_seen[k]);
            last_seen[k] = hi;
            if (*p >> 32 != n) fail("own log", n, (uint32_t)(*p >> 32), 0);
            break;
        }
        case 9:
        case 10:
            bytes_of[g / 16][g % 16] = (uint8_t)r;
            pause_some(r >> 3);
            if (bytes_of[g / 16][g % 16] != (uint8_t)r)
                fail("own byte", g, bytes_of[g / 16][g % 16], r & 255);
            break;
        case 11:
            halves_of[g / 8][g % 8] = (uint16_t)r;
            pause_some(r >> 3);
            if (halves_of[g / 8][g % 8] != (uint16_t)r)
                fail("own half", g, halves_of[g / 8][g % 8], r & 0xffff);
            break;
        case 12:
            shared_prefetch((r & 1) ? cnt[r % NCNT] : log_of[(r >> 8) % G]);
            break;
        case 13:
            shared_prefetch_to_write((r & 1) ? bag[r % NBAG] : mpf[(r >> 8) % G]);
            break;
        case 14:
        case 15: /* two of the thread's own words, in one of its 16 lines */
            k = r % 16;
            own[g][k * 4] = r;
            own[g][k * 4 + 1] = ~r;
            pause_some(r >> 5);
            if (own[g][k * 4] != r || own[g][k * 4 + 1] != ~r)
                fail("own words", k, own[g][k * 4], r);
            break;
        case 16:
            for (k = 0; k < 64; ++k) private_area[(r + k * 16) & 4095] += 1;
            break;
        case 17:
        case 18:
        case 19: { /* message passing through memory: data, then flag */
            uint32_t n = ++mine[t][12];
            mpd[g][g & 3] = n;
            mpf[g][g & 3] = n;
            k = r % G;
            uint32_t f = mpf[k][k & 3], d = mpd[k][k & 3];
            if (d < f) fail("message passing", k, f, d);
            break;
        }
        case 20:
        case 21: { /* Peterson */
            uint32_t p = g ^ 1, h = g & 1;
            volatile uint32_t* l = pet[g / 2];
            if (p >= G) break;
            l[h] = 1;
            l[2] = !h;
            while (l[!h] && l[2] == !h) shared_look_again();
            c = l[3];
            pause_some(r);
            l[3] = c + 1;
            l[h] = 0;
            mine[t][13]++;
            break;
        }
        case 22:
            if (g < 8 && (r & 3) == 0) { /* bakery */
                volatile uint8_t* ch = (volatile uint8_t*)bak_ch;
                uint32_t m = 0, n = G < 8 ? G : 8;
                ch[g] = 1;
                for (k = 0; k < n; ++k) {
                    x = *bak_no[k];
                    if (x > m) m = x;
                }
                *bak_no[g] = m + 1;
                ch[g] = 0;
                for (k = 0; k < n; ++k) {
                    while (ch[k]) shared_look_again();
                    while ((x = *bak_no[k]) != 0 && (x < m + 1 || (x == m + 1 && k < g)))
                        shared_look_again();
                }
                c = *bak_cnt;
                pause_some(r);
                *bak_cnt = c + 1;
                *bak_no[g] = 0;
                mine[t][14]++;
            }
            break;
        case 23:
            if (!am_polls()) {
                am_send_1(r % weir_nodes, hand, r >> 8);
                mine[t][15]++;
                mine[t][16] += r >> 8;
            }
            break;
        case 24:
        case 25:
            (void)shared_fetch_and_add(fa, r & 15);
            mine[t][17] += r & 15;
            break;
        case 26: { /* non-waiting full/empty accesses to a word that only this thread uses */
            volatile uint32_t* p = &own[g][60];
            uint32_t v;
            if (!shared_empty(p, r)) fail("own word was empty", g, 0, 0);
            pause_some(r >> 9);
            if (shared_load_found(p, &v)) fail("own word is full", g, v, r);
            if (v != r) fail("own word value", g, v, r);
            if (shared_fill(p, ~r)) fail("own word full at fill", g, 0, 0);
            if (shared_take_full(p) != ~r) fail("own word taken", g, 0, 0);
            shared_fill_empty(p, r);
            if (!shared_load_found(p, &v) || v != r) fail("own word at end", g, v, r);
            break;
        }
        default:
            pause_some(r);
            break;
    }
}

static void litmus_all(uint32_t t, uint32_t g) {
    (void)t;
    uint32_t p = g ^ 1, h = g & 1;
    if (p >= G || g >= 4) return; /* a line has words for two pairs of threads */
    for (uint32_t i = 0; i < litmus; ++i) {
        prog[g][0] = i + 1;
        while (prog[p][0] < i + 1) shared_look_again();
        uint32_t o = g / 2 * 2; /* first word of this pair; pairs share lines, not words */
        if (h) {
            sbx[i][o] = 1;
            sbr[i][g] = 1 + sby[i][o];
        } else {
            sby[i][o] = 1;
            sbr[i][g] = 1 + sbx[i][o];
        }
        /* Result: 2 if the thread saw the other thread's store, else 1 */
    }
}

static void ring_all(uint32_t t, uint32_t g) {
    (void)t;
    /* Each thread produces into its own ring and consumes from the ring of the previous thread. A
     * ring has 4 slots, emptied by main. */
    uint32_t from = g == 0 ? G - 1 : g - 1, a = 0, b = 0;
    if (G < 2) return;
    while (b < ring) {
        if (a < ring && a < b + 3) {
            shared_fill_empty(&rings[g][a & 3], (g << 16) + a);
            ++a;
        } else {
            uint32_t v = shared_take_full(&rings[from][b & 3]);
            if (v != (from << 16) + b) fail("ring", from, b, v);
            ++b;
        }
    }
    /* The next thread takes the rest of this thread's items. */
    while (a < ring) {
        shared_fill_empty(&rings[g][a & 3], (g << 16) + a);
        ++a;
    }
}

static uint32_t seen[MAXT][MAXG];
static void run_thread(uint32_t t) {
    uint32_t g = weir_node() * T + t, s = seed * 2654435761u + 977 * (g + 1) + 12345;
    for (uint32_t i = 0; i < 8; ++i) (void)rnd(&s);
    for (uint32_t i = 0; i < ops; ++i) one(t, g, &s, seen[t]);
    litmus_all(t, g);
    if (mask >> 31 & 1) ring_all(t, g);
    for (uint32_t i = 0; i < 20; ++i) tot[g][i] = mine[t][i];
    done[t] = 1;
}

static uint32_t place(uint32_t* s) { return (rnd(s) >> 3) % weir_nodes; }

int main(int n, const unsigned* w) {
    if (n < 6) return 9;
    seed = w[0];
    ops = w[1];
    mask = w[2];
    T = w[3];
    litmus = w[4];
    ring = w[5];
    G = weir_nodes * T;
    uint32_t s = seed + 99;
    (void)rnd(&s);
    for (uint32_t i = 0; i < NCNT; ++i) {
        shared_lock_make(&locks[i], i, place(&s), T);
        cnt[i] = shared_line(place(&s));
    }
    bl = shared_line(place(&s));
    fa = shared_line(place(&s));
    for (uint32_t i = 0; i < NBAG; ++i) bag[i] = (i & 1) ? bag[i - 1] + 2 : shared_line(place(&s));
    lel[0] = shared_line(place(&s));
    lel[1] = (rnd(&s) & 1) ? lel[0] + 1 : shared_line(place(&s));
    for (uint32_t i = 0; i < G; ++i) {
        log_of[i] = (i & 1) ? log_of[i - 1] + 2 : shared_line(place(&s));
        pet[i / 2] = (i & 1) ? pet[i / 2] : shared_line(place(&s));
        if (i % 4 == 0) {
            mpd[i] = shared_line(place(&s));
            mpf[i] = (rnd(&s) & 3) ? shared_line(place(&s)) : shared_line(0);
        } else {
            mpd[i] = mpd[i - 1];
            mpf[i] = mpf[i - 1];
        }
        if (i % 16 == 0) bytes_of[i / 16] = (volatile uint8_t*)shared_line(place(&s));
        if (i % 8 == 0) halves_of[i / 8] = (volatile uint16_t*)shared_line(place(&s));
        own[i] = 0;
        tot[i] = 0;
        prog[i] = shared_line(place(&s));
        rings[i] = shared_line(place(&s));
    }
    /* Each thread's 16 lines of own words and 5 lines of totals. An allocation of more than 16
     * bytes fails if homes change by line. */
    for (uint32_t i = 0; i < G; ++i) {
        uint32_t h = place(&s);
        own[i] = shared_allocate(h, 256);
        tot[i] = shared_allocate(h, 80);
    }
    bak_ch = shared_line(place(&s));
    bak_cnt = shared_line(place(&s));
    for (uint32_t i = 0; i < 8; ++i)
        bak_no[i] = (i & 1) ? bak_no[i - 1] + 1 : shared_line(place(&s));
    for (uint32_t i = 0; i < litmus; ++i) {
        sbx[i] = shared_line(place(&s));
        sby[i] = (rnd(&s) & 3) ? shared_line(place(&s)) : sbx[i] + 1;
        sbr[i] = shared_line(place(&s));
    }
    shared_barrier_make(&barrier);
    if (mask >> 31 & 1)
        for (uint32_t t = 0; t < T; ++t)
            for (uint32_t i = 0; i < 4; ++i) (void)shared_empty(&rings[weir_node() * T + t][i], 0);
    shared_barrier_meet(&barrier);
#ifdef WEIR_CONTEXTS
    for (uint32_t t = 1; t < T; ++t) context_start(t, run_thread, t, stacks[t] + STACK);
#endif
    run_thread(0);
    for (uint32_t t = 0; t < T; ++t)
        while (!done[t]) shared_look_again();
    shared_barrier_meet(&barrier);
    /* All nodes check the sums over all threads. */
    uint32_t sum[20] = {0};
    for (uint32_t i = 0; i < G; ++i)
        for (uint32_t k = 0; k < 20; ++k) sum[k] += tot[i][k];
    for (uint32_t k = 0; k < NCNT; ++k)
        if (cnt[k][0] != sum[k] || cnt[k][1] != sum[k]) fail("lock counter", k, cnt[k][0], sum[k]);
    for (uint32_t k = 0; k < 3; ++k)
        if (bl[1 + k] != sum[3 + k]) fail("ldstub counter", k, bl[1 + k], sum[3 + k]);
    uint32_t in_bag = 0;
    for (uint32_t k = 0; k < NBAG; ++k) in_bag += *bag[k];
    if (sum[8] + in_bag != sum[7]) fail("swap bag", sum[8], in_bag, sum[7]);
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t v = l_look(lel[k]);
        if (v != sum[9 + k]) fail("L counter", k, v, sum[9 + k]);
    }
    for (uint32_t i = 0; i < G; ++i) {
        if (log_of[i][0] != tot[i][11]) fail("log end", i, log_of[i][0], tot[i][11]);
        if (mpd[i][i & 3] != tot[i][12] || mpf[i][i & 3] != tot[i][12])
            fail("mp end", i, mpd[i][i & 3], tot[i][12]);
        if ((i & 1) && pet[i / 2][3] != tot[i][13] + tot[i - 1][13])
            fail("Peterson", i, pet[i / 2][3], tot[i][13] + tot[i - 1][13]);
    }
    if (*bak_cnt != sum[14]) fail("bakery", *bak_cnt, sum[14], 0);
    if (*fa != sum[17]) fail("fetch and add", *fa, sum[17], 0);
    for (uint32_t i = 0; i < litmus; ++i)
        for (uint32_t p = 0; p + 1 < (G < 4 ? G : 4); p += 2)
            if (sbr[i][p] == 1 && sbr[i][p + 1] == 1)
                fail("SB litmus", i, p, 0);
            else if (sbr[i][p] == 0 || sbr[i][p + 1] == 0)
                fail("SB litmus lost", i, p, 0);
    shared_barrier_meet(&barrier);
    if (weir_node() == 0)
        console_printf("TOTALS %u %u %u %u %u %u\n", sum[0], sum[3], sum[6], sum[9], sum[13],
                       sum[14]);
    return bad;
}
