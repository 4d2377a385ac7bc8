#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::programs {

/// gcc's name of a file's language by the ending of its name: "c", "c++", "assembler", ... Empty
/// for a file that is linked without being compiled.
[[nodiscard]] std::string language_of(std::string_view file);
/// True for a name that language_of() may return.
[[nodiscard]] bool is_language(std::string_view name);

/// An input of a program, or a word for the linker.
struct ProgramInput {
    std::string word;           ///< path, or a word such as "-lz"
    std::string language = {};  ///< gcc's name of the language; empty: only linked
    bool is_file = true;

    [[nodiscard]] bool is_cxx() const { return language.starts_with("c++"); }
    [[nodiscard]] bool is_c() const { return language == "c" || language == "cpp-output"; }
};

/// Inputs for files of C, C++, assembly, objects and libraries. Throws running::RunFailure for a
/// file that does not exist or is of no known kind.
[[nodiscard]] std::vector<ProgramInput> inputs_of(const std::vector<std::string>& files);

/// When a program is linked with the C library.
enum class LibraryUse {
    kAsNeeded,  ///< if a source includes one of its headers
    kAlways,
    kNever,
};

/// A user's request to compile a program for Sparcle nodes.
struct ProgramRequest {
    std::vector<ProgramInput> inputs;  ///< in the order of the link
    std::vector<std::string> flags;    ///< additional flags for the compiler
    std::vector<std::string> include_folders;
    std::vector<std::string> definitions;  ///< macros: "NAME" or "NAME=VALUE"
    bool has_own_warnings = true;          ///< compile with the warnings of Weir's own programs
    bool soft_float = false;               ///< compile for nodes without a floating-point unit
    /// Compile for threads in hardware contexts. With the C library each context runs the program,
    /// as a rank of MPI.
    bool contexts = false;
    bool shared_memory = false;  ///< compile for nodes that share memory
    /// Compile for threads (pthread.h), one on each node, or on each context with `contexts`. The
    /// nodes share memory then.
    bool threads = false;
    LibraryUse library = LibraryUse::kAsNeeded;
    /// Link the C++ library, even if no source includes one of its headers. Sources of C++ have it
    /// with LibraryUse::kAlways, too. Programs with threads have none.
    bool cxx_library = false;

    /// True if the nodes of the program share memory.
    [[nodiscard]] bool shares_memory() const { return shared_memory || threads; }
    /// Default name of the program: that of the first input, with .elf.
    [[nodiscard]] std::string default_image() const;
    /// Throws running::RunFailure for an image that would overwrite an input.
    void check(const std::string& image) const;
};

/// Compiles and links the program into `file`, with the flags and the runtime of Weir's own
/// kernels. The C and C++ libraries are linked as the request says. Messages name the file by
/// `image`. Returns the number of bytes of a node's memory that the program takes. Throws
/// running::RunFailure where the compiler is missing or reports an error, where a name is
/// undefined, or where no node can load the program.
[[nodiscard]] std::uint64_t compile_program(const ProgramRequest& request, const std::string& file,
                                            const std::string& image);

/// Runs the compiler on one input, with the flags of compile_program() and these further words,
/// such as "-c -o a.o". Throws running::RunFailure where the compiler is missing or reports an
/// error.
void compile_input(const ProgramRequest& request, const ProgramInput& input,
                   const std::vector<std::string>& words);

/// Prints the cross compiler's answer to a question such as -print-file-name=libc.a.
void ask_compiler(const std::vector<std::string>& question);

}  // namespace weir::experiments::programs
