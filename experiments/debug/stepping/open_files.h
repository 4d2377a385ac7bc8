#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace weir::experiments::debug {

/// Positions and lengths of the files of a run's folder that this process writes. Processes that
/// were forked share them, so a process that continues from an earlier state restores them.
class OpenFiles {
  public:
    /// The files in the folder that are open now.
    [[nodiscard]] static OpenFiles in(const std::filesystem::path& folder);
    /// Shortens each file to its earlier length, and sets its position.
    void restore() const;

  private:
    struct File {
        int descriptor;
        std::int64_t position;
        std::int64_t bytes;
    };
    std::vector<File> files_;
};

}  // namespace weir::experiments::debug
