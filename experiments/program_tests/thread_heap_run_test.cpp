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

}  // namespace
}  // namespace weir::experiments
