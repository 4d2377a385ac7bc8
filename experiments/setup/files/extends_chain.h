#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "experiments/setup/files/correction.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

/// The file, parsed and corrected. `asked_at` is the value that asks for it, or the file itself.
/// Throws UserFault for one that is absent, unreadable, a directory or not TOML.
[[nodiscard]] TomlEntry read_toml_file(const std::filesystem::path& file, const Place& asked_at,
                                       std::span<const Correction> corrections = {});

/// The files an experiment is made of, parsed, from the one that extends nothing to `file` itself.
/// A key `extends = "alewife"` means `presets_directory`/alewife.toml; `extends = "../base.toml"`
/// means a file relative to the one it stands in.
/// Throws UserFault for a file that is absent, unreadable, a directory or not TOML, for a preset
/// that isn't there, and for a chain that comes back to one of its files.
[[nodiscard]] std::vector<TomlEntry> read_extends_chain(
    const std::filesystem::path& file, const std::filesystem::path& presets_directory,
    std::span<const Correction> corrections = {});

}  // namespace weir::experiments::setup
