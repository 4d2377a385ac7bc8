#pragma once

#include <filesystem>

namespace weir::experiments::running {

/// The folder this program lies in; empty where the host does not say (there is no /proc).
[[nodiscard]] std::filesystem::path program_folder();

/// The folder with experiments/, machine presets among them, and firmware/: what is installed with
/// this program, wherever the two were moved to; else the source tree it was built from.
[[nodiscard]] std::filesystem::path data_folder();

/// The folder of Weir's own headers, "firmware/kernels/own_kernel.h" among them, in the same way.
/// They come with the package weir-dev.
[[nodiscard]] std::filesystem::path header_folder();

/// The experiment file that the user names: `file` itself if it is there, or if nothing of Weir's
/// own has its name; else the one that comes with the program, so that
/// experiments/logpc/sync-remap.toml is found from any folder.
[[nodiscard]] std::filesystem::path experiment_named(const std::filesystem::path& file);

}  // namespace weir::experiments::running
