#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::running {

/// The folder a run leaves its results in: the one asked for, which must not exist, or the next
/// free `runs/<name>-<number>`. Removed again unless keep() is called.
class RunFolder {
  public:
    /// Throws setup::UserFault when it exists or can't be made.
    RunFolder(const std::optional<std::filesystem::path>& asked_for, const std::string& name);
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    ~RunFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    void keep() { keep_ = true; }

  private:
    std::filesystem::path path_;
    std::vector<std::filesystem::path> made_parents_;  // removed again with the folder
    bool keep_ = false;
};

}  // namespace weir::experiments::running
