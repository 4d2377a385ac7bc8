// A program's own fault, as a user meets it: compiled, run, and what is printed then. The same
// whether cores run ahead of the machine's time or not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "experiments/program_tests/testing/compiled_program_fixture.h"

namespace weir::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ProgramFaultsTest : public CompiledProgramTest {
  protected:
    ProgramFaultsTest() : CompiledProgramTest(2) {}

    void compile_text(const std::string& text, const Arguments& options = {}) const {
        write("program.c", text);
        compile("program.c", options);
    }
    // What is printed, without the registers; of both kinds of core.
    std::string fault(const Arguments& settings = {}) const {
        const std::string ahead = message_of(settings, "true");
        EXPECT_EQ(message_of(settings, "false"), ahead);
        return ahead;
    }
    void expect_none(const Arguments& settings = {}) const {
        const ProgramEnd end = run(settings, "true");
        EXPECT_EQ(end.status, 0) << end.error;
    }

  private:
    ProgramEnd run(const Arguments& settings, const std::string& runs_ahead) const {
        Arguments words{"run",   "run.toml",
                        "--out", "run-" + runs_ahead,
                        "--set", "sparcle.run_ahead=" + runs_ahead};
        for (const std::string& setting : settings) {
            words.insert(words.end(), {"--set", setting});
        }
        const ProgramEnd end = weir(words);
        std::filesystem::remove_all(file("run-" + runs_ahead));
        return end;
    }
    std::string message_of(const Arguments& settings, const std::string& runs_ahead) const {
        const ProgramEnd end = run(settings, runs_ahead);
        EXPECT_EQ(end.status, 4) << end.error;
        std::string text = end.error.substr(0, end.error.find("\n  pc "));
        text.erase(0, text.find("node "));
        const std::string here = folder().string() + "/";
        for (std::size_t at = 0; (at = text.find(here)) != std::string::npos;) {
            text.erase(at, here.size());
        }
        // The firmware's lines, and the addresses behind it, move with what is above them.
        static const std::regex kLineOfFirmware(R"((firmware/sparcle/\w+\.[cS]):\d+)");
        static const std::regex kPlace(R"(\bat 0x[0-9a-f]{8} \()");
        return std::regex_replace(std::regex_replace(text, kLineOfFirmware, "$1"), kPlace, "at (");
    }
};

constexpr const char* kList = R"(#include "firmware/sparcle/active_messages.h"

struct item {
    unsigned key, count;
    const struct item* next;
};

static __attribute__((noinline)) unsigned count_of(const struct item* list, unsigned key) {
    while (list->key != key) {
        list = list->next;
    }
    return list->count;
}

static __attribute__((noinline)) unsigned search(unsigned key) {
    static const struct item last = {7, 1, 0}, first = {5, 2, &last};
    return count_of(&first, key) + 1;
}

int main(int count, const unsigned* words) { (void)count;
    return weir_node() == 0 ? 0 : search(words[0]) != 2;
}
)";

TEST_F(ProgramFaultsTest, ItsRunHasAPageWithWhatTheProgramPrinted) {
    compile_text(R"(#include <stdio.h>

int main(void) {
    static int* nowhere;
    printf("so far\n");
    return *nowhere;
}
)");
    EXPECT_EQ(weir({"run", "run.toml", "--out", "it"}).status, 4);
    for (const char* folder : {"it", "it/point-01-seed-1"}) {
        static_cast<void>(output_of({"report", folder, "-o", "page.html"}));
        const std::string page = read("page.html");
        EXPECT_THAT(page, HasSubstr("fault of the program, exit status 4: "));
        EXPECT_THAT(page, HasSubstr("The program printed"));
        EXPECT_THAT(page, HasSubstr(": so far\n"));
    }
}

