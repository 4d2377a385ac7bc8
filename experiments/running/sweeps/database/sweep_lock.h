#pragma once

#include <filesystem>

namespace weir::experiments::running {

/// One sweep at a time works on a database: it has this folder beside it, `DB.running`, for what is
/// not finished. A killed sweep leaves the folder, and the next one empties it.
class SweepLock {
  public:
    /// Throws setup::UserFault while another sweep has it, or where it can't be made.
    explicit SweepLock(const std::filesystem::path& database);
    SweepLock(const SweepLock&) = delete;
    SweepLock& operator=(const SweepLock&) = delete;
    /// Removes the folder.
    ~SweepLock();

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
    int file_ = -1;
};

}  // namespace weir::experiments::running
