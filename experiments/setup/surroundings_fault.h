#pragma once

#include <stdexcept>
#include <string>

namespace weir::experiments::setup {

/// What the system refuses: room on a disk, memory, a file. It says what for and why, and is for
/// the user to mend; it is no fault of Weir's.
class SurroundingsFault : public std::runtime_error {
  public:
    /// "runs/x/result.json", "No space left on device"
    SurroundingsFault(const std::string& what, const std::string& reason)
        : std::runtime_error(what + ": " + reason) {}
};

}  // namespace weir::experiments::setup
