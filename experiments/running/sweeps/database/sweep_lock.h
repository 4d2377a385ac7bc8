#pragma once

#include <filesystem>

namespace weir::experiments::running {

/// One sweep at a time works on a database: it has this folder beside it, `DB.running`, for what is
/// not finished. A killed sweep leaves the folder, and the next one empties it.
class SweepLock {
  public:
    /// Throws setup::UserFault where another sweep keeps it for some seconds, or it can't be made.
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
