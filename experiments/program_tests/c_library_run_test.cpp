// Programs with the C library: their results, their files, and refused calls. The first test that
// compiles such a program builds the library.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

class CLibraryRunTest : public CompiledProgramTest {
  protected:
    CLibraryRunTest() : CompiledProgramTest(1) {}

    // Compiles a program of firmware/sparcle/testing.
    void compile_own(const std::string& name, const Arguments& options = {}) const {
        compile(std::string(WEIR_EXPERIMENTS) + "/../firmware/sparcle/testing/" + name, options);
    }
    [[nodiscard]] std::string console() const { return read("run/point-01-seed-1/console.txt"); }
    void run(Arguments options = {}) const {
        Arguments words{"run", "run.toml", "--out", "run"};
        words.insert(words.end(), options.begin(), options.end());
        static_cast<void>(output_of(words));
    }
};

constexpr const char* kPrinted =
    "0: [program.elf] 1\n"
    "0: -123456789012345678 fedcba9876543210 44|   42|42   |00042|+42\n"
    "0: 3.250000 1.235e+04 1e+100 0x1p+0 2.500000 text|te|  c\n"
    "0: 0 500 999\n"
    "0: no room\n"
    "0: 7 6 31\n"
    "0: 1 6 34\n"
    "0: 0.841470984808 1.414213562373 2.718281828459 8\n"
    "0: 1.414214 11 2 6.5 -4.5\n"
    "0: 100 1 1099511627775 7\n"
    "0: X -42 a\n"
    "0: 1\n";

TEST_F(CLibraryRunTest, ComputesAndPrintsAsElsewhere) {
    compile_own("library.c");
    run();
    EXPECT_EQ(console(), kPrinted);

    compile_own("library.c", {"--soft-float"});
    static_cast<void>(output_of(
        {"run", "run.toml", "--out", "soft", "--set", "sparcle.floating_point_unit=false"}));
    EXPECT_EQ(read("soft/point-01-seed-1/console.txt"), console());
}

// C++ programs use the C library.
TEST_F(CLibraryRunTest, WhatCannotBeCompiledAsCppLeavesNoProgram) {
    write("wrong.cpp", "int main() { return nothing; }\n");
    EXPECT_THAT(weir({"compile", "wrong.cpp"}).error,
                AnyOf(Names("wrong.cpp:", "C++"), HasSubstr("wrong.elf")));
}

// Allocates the whole heap and writes to it; the stack must stay intact.
TEST_F(CLibraryRunTest, TheHeapEndsBeforeTheStack) {
    write("heap.c", R"(#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned depth_of(unsigned depth) {
    volatile unsigned frame[16] = {depth};
    return depth == 0 ? 0 : depth_of(depth - 1) + frame[0] - depth + 1;
}
int main(void) {
    size_t given = 0;
    for (size_t bytes = 1 << 20; bytes >= 64; bytes /= 2) {
        for (void* more; (more = malloc(bytes)) != NULL; given += bytes) {
            memset(more, 0xff, bytes);
        }
        if (errno != ENOMEM) {
            return 1;
        }
    }
    printf("%u %d\n", depth_of(250), given > 6u << 20 && given < 7u << 20);
    return 0;
}
)");
    compile("heap.c");
    run({"--set", "memory.bytes=8388608"});
    EXPECT_EQ(console(), "0: 250 1\n");
}

TEST_F(CLibraryRunTest, FilesAreReadInTheFolderAndWrittenIntoTheRun) {
    compile_own("library.c");
    write("in.txt", "one\ntwo\n");
    run({"--set", "workload.arguments=in.txt 'sub/the copy.txt'"});
    EXPECT_EQ(console(), "0: [program.elf][in.txt][sub/the copy.txt] 1\n0: 2 lines, 1\n");
    const std::string copy = read("run/point-01-seed-1/files/node-0/sub/the copy.txt");
    EXPECT_EQ(copy, "1 one\n2 two\nend\n");
    EXPECT_EQ(read("in.txt"), "one\ntwo\n");

    // Input from another folder. Two runs with this input must be equal, to the cycle.
    std::filesystem::create_directory(file("others"));
    write("others/in.txt", "three\n");
    const Arguments other{"run",    "run.toml", "--files",
                          "others", "--set",    "workload.arguments=in.txt copy.txt",
                          "--out"};
    for (const char* folder : {"second", "third"}) {
        Arguments words = other;
        words.emplace_back(folder);
        static_cast<void>(output_of(words));
    }
    EXPECT_EQ(read("second/point-01-seed-1/files/node-0/copy.txt"), "1 three\nend\n");
    EXPECT_EQ(digests_of("second"), digests_of("third"));
}

