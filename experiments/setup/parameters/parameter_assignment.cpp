#include "experiments/setup/parameters/parameter_assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "experiments/setup/files/path_text.h"
#include "experiments/setup/parameters/parameter_listing.h"
#include "experiments/setup/retired_names.h"
#include "experiments/setup/text/utf8_text.h"

namespace weir::experiments::setup {

namespace {

using Groups = std::span<hw::ParameterGroup* const>;

std::vector<std::string> tables_and_workload(Groups groups) {
    std::vector<std::string> tables = tables_of(groups);
    if (std::find(tables.begin(), tables.end(), "workload") == tables.end()) {
        tables.emplace_back("workload");
    }
    return tables;
}

std::vector<std::string> keys_of(std::string_view table, Groups groups) {
    std::vector<std::string> keys;
    if (table == "workload") {
        keys.emplace_back("kernel");
    }
    for (const hw::ParameterGroup* group : groups) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            if (group->table() == table &&
                std::find(keys.begin(), keys.end(), parameter->name()) == keys.end()) {
                keys.push_back(parameter->name());
            }
        }
    }
    return keys;
}

/// Tables that have this key: "[network]", or "[network] or [core]"; empty if none has.
std::string tables_with(std::string_view key, Groups groups) {
    std::string tables;
    for (const std::string& table : tables_and_workload(groups)) {
        const std::vector<std::string> keys = keys_of(table, groups);
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
            tables += fmt::format("{}[{}]", tables.empty() ? "" : " or ", table);
        }
    }
    return tables;
}

/// Nearest key of the table, else the nearest of all keys with its table's name.
std::optional<std::string> nearest_key(std::string_view found, std::string_view table,
                                       Groups groups) {
    if (std::optional<std::string> nearest = nearest_name(found, keys_of(table, groups))) {
        return nearest;
    }
    std::vector<std::string> keys;
    std::vector<std::string> names;
    for (const std::string& other : tables_and_workload(groups)) {
        for (const std::string& key : keys_of(other, groups)) {
            keys.push_back(key);
            names.push_back(fmt::format("{}.{}", other, key));
        }
    }
    const std::optional<std::string> nearest = nearest_name(found, keys);
    if (!nearest) {
        return std::nullopt;
    }
    return names[std::find(keys.begin(), keys.end(), *nearest) - keys.begin()];
}

/// Accepted keys for a message. A kernel's keys are listed, since `weir params` lists those of all
/// kernels together; so are other tables' keys if they are few. Else the text refers to `weir
/// params`.
std::string accepted_keys(std::string_view table, Groups groups) {
    constexpr std::size_t kReadable = 12;
    const std::vector<std::string> keys = keys_of(table, groups);
    if (keys.empty()) {
        return "nothing, it has no keys";
    }
    if (keys.size() <= kReadable || table == "workload") {
        return quoted_list(keys);
    }
    return fmt::format("the {} keys that `weir params {}` lists", keys.size(), table);
}

std::string owner_of_tables(Layer::Owner owner) {
    switch (owner) {
        case Layer::Owner::kPoint:
            return "[[point]]";
        case Layer::Owner::kVariant:
            return "an entry of sensitivity.points";
        default:
            return "an experiment";
    }
}

UserFault unknown_table(const TomlEntry& entry, Layer::Owner owner, Groups groups) {
    if (const std::string owners = tables_with(entry.key, groups); !owners.empty()) {
        constexpr std::string_view kOption = "--set ";
        const std::string& source = entry.key_place.source;
        const bool is_option = entry.key_place.line == 0 && source.starts_with(kOption);
        const std::string table = owners.substr(1, owners.find(']') - 1);
        return {
            entry.key_place, fmt::format("\"{}\" belongs to {}", entry.key, owners),
            is_option ? fmt::format("{}{}.{}", kOption, table, source.substr(kOption.size())) : ""};
    }
    if (entry.key == "parts" && owner != Layer::Owner::kPoint && owner != Layer::Owner::kVariant) {
        return {entry.key_place, "this file is a study, and one experiment is required",
                "one of its parts"};
    }
    std::vector<std::string> known = keys_beside_parameter_tables(owner);
    const std::vector<std::string> tables = tables_and_workload(groups);
    const std::string accepted =
        fmt::format("{} and the tables [{}]", quoted_list(known), fmt::join(tables, "], ["));
    known.insert(known.end(), tables.begin(), tables.end());
    const bool is_table = entry.as_table() != nullptr;
    const std::string name =
        is_table ? fmt::format("table [{}]", entry.key) : fmt::format("key \"{}\"", entry.key);
    return {entry.key_place, fmt::format("{} has no {}", owner_of_tables(owner), name), accepted,
            nearest_name(entry.key, known)};
}

