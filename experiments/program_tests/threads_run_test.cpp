// Programs with POSIX threads on nodes that share memory: results, deadlocks, refusals. The first
// test builds the C library for threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"

namespace weir::experiments {
namespace {

using ::weir::testing::Names;

class ThreadsRunTest : public CompiledProgramTest {
  protected:
    ThreadsRunTest() : CompiledProgramTest(8) { write_machine("8", "[4, 2]"); }

    void write_machine(const std::string& nodes, const std::string& dimensions) const {
        write("run.toml", "extends = \"sparcle-shared\"\nmachine.nodes = " + nodes +
                              "\nnetwork.dimensions = " + dimensions +
                              "\nrun.most_cycles = 20000000\n[workload]\nkernel = \"image\"\n"
                              "image = \"program.elf\"\nshares_memory = true\n");
    }
    void compile_own(const Arguments& options) const {
        compile(std::string(WEIR_EXPERIMENTS) + "/../firmware/sparcle/testing/threads.c", options);
    }
    [[nodiscard]] std::string console_of(Arguments options) const {
        Arguments words{"run", "run.toml", "--out", "run"};
        words.insert(words.end(), options.begin(), options.end());
        static_cast<void>(output_of(words));
        return read("run/point-01-seed-1/console.txt");
    }
    [[nodiscard]] ProgramEnd run(const Arguments& options) const {
        Arguments words{"run", "run.toml", "--out", "refused"};
        words.insert(words.end(), options.begin(), options.end());
        return weir(words);
    }
};

constexpr const char* kPrinted =
    "0: mutexes: 140 140 140 140\n"
    "0: waits: taken 70, left 0, semaphore 0, written 20\n"
    "0: barriers: 10\n"
    "0: own: once 1, destroyed 28, cleaned 9, main's -1\n"
    "0: attributes: stack 65536, detached 20\n"
    "0: 1 program.elf\n";

TEST_F(ThreadsRunTest, EachFunctionDoesWhatPosixSays) {
    compile_own({"--threads"});
    EXPECT_EQ(console_of({}), kPrinted);
    const auto result = nlohmann::json::parse(read("run/result.json"));
    EXPECT_GT(result["round_trip"]["synchronize"], 0);
}

// Homes of shared memory change times, and no result.
TEST_F(ThreadsRunTest, HomesChangeNoResult) {
    compile_own({"--threads"});
    for (const std::string home : {"segment", "line"}) {
        static_cast<void>(
            output_of({"run", "run.toml", "--out", home, "--set", "coherence.home=" + home}));
        EXPECT_EQ(read(home + "/point-01-seed-1/console.txt"), kPrinted) << home;
    }
}

// Two nodes with four contexts each, whose threads wait for one another.
TEST_F(ThreadsRunTest, ThreadsOfContextsDoTheSame) {
    write_machine("2", "[2, 1]");
    compile_own({"--threads", "--contexts"});
    EXPECT_EQ(console_of({"--set", "core.contexts=4", "--set", "workload.threads=4"}), kPrinted);
}
WEIR_TESTS_COST("ThreadsRunTest.ThreadsOfContextsDoTheSame", 120);

// While a thread waits, its node's free context runs, which must not change the thread's condition
// codes.
TEST_F(ThreadsRunTest, AFreeContextChangesNoConditionCodes) {
    write_machine("16", "[4, 4]");
    write("many.c", R"(#include <pthread.h>
#include <stdio.h>
static void* next(void* value) { return (char*)value + 1; }
int main(void) {
    pthread_t threads[20];
    long sum = 0;
    for (int i = 0; i < 20; ++i) {
        pthread_create(&threads[i], NULL, next, (void*)(long)i);
    }
    for (int i = 0; i < 20; ++i) {
        void* result;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    printf("sum %ld\n", sum);
    return 0;
}
)");
    compile("many.c", {"--threads", "--contexts"});
    EXPECT_EQ(console_of({"--set", "core.contexts=2", "--set", "workload.threads=2"}),
              "0: sum 210\n");
}

TEST_F(ThreadsRunTest, AThreadThatLeavesItsStackIsNamedWithItsFunction) {
    write("deep.c", R"(#include <pthread.h>
#include <stdio.h>
static void* deep(void* unused) {
    volatile char room[100000];
    for (int i = 0; i < 100000; i += 1000) {
        room[i] = 1;
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, deep, NULL);
    pthread_join(thread, NULL);
    printf("end\n");
    return 0;
}
)");
    compile("deep.c", {"--threads"});
    const ProgramEnd end = run({});
    EXPECT_EQ(end.status, 4);
    EXPECT_THAT(end.error, Names("node 1", "stack overflow", "65536", "workload.stack_bytes",
                                 "function deep", "deep.c:3"));
    EXPECT_EQ(console_of({"--set", "workload.stack_bytes=131072"}), "0: end\n");
}

// The frames lie in shared memory, and the fault in the C library.
TEST_F(ThreadsRunTest, AFaultInTheLibraryNamesTheProgramsCall) {
    write("null.c", R"(#include <stdio.h>
#include <stdlib.h>
int main(int count, char** words) {
    printf("before\n");
    return (int)strtol(words[count], NULL, 10);
}
)");
    compile("null.c", {"--threads"});
    const ProgramEnd end = run({});
    EXPECT_EQ(end.status, 4);
    EXPECT_THAT(end.error, Names("null page", "strtol", "main", "null.c:5"));
    EXPECT_THAT(end.error, Names("console.txt", "0: before"));
}

TEST_F(ThreadsRunTest, ADeadlockOfMutexesNamesThreadsPlacesAndHolders) {
    write("dead.c", R"(#include <pthread.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void* one(void* unused) {
    pthread_mutex_lock(&left);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&right);
    return unused;
}
static void* two(void* unused) {
    pthread_mutex_lock(&right);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&left);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
)");
    compile("dead.c", {"--threads"});
    const ProgramEnd end = run({});
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.error, Names("thread 1 waits for thread 2", "which waits for thread 1"));
    EXPECT_THAT(end.error, Names("thread 1 on node 1", "pthread_mutex_lock", "dead.c:8",
                                 "mutex right", "thread 2 holds"));
    EXPECT_THAT(end.error,
                Names("thread 2 on node 2", "dead.c:14", "mutex left", "thread 1 holds"));
    EXPECT_THAT(end.error, Names("thread 0 (main)", "pthread_join", "thread 1"));
}

