/*
 * The heap of a program with threads: all shared memory behind the program's statics, in pages. A
 * request of up to 2048 bytes takes a block of a page that is cut into blocks of one size. The node
 * that took the page keeps the free blocks. A larger request takes whole pages, next fit.
 *
 * A page's node is its home (coherence.home): interleaved by page, or a segment of the addresses.
 * placement.h says whether pages are taken in the order of the addresses or at the node that
 * allocates. With homes by line every page lies at many nodes, and the choice has no effect.
 */
#include <errno.h>
#include <malloc.h>
#include <reent.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/threads/placement.h"
#include "firmware/sparcle/threads/thread.h"

#define PAGE 4096u
#define BLOCK_ALIGNMENT 16u
#define CLASSES 14
#define LARGEST_BLOCK 2048u

/* A word for each page. A run of pages has its length in its first page's word; other pages of a
 * run are not looked at. */
#define FREE_RUN 0x40000000u
#define USED_RUN 0x80000000u
#define RUN_LENGTH 0x3fffffffu
#define BLOCK_PAGE 0xc0000000u /* a page of blocks: the node that keeps them, and their class */
#define KIND 0xc0000000u
#define CLASS_BITS 4

struct block {
    struct block* next;
};
/* Free blocks of a node. */
struct arena {
    struct weir_waiter* volatile lock;
    struct block* blocks[CLASSES];
} WEIR_OF_A_LINE;

extern char weir_shared_end[];

WEIR_SHARED static struct {
    struct weir_waiter* volatile lock;
    uint32_t first; /* address of page 0 */
    uint32_t page_count;
    uint32_t homes;
    uint32_t next; /* page at which the next search begins */
    uint32_t* pages;
    struct arena* arenas;
} heap WEIR_OF_A_LINE;

static const uint16_t class_bytes[CLASSES] = {16,  32,  48,  64,  96,   128,  192,
                                              256, 336, 512, 672, 1024, 1360, 2048};

static uint32_t class_of(size_t bytes) {
    uint32_t number = 0;
    while (class_bytes[number] < bytes) {
        ++number;
    }
    return number;
}

static void* page_address(uint32_t page) { return (void*)(heap.first + page * PAGE); }
static uint32_t page_of(const void* address) { return ((uint32_t)address - heap.first) / PAGE; }

static uint32_t home_of(uint32_t page) {
    const uint32_t offset = heap.first + page * PAGE - SHARED_BASE;
    const uint32_t segment = weir_thread_settings[WEIR_THREADS_SEGMENT];
    return segment != 0 ? offset / segment : offset / PAGE % weir_nodes;
}

/* ---- pages; the caller holds heap.lock ---- */

/* Joins the free run with the free runs behind it; returns its length. */
static uint32_t join_run(uint32_t page) {
    uint32_t length = heap.pages[page] & RUN_LENGTH;
    while (page + length < heap.page_count && (heap.pages[page + length] & KIND) == FREE_RUN) {
        if (page + length == heap.next) {
            heap.next = page; /* searches begin at a run's first page */
        }
        length += heap.pages[page + length] & RUN_LENGTH;
    }
    heap.pages[page] = FREE_RUN | length;
    return length;
}

static uint32_t run_length(uint32_t page) {
    const uint32_t word = heap.pages[page];
    return (word & KIND) == BLOCK_PAGE ? 1 : word & RUN_LENGTH;
}

/* Takes `count` pages from `taken` on out of the free run at `page`. */
static void split_run(uint32_t page, uint32_t taken, uint32_t count) {
    const uint32_t end = page + (heap.pages[page] & RUN_LENGTH);
    if (taken != page) {
        heap.pages[page] = FREE_RUN | (taken - page);
    }
    if (taken + count != end) {
        heap.pages[taken + count] = FREE_RUN | (end - taken - count);
    }
    heap.pages[taken] = USED_RUN | count;
}

#define ANY_NODE 0xffffffffu
#define NO_PAGE 0xffffffffu

