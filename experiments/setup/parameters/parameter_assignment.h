#pragma once

#include <span>
#include <string>

#include "experiments/setup/files/experiment_content.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Gives every parameter of the groups its default, then what the layers say, the later layer over
/// the earlier, then has each group check its parameters together. Several groups may share a
/// table. A file's path in a file is relative to that file, and is made relative to the working
/// directory. [workload] may hold `kernel`, which names the kernel whose parameters are there.
/// Throws UserFault for the first entry that isn't a parameter's key with a value it accepts, and
/// for a check that fails; a failing check of a parameter that no layer sets is told at
/// `whole_file`. The groups are then half set.
void assign_parameters(std::span<const Layer* const> layers, const Place& whole_file,
                       std::span<hw::ParameterGroup* const> groups);

/// Throws UserFault for the first entry that isn't a parameter's key, whatever its value.
void refuse_unknown_keys(std::span<const Layer* const> layers,
                         std::span<hw::ParameterGroup* const> groups);

/// The entry for table.key in the last of the layers that has one, or null.
[[nodiscard]] const TomlEntry* find_setting(std::span<const Layer* const> layers,
                                            std::string_view table, std::string_view key);

/// A file's path as it can be opened: one that stands in a file is relative to that, one of a --set
/// option to the working directory.
[[nodiscard]] std::string path_given_at(const Place& place, const std::string& path);

}  // namespace weir::experiments::setup