TEST_F(ProgramFaultsTest, ANullPointerIsToldWithItsCallers) {
    compile_text(kList);
    expect_none({"workload.arguments=[7]"});
    EXPECT_EQ(fault({"workload.arguments=[8]"}),
              "node 1, cycle 3874: load of 4 bytes from address 0x0 in the null page, in function "
              "count_of.constprop.0 (program.c:9)\n"
              "  called at (search+0x4 (program.c:17))\n"
              "  called at (main+0x10 (program.c:21))\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
}

TEST_F(ProgramFaultsTest, ACallThroughANullPointerIsToldWhereItIs) {
    compile_text(R"(static void (*volatile action)(void);
static __attribute__((noinline)) int act(void) {
    action();
    return 0;
}
int main(void) { return act() + 1; }
)");
    EXPECT_EQ(fault(),
              "node 0, cycle 3836: jump to address 0x0 in the null page, in function act "
              "(program.c:3)\n"
              "  called at (act+0x10 (program.c:3))\n"
              "  called at (main+0x4 (program.c:6))\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
}

// Who waits for a program that has given up is not told of the waiting alone.
TEST_F(ProgramFaultsTest, ARunThatStandsStillNamesAProgramThatHasFailed) {
    compile_text(R"(#include "firmware/sparcle/active_messages.h"
static volatile uint32_t never;
int main(void) {
    if (weir_node() == 0) {
        return 7;
    }
    am_wait(&never);
    return 0;
}
)");
    const ProgramEnd end = weir({"run", "run.toml", "--set", "run.watchdog_cycles=20000"});
    EXPECT_EQ(end.status, 3) << end.error;
    EXPECT_THAT(end.error,
                HasSubstr(": node 0's program ended with status 7; nothing was done for "
                          "run.watchdog_cycles = 20000 cycles, 1 of 2 threads have not ended; "));
}

TEST_F(ProgramFaultsTest, AFullStackNamesTheFunctionAndTheEndsOfTheRecursion) {
    compile_text(R"(static __attribute__((noinline)) unsigned descend(unsigned depth) {
    volatile unsigned frame[32];
    frame[0] = depth;
    return depth == 0 ? 0 : descend(depth - 1) + frame[0];
}
int main(int count, const unsigned* words) { (void)count; return descend(words[0]) == 1; }
)");
    expect_none({"workload.arguments=[200]"});
    EXPECT_EQ(fault({"workload.arguments=[2000]"}),
              "node 0, cycle 32886: stack overflow: a frame of 224 bytes, where 160 of the stack's "
              "65536 are left (workload.stack_bytes), in function descend (program.c:1)\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  ... 279 calls between ...\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (descend+0x1c (program.c:4))\n"
              "  called at (main+0x4 (program.c:6))\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
    expect_none({"workload.arguments=[2000]", "workload.stack_bytes=1_000_000"});
}

TEST_F(ProgramFaultsTest, ALargeVariableDoesNotSkipTheStacksEnd) {
    compile_text(R"(static __attribute__((noinline)) unsigned first_of(unsigned count) {
    volatile unsigned numbers[30000];
    numbers[count] = 3;
    return numbers[count];
}
int main(void) { return first_of(2) != 3; }
)");
    EXPECT_EQ(fault(),
              "node 0, cycle 3812: stack overflow: a frame of 120072 bytes, where 65344 of the "
              "stack's 65536 are left (workload.stack_bytes), in function first_of.constprop.0 "
              "(program.c:1)\n"
              "  called at (main+0x4 (program.c:6))\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
}

TEST_F(ProgramFaultsTest, AStoreIntoTextIsToldUnlessTheProgramModifiesItself) {
    const std::string text = R"(#include <string.h>
static const char greeting[8] = "hello";
static const char* volatile given = greeting;
int main(void) {
    strcpy((char*)given, "world");
    return given[0] != 'w';
}
)";
    compile_text(text);
    EXPECT_EQ(fault(),
              "node 0, cycle 3974: store of 4 bytes to address 0x3b58 in the program's text, which "
              "may not change (a program that modifies itself: sparcle.writable_text = true), in "
              "function memcpy (firmware/sparcle/memory.c)\n"
              "  called at (strcpy+0x34 (firmware/sparcle/memory.c))\n"
              "  called at (main+0x10 (program.c:5))\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
    expect_none({"sparcle.writable_text=true"});
}

constexpr const char* kSlow = R"(#include "firmware/sparcle/active_messages.h"
static volatile uint32_t answered;
static __attribute__((noinline)) uint32_t fibonacci(uint32_t k) {
    return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}
static void answer(void) { answered = fibonacci(am_argument(0)) + 1; }
int main(void) {
    if (weir_node() == 1) {
        am_send_1(0, answer, 12);
    } else {
        am_wait(&answered);
    }
    return 0;
}
)";

TEST_F(ProgramFaultsTest, ASlowHandlerIsToldWithWhatItHasInterrupted) {
    compile_text(kSlow);
    expect_none();
    expect_none({"sparcle.handler_most_cycles=100000"});
    EXPECT_EQ(fault({"sparcle.handler_most_cycles=1000"}),
              "node 0, cycle 4936: the handler at (answer+0x0 (program.c:6)) has "
              "taken 1001 cycles, more than 1000 (sparcle.handler_most_cycles), in function "
              "window_overflow (firmware/sparcle/traps.S)\n"
              "  interrupted at (fibonacci+0x0 (program.c:3))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  called at (fibonacci+0x18 (program.c:4))\n"
              "  ... 3 calls between ...\n"
              "  called at (message_dispatch+0xc (firmware/sparcle/traps.S))\n"
              "  interrupted at (am_wait+0x44 (firmware/sparcle/active_messages.c))\n"
              "  called at (main+0x3c (program.c:11))\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
}

TEST_F(ProgramFaultsTest, ABodyIsNotReceivedIntoText) {
    compile_text(R"(#include "firmware/sparcle/active_messages.h"
static volatile uint32_t stored;
static unsigned char body[64] __attribute__((aligned(8)));
static const unsigned char constant[64] __attribute__((aligned(8))) = {1};
static void take(void) { am_receive_body((void*)constant, &stored); }
int main(void) {
    if (weir_node() == 0) {
        am_send_body(1, take, body, sizeof body);
    } else {
        am_wait_stored(&stored);
    }
    return 0;
}
)");
    EXPECT_EQ(
        fault(),
        "node 1, cycle 4131: DMA store of a body of 64 bytes to address 0x3be0 in the program's "
        "text, which may not change (a program that modifies itself: sparcle.writable_text = "
        "true), in function am_receive_undecided (firmware/sparcle/traps.S)\n"
        "  called at (message_dispatch+0xc (firmware/sparcle/traps.S))\n"
        "  interrupted at (am_wait_stored+0x50 "
        "(firmware/sparcle/active_messages.c))\n"
        "  called at (main+0x4c (program.c:10))\n"
        "  called at (boot+0xac (firmware/sparcle/boot.S))");
    expect_none({"sparcle.writable_text=true"});
}

TEST_F(ProgramFaultsTest, AValueThatNothingHasWrittenIsToldIfAskedFor) {
    compile_text(R"(#include "firmware/sparcle/active_messages.h"
static __attribute__((noinline)) uint32_t sum_of(const volatile uint32_t* numbers, int count) {
    uint32_t sum = 0;
    for (int i = 0; i < count; ++i) {
        sum += numbers[i];
    }
    return sum;
}
int main(void) {
    volatile uint32_t* const numbers = (volatile uint32_t*)weir_data;
    for (int i = 0; i < 9; ++i) {
        numbers[i] = i;
    }
    return sum_of(numbers, 9) != 36 || sum_of(numbers, 10) != 36;
}
)");
    expect_none();
    EXPECT_EQ(fault({"sparcle.check_uninitialised=true"}),
              "node 0, cycle 4085: use of a value that nothing has written, which was loaded from "
              "address 0x4524 at (sum_of.constprop.0+0x14 (program.c:5)), "
              "in function sum_of.constprop.0 (program.c:4)\n"
              "  called at (main+0x44 (program.c:14))\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
}

TEST_F(ProgramFaultsTest, InstructionsOfV8NameTheParameterThatGivesThem) {
    compile_text(
        "int main(int count, const unsigned* words) { (void)count; return words[0] * words[0] != "
        "49; }\n",
        {"--flag=-mcpu=v8"});
    expect_none({"workload.arguments=[7]", "sparcle.multiply_divide=true"});
    EXPECT_EQ(fault({"workload.arguments=[7]"}),
              "node 0, cycle 3799: illegal instruction (trap type 0x2) at (main+0x4 "
              "(program.c:1)), instruction 0x82584001 (smul %g1, %g1, %g1), which the program has "
              "no handler for; it is of SPARC V8: sparcle.multiply_divide = true gives the nodes "
              "this instruction, -mcpu=v7 a program without it\n"
              "  called at (boot+0xac (firmware/sparcle/boot.S))");
}

}  // namespace
}  // namespace weir::experiments
