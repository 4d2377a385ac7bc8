#pragma once

#include <filesystem>

namespace weir::experiments::running {

/// Takes the lock of an open file or folder (flock). Waits some seconds if another process holds
/// it: a worker of a command that was killed a moment ago ends soon. Returns false if the lock is
/// not free then. Throws setup::SurroundingsFault, which names `path`, if the file system has no
/// locks.
[[nodiscard]] bool take_lock(int file, const std::filesystem::path& path);

}  // namespace weir::experiments::running