/* First page from `page` on that lies at `node`; a page of another node if there is none. */
static uint32_t first_at(uint32_t page, uint32_t node) {
    const uint32_t segment = weir_thread_settings[WEIR_THREADS_SEGMENT];
    if (node == ANY_NODE) {
        return page;
    }
    if (segment == 0) {
        return page + (node + weir_nodes - home_of(page)) % weir_nodes;
    }
    const uint32_t begin = SHARED_BASE + node * segment;
    const uint32_t first = begin <= heap.first ? 0 : (begin - heap.first + PAGE - 1) / PAGE;
    return first < page ? page : first;
}

/* First of `count` pages of which the first lies at `node`; searches the runs whose first pages are
 * from `begin` to `end`. */
static uint32_t search(uint32_t begin, uint32_t end, uint32_t count, uint32_t node) {
    for (uint32_t page = begin; page < end; page += run_length(page)) {
        if ((heap.pages[page] & KIND) != FREE_RUN) {
            continue;
        }
        const uint32_t length = join_run(page);
        const uint32_t taken = first_at(page, node);
        if (taken + count <= page + length && (node == ANY_NODE || home_of(taken) == node)) {
            split_run(page, taken, count);
            return taken;
        }
    }
    return NO_PAGE;
}

/* Pages at the node if there are any, else at another. */
static uint32_t take_pages(uint32_t count, uint32_t node) {
    uint32_t found = NO_PAGE;
    if (node != ANY_NODE) {
        found = search(0, heap.page_count, count, node);
    }
    if (found == NO_PAGE) {
        found = search(heap.next, heap.page_count, count, ANY_NODE);
        if (found == NO_PAGE) {
            found = search(0, heap.page_count, count, ANY_NODE);
        }
        if (found != NO_PAGE) {
            heap.next = found + count < heap.page_count ? found + count : 0;
        }
    }
    return found;
}

static void give_pages_back(uint32_t page) {
    heap.pages[page] = FREE_RUN | (heap.pages[page] & RUN_LENGTH);
}

/* Marks the pages at the segments' ends that hold the locks of atomic operations. */
static void leave_out_locks(uint32_t segment) {
    const uint32_t lock_bytes = weir_thread_settings[WEIR_THREADS_LOCK_BYTES];
    const uint32_t heap_end = heap.first + heap.page_count * PAGE;
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        const uint32_t end = SHARED_BASE + (node + 1) * segment;
        const uint32_t locks = (end - lock_bytes) & -PAGE;
        if (locks < heap.first || locks >= heap_end) {
            continue;
        }
        uint32_t page = 0;
        while (page + run_length(page) <= page_of((void*)locks)) {
            page += run_length(page);
        }
        const uint32_t first = page_of((void*)locks);
        const uint32_t behind = (end - heap.first + PAGE - 1) / PAGE;
        const uint32_t last = behind < heap.page_count ? behind : heap.page_count;
        split_run(page, first, last - first);
    }
}

void weir_heap_make(void) {
    const uint32_t end = weir_thread_settings[WEIR_THREADS_HEAP_END] & -PAGE;
    const uint32_t arena_bytes = weir_nodes * (uint32_t)sizeof(struct arena);
    uint32_t begin = ((uint32_t)weir_shared_end + BLOCK_ALIGNMENT - 1) & -BLOCK_ALIGNMENT;
    const uint32_t most_pages = end > begin ? (end - begin) / PAGE : 0;
    heap.arenas = (struct arena*)begin;
    heap.pages = (uint32_t*)(begin + arena_bytes);
    begin += arena_bytes + most_pages * (uint32_t)sizeof *heap.pages;
    heap.first = (begin + PAGE - 1) & -PAGE;
    heap.page_count = end > heap.first ? (end - heap.first) / PAGE : 0;
    if (heap.page_count == 0) {
        return;
    }
    heap.pages[0] = FREE_RUN | heap.page_count;
    if (weir_thread_settings[WEIR_THREADS_SEGMENT] != 0 &&
        weir_thread_settings[WEIR_THREADS_LOCK_BYTES] != 0) {
        leave_out_locks(weir_thread_settings[WEIR_THREADS_SEGMENT]);
    }
}

/* ---- locks: main()'s thread does not exist when the heap is made ---- */

static struct weir_waiter* lock_heap(struct weir_waiter* volatile* last,
                                     struct weir_waiter* entry) {
    if (weir_thread_pointer == NULL) {
        return NULL;
    }
    weir_lock(last, entry);
    return entry;
}
static void unlock_heap(struct weir_waiter* volatile* last, struct weir_waiter* entry) {
    if (entry != NULL) {
        weir_unlock(last, entry);
    }
}

