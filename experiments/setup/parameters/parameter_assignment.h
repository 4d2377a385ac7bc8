#pragma once

#include <span>
#include <string>
#include <string_view>

#include "experiments/setup/files/experiment_content.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Sets the parameters of the groups: first the defaults, then the layers' values, where later
/// layers override earlier ones. Then each group checks its parameters together.
/// - Several groups may share a table.
/// - A file's path in a file is relative to that file, and is made relative to the working
///   directory.
/// - [workload] may contain `kernel`, which names the kernel whose parameters are in this table.
///
/// Throws UserFault for the first entry that is not a parameter's key with an accepted value, and
/// for a failed check. A failed check of a parameter that no layer sets has the place `whole_file`.
/// After a fault the groups are only partly set.
void assign_parameters(std::span<const Layer* const> layers, const Place& whole_file,
                       std::span<hw::ParameterGroup* const> groups);

/// Throws UserFault for the first entry that is not a parameter's key, whatever its value.
void refuse_unknown_keys(std::span<const Layer* const> layers,
                         std::span<hw::ParameterGroup* const> groups);

/// Parameter table.key of these groups, or null. Several groups may share a table.
[[nodiscard]] hw::ParameterBase* find_parameter(std::string_view table, std::string_view key,
                                                std::span<hw::ParameterGroup* const> groups);

/// Entry for table.key in the last of the layers that has one, or null.
[[nodiscard]] const TomlEntry* find_setting(std::span<const Layer* const> layers,
                                            std::string_view table, std::string_view key);

/// Path that opens the file: a path in a file is relative to that file, a path in a --set option to
/// the working directory. A URI such as "file:///home/%FF/a.dot" is an absolute path (path_text.h).
[[nodiscard]] std::string path_given_at(const Place& place, const std::string& path);

}  // namespace weir::experiments::setup
