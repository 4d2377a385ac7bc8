#pragma once

#include <filesystem>

namespace weir::experiments::running {

/// Lock of a database for one sweep at a time: the folder `DB.running` beside it, which also holds
/// unfinished files. The folder of a killed sweep remains, and the next sweep empties it.
class SweepLock {
  public:
    /// Throws setup::UserFault if another sweep holds the lock for some seconds, or if it cannot be
    /// made.
    explicit SweepLock(const std::filesystem::path& database);
    SweepLock(const SweepLock&) = delete;
    SweepLock& operator=(const SweepLock&) = delete;
    /// Removes the folder.
    ~SweepLock();

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    [[nodiscard]] int take(const std::filesystem::path& database) const;
    void give_up() const;

    std::filesystem::path folder_;
    int file_ = -1;
};

}  // namespace weir::experiments::running