TEST_F(ThreadsRunTest, WhatTheMachineCannotDoIsRefused) {
    write("many.c", R"(#include <pthread.h>
#include <stdio.h>
static void* wait(void* barrier) {
    pthread_barrier_wait(barrier);
    return NULL;
}
int main(void) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 9);
    for (int i = 0; i < 8; ++i) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait, &barrier);
    }
    return 0;
}
)");
    compile("many.c", {"--threads"});
    struct Case {
        Arguments options;
        const char* key;
        const char* accepted;
    };
    for (const Case& refused : {
             Case{{}, "machine.nodes", "more nodes or fewer threads"},
             Case{{"--set", "coherence.shared_bytes=4096"}, "coherence.shared_bytes", "missing:"},
             Case{{"--set", "controller.overflow_trap=true"}, "controller.overflow_trap", "false"},
             Case{{"--set", "core.receive_mode=polling"}, "core.receive_mode", "interrupt"},
             Case{{"--set", "core.contexts=2", "--set", "workload.threads=2"},
                  "workload.threads",
                  "--contexts"},
         }) {
        const ProgramEnd end = run(refused.options);
        EXPECT_EQ(end.status, 2) << refused.key;
        EXPECT_THAT(end.error, Names(refused.key, refused.accepted));
    }
    write("plain.toml",
          "extends = \"sparcle\"\nmachine.nodes = 1\n[workload]\nkernel = \"image\"\n"
          "image = \"program.elf\"\n");
    const ProgramEnd plain = weir({"run", "plain.toml", "--out", "refused"});
    EXPECT_EQ(plain.status, 2);
    EXPECT_THAT(plain.error, Names("workload.shares_memory", "--threads", "sparcle-shared"));
}

TEST_F(ThreadsRunTest, AFunctionThatIsNotThereIsRefusedAtTheLink) {
    write("cancel.c", R"(#include <pthread.h>
int pthread_cancel(pthread_t thread);
int main(void) { return pthread_cancel(pthread_self()); }
)");
    const ProgramEnd end = weir({"compile", "cancel.c", "--threads"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("cancel.c", "pthread_cancel"));
}

}  // namespace
}  // namespace weir::experiments