TEST_F(CLibraryRunTest, InputTakesTheCyclesThatTheFileSays) {
    compile_own("library.c");
    write("in.txt", std::string(2000, 'x'));
    const auto cycles = [this](const std::string& per_byte) {
        return result_of("run.toml",
                         {"--out", "run-" + per_byte, "--set", "workload.arguments=in.txt copy.txt",
                          "--set", "workload.host_cycles_per_byte=" + per_byte})
            .at("measured")
            .at("run_cycles")
            .get<double>();
    };
    // 2,000 bytes are read, and as many written, each in 10 more cycles; the console's bytes are
    // additional.
    EXPECT_GT(cycles("11") - cycles("1"), 2 * 20'000);
}

TEST_F(CLibraryRunTest, CallsOfPosixWork) {
    compile_own("posix.c");
    write("in.txt", "one\ntwo\n");
    run({"--set", "workload.stdin=in.txt"});
    EXPECT_EQ(console(),
              "0: machine 4096 4096 1 1 1000000 1\n"
              "0: names 0 Weir sparc -1 0 node-0 1\n"
              "0: limits 0 65536 -1 0\n"
              "0: values 2147483647 4030201 201\n"
              "0: memory 1 0 1 1 1 1 1 0 0 1\n"
              "0: slept 1 0 50 1\n"
              "0: clocks 1 1 1 1 1\n"
              "0: time 1\n"
              "0: none -1 1 1\n"
              "0: made 0 0 1 11 5 secon 1\n"
              "0: removed 0 -1 1\n"
              "0: temporary temporary . y.c a\n"
              "0: by its name\n"
              "0: warning 1: No such file or directory\n"
              "0: warning 2\n"
              "0: input 0 one\n"
              "0: input 0 two\n"
              "0: environment 0 value\n"
              "0: random 1 1\n"
              "0: end: No such file or directory\n");
    EXPECT_FALSE(std::filesystem::exists(file("run/point-01-seed-1/files")));
}

TEST_F(CLibraryRunTest, EachNodeReadsItsInputFromTheBeginning) {
    write("program.c",
          "#include <stdio.h>\nint main(void) {\n    int value, sum = 0;\n"
          "    while (scanf(\"%d\", &value) == 1) sum += value;\n"
          "    printf(\"%d\\n\", sum);\n    return 0;\n}\n");
    compile("program.c");
    write("in.txt", "1\n20\n300\n");
    run({"--set", "machine.nodes=2", "--set", "workload.stdin=in.txt"});
    EXPECT_THAT(console(), AnyOf("0: 321\n1: 321\n", "1: 321\n0: 321\n"));
    EXPECT_THAT(read("run/point-01-seed-1/named-files.json"), HasSubstr("workload.stdin"));
    EXPECT_THAT(weir({"run", "run.toml", "--out", "none", "--set", "workload.stdin=none.txt"}),
                ::testing::AllOf(::testing::Field(&ProgramEnd::status, 2),
                                 ::testing::Field(&ProgramEnd::error,
                                                  Names("workload.stdin", "none.txt", "file"))));
    std::filesystem::remove_all(file("run"));
    run();
    EXPECT_EQ(console(), "0: 0\n");
}

TEST_F(CLibraryRunTest, NamesAndDataMayLieInSharedMemory) {
    write("shared.c", R"(#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "firmware/sparcle/shared_memory.h"
static struct shared_barrier barrier;
int main(void) {
    shared_barrier_make(&barrier);
    char* const name = shared_allocate(1, 64);  /* at the other node */
    char* const data = shared_allocate(1, 8192);
    if (weir_node() == 1) {
        strcpy(name, "in.txt");
    }
    shared_barrier_meet(&barrier);
    if (weir_node() == 1) {
        return 0;
    }
    FILE* file = fopen(name, "r");
    if (file == NULL) {
        return 1;
    }
    setvbuf(file, NULL, _IONBF, 0);  /* data go to shared memory at once */
    const size_t bytes = fread(data, 1, 8192, file);
    fclose(file);
    strcpy(name, "out.txt");
    file = fopen(name, "w");
    setvbuf(file, NULL, _IONBF, 0);
    fwrite(data, 1, bytes, file);
    fclose(file);
    write(1, data, 10);
    printf(" %d %d\n", (int)bytes, fopen(strcpy(name, "none"), "r") == NULL);
    return 0;
}
)");
    compile("shared.c", {"--shared-memory"});
    write("shared.toml",
          "extends = \"alewife-shared\"\nmachine.nodes = 2\nnetwork.dimensions = [2, 1]\n"
          "core.kind = \"sparcle\"\n[workload]\nkernel = \"image\"\nimage = \"program.elf\"\n"
          "shares_memory = true\n");
    std::string text;
    for (int i = 0; text.size() < 3000; ++i) {
        text += std::to_string(i) + ",";
    }
    write("in.txt", text);
    static_cast<void>(output_of({"run", "shared.toml", "--out", "run"}));
    EXPECT_EQ(console(), "0: " + text.substr(0, 10) + " " + std::to_string(text.size()) + " 1\n");
    EXPECT_EQ(read("run/point-01-seed-1/files/node-0/out.txt"), text);
}

TEST_F(CLibraryRunTest, AFileOutsideTheFolderIsRefused) {
    compile_own("library.c");
    for (const char* name : {"/etc/passwd", "../in.txt", "sub/../../in.txt"}) {
        const ProgramEnd end = weir({"run", "run.toml", "--out", "run", "--set",
                                     std::string("workload.arguments=") + name + " copy.txt"});
        EXPECT_EQ(end.status, 2) << end.error;
        EXPECT_THAT(end.error, Names("node 0", "\"" + std::string(name) + "\"", "outside"));
        EXPECT_FALSE(std::filesystem::exists(file("run")));
    }
}

TEST_F(CLibraryRunTest, AHandlerMayNotCallWhatIsNotReentrant) {
    compile_own("library_in_handler.c");
    const Arguments words{"run", "run.toml", "--set", "machine.nodes=2", "--out"};
    Arguments allowed = words;
    allowed.insert(allowed.end(), {"run", "--set", "workload.arguments=memcpy"});
    static_cast<void>(output_of(allowed));
    EXPECT_EQ(console(), "0: reentrant\n");
    Arguments refused = words;
    refused.emplace_back("other");
    const ProgramEnd end = weir(refused);
    EXPECT_EQ(end.status, 4);
    EXPECT_THAT(end.error, HasSubstr("(malloc+0x"));
    EXPECT_THAT(end.error, Names("handler", "reentrant"));
}

TEST_F(CLibraryRunTest, MpiMovesAllThatItIsGiven) {
    compile_own("mpi.c");
    for (const char* mode : {"interrupt", "polling"}) {
        for (const std::string nodes : {"2", "5"}) {
            const std::string folder = mode + nodes;
            static_cast<void>(
                output_of({"run", "run.toml", "--out", folder, "--set", "machine.nodes=" + nodes,
                           "--set", std::string("core.receive_mode=") + mode}));
            EXPECT_EQ(read(folder + "/point-01-seed-1/console.txt"), "0: " + nodes + " nodes: 0\n");
        }
    }
}

TEST_F(CLibraryRunTest, WhatDoesNotFitIsRefused) {
    compile_own("library.c");
    EXPECT_THAT(refused({"run", "run.toml", "--out", "run", "--set",
                         "workload.arguments=" + std::string(3000, 'a')}),
                Names("workload.arguments", "1", "3013 bytes", "128", "2048 bytes"));
    EXPECT_THAT(
        refused({"run", "run.toml", "--out", "run", "--set", "workload.arguments=an 'open quote"}),
        Names("--set workload.arguments=an 'open quote", "workload.arguments", "string", "list"));
    write("plain.c", "int main(void) { return 0; }\n");
    static_cast<void>(output_of({"compile", "plain.c", "--output", "program.elf"}));
    EXPECT_THAT(
        refused({"run", "run.toml", "--out", "run", "--set", "workload.arguments=file.txt"}),
        Names("\"file.txt\"", "main(count, words)", "numbers"));
}

TEST_F(CLibraryRunTest, WhatTheLibraryHasNotIsRefused) {
    write("fork.c", "#include <stdio.h>\nint fork(void);\nint main(void) { return fork(); }\n");
    const ProgramEnd end = start({"compile", "fork.c"}).wait(std::chrono::minutes(10));
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("fork.c:3", "function main", "fork", "one program", "fork.elf"));
    EXPECT_THAT(end.error, Not(HasSubstr("collect2")));
}

