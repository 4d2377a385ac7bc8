#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

/// What a check of a user's file has found.
struct CheckedFile {
    std::string what;                          ///< "an experiment of 3 points"; empty with faults
    std::vector<setup::UserFault> faults;      ///< by file, line and column
    bool is_whole = true;                      ///< or something behind a fault could not be checked
    std::vector<std::filesystem::path> parts;  ///< of a study: files of their own
};

/// All faults of an experiment's, a sweep's, a study's or a machine's file and of those it extends,
/// by the very checks that `weir run` and `weir sweep` make, one after the other: behind each the
/// file is taken to say what was probably meant, or nothing. What is wrong only since something was
/// left out is not told. Throws setup::UserFault for a file that is not there.
[[nodiscard]] CheckedFile check_file(const std::filesystem::path& file,
                                     const std::filesystem::path& presets);

}  // namespace weir::experiments::commands
