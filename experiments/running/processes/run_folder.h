#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// Folder for a run's results: the requested one, which must not exist, or the next free
/// `runs/<name>-<number>`. The folder is removed again unless keep() is called, and locked as long
/// as this process or a worker exists.
class RunFolder {
  public:
    /// Throws setup::UserFault if the folder exists or cannot be made.
    RunFolder(const std::optional<std::filesystem::path>& asked_for, const std::string& name);
    /// Folder of an earlier run, which is kept. Throws setup::UserFault if it does not exist, or if
    /// another process holds it for some seconds.
    [[nodiscard]] static std::unique_ptr<RunFolder> of_before(const std::filesystem::path& path);
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    ~RunFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    void keep() { keep_ = true; }
    /// False if another program has deleted or moved the folder.
    [[nodiscard]] bool is_there() const;

  private:
    explicit RunFolder(std::filesystem::path path);
    void open();

    std::filesystem::path path_;
    // Folders above the folder that were made for it, and are removed together with it.
    std::vector<std::filesystem::path> made_parents_;
    bool keep_ = false;
    int file_ = -1;  ///< descriptor of the folder, which holds its lock
};

/// New folder, or folder to resume, for a run with these options. Throws as the constructors of
/// RunFolder do.
[[nodiscard]] std::unique_ptr<RunFolder> run_folder_for(const RunOptions& options);

}  // namespace weir::experiments::running
