#pragma once

#include <string>
#include <vector>

namespace weir::experiments::programs {

/// A library of kernels of the user's own, in C++, for this very program.
struct KernelRequest {
    std::vector<std::string> sources;  ///< one of them says WEIR_KERNELS
    std::vector<std::string> flags;    ///< more of the compiler's flags

    /// The library's name where the user gives none: beside the first source, with .so.
    [[nodiscard]] std::string default_library() const;
    /// Throws setup::UserFault for a source that is no file, and where Weir's headers are missing.
    void check() const;
};

/// Compiles it into `file`; `library` is its name in messages. Its kernels for a reader: "NAME
/// (SENTENCE), ...". Throws running::RunFailure where the compiler is missing or refuses it.
[[nodiscard]] std::string compile_kernels(const KernelRequest& request, const std::string& file,
                                          const std::string& library);

}  // namespace weir::experiments::programs
