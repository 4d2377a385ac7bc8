#pragma once

namespace weir::experiments::running {

/// Takes the lock of an open file or folder (flock). Waits some seconds if another process holds
/// it: a worker of a command that was killed a moment ago ends soon. Returns false if the lock is
/// not free then.
[[nodiscard]] bool take_lock(int file);

}  // namespace weir::experiments::running