UserFault unknown_key(const TomlEntry& entry, const std::string& table, const TomlEntry* kernel,
                      Groups groups) {
    const bool of_kernel = table == "workload" && kernel != nullptr;
    const std::string owner = of_kernel ? fmt::format("[workload] of kernel {}", toml_text(*kernel))
                                        : fmt::format("[{}]", table);
    const std::string found = fmt::format("{} has no key \"{}\"{}", owner, entry.key,
                                          retired_note(fmt::format("{}.{}", table, entry.key)));
    if (const std::string tables = tables_with(entry.key, groups); !tables.empty()) {
        return {entry.key_place, fmt::format("{}; \"{}\" belongs to {}", found, entry.key, tables)};
    }
    return {entry.key_place, found, accepted_keys(table, groups),
            nearest_key(entry.key, table, groups)};
}

void set_default(hw::ParameterBase& parameter, const std::string& table) {
    const hw::ParameterValue value = parameter.default_as_variant();
    if (parameter.value_as_variant() != value && !parameter.set(value)) {
        throw std::logic_error(fmt::format("{}.{} does not accept its own default {}", table,
                                           parameter.name(), toml_text(value)));
    }
}

/// Value of the entry for the parameter; a file's path is made relative to the working directory.
std::optional<hw::ParameterValue> value_for(const hw::ParameterBase& parameter,
                                            const TomlEntry& entry) {
    const std::string* path = entry.as_string();
    if (!parameter.is_file_path() || path == nullptr || path->empty()) {
        return entry.as_parameter_value();
    }
    return path_given_at(entry.place, *path);
}

/// True if each item of the list is a value of the parameter, as for the axis of a sweep.
bool has_values_of_several_points(hw::ParameterBase& parameter, const TomlEntry& entry) {
    const TomlList* list = entry.as_list();
    const bool takes_words =
        parameter.accepted_values().type == hw::AcceptedValues::Type::kWords;  // a list of words
    return list != nullptr && !list->items.empty() && !takes_words &&
           std::all_of(list->items.begin(), list->items.end(), [&](const TomlEntry& item) {
               const std::optional<hw::ParameterValue> value = value_for(parameter, item);
               return value && parameter.set(*value);
           });
}

void set_parameter(hw::ParameterBase& parameter, const std::string& table, const TomlEntry& entry) {
    if (const std::string* text = entry.as_string();
        text != nullptr && !parameter.is_file_path() && !is_utf8(*text)) {
        throw UserFault(entry.place, fmt::format("{}.{} is not valid UTF-8", table, entry.key),
                        "text in UTF-8");
    }
    const std::optional<hw::ParameterValue> value = value_for(parameter, entry);
    const bool is_already_there =
        value && *value == parameter.value_as_variant() && *value == parameter.default_as_variant();
    if (is_already_there || (value && parameter.set(*value))) {
        return;
    }
    const bool has_several = has_values_of_several_points(parameter, entry);
    throw UserFault(entry.place, fmt::format("{}.{} is {}", table, entry.key, described(entry)),
                    parameter.accepted() +
                        (has_several ? fmt::format("; for one point per value, run weir sweep with "
                                                   "[[sweep.axis]] {}.{} = {} in the file",
                                                   table, entry.key, toml_text(entry))
                                     : ""));
}

using Taker = void (*)(hw::ParameterBase& parameter, const std::string& table,
                       const TomlEntry& entry);

