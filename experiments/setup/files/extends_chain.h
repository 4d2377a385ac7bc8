#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "experiments/setup/files/correction.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

/// Parses the file and applies the corrections. `asked_at`: place of the `extends` that names it,
/// or the file itself. Throws UserFault if the file is absent, unreadable, a directory or not TOML.
[[nodiscard]] TomlEntry read_toml_file(const std::filesystem::path& file, const Place& asked_at,
                                       std::span<const Correction> corrections = {});

/// Parses the file and all files it extends; the first in the list extends none, the last is
/// `file`.
/// - `extends = "alewife"` means `presets_directory`/alewife.toml.
/// - `extends = "../base.toml"` means a file relative to the one that contains it.
///
/// Throws UserFault for a file that is absent, unreadable, a directory or not TOML. Also throws it
/// for an unknown preset, and for a chain that returns to one of its files.
[[nodiscard]] std::vector<TomlEntry> read_extends_chain(
    const std::filesystem::path& file, const std::filesystem::path& presets_directory,
    std::span<const Correction> corrections = {});

}  // namespace weir::experiments::setup
