#pragma once

#include <filesystem>
#include <span>

namespace weir::experiments::running {

/// Puts the runs of parts of one study into a new database. A run that several parts have must have
/// the same digest in all, unless a signal ended it in one: then the other's counts. Returns how
/// many runs there are. Throws setup::UserFault, with both parts' names, for a run with two
/// digests, for parts of different studies or versions, and where `merged` is there already;
/// nothing is left then.
std::size_t merge_sweeps(std::span<const std::filesystem::path> parts,
                         const std::filesystem::path& merged);

}  // namespace weir::experiments::running