void take_table(const TomlEntry& table, const TomlEntry* kernel, Layer::Owner owner, Groups groups,
                Taker take) {
    const std::vector<std::string> tables = tables_and_workload(groups);
    if (std::find(tables.begin(), tables.end(), table.key) == tables.end()) {
        throw unknown_table(table, owner, groups);
    }
    if (const TomlList* list = table.as_list();
        list != nullptr && !list->items.empty() && list->items.front().as_table() != nullptr) {
        throw UserFault(
            table.place,
            fmt::format("{} is a list of tables, as under [[{}]]", table.key, table.key),
            fmt::format("[{}], once", table.key));
    }
    if (table.as_table() == nullptr) {
        throw UserFault(table.place, table.key + " is " + described(table),
                        fmt::format("a table, [{}]", table.key));
    }
    for (const TomlEntry& entry : table.as_table()->entries) {
        if (hw::ParameterBase* parameter = find_parameter(table.key, entry.key, groups)) {
            take(*parameter, table.key, entry);
        } else if (table.key != "workload" || entry.key != "kernel") {
            throw unknown_key(entry, table.key, kernel, groups);
        }
    }
}

/// Calls `take` for every entry of the layers, with the parameter that it sets.
void take_layers(std::span<const Layer* const> layers, Groups groups, Taker take) {
    const TomlEntry* kernel = find_setting(layers, "workload", "kernel");
    for (const Layer* layer : layers) {
        for (const TomlEntry& table : layer->settings) {
            take_table(table, kernel, layer->owner, groups, take);
        }
    }
}

void check_together(const hw::ParameterGroup& group, std::span<const Layer* const> layers,
                    const Place& whole_file) {
    const std::optional<hw::ParameterGroup::Fault> fault = group.check();
    if (!fault) {
        return;
    }
    const std::string found = fmt::format("{}.{}: {}", group.table(), fault->key, fault->found);
    if (const TomlEntry* entry = find_setting(layers, group.table(), fault->key)) {
        throw UserFault(entry->place, found, fault->accepted, fault->nearest);
    }
    const hw::ParameterBase* parameter = group.find(fault->key);
    throw UserFault(whole_file,
                    parameter == nullptr ? found
                                         : fmt::format("{} (not given, so its default {})", found,
                                                       toml_text(parameter->default_as_variant())),
                    fault->accepted, fault->nearest);
}

}  // namespace

hw::ParameterBase* find_parameter(std::string_view table, std::string_view key, Groups groups) {
    for (const hw::ParameterGroup* group : groups) {
        if (group->table() == table) {
            if (hw::ParameterBase* parameter = group->find(key)) {
                return parameter;
            }
        }
    }
    return nullptr;
}

void assign_parameters(std::span<const Layer* const> layers, const Place& whole_file,
                       Groups groups) {
    for (const hw::ParameterGroup* group : groups) {
        for (hw::ParameterBase* parameter : group->parameters()) {
            set_default(*parameter, group->table());
        }
    }
    take_layers(layers, groups, set_parameter);
    for (const hw::ParameterGroup* group : groups) {
        check_together(*group, layers, whole_file);
    }
}

std::string path_given_at(const Place& place, const std::string& path) {
    if (is_file_uri(path)) {
        return path_of_uri(place, path);
    }
    const bool stands_in_file = place.line != 0;
    const std::filesystem::path folder = std::filesystem::path(place.source).parent_path();
    return stands_in_file ? (folder / path).lexically_normal().string() : path;
}

void refuse_unknown_keys(std::span<const Layer* const> layers, Groups groups) {
    take_layers(layers, groups,
                [](hw::ParameterBase& /*parameter*/, const std::string& /*table*/,
                   const TomlEntry& /*entry*/) {});
}

const TomlEntry* find_setting(std::span<const Layer* const> layers, std::string_view table,
                              std::string_view key) {
    const TomlEntry* last = nullptr;
    for (const Layer* layer : layers) {
        for (const TomlEntry& setting : layer->settings) {
            if (setting.key != table || setting.as_table() == nullptr) {
                continue;
            }
            if (const TomlEntry* entry = setting.as_table()->find(key)) {
                last = entry;
            }
        }
    }
    return last;
}

}  // namespace weir::experiments::setup
