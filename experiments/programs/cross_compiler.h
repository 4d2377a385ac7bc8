#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::programs {

/// Runs a program, whose messages are the user's to read; its exit status. `output` is a file that
/// takes what it prints; empty: it goes where the command's own output goes. Throws
/// running::RunFailure where it can't be started; `package` is what would bring it.
int run_tool(std::vector<std::string> command_line, const std::filesystem::path& output = {},
             const std::string& package = "gcc-sparc64-linux-gnu");

/// The cross compiler as it is installed.
class CrossCompiler {
  public:
    /// Looks for it; throws running::RunFailure where there is none.
    CrossCompiler();

    [[nodiscard]] const std::string& program() const { return program_; }
    /// The folder of its own headers.
    [[nodiscard]] const std::string& headers() const { return headers_; }
    /// What it says of itself: name and version.
    [[nodiscard]] const std::string& version() const { return version_; }
    /// Whether it compiles C++.
    [[nodiscard]] bool knows_cxx() const;

    /// Whether a source includes a header that the flags' folders have not got, and the C library
    /// has: stdio.h and its like.
    [[nodiscard]] bool asks_for_library(const std::string& source,
                                        const std::vector<std::string>& flags) const;

  private:
    // What it prints when asked.
    [[nodiscard]] std::string answer(const std::vector<std::string>& question) const;

    std::string program_;
    std::string headers_;
    std::string version_;
};

}  // namespace weir::experiments::programs
