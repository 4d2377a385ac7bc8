#include "experiments/analyses/model_questions/model_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::analyses {

namespace {

using setup::Place;
using setup::UserFault;

template <typename Parts>
auto part_named(const Parts& parts, const std::string& name) {
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const auto* part) { return part->name() == name; });
    return found == parts.end() ? nullptr : *found;
}

template <typename Part>
void add_once(const Part* part, std::vector<const Part*>& parts) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
        parts.push_back(part);
    }
}

template <typename Parts>
void add_names(const Parts& parts, std::vector<std::string>& names) {
    for (const auto* part : parts) {
        names.push_back(part->name());
    }
}

UserFault unknown_part(const models::Model& model, const std::string& name) {
    std::vector<std::string> names;
    add_names(model.outputs(), names);
    add_names(model.tables(), names);
    std::optional<std::string> nearest;
    for (const models::Output* output : model.outputs()) {
        if (output->symbol() == name) {
            nearest = output->name();
        }
    }
    return {Place{"--show " + name}, fmt::format("{} has no output \"{}\"", model.name(), name),
            names.empty() ? "no outputs; the model has none" : setup::quoted_list(names),
            nearest ? nearest : setup::nearest_name(name, names)};
}

}  // namespace

ShownParts shown_parts(const models::Model& model, const std::vector<std::string>& names) {
    ShownParts shown;
    if (names.empty()) {
        shown.outputs.assign(model.outputs().begin(), model.outputs().end());
        shown.tables.assign(model.tables().begin(), model.tables().end());
    }
    for (const std::string& name : names) {
        if (const models::Output* output = part_named(model.outputs(), name)) {
            add_once(output, shown.outputs);
        } else if (const models::OutputTable* table = part_named(model.tables(), name)) {
            add_once(table, shown.tables);
        } else {
            throw unknown_part(model, name);
        }
    }
    return shown;
}

ShownParts shown_in_csv(const models::Model& model, const std::vector<std::string>& names) {
    ShownParts shown = shown_parts(model, names);
    if (names.empty() && !shown.outputs.empty()) {
        shown.tables.clear();
    }
    const bool is_one_table =
        shown.tables.empty() || (shown.tables.size() == 1 && shown.outputs.empty());
    if (!is_one_table) {
        std::vector<std::string> tables;
        add_names(shown.tables, tables);
        throw UserFault(Place{"--csv"},
                        fmt::format("the table{} {} cannot be in one CSV with {}",
                                    tables.size() == 1 ? "" : "s", setup::quoted_list(tables),
                                    shown.outputs.empty() ? "each other" : "outputs"),
                        "--show with one table, or with outputs alone");
    }
    return shown;
}

std::vector<const models::Output*> shown_in_sweep(const models::Model& model,
                                                  const std::vector<std::string>& names) {
    const ShownParts shown = shown_parts(model, names);
    if (!names.empty() && !shown.tables.empty()) {
        const std::string& table = shown.tables.front()->name();
        std::vector<std::string> outputs;
        add_names(model.outputs(), outputs);
        throw UserFault(
            Place{"--show " + table}, table + " is a table; a sweep shows outputs",
            outputs.empty() ? "no outputs; the model has none" : setup::quoted_list(outputs));
    }
    return shown.outputs;
}

}  // namespace weir::experiments::analyses
