#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiments::programs {

/// A user's request to compile a program for Sparcle nodes.
struct ProgramRequest {
    std::vector<std::string> sources;  ///< C, C++, assembly, objects and libraries
    std::vector<std::string> flags;    ///< additional flags for the compiler
    std::vector<std::string> include_folders;
    std::vector<std::string> definitions;  ///< macros: "NAME" or "NAME=VALUE"
    bool soft_float = false;               ///< compile for nodes without a floating-point unit
    bool contexts = false;                 ///< compile for threads in hardware contexts
    bool shared_memory = false;            ///< compile for nodes that share memory
    /// Compile for threads (pthread.h), one on each node, or on each context with `contexts`. The
    /// nodes share memory then.
    bool threads = false;
    bool library = false;  ///< link the C library, even if no source includes one of its headers

    /// True if the nodes of the program share memory.
    [[nodiscard]] bool shares_memory() const { return shared_memory || threads; }
    /// Default name of the program: that of the first source, with .elf.
    [[nodiscard]] std::string default_image() const;
    /// Throws running::RunFailure for a source that is no file, is of unknown kind, or would be
    /// overwritten by the image.
    void check(const std::string& image) const;
};

/// Compiles and links the program into `file`, with the flags and the runtime of Weir's own
/// kernels. The C library is linked where a source needs it. Messages name the file by `image`.
/// Returns the number of bytes of a node's memory that the program takes. Throws
/// running::RunFailure where the compiler is missing or reports an error, or where no node can load
/// the program.
[[nodiscard]] std::uint64_t compile_program(const ProgramRequest& request, const std::string& file,
                                            const std::string& image);

}  // namespace weir::experiments::programs
