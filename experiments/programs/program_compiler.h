#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiments::programs {

/// A program for Sparcle nodes, as the user asks for it.
struct ProgramRequest {
    std::vector<std::string> sources;  ///< C, C++, assembly, objects and libraries
    std::vector<std::string> flags;    ///< more of the compiler's flags
    std::vector<std::string> include_folders;
    std::vector<std::string> definitions;  ///< macros: "NAME" or "NAME=VALUE"
    bool soft_float = false;               ///< for nodes without a floating-point unit
    bool contexts = false;                 ///< for threads in hardware contexts
    bool shared_memory = false;            ///< for nodes that share memory
    bool library = false;  ///< with the C library, even if no source includes one of its headers

    /// The program's name where the user gives none: the first source's, with .elf.
    [[nodiscard]] std::string default_image() const;
    /// Throws running::RunFailure for a source that is no file or of no known kind, or that the
    /// image would replace.
    void check(const std::string& image) const;
};

/// Compiles and links it with the flags and the runtime of Weir's own kernels, and with the C
/// library where a source asks for it, into `file`. `image` is its name in messages. The bytes of a
/// node's memory that it takes. Throws running::RunFailure where the compiler is missing or refuses
/// the program, or where no node can load it.
[[nodiscard]] std::uint64_t compile_program(const ProgramRequest& request, const std::string& file,
                                            const std::string& image);

}  // namespace weir::experiments::programs
