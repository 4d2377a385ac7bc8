// Faults of a user's program: compiles it, runs it, and checks the output. Cores may run ahead of
// the machine's time or not; the output is the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::weir::testing::Names;

class ProgramFaultsTest : public CompiledProgramTest {
  protected:
    ProgramFaultsTest() : CompiledProgramTest(2) {}

    void compile_text(const std::string& text, const Arguments& options = {}) const {
        write("program.c", text);
        compile("program.c", options);
    }
    // Output without the registers, which must be equal for both kinds of core.
    std::string fault(const Arguments& settings = {}) const {
        const std::string ahead = message_of(settings, "true");
        EXPECT_EQ(message_of(settings, "false"), ahead);
        return ahead;
    }
    /// Places named by the message's lines after the first, such as "main+0x4 (program.c:6)", or
    /// the number of those left out.
    static std::vector<std::string> callers_in(const std::string& message) {
        static const std::regex kLine(R"(\n  [^\n(]*(?:\(([^\n]*)\)|\.\.\. (\d+) [^\n]*))");
        std::vector<std::string> places;
        for (std::sregex_iterator line(message.begin(), message.end(), kLine), end; line != end;
             ++line) {
            places.push_back((*line)[1].matched ? (*line)[1].str() : (*line)[2].str());
        }
        return places;
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
        // Line numbers of the firmware, and addresses after it, change with the code before them.
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
    const std::string printed = "so far";
    compile_text(R"(#include <stdio.h>

int main(void) {
    static int* nowhere;
    printf(")" + printed +
                 R"(\n");
    return *nowhere;
}
)");
    EXPECT_EQ(weir({"run", "run.toml", "--out", "it"}).status, 4);
    for (const char* folder : {"it", "it/point-01-seed-1"}) {
        static_cast<void>(output_of({"report", folder, "-o", "page.html"}));
        const std::string page = read("page.html");
        EXPECT_THAT(page, HasSubstr("status 4: "));
        EXPECT_THAT(page, HasSubstr("printed"));
        EXPECT_THAT(page, HasSubstr(": " + printed + "\n"));
    }
}

TEST_F(ProgramFaultsTest, ANullPointerIsToldWithItsCallers) {
    compile_text(kList);
    expect_none({"workload.arguments=[7]"});
    const std::string message = fault({"workload.arguments=[8]"});
    EXPECT_THAT(message, Names("node 1", "cycle 3874", "load", "4 bytes", "0x0", "null",
                               "count_of.constprop.0 (program.c:9)"));
    EXPECT_THAT(callers_in(message),
                ElementsAre("search+0x4 (program.c:17)", "main+0x10 (program.c:21)",
                            "boot+0xac (firmware/sparcle/boot.S)"));
}

TEST_F(ProgramFaultsTest, ACallThroughANullPointerIsToldWhereItIs) {
    compile_text(R"(static void (*volatile action)(void);
static __attribute__((noinline)) int act(void) {
    action();
    return 0;
}
int main(void) { return act() + 1; }
)");
    const std::string message = fault();
    EXPECT_THAT(message, Names("node 0", "cycle 3836", "jump", "0x0", "null", "act (program.c:3)"));
    EXPECT_THAT(callers_in(message), ElementsAre("act+0x10 (program.c:3)", "main+0x4 (program.c:6)",
                                                 "boot+0xac (firmware/sparcle/boot.S)"));
}

// If nodes wait for a program that has failed, the message names this program too.
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
    EXPECT_THAT(end.error, Names("node 0", "status 7", "run.watchdog_cycles = 20000", "1 of 2"));
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
    const std::string message = fault({"workload.arguments=[2000]"});
    EXPECT_THAT(message, Names("node 0", "cycle 32886", "stack", "224 bytes", "160", "65536",
                               "workload.stack_bytes", "descend (program.c:1)"));
    std::vector<std::string> callers(10, "descend+0x1c (program.c:4)");
    callers.insert(callers.end(),
                   {"279", "descend+0x1c (program.c:4)", "descend+0x1c (program.c:4)",
                    "main+0x4 (program.c:6)", "boot+0xac (firmware/sparcle/boot.S)"});
    EXPECT_EQ(callers_in(message), callers);
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
    const std::string message = fault();
    EXPECT_THAT(message, Names("node 0", "cycle 3812", "stack", "120072 bytes", "65344", "65536",
                               "workload.stack_bytes", "first_of.constprop.0", "(program.c:1)"));
    EXPECT_THAT(callers_in(message),
                ElementsAre("main+0x4 (program.c:6)", "boot+0xac (firmware/sparcle/boot.S)"));
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
    const std::string message = fault();
    EXPECT_THAT(message,
                Names("node 0", "cycle 3974", "store", "4 bytes", "0x3b58", "text",
                      "sparcle.writable_text = true", "memcpy (firmware/sparcle/memory.c)"));
    EXPECT_THAT(callers_in(message),
                ElementsAre("strcpy+0x34 (firmware/sparcle/memory.c)", "main+0x10 (program.c:5)",
                            "boot+0xac (firmware/sparcle/boot.S)"));
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
    const std::string message = fault({"sparcle.handler_most_cycles=1000"});
    EXPECT_THAT(message,
                Names("node 0", "cycle 4936", "handler", "answer+0x0 (program.c:6)", "1001 cycles",
                      "1000", "sparcle.handler_most_cycles",
                      "window_overflow (firmware/sparcle/traps.S)", "interrupted", "interrupted"));
    std::vector<std::string> callers(9, "fibonacci+0x18 (program.c:4)");
    callers.insert(callers.begin(), "fibonacci+0x0 (program.c:3)");
    callers.insert(callers.end(),
                   {"3", "message_dispatch+0xc (firmware/sparcle/traps.S)",
                    "am_wait+0x44 (firmware/sparcle/active_messages.c)", "main+0x3c (program.c:11)",
                    "boot+0xac (firmware/sparcle/boot.S)"});
    EXPECT_EQ(callers_in(message), callers);
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
    const std::string message = fault();
    EXPECT_THAT(message, Names("node 1", "cycle 4131", "DMA store", "64 bytes", "0x3be0", "text",
                               "sparcle.writable_text = true",
                               "am_receive_undecided (firmware/sparcle/traps.S)", "interrupted"));
    EXPECT_THAT(callers_in(message),
                ElementsAre("message_dispatch+0xc (firmware/sparcle/traps.S)",
                            "am_wait_stored+0x50 (firmware/sparcle/active_messages.c)",
                            "main+0x4c (program.c:10)", "boot+0xac (firmware/sparcle/boot.S)"));
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
    const std::string message = fault({"sparcle.check_uninitialised=true"});
    EXPECT_THAT(message,
                Names("node 0", "cycle 4085", "use", "0x4524",
                      "sum_of.constprop.0+0x14 (program.c:5)", "sum_of.constprop.0 (program.c:4)"));
    EXPECT_THAT(callers_in(message),
                ElementsAre("main+0x44 (program.c:14)", "boot+0xac (firmware/sparcle/boot.S)"));
}

TEST_F(ProgramFaultsTest, InstructionsOfV8NameTheParameterThatGivesThem) {
    compile_text(
        "int main(int count, const unsigned* words) { (void)count; return words[0] * words[0] != "
        "49; }\n",
        {"--flag=-mcpu=v8"});
    expect_none({"workload.arguments=[7]", "sparcle.multiply_divide=true"});
    const std::string message = fault({"workload.arguments=[7]"});
    EXPECT_THAT(message, Names("node 0", "cycle 3799", "illegal", "0x2", "main+0x4 (program.c:1)",
                               "0x82584001", "smul %g1, %g1, %g1", "V8",
                               "sparcle.multiply_divide = true", "-mcpu=v7"));
    EXPECT_THAT(callers_in(message), ElementsAre("boot+0xac (firmware/sparcle/boot.S)"));
}

}  // namespace
}  // namespace weir::experiments
