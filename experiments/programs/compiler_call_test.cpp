// Command lines in gcc's manner: which words go where, and which are refused.
#include "experiments/programs/compiler_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/user_fault.h"
#include "hw/testing/names.h"

namespace weir::experiments::programs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Result = CompilerCall::Result;
using weir::testing::Names;

class CompilerCallTest : public ::testing::Test {
  protected:
    CompilerCallTest() {
        for (const char* name : {"a.c", "b.cc", "s.S", "o.o", "l.a", "dynamic.so"}) {
            std::ofstream(file(name)) << "";
        }
    }

    [[nodiscard]] std::string file(const std::string& name) const {
        return (folder_.path() / name).string();
    }
    // Words of the inputs; those that are compiled end with their language.
    [[nodiscard]] static std::vector<std::string> inputs(const CompilerCall& call) {
        std::vector<std::string> words;
        for (const ProgramInput& input : call.request.inputs) {
            const std::string name =
                input.is_file ? std::filesystem::path(input.word).filename().string() : input.word;
            words.push_back(input.language.empty() ? name : name + " " + input.language);
        }
        return words;
    }
    static std::string refusal(std::vector<std::string> words) {
        try {
            static_cast<void>(compiler_call(std::move(words), false));
        } catch (const setup::UserFault& fault) {
            return fault.what();
        }
        return {};
    }

    setup::TemporaryFolder folder_{"weir-compiler-call"};
};

TEST_F(CompilerCallTest, InputsKeepTheirOrderWithLibraries) {
    const CompilerCall call = compiler_call(
        {file("a.c"), "-Lx", "-lz", file("o.o"), "-L", "y", "-lm", "-lpthread", file("l.a"), "-l",
         "other", file("s.S"), "-Wl,--whole-archive,-rpath,/lib,-Map=m", "-o", "prog"},
        false);
    EXPECT_EQ(call.result, Result::kProgram);
    EXPECT_EQ(call.program(), "prog");
    EXPECT_THAT(inputs(call), ElementsAre("a.c c", "-Lx", "-lz", "o.o", "-L", "y", "l.a", "-lother",
                                          "s.S assembler-with-cpp", "-Xlinker", "--whole-archive",
                                          "-Xlinker", "-Map=m"));
    EXPECT_EQ(call.request.library, LibraryUse::kAlways);
}

TEST_F(CompilerCallTest, FlagsGoToTheCompilerWithTheirValues) {
    const CompilerCall call = compiler_call(
        {"-c", "-O3", "-g",  "-std=c99",    "-Wall", "-Iinc",    "-I",  "more",  "-DA=1",
         "-D", "B",   "-UC", "-include",    "x.h",   "-isystem", "sys", "-MD",   "-MF",
         "d",  "-MT", "t",   "-fno-inline", "-fPIC", "-m32",     "-s",  "-pipe", file("a.c")},
        false);
    EXPECT_EQ(call.result, Result::kObjects);
    EXPECT_EQ(call.file_for(call.request.inputs.at(0)), "a.o");
    EXPECT_THAT(call.request.flags,
                ElementsAre("-O3", "-g", "-std=c99", "-Wall", "-Iinc", "-I", "more", "-DA=1", "-D",
                            "B", "-UC", "-include", "x.h", "-isystem", "sys", "-MD", "-MF", "d",
                            "-MT", "t", "-fno-inline", "-pipe"));
}

TEST_F(CompilerCallTest, OwnOptionsChooseTheKindOfProgram) {
    const ProgramRequest plain = compiler_call({file("a.c")}, false).request;
    EXPECT_FALSE(plain.threads || plain.contexts || plain.shared_memory || plain.soft_float);
    EXPECT_TRUE(compiler_call({"--threads", file("a.c")}, false).request.threads);
    EXPECT_TRUE(compiler_call({"-pthread", file("a.c")}, false).request.shares_memory());
    EXPECT_TRUE(compiler_call({"--contexts", file("a.c")}, false).request.contexts);
    EXPECT_TRUE(compiler_call({"--shared-memory", file("a.c")}, false).request.shared_memory);
    EXPECT_TRUE(compiler_call({"--soft-float", file("a.c")}, false).request.soft_float);
    EXPECT_TRUE(compiler_call({"-msoft-float", file("a.c")}, false).request.soft_float);
    EXPECT_EQ(compiler_call({"-nostdlib", file("a.c")}, false).request.library, LibraryUse::kNever);
}

