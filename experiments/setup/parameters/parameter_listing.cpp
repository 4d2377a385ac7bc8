#include "experiments/setup/parameters/parameter_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/name_pattern.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {

std::vector<std::string> tables_of(std::span<hw::ParameterGroup* const> groups) {
    std::vector<std::string> tables;
    for (const hw::ParameterGroup* group : groups) {
        if (std::find(tables.begin(), tables.end(), group->table()) == tables.end()) {
            tables.push_back(group->table());
        }
    }
    return tables;
}

namespace {

/// Unit of a parameter's numbers; empty for texts, names and flags. "lost_flits" is a text.
std::string unit_text(const hw::ParameterBase& parameter) {
    const hw::ParameterValue value = parameter.default_as_variant();
    const bool is_number =
        !std::holds_alternative<bool>(value) && !std::holds_alternative<std::string>(value);
    return is_number ? parameter.unit() : "";
}

std::string entry_text(const hw::ParameterBase& parameter, const std::string& table) {
    const std::string indent(4, ' ');
    const std::string column(14, ' ');
    std::string text = wrapped(fmt::format("{}.{} = {}", table, parameter.name(),
                                           toml_text(parameter.default_as_variant())),
                               "", indent);
    text += wrapped(parameter.sentence(), indent, indent);
    const std::string unit = unit_text(parameter);
    text += wrapped(parameter.accepted() + (unit.empty() ? "" : ", in " + unit),
                    indent + "accepted: ", column);
    if (!parameter.effective_when().is_always()) {
        text += wrapped(parameter.effective_when().text(), indent + "only with ", column);
    }
    if (!parameter.effective_when().changes_results()) {
        text += indent + "no result depends on it\n";
    }
    if (!parameter.source().empty()) {
        text += wrapped(parameter.source(), indent + "source:   ", column);
    }
    return text;
}

/// Heading of a table: "[sparcle] The instruction-set core of a node; only with core.kind =
/// "sparcle"".
std::string heading_of(const hw::ParameterGroup& group) {
    const hw::Condition& effect = group.effective_when();
    return wrapped(group.sentence() + (effect.is_always() ? "" : "; only with " + effect.text()),
                   fmt::format("[{}] ", group.table()), "    ");
}

bool has_same_keys(const hw::ParameterGroup& group, const hw::ParameterGroup& other) {
    return group.table() != other.table() &&
           std::equal(group.parameters().begin(), group.parameters().end(),
                      other.parameters().begin(), other.parameters().end(),
                      [](const hw::ParameterBase* left, const hw::ParameterBase* right) {
                          return left->name() == right->name() &&
                                 left->sentence() == right->sentence();
                      });
}

/// Replaces the entries of a group that has the same keys as a group listed before: names that
/// group and the defaults that differ.
std::string differences_text(const hw::ParameterGroup& group, const hw::ParameterGroup& listed) {
    std::string defaults;
    for (std::size_t i = 0; i < group.parameters().size(); ++i) {
        const hw::ParameterBase& parameter = *group.parameters()[i];
        if (parameter.default_as_variant() != listed.parameters()[i]->default_as_variant()) {
            defaults += fmt::format("    {}.{} = {}\n", group.table(), parameter.name(),
                                    toml_text(parameter.default_as_variant()));
        }
    }
    const std::string sentence = fmt::format("the keys of [{}], with the same defaults{}",
                                             listed.table(), defaults.empty() ? "" : " except");
    return "\n" + wrapped(sentence, "    ", "    ") + defaults;
}

UserFault nothing_fits(std::span<hw::ParameterGroup* const> groups, std::string_view pattern) {
    const std::vector<std::string> tables = tables_of(groups);
    std::vector<std::string> names;
    for (const hw::ParameterGroup* group : groups) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            names.push_back(parameter->name());
            names.push_back(group->table() + "." + parameter->name());
        }
    }
    names.insert(names.begin(), tables.begin(), tables.end());
    return {Place{}, fmt::format("no parameter fits \"{}\"", pattern),
            "part of a parameter's table.key, with wildcards * and ?, or a table: " +
                quoted_list(tables),
            nearest_name(pattern, names)};
}

}  // namespace

std::vector<FittingParameters> fitting_parameters(std::span<hw::ParameterGroup* const> groups,
                                                  std::string_view pattern) {
    const bool is_table =
        std::any_of(groups.begin(), groups.end(),
                    [&](const hw::ParameterGroup* group) { return group->table() == pattern; });
    const std::string anywhere = fmt::format("*{}*", pattern);
    std::vector<FittingParameters> fitting;
    for (const hw::ParameterGroup* group : groups) {
        FittingParameters of_group{group, {}};
        for (const hw::ParameterBase* parameter : group->parameters()) {
            const std::string key = group->table() + "." + parameter->name();
            if (is_table ? group->table() == pattern : fits_pattern(key, anywhere)) {
                of_group.parameters.push_back(parameter);
            }
        }
        if (!of_group.parameters.empty()) {
            fitting.push_back(std::move(of_group));
        }
    }
    if (fitting.empty() && !pattern.empty()) {
        throw nothing_fits(groups, pattern);
    }
    return fitting;
}

std::string parameter_listing(std::span<hw::ParameterGroup* const> groups,
                              std::string_view pattern) {
    std::string listing;
    const hw::ParameterGroup* listed = nullptr;  // last group that was listed with all its entries
    for (const auto& [group, parameters] : fitting_parameters(groups, pattern)) {
        listing += listing.empty() ? "" : "\n";
        listing += heading_of(*group);
        if (pattern.empty() && listed != nullptr && has_same_keys(*group, *listed)) {
            listing += differences_text(*group, *listed);
            continue;
        }
        listed = group;
        for (const hw::ParameterBase* parameter : parameters) {
            listing += "\n" + entry_text(*parameter, group->table());
        }
    }
    return listing;
}

}  // namespace weir::experiments::setup
