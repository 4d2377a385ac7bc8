#pragma once

#include <string>
#include <vector>

#include "experiments/programs/program_compiler.h"

namespace weir::experiments::programs {

/// A command line in gcc's manner, as Makefiles use it: weir-cc -O2 -c a.c.
struct CompilerCall {
    /// Result of the call.
    enum class Result {
        kHelp,      ///< text of help_of_compiler_calls()
        kAnswer,    ///< output of the cross compiler for the words `question`
        kText,      ///< -E, -M: preprocessed sources or dependencies
        kAssembly,  ///< -S: a file for each source
        kObjects,   ///< -c: a file for each source
        kProgram,
    };

    Result result = Result::kProgram;
    ProgramRequest request;
    std::string output;                 ///< file of -o; empty without -o
    std::vector<std::string> question;  ///< such as -print-file-name=libc.a

    /// File for the program, or for the result of an input if the call makes objects or assembly.
    [[nodiscard]] std::string program() const { return output.empty() ? "a.out" : output; }
    [[nodiscard]] std::string file_for(const ProgramInput& input) const;
};

/// Reads a command line, without the program's name. `is_cxx`: the call is for C++, so that files
/// of C are compiled as C++. Words @FILE are replaced by the file's words. Throws setup::UserFault
/// for an option that is unknown or cannot be had.
[[nodiscard]] CompilerCall compiler_call(std::vector<std::string> words, bool is_cxx);

/// Help text with all accepted options.
[[nodiscard]] std::string help_of_compiler_calls();

}  // namespace weir::experiments::programs