TEST_F(CLibraryRunTest, AProgramWithoutItDoesNotCarryIt) {
    write("small.c",
          "#include \"firmware/sparcle/weir.h\"\n#include <string.h>\n"
          "int main(void) { console_printf(\"%lld\\n\", -5000000000LL); return strlen(\"\"); }\n");
    static_cast<void>(output_of({"compile", "small.c", "--output", "program.elf"}));
    EXPECT_THAT(read("program.elf"), Not(HasSubstr("_impure_ptr")));
    run();
    EXPECT_EQ(console(), "0: -5000000000\n");
    static_cast<void>(output_of({"compile", "small.c", "--library", "--output", "large.elf"}));
    EXPECT_THAT(read("large.elf"), HasSubstr("_impure_ptr"));
}

TEST_F(CLibraryRunTest, CxxWorksWithoutItsLibrary) {
    write("shapes.cpp", R"(#include <stdio.h>
struct Shape {
    virtual double area() const = 0;
    virtual ~Shape() {}
};
struct Square final : Shape {
    explicit Square(double side) : side_(side) {}
    double area() const override { return side_ * side_; }
    double side_;
};
struct Counter {
    Counter() { count = 7; }
    int count;
};
static Counter before_main;
int main() {
    Shape* const shape = new Square(3.0);
    int* const numbers = new int[40];
    numbers[39] = before_main.count;
    printf("%.1f %d\n", shape->area(), numbers[39]);
    delete[] numbers;
    delete shape;
    return 0;
}
)");
    const ProgramEnd end = weir({"compile", "shapes.cpp", "--output", "program.elf"});
    if (end.error.find(" C++") != std::string::npos) {
        GTEST_SKIP() << "g++-sparc64-linux-gnu is not installed";
    }
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_EQ(end.error, "");
    run();
    EXPECT_EQ(console(), "0: 9.0 7\n");
}

TEST_F(CLibraryRunTest, HeadersMacrosAndLibrariesAreTheUsers) {
    std::filesystem::create_directory(file("headers"));
    write("headers/triple.h", "int triple(int);\n");
    write("triple.c", "#include \"triple.h\"\nint triple(int x) { return 3 * x; }\n");
    write("main.c",
          "#include <triple.h>\n#include \"firmware/sparcle/weir.h\"\n"
          "int main(void) { console_printf(\"%d %s\\n\", triple(NUMBER), TEXT); return 0; }\n");
    static_cast<void>(output_of({"compile", "main.c", "triple.c", "-I", "headers", "-D",
                                 "NUMBER=14", "-DTEXT=\"text\"", "--output", "program.elf"}));
    run();
    EXPECT_EQ(console(), "0: 42 text\n");
    EXPECT_THAT(refused({"compile", "main.c", "missing.a"}), Names("weir", "missing.a:", "file"));
}

}  // namespace
}  // namespace weir::experiments
