#pragma once

namespace weir::experiments::running {

/// Takes the lock of an open file or folder (flock). Where another process has it, that may be a
/// worker of a command that was killed a moment ago, which ends soon: this waits some seconds for
/// it. False where it does not come.
[[nodiscard]] bool take_lock(int file);

}  // namespace weir::experiments::running
