#include "experiments/setup/files/correction.h"

#include <algorithm>
#include <vector>

namespace weir::experiments::setup {

namespace {

/// Entry of a table or list that begins at a place, or whose key does.
struct Found {
    std::vector<TomlEntry>* siblings = nullptr;
    std::size_t index = 0;
    bool is_key = false;
    std::vector<std::string> keys;  ///< keys from the file's level down to the entry

    [[nodiscard]] TomlEntry& entry() const { return (*siblings)[index]; }
};

std::vector<TomlEntry>* entries_of(TomlEntry& entry) {
    if (auto* table = std::get_if<TomlTable>(&entry.value)) {
        return &table->entries;
    }
    auto* list = std::get_if<TomlList>(&entry.value);
    return list != nullptr ? &list->items : nullptr;
}

/// Innermost entry at the place: a table and its first entry may begin at the same place.
std::optional<Found> find_at(TomlEntry& tree, const Place& place) {
    std::vector<TomlEntry>* entries = entries_of(tree);
    for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
        TomlEntry& entry = (*entries)[i];
        std::optional<Found> found;
        if (!entry.key.empty() && entry.key_place == place) {
            found = Found{entries, i, true, {}};
        } else if (found = find_at(entry, place); !found && entry.place == place) {
            found = Found{entries, i, false, {}};
        }
        if (found) {
            if (!entry.key.empty()) {
                found->keys.insert(found->keys.begin(), entry.key);
            }
            return found;
        }
    }
    return std::nullopt;
}

bool has_key(const std::vector<TomlEntry>& entries, const std::string& key) {
    return std::any_of(entries.begin(), entries.end(),
                       [&key](const TomlEntry& entry) { return entry.key == key; });
}

/// True if the name can replace the key or value there.
bool takes_name(const Found& found, const std::string& name) {
    return found.is_key ? name.find('.') == std::string::npos && !has_key(*found.siblings, name)
                        : found.entry().as_string() != nullptr;
}

}  // namespace

void correct(TomlEntry& tree, const Correction& correction) {
    const std::optional<Found> found = find_at(tree, correction.place);
    if (!found) {
        return;
    }
    if (!correction.name || !takes_name(*found, *correction.name)) {
        found->siblings->erase(found->siblings->begin() +
                               static_cast<std::ptrdiff_t>(found->index));
    } else if (found->is_key) {
        found->entry().key = *correction.name;
    } else {
        found->entry().value = *correction.name;
    }
}

std::optional<std::string> key_at(TomlEntry tree, const Place& place) {
    const std::optional<Found> found = find_at(tree, place);
    if (!found || found->keys.empty()) {
        return std::nullopt;
    }
    const std::vector<std::string>& keys = found->keys;
    return keys.size() == 1 ? keys.front() : keys[keys.size() - 2] + "." + keys.back();
}

}  // namespace weir::experiments::setup
