#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace weir::experiments::kinds {
struct Setup;
}

namespace weir::experiments::running {

/// File that a configuration names, such as a matrix, a graph or a program.
struct NamedFile {
    std::string path;
    std::string digest;  ///< digest of the file's content (fact_digest.h)
};

/// Digests of files; reads each file once.
class NamedFiles {
  public:
    /// Existing files that a configuration names, by key. In names with setup::kSeedInPath, `seed`
    /// is inserted. Throws setup::SurroundingsFault if a file cannot be read.
    [[nodiscard]] std::map<std::string, NamedFile> of(
        kinds::Setup& setup, const std::optional<std::uint64_t>& seed = std::nullopt);

  private:
    std::map<std::string, std::string> digests_;  ///< digest of each file, by path
};

/// Writes the digests of the named files into a run's folder; no file if there are none.
void note_contents(kinds::Setup& setup, std::uint64_t seed, const std::filesystem::path& folder);
/// Throws setup::UserFault if a named file has changed since note_contents().
void require_same_contents(kinds::Setup& setup, std::uint64_t seed,
                           const std::filesystem::path& folder);

}  // namespace weir::experiments::running
