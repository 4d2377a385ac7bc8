#pragma once

#include <string>
#include <vector>

namespace weir::experiments::programs {

/// A library of the user's own kernels, in C++, for this program.
struct KernelRequest {
    std::vector<std::string> sources;  ///< one of them contains WEIR_KERNELS
    std::vector<std::string> flags;    ///< additional flags for the compiler

    /// Default name of the library: that of the first source, with .so.
    [[nodiscard]] std::string default_library() const;
    /// Throws setup::UserFault for a source that is no file, and where Weir's headers are missing.
    void check() const;
};

struct CompiledKernels {
    std::string list;     ///< the library's kernels for users: "NAME (SENTENCE), ..."
    std::string content;  ///< content of the library's file
};

/// Compiles the library into `file`, and adds the section that describes its kernels. Messages name
/// it by `library`. Runs the library's code, which tells the kernels. Throws running::RunFailure
/// where the compiler is missing or reports an error.
[[nodiscard]] CompiledKernels compile_kernels(const KernelRequest& request, const std::string& file,
                                              const std::string& library);

}  // namespace weir::experiments::programs
