#include "experiments/setup/files/study.h"

#include <algorithm>

#include "experiments/setup/files/extends_chain.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAcceptedParts =
    R"(a list of experiment files beside this one: ["figure3.toml", "figure4.toml"])";

const std::string& text_of(const TomlEntry& entry) {
    const std::string* text = entry.as_string();
    if (text == nullptr) {
        throw UserFault(entry.place, entry.key + " is " + described(entry), "a text in quotes");
    }
    return *text;
}

fs::path part_of(const TomlEntry& item, const fs::path& file) {
    const std::string* name = item.as_string();
    if (name == nullptr) {
        throw UserFault(item.place, "a part is " + described(item), kAcceptedParts);
    }
    fs::path part = file.parent_path() / *name;
    std::error_code unknown;
    if (!fs::is_regular_file(part, unknown)) {
        throw UserFault(item.place, "no file " + part.string(), kAcceptedParts);
    }
    if (read_toml_file(part, item.place).as_table()->find("parts") != nullptr) {
        throw UserFault(item.place, part.string() + " has parts itself", kAcceptedParts);
    }
    return part;
}

std::vector<fs::path> parts_of(const TomlEntry& entry, const fs::path& file) {
    const TomlList* list = entry.as_list();
    if (list == nullptr || list->items.empty()) {
        throw UserFault(entry.place, "parts is " + described(entry), kAcceptedParts);
    }
    std::vector<fs::path> parts;
    for (const TomlEntry& item : list->items) {
        const fs::path part = part_of(item, file);
        const bool is_new = std::none_of(parts.begin(), parts.end(), [&part](const fs::path& p) {
            return p.stem() == part.stem();  // the stem names the part's results folder
        });
        if (!is_new) {
            throw UserFault(item.place, "two parts with the name " + part.stem().string(),
                            kAcceptedParts);
        }
        parts.push_back(part);
    }
    return parts;
}

}  // namespace

std::optional<Study> read_study(const fs::path& file, std::span<const Correction> corrections) {
    const TomlEntry entry = read_toml_file(file, {file.string()}, corrections);
    const TomlTable& table = *entry.as_table();
    if (table.find("parts") == nullptr) {
        return std::nullopt;
    }
    Study study;
    for (const TomlEntry& each : table.entries) {
        if (each.key == "title") {
            study.title = text_of(each);
        } else if (each.key == "description") {
            study.description = text_of(each);
        } else if (each.key == "parts") {
            study.parts = parts_of(each, file);
        } else {
            throw UserFault(
                each.key_place, "no key \"" + each.key + "\" in a file with parts",
                R"("title", "description", "parts"; all other keys belong into the parts)");
        }
    }
    return study;
}

}  // namespace weir::experiments::setup
