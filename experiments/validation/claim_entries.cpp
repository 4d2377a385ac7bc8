#include "experiments/validation/claim_entries.h"

#include <fmt/format.h>

#include <cmath>

namespace weir::experiments::validation {

namespace {

namespace fs = std::filesystem;

using setup::TomlEntry;
using setup::TomlTable;
using setup::UserFault;

void add_settings(const TomlTable& table, const std::string& prefix,
                  std::vector<std::string>& settings) {
    for (const TomlEntry& entry : table.entries) {
        if (entry.as_table() != nullptr) {
            add_settings(*entry.as_table(), prefix + entry.key + ".", settings);
        } else {
            settings.push_back(prefix + entry.key + "=" + setup::toml_text(entry));
        }
    }
}

}  // namespace

UserFault not_a(const TomlEntry& entry, const std::string& accepted) {
    return {entry.place, fmt::format("{} is {}", entry.key, setup::described(entry)), accepted};
}

std::string quoted_text(const TomlEntry& entry) {
    const std::string* text = entry.as_string();
    if (text == nullptr || text->empty()) {
        throw not_a(entry, "a text in quotes");
    }
    return *text;
}

std::vector<std::string> quoted_texts(const TomlEntry& entry, const std::string& accepted) {
    const setup::TomlList* list = entry.as_list();
    if (list == nullptr || list->items.empty()) {
        throw not_a(entry, accepted);
    }
    std::vector<std::string> texts;
    for (const TomlEntry& item : list->items) {
        texts.push_back(quoted_text(item));
    }
    return texts;
}

double number_of(const TomlEntry& entry) {
    const std::optional<double> number = entry.as_number();
    if (!number || !std::isfinite(*number)) {
        throw not_a(entry, "a finite number");
    }
    return *number;
}

const TomlTable& table_of(const TomlEntry& entry, const std::string& accepted) {
    const TomlTable* table = entry.as_table();
    if (table == nullptr) {
        throw not_a(entry, accepted);
    }
    return *table;
}

UserFault unknown_key(const TomlEntry& entry, const std::string& where,
                      const std::vector<std::string>& accepted) {
    return {entry.key_place, fmt::format("{} has no key \"{}\"", where, entry.key),
            setup::quoted_list(accepted), setup::nearest_name(entry.key, accepted)};
}

std::vector<fs::path> files_of(const TomlEntry& entry, const fs::path& folder) {
    std::vector<fs::path> files;
    for (const std::string& name : quoted_texts(entry, "a list of files in quotes")) {
        files.push_back(folder / name);
        std::error_code unknown;
        if (!fs::is_regular_file(files.back(), unknown)) {
            throw UserFault(entry.place, "no file " + files.back().string(),
                            "a file, from this file's folder on");
        }
    }
    return files;
}

std::vector<std::string> settings_of(const TomlEntry& entry) {
    std::vector<std::string> settings;
    add_settings(table_of(entry, "a table of keys, as an experiment has them"), "", settings);
    return settings;
}

}  // namespace weir::experiments::validation
