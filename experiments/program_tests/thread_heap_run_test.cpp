// Places of memory that programs with threads allocate (firmware/sparcle/threads/heap.c).

#include <gtest/gtest.h>

#include <string>

#include "experiments/program_tests/testing/compiled_program_fixture.h"

namespace weir::experiments {
namespace {

class ThreadHeapRunTest : public CompiledProgramTest {
  protected:
    ThreadHeapRunTest() : CompiledProgramTest(16) {
        write("run.toml", R"(extends = "sparcle-shared"
machine.nodes = 16
network.dimensions = [4, 4]
run.most_cycles = 5000000
[workload]
kernel = "image"
image = "program.elf"
shares_memory = true
)");
    }
};

// Memory at each node, and threads on all of them. The search for a node's page may not take time
// for each page of the nodes before it: 16 nodes have 16,384 pages.
TEST_F(ThreadHeapRunTest, MemoryIsAtTheChosenNodeAndFoundInShortTime) {
    write("heap.c", R"(#include <pthread.h>
#include <stdio.h>
#include "firmware/sparcle/threads/placement.h"
#define NODES 16
static void* run(void* value) { return value; }
int main(void) {
    pthread_t threads[NODES];
    int joined = 0;
    int at_node = 0;
    for (long i = 1; i < NODES; ++i) {
        pthread_create(&threads[i], NULL, run, &threads[i]);
    }
    for (long i = 1; i < NODES; ++i) {
        void* result = NULL;
        pthread_join(threads[i], &result);
        joined += result == &threads[i];
    }
    for (unsigned node = 0; node < NODES; ++node) {
        at_node += weir_home_of(weir_malloc_at(node, 3000)) == node;
        at_node += weir_home_of(weir_malloc_at(NODES - 1 - node, 100)) == NODES - 1 - node;
    }
    printf("%d %d\n", joined, at_node);
    return 0;
}
)");
    compile("heap.c", {"--threads"});
    for (const std::string home : {"page", "segment"}) {
        static_cast<void>(
            output_of({"run", "run.toml", "--out", home, "--set", "coherence.home=" + home}));
        EXPECT_EQ(read(home + "/point-01-seed-1/console.txt"), "0: 15 32\n") << home;
    }
}

// The environment chooses whether malloc() takes pages in turn or at the thread's node.
TEST_F(ThreadHeapRunTest, TheEnvironmentChoosesHomesOfMalloc) {
    write("homes.c", R"(#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "firmware/sparcle/threads/placement.h"
static void* take(void* value) {
    return weir_home_of(malloc(3000)) == (unsigned)sched_getcpu() ? value : NULL;
}
int main(void) {
    pthread_t threads[16];
    int own = 0;
    for (int i = 1; i < 16; ++i) {
        pthread_create(&threads[i], NULL, take, &own);
    }
    for (int i = 1; i < 16; ++i) {
        void* result = NULL;
        pthread_join(threads[i], &result);
        own += result != NULL;
    }
    printf("%d\n", own);
    return 0;
}
)");
    compile("homes.c", {"--threads"});
    static_cast<void>(output_of({"run", "run.toml", "--out", "node", "--set",
                                 "workload.environment=WEIR_HEAP_HOMES=node"}));
    EXPECT_EQ(read("node/point-01-seed-1/console.txt"), "0: 15\n");
    static_cast<void>(output_of({"run", "run.toml", "--out", "page"}));
    EXPECT_NE(read("page/point-01-seed-1/console.txt"), "0: 15\n");
    const ProgramEnd wrong = weir({"run", "run.toml", "--out", "wrong", "--set",
                                   "workload.environment=WEIR_HEAP_HOMES=nodes"});
    EXPECT_EQ(wrong.status, 4);
    EXPECT_NE(wrong.error.find("WEIR_HEAP_HOMES is \"nodes\"; accepted: page or node"),
              std::string::npos);
}

}  // namespace
}  // namespace weir::experiments