/* The heap's own queue entries: a thread's other entries come from the heap. They lie on the
 * stack. */
#define OWN_ENTRY(name) struct weir_waiter name = {0, NULL, weir_self(), 0}

/* ---- requests ---- */

static void* take_large(size_t bytes, uint32_t node) {
    const uint32_t count = (uint32_t)((bytes + PAGE - 1) / PAGE);
    if (bytes > heap.page_count * PAGE) {
        return NULL;
    }
    OWN_ENTRY(own);
    struct weir_waiter* const entry = lock_heap(&heap.lock, &own);
    const uint32_t page = take_pages(count, node);
    unlock_heap(&heap.lock, entry);
    return page == NO_PAGE ? NULL : page_address(page);
}

/* Cuts a page into blocks for the arena, whose lock the caller holds. */
static int fill_arena(struct arena* arena, uint32_t class, uint32_t keeper, uint32_t home) {
    OWN_ENTRY(own);
    struct weir_waiter* const entry = lock_heap(&heap.lock, &own);
    const uint32_t page = take_pages(1, home);
    if (page != NO_PAGE) {
        heap.pages[page] = BLOCK_PAGE | keeper << CLASS_BITS | class;
    }
    unlock_heap(&heap.lock, entry);
    if (page == NO_PAGE) {
        return 0;
    }
    const uint32_t bytes = class_bytes[class];
    for (uint32_t at = PAGE / bytes * bytes; at != 0; at -= bytes) {
        struct block* const block = (struct block*)((char*)page_address(page) + at - bytes);
        block->next = arena->blocks[class];
        arena->blocks[class] = block;
    }
    return 1;
}

static void* take_small(size_t bytes, uint32_t keeper, uint32_t home) {
    const uint32_t class = class_of(bytes);
    struct arena* const arena = &heap.arenas[keeper];
    OWN_ENTRY(own);
    struct weir_waiter* const entry = lock_heap(&arena->lock, &own);
    struct block* block = arena->blocks[class];
    if (block == NULL && fill_arena(arena, class, keeper, home)) {
        block = arena->blocks[class];
    }
    if (block != NULL) {
        arena->blocks[class] = block->next;
    }
    unlock_heap(&arena->lock, entry);
    return block;
}

void* weir_heap_take(size_t bytes, uint32_t node) {
    return bytes <= LARGEST_BLOCK ? take_small(bytes, node, node) : take_large(bytes, node);
}

static void* take(size_t bytes) {
    const uint32_t home = heap.homes == WEIR_HOMES_BY_NODE ? weir_node() : ANY_NODE;
    void* const taken =
        bytes <= LARGEST_BLOCK ? take_small(bytes, weir_node(), home) : take_large(bytes, home);
    if (taken == NULL) {
        errno = ENOMEM;
    }
    return taken;
}

/* Number of bytes that the block or the run at an address has. */
static size_t bytes_of(const void* taken) {
    const uint32_t word = heap.pages[page_of(taken)];
    return (word & KIND) == BLOCK_PAGE ? class_bytes[word & ((1 << CLASS_BITS) - 1)]
                                       : (word & RUN_LENGTH) * PAGE;
}

static void give_back(void* taken) {
    if (taken == NULL) {
        return;
    }
    const uint32_t page = page_of(taken);
    const uint32_t word = page < heap.page_count ? heap.pages[page] : 0;
    OWN_ENTRY(own);
    if ((word & KIND) == BLOCK_PAGE) {
        struct arena* const arena = &heap.arenas[(word & ~KIND) >> CLASS_BITS];
        struct block* const block = taken;
        const uint32_t class = word & ((1 << CLASS_BITS) - 1);
        struct weir_waiter* const entry = lock_heap(&arena->lock, &own);
        block->next = arena->blocks[class];
        arena->blocks[class] = block;
        unlock_heap(&arena->lock, entry);
    } else if ((word & KIND) == USED_RUN && taken == page_address(page)) {
        struct weir_waiter* const entry = lock_heap(&heap.lock, &own);
        give_pages_back(page);
        unlock_heap(&heap.lock, entry);
    } else {
        weir_fault("free(%d): no memory of the heap begins there",
                   (const int32_t[]){(int32_t)taken});
    }
}

