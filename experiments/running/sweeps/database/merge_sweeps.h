#pragma once

#include <filesystem>
#include <span>

namespace weir::experiments::running {

/// Merges the runs of parts of one study into a new database. A run in several parts must have the
/// same digest in all of them. A complete run replaces a run that a signal ended. Returns the
/// number of runs. Throws setup::UserFault, with both parts' names, for a run with two digests, and
/// for parts of different studies or versions. Also throws it if the new database exists. After a
/// fault, no merged database is left.
std::size_t merge_sweeps(std::span<const std::filesystem::path> parts,
                         const std::filesystem::path& merged);

}  // namespace weir::experiments::running
