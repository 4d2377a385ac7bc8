#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::validation {

// What an entry of a file of claims, or of hypotheses, must be. All throw UserFault at its place.

[[nodiscard]] setup::UserFault not_a(const setup::TomlEntry& entry, const std::string& accepted);
[[nodiscard]] setup::UserFault unknown_key(const setup::TomlEntry& entry, const std::string& where,
                                           const std::vector<std::string>& accepted);

/// A text that is not empty.
[[nodiscard]] std::string quoted_text(const setup::TomlEntry& entry);
[[nodiscard]] std::vector<std::string> quoted_texts(const setup::TomlEntry& entry,
                                                    const std::string& accepted);
[[nodiscard]] double number_of(const setup::TomlEntry& entry);
[[nodiscard]] const setup::TomlTable& table_of(const setup::TomlEntry& entry,
                                               const std::string& accepted);
/// Files that a list names, from a folder on; they are there.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const setup::TomlEntry& entry,
                                                          const std::filesystem::path& folder);
/// A table of overrides as --set options, a key each.
[[nodiscard]] std::vector<std::string> settings_of(const setup::TomlEntry& entry);

/// One of an enumeration's names, which are in its order.
template <class Enumeration, std::size_t kCount>
[[nodiscard]] Enumeration one_of(const setup::TomlEntry& entry,
                                 const std::array<std::string, kCount>& names) {
    const std::string name = quoted_text(entry);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw setup::unknown_name(entry.place, entry.key, name, names);
    }
    return static_cast<Enumeration>(found - names.begin());
}

}  // namespace weir::experiments::validation
