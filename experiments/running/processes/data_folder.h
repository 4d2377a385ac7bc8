#pragma once

#include <filesystem>

namespace weir::experiments::running {

/// Folder of the running program; empty without /proc.
[[nodiscard]] std::filesystem::path program_folder();

/// Folder with experiments/ (including machine presets) and firmware/. The folder is that installed
/// with this program, even if both were moved, or else the source tree of the build.
[[nodiscard]] std::filesystem::path data_folder();

/// Folder of Weir's headers, such as "firmware/kernels/own_kernel.h", found in the same way.
/// Headers come with the package weir-dev.
[[nodiscard]] std::filesystem::path header_folder();

/// Experiment file for a name that the user gives. Returns `file` if that file exists, or if Weir
/// has no file of that name; otherwise Weir's own file. So experiments/logpc/sync-remap.toml is
/// found from any folder.
[[nodiscard]] std::filesystem::path experiment_named(const std::filesystem::path& file);

}  // namespace weir::experiments::running