TEST_F(CompilerCallTest, TheResultIsThatOfTheEarliestStep) {
    const auto result = [this](std::vector<std::string> words) {
        words.push_back(file("a.c"));
        return compiler_call(std::move(words), false).result;
    };
    EXPECT_EQ(result({"-c", "-E"}), Result::kText);
    EXPECT_EQ(result({"-MM"}), Result::kText);
    EXPECT_EQ(result({"-c", "-S"}), Result::kAssembly);
    EXPECT_EQ(result({"-print-file-name=libc.a"}), Result::kAnswer);
    EXPECT_EQ(compiler_call({"-v"}, false).result, Result::kAnswer);
    EXPECT_EQ(compiler_call({"--help"}, false).result, Result::kHelp);
    EXPECT_EQ(compiler_call({file("a.c")}, false).program(), "a.out");
}

TEST_F(CompilerCallTest, TheLanguageIsThatOfTheNameOrAsToldToGcc) {
    EXPECT_THAT(inputs(compiler_call({file("a.c"), file("b.cc"), file("l.a")}, true)),
                ElementsAre("a.c c++", "b.cc c++", "l.a"));
    EXPECT_THAT(
        inputs(compiler_call({"-x", "c", file("o.o"), "-xnone", file("b.cc"), "-c"}, false)),
        ElementsAre("o.o c", "b.cc c++"));
    EXPECT_THAT(inputs(compiler_call({"-E", "-"}, false)), ElementsAre("- c"));
}

TEST_F(CompilerCallTest, TheCxxLibraryIsLinkedForCallsOfCxxAndByItsName) {
    EXPECT_TRUE(compiler_call({file("o.o")}, true).request.cxx_library);
    EXPECT_FALSE(compiler_call({file("o.o"), "-lm"}, false).request.cxx_library);
    const CompilerCall call = compiler_call({file("o.o"), "-lstdc++"}, false);
    EXPECT_TRUE(call.request.cxx_library);
    EXPECT_THAT(inputs(call), ElementsAre("o.o"));
}

TEST_F(CompilerCallTest, AFileOfWordsStandsForItsWords) {
    std::ofstream(file("words")) << "-c\n'-DTEXT=a b' -DX=\"\\\"y\\\"\" " << file("a.c") << "\n";
    const CompilerCall call = compiler_call({"@" + file("words")}, false);
    EXPECT_THAT(call.request.flags, ElementsAre("-DTEXT=a b", "-DX=\"y\""));
    EXPECT_THAT(inputs(call), ElementsAre("a.c c"));
}

TEST_F(CompilerCallTest, WhatCannotBeHadIsRefusedByItsName) {
    const std::string source = file("a.c");
    EXPECT_THAT(refusal({"--unknown", source}), Names("--unknown", "unknown", "weir-cc --help"));
    EXPECT_THAT(refusal({"--thread", source}), Names("--thread", "\"--threads\""));
    EXPECT_THAT(refusal({"-shared", source}), Names("-shared", "static"));
    EXPECT_THAT(refusal({"-m64", source}), Names("-m64", "32 bits"));
    EXPECT_THAT(refusal({"-march=native", source}), Names("-march=native", "SPARC V7"));
    EXPECT_THAT(refusal({"-fopenmp", source}), Names("-fopenmp", "pthread"));
    EXPECT_THAT(refusal({"-Wl,-T,x.ld", source}), Names("-T", "layout"));
    EXPECT_THAT(refusal({file("dynamic.so")}), Names("dynamic.so", "static"));
    EXPECT_THAT(refusal({file("none.c")}), Names("none.c", "no such file"));
    EXPECT_THAT(refusal({"-x", "ada", source}), Names("-x", "\"ada\"", "c++"));
    EXPECT_THAT(refusal({"-O2"}), Names("no input files"));
    EXPECT_THAT(refusal({source, "-o"}), Names("-o", "missing"));
    EXPECT_THAT(refusal({"-c", source, file("b.cc"), "-o", "x.o"}), Names("-o", "several"));
    EXPECT_THAT(refusal({source, "-o", source}), Names("-o", "input"));
}

}  // namespace
}  // namespace weir::experiments::programs
