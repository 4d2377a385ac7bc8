#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "experiments/kinds/setup.h"

namespace weir::experiments::running {

/// A file that a configuration names: a matrix, a graph, a program.
struct NamedFile {
    std::string path;
    std::string digest;  ///< of what is in it (fact_digest.h)
};

/// Looks into each file once.
class NamedFiles {
  public:
    /// Those of a configuration that are there, by key; of names with setup::kSeedInPath that
    /// seed's. Throws setup::SurroundingsFault where one can't be read.
    [[nodiscard]] std::map<std::string, NamedFile> of(
        kinds::Setup& setup, const std::optional<std::uint64_t>& seed = std::nullopt);

  private:
    std::map<std::string, std::string> digests_;  ///< by path
};

/// Leaves what is in them in a run's folder: nothing where there are none.
void note_contents(kinds::Setup& setup, std::uint64_t seed, const std::filesystem::path& folder);
/// Throws setup::UserFault where one has changed since.
void require_same_contents(kinds::Setup& setup, std::uint64_t seed,
                           const std::filesystem::path& folder);

}  // namespace weir::experiments::running
