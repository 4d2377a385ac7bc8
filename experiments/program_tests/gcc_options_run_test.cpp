// Programs compiled with gcc's options, as Makefiles call a compiler.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "experiments/program_tests/testing/compiled_program_fixture.h"
#include "hw/testing/names.h"
#include "hw/testing/needed_tool.h"

namespace weir::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

class GccOptionsRunTest : public CompiledProgramTest {
  protected:
    GccOptionsRunTest() : CompiledProgramTest(1) {}

    [[nodiscard]] ProgramEnd gcc(Arguments words) const {
        words.insert(words.begin(), {"compile", "--as-gcc"});
        return start(words).wait(std::chrono::minutes(10));
    }
    void expect_made(const ProgramEnd& end) const {
        EXPECT_EQ(end.status, 0) << end.error;
        EXPECT_EQ(end.error, "");
    }
    [[nodiscard]] std::string console_of(const std::string& image) {
        std::filesystem::remove_all(file("run"));
        static_cast<void>(
            output_of({"run", "run.toml", "--out", "run", "--set", "workload.image=" + image}));
        return read("run/point-01-seed-1/console.txt");
    }
};

// Runs `make`; the compiler is the built program.
class MakefileRunTest : public GccOptionsRunTest {
  protected:
    MakefileRunTest() { set_program("/usr/bin/make"); }

    [[nodiscard]] ProgramEnd make(const Arguments& more = {}) const {
        Arguments words{"--silent", std::string("CC=") + WEIR_PROGRAM + " compile --as-gcc",
                        "AR=sparc64-linux-gnu-ar", "RANLIB=sparc64-linux-gnu-ranlib"};
        words.insert(words.end(), more.begin(), more.end());
        return start(words).wait(std::chrono::minutes(10));
    }
};

TEST_F(MakefileRunTest, AMakefileNeedsNoChange) {
    std::filesystem::create_directory(file("lib"));
    std::filesystem::create_directory(file("include"));
    write("Makefile",
          "CFLAGS = -O1 -g -std=c99 -Wall -Iinclude -DSCALE=2 -MMD -MP -fPIC\n"
          "LDFLAGS = -Llib -Wl,-rpath,/lib -s\n"
          "LDLIBS = -lroots -lm -lpthread\n"
          "program.elf: main.o other.o lib/libroots.a\n"
          "\t$(CC) $(LDFLAGS) -o $@ main.o other.o $(LDLIBS)\n"
          "lib/libroots.a: lib/root.o\n\t$(AR) rc $@ $^\n\t$(RANLIB) $@\n"
          "-include main.d other.d lib/root.d\n");
    write("include/root.h", "double root(double);\nextern int calls;\n");
    write("lib/root.c",
          "#include <math.h>\n#include \"root.h\"\n"
          "double root(double x) { ++calls; return SCALE * sqrt(x); }\n");
    write("main.c",
          "#include <stdio.h>\n#include \"root.h\"\n"
          "int main(void) { printf(\"%.3f\", root(2)); printf(\" %d\\n\", calls); return 0; }\n");
    write("other.c", "#include \"root.h\"\nint calls;\n");
    expect_made(make());
    EXPECT_THAT(read("main.d"), HasSubstr("include/root.h"));
    EXPECT_EQ(make({"--question"}).status, 0);
    const auto later =
        std::filesystem::last_write_time(file("program.elf")) + std::chrono::seconds(2);
    std::filesystem::last_write_time(file("include/root.h"), later);
    EXPECT_EQ(make({"--question"}).status, 1);

    set_program(WEIR_PROGRAM);
    EXPECT_EQ(console_of("program.elf"), "0: 2.828 1\n");
}

TEST_F(GccOptionsRunTest, EachStepHasItsResult) {
    write("a.c", "#include <stdio.h>\nint main(void) { puts(TEXT); return 0; }\n");
    expect_made(gcc({"a.c", "-DTEXT=\"default name\""}));
    EXPECT_EQ(console_of("a.out"), "0: default name\n");
    expect_made(gcc({"-c", "a.c", "-D", "TEXT=\"object\"", "-o", "sub.o"}));
    expect_made(gcc({"sub.o", "-o", "b.elf"}));
    EXPECT_EQ(console_of("b.elf"), "0: object\n");
    expect_made(gcc({"-S", "a.c", "-DTEXT=\"assembly\""}));
    expect_made(gcc({"a.s", "-o", "c.elf"}));
    EXPECT_EQ(console_of("c.elf"), "0: assembly\n");
    expect_made(gcc({"sub.o", "-o", "/dev/null"}));
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
    EXPECT_THAT(gcc({"-E", "a.c", "-DTEXT=\"preprocessed\""}).output,
                HasSubstr("puts(\"preprocessed\")"));
    EXPECT_THAT(gcc({"-MM", "a.c"}).output, HasSubstr("a.o: a.c"));
    EXPECT_THAT(gcc({"-dumpmachine"}).output, HasSubstr("sparc"));
    EXPECT_THAT(gcc({"--help"}).output, HasSubstr("--threads"));
}

