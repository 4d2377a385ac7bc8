#pragma once

#include <filesystem>
#include <string>

namespace weir::experiments::setup {

/// A folder of this process in the system's folder for temporary files (TMPDIR, else /tmp). The
/// destructor removes the folder.
class TemporaryFolder {
  public:
    /// Creates the folder: the name "weir-dry-run" gives /tmp/weir-dry-run-x4Fd2k. Throws
    /// SurroundingsFault if the folder cannot be made.
    explicit TemporaryFolder(const std::string& name);
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace weir::experiments::setup
