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

// Checks of an entry in a file of claims or of hypotheses. All throw UserFault at the entry's
// place.

[[nodiscard]] setup::UserFault not_a(const setup::TomlEntry& entry, const std::string& accepted);
[[nodiscard]] setup::UserFault unknown_key(const setup::TomlEntry& entry, const std::string& where,
                                           const std::vector<std::string>& accepted);

/// The entry as a text that is not empty.
[[nodiscard]] std::string quoted_text(const setup::TomlEntry& entry);
[[nodiscard]] std::vector<std::string> quoted_texts(const setup::TomlEntry& entry,
                                                    const std::string& accepted);
[[nodiscard]] double number_of(const setup::TomlEntry& entry);
[[nodiscard]] const setup::TomlTable& table_of(const setup::TomlEntry& entry,
                                               const std::string& accepted);
/// Files named by a list, relative to a folder; they must exist.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const setup::TomlEntry& entry,
                                                          const std::filesystem::path& folder);
/// A table of overrides as --set options, one for each key.
[[nodiscard]] std::vector<std::string> settings_of(const setup::TomlEntry& entry);

/// The enumeration's value of that name; `names` are in the enumeration's order.
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
