#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// The folder a run leaves its results in: the one asked for, which must not exist, or the next
/// free `runs/<name>-<number>`. Removed again unless keep() is called. It is locked while this or a
/// worker lives.
class RunFolder {
  public:
    /// Throws setup::UserFault when it exists or can't be made.
    RunFolder(const std::optional<std::filesystem::path>& asked_for, const std::string& name);
    /// One that an earlier run has left, and that stays. Throws setup::UserFault where there is
    /// none, or another process keeps it for some seconds.
    [[nodiscard]] static std::unique_ptr<RunFolder> of_before(const std::filesystem::path& path);
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    ~RunFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    void keep() { keep_ = true; }

  private:
    explicit RunFolder(std::filesystem::path path);
    void open();

    std::filesystem::path path_;
    std::vector<std::filesystem::path> made_parents_;  // removed again with the folder
    bool keep_ = false;
    int file_ = -1;  ///< the folder's descriptor, which holds its lock
};

/// The one that a run of these options is to have. Throws setup::UserFault.
[[nodiscard]] std::unique_ptr<RunFolder> run_folder_for(const RunOptions& options);

}  // namespace weir::experiments::running
