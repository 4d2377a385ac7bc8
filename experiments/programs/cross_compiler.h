#pragma once

#include <string>
#include <vector>

namespace weir::experiments::programs {

/// Debian package of the cross compiler.
inline constexpr const char* kCompilerPackage = "gcc-sparc64-linux-gnu";

/// The installed cross compiler.
class CrossCompiler {
  public:
    /// Finds the compiler; throws running::RunFailure where there is none.
    CrossCompiler();

    [[nodiscard]] const std::string& program() const { return program_; }
    /// Folder of the compiler's own headers.
    [[nodiscard]] const std::string& headers() const { return headers_; }
    /// Name and version, as the compiler prints them.
    [[nodiscard]] const std::string& version() const { return version_; }
    /// First number of the version.
    [[nodiscard]] std::string major_version() const;
    /// True if C++ is installed, too.
    [[nodiscard]] bool knows_cxx() const;

    /// True if a source includes a header of the C library, such as stdio.h, that the flags'
    /// folders lack.
    [[nodiscard]] bool asks_for_library(const std::string& source,
                                        const std::vector<std::string>& flags) const;
    /// True if a source of C++ includes a header of the C++ library, such as vector, that the
    /// flags' folders lack.
    [[nodiscard]] bool asks_for_cxx_library(const std::string& source,
                                            const std::vector<std::string>& flags) const;

  private:
    // The compiler's output for these arguments.
    [[nodiscard]] std::string answer(const std::vector<std::string>& question) const;
    // Headers that a source includes and that the flags' folders lack, by the names in the source.
    [[nodiscard]] std::vector<std::string> missing_headers(
        const std::string& source, const std::vector<std::string>& flags) const;

    std::string program_;
    std::string headers_;
    std::string version_;
};

}  // namespace weir::experiments::programs