TEST_F(GccOptionsRunTest, AllFilesOfAProgramAreOfOneKind) {
    write("a.c", "int f(void);\nint main(void) { return f(); }\n");
    write("f.c", "int f(void) { return 0; }\n");
    expect_made(gcc({"-c", "f.c"}));
    expect_made(gcc({"a.c", "f.o"}));
    for (const char* option : {"--shared-memory", "--soft-float"}) {
        const ProgramEnd end = gcc({option, "a.c", "f.o"});
        EXPECT_EQ(end.status, 2);
        EXPECT_THAT(end.error, Names("f.o", "without", option, "accepted"));
    }
}

TEST_F(GccOptionsRunTest, WithoutTheLibraryMainGetsNumbers) {
    write("a.c",
          "#include \"firmware/sparcle/weir.h\"\n"
          "int main(int count, const unsigned* words) {\n"
          "    console_printf(\"%d %d\\n\", count, words[0]);\n    return 0;\n}\n");
    expect_made(gcc({"-nostdlib", "a.c"}));
    static_cast<void>(output_of({"run", "run.toml", "--out", "run", "--set", "workload.image=a.out",
                                 "--set", "workload.arguments=[7]"}));
    EXPECT_EQ(read("run/point-01-seed-1/console.txt"), "0: 1 7\n");
    EXPECT_THAT(read("a.out"), Not(HasSubstr("_impure_ptr")));
}

TEST_F(GccOptionsRunTest, UndefinedNamesAreToldOneByOne) {
    write("a.c",
          "int fork(void);\nint missing(int);\n"
          "int f(void) { return fork() + missing(1); }\n"
          "int main(void) { return f() + fork(); }\n");
    const ProgramEnd end = gcc({"-O0", "a.c"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("a.c:3", "function f", "fork", "one program"));
    EXPECT_THAT(end.error, Names("nothing defines", "missing"));
    EXPECT_THAT(end.error, Names("a.out", "undefined names", "2"));
    EXPECT_FALSE(std::filesystem::exists(file("a.out")));
}

TEST_F(GccOptionsRunTest, AnUnknownOptionIsRefusedByItsName) {
    write("a.c", "int main(void) { return 0; }\n");
    for (const char* option : {"--no-such-option", "-shared", "-mcpu=v9"}) {
        const ProgramEnd end = gcc({option, "a.c"});
        EXPECT_EQ(end.status, 2);
        EXPECT_THAT(end.error, Names("weir", option, "accepted"));
    }
    const ProgramEnd end = gcc({"-fno-such-option", "-c", "a.c"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, HasSubstr("-fno-such-option"));
    EXPECT_EQ(weir({"compile", "a.c", "--as-gcc"}).status, 2);
}

TEST_F(GccOptionsRunTest, CxxProgramsWithTheStandardLibraryHaveNoThreads) {
    if (!hw::testing::is_installed("sparc64-linux-gnu-g++")) {
        GTEST_SKIP() << "g++-sparc64-linux-gnu is not installed";
    }
    write("numbers.h", "#include <vector>\n");
    write("with.cpp", "#include \"numbers.h\"\nint main() { return 0; }\n");
    write("without.cpp", "#include <stdio.h>\nint main() { puts(\"none\"); return 0; }\n");
    for (const std::string option : {"--threads", "--contexts"}) {
        for (const std::string kind : {"--as-g++", "--as-gcc"}) {
            const ProgramEnd end = weir({"compile", kind, option, "-c", "with.cpp"});
            EXPECT_EQ(end.status, 2);
            EXPECT_THAT(end.error, Names("with.cpp", "no threads", "without " + option));
        }
        const ProgramEnd end = weir({"compile", option, "with.cpp"});
        EXPECT_EQ(end.status, 2);
        EXPECT_THAT(end.error, Names("with.cpp", "no threads", "without " + option));
    }
    const ProgramEnd end =
        start({"compile", "--as-g++", "--threads", "without.cpp"}).wait(std::chrono::minutes(10));
    EXPECT_EQ(end.status, 0) << end.error;
}

}  // namespace
}  // namespace weir::experiments
