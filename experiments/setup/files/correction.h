#pragma once

#include <optional>
#include <string>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {

/// What a file is taken to say instead of what is wrong in it, so that all that is wrong can be
/// told at once.
struct Correction {
    Place place;  ///< of a key, or of a value
    /// Stands there instead: a key, or a value's text. Without one the key is left out with its
    /// value, or the item of a list.
    std::optional<std::string> name;
};

/// Corrects what stands at the place in a file's tree; nothing where it is of another file. A name
/// that the key's table has already is no other key: the key is left out then.
void correct(TomlEntry& tree, const Correction& correction);

/// What the tree has at the place, by the last two keys on the way to it, "network.hop_cycles", or
/// one on the file's own level, "title". Nothing where nothing begins there.
[[nodiscard]] std::optional<std::string> key_at(TomlEntry tree, const Place& place);

}  // namespace weir::experiments::setup