static void* take_aligned(size_t alignment, size_t bytes) {
    if (alignment <= BLOCK_ALIGNMENT) {
        return take(bytes);
    }
    if (alignment <= PAGE) { /* runs begin at pages */
        return take(bytes > LARGEST_BLOCK ? bytes : LARGEST_BLOCK + 1);
    }
    /* Takes too many pages, and gives those before and behind back. */
    const uint32_t count = (uint32_t)((bytes + PAGE - 1) / PAGE) + (bytes == 0);
    const uint32_t more = (uint32_t)(alignment / PAGE);
    if (bytes > heap.page_count * PAGE || more > heap.page_count) {
        errno = ENOMEM;
        return NULL;
    }
    OWN_ENTRY(own);
    struct weir_waiter* const entry = lock_heap(&heap.lock, &own);
    const uint32_t page = take_pages(count + more - 1, ANY_NODE);
    void* aligned = NULL;
    if (page != NO_PAGE) {
        aligned = (void*)(((uint32_t)page_address(page) + alignment - 1) & -(uint32_t)alignment);
        heap.pages[page] = FREE_RUN | (heap.pages[page] & RUN_LENGTH);
        split_run(page, page_of(aligned), count);
    }
    unlock_heap(&heap.lock, entry);
    if (aligned == NULL) {
        errno = ENOMEM;
    }
    return aligned;
}

static void* take_zeros(size_t count, size_t bytes) {
    if (bytes != 0 && count > (size_t)-1 / bytes) {
        errno = ENOMEM;
        return NULL;
    }
    void* const taken = take(count * bytes);
    return taken == NULL ? NULL : memset(taken, 0, count * bytes);
}

static void* take_again(void* before, size_t bytes) {
    if (before == NULL) {
        return take(bytes);
    }
    const size_t had = bytes_of(before);
    if (bytes <= had && bytes > had / 4) {
        return before;
    }
    void* const taken = take(bytes);
    if (taken != NULL) {
        memcpy(taken, before, had < bytes ? had : bytes);
        give_back(before);
    }
    return taken;
}

/* ---- the C library's names ---- */

void* malloc(size_t bytes) { return take(bytes); }
void free(void* taken) { give_back(taken); }
void* calloc(size_t count, size_t bytes) { return take_zeros(count, bytes); }
void* realloc(void* before, size_t bytes) { return take_again(before, bytes); }
void* memalign(size_t alignment, size_t bytes) { return take_aligned(alignment, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return take_aligned(alignment, bytes); }
void* valloc(size_t bytes) { return take_aligned(PAGE, bytes); }
void* pvalloc(size_t bytes) { return take_aligned(PAGE, (bytes + PAGE - 1) & -PAGE); }
int posix_memalign(void** taken, size_t alignment, size_t bytes) {
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    const int before = errno;
    void* const memory = take_aligned(alignment, bytes);
    if (memory == NULL) {
        errno = before;
        return ENOMEM;
    }
    *taken = memory;
    return 0;
}
size_t malloc_usable_size(void* taken) { return taken == NULL ? 0 : bytes_of(taken); }

void* _malloc_r(struct _reent* state, size_t bytes) {
    (void)state;
    return take(bytes);
}
void _free_r(struct _reent* state, void* taken) {
    (void)state;
    give_back(taken);
}
void* _calloc_r(struct _reent* state, size_t count, size_t bytes) {
    (void)state;
    return take_zeros(count, bytes);
}
void* _realloc_r(struct _reent* state, void* before, size_t bytes) {
    (void)state;
    return take_again(before, bytes);
}
void* _memalign_r(struct _reent* state, size_t alignment, size_t bytes) {
    (void)state;
    return take_aligned(alignment, bytes);
}

/* ---- placement.h ---- */

void* weir_malloc_at(unsigned node, size_t bytes) {
    void* const taken = node < weir_nodes ? weir_heap_take(bytes, node) : NULL;
    if (taken == NULL) {
        errno = node < weir_nodes ? ENOMEM : EINVAL;
    }
    return taken;
}
void weir_set_heap_homes(unsigned homes) { heap.homes = homes; }
unsigned weir_home_of(const void* address) {
    return home_of(page_of((const void*)((uint32_t)address)));
}
