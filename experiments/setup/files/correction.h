#pragma once

#include <optional>
#include <string>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {

/// Correction of one fault in a file, so that a check can continue and find further faults.
struct Correction {
    Place place;  ///< place of a key or of a value
    /// Replacement: a key, or a value's text. Without a replacement, the key and its value, or the
    /// list's item, are left out.
    std::optional<std::string> name;
};

/// Corrects the entry at the place; does nothing if the place is in another file. If the table
/// already has a key of the new name, the entry is left out.
void correct(TomlEntry& tree, const Correction& correction);

/// Key of the entry at the place: its last two parts, "network.hop_cycles", or one part on the
/// file's own level, "title". Returns nullopt if no entry begins at the place.
[[nodiscard]] std::optional<std::string> key_at(TomlEntry tree, const Place& place);

}  // namespace weir::experiments::setup
