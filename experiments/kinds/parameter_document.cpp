#include "experiments/kinds/parameter_document.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/records/json_input.h"
#include "experiments/setup/parameters/parameter_effect.h"
#include "experiments/setup/parameters/parameter_listing.h"

namespace weir::experiments::kinds {

namespace {

using Json = nlohmann::ordered_json;

Json value_or_null(const std::optional<hw::ParameterValue>& value) {
    return value ? records::json_of(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json entry_of(const hw::ParameterGroup& group, const hw::ParameterBase& parameter) {
    const hw::AcceptedValues accepted = parameter.accepted_values();
    const hw::Condition effect = setup::effect_of(group, parameter);
    return {{"key", group.table() + "." + parameter.name()},
            {"sentence", parameter.sentence()},
            {"default", records::json_of(parameter.default_as_variant())},
            {"accepted", parameter.accepted()},
            {"least", value_or_null(accepted.least)},
            {"greatest", value_or_null(accepted.greatest)},
            {"names", accepted.names},
            {"unit", text_or_null(parameter.unit())},
            {"only_with", effect.is_always() ? Json(nullptr) : Json(effect.text())},
            {"changes_results", effect.changes_results()},
            {"source", text_or_null(parameter.source())}};
}

}  // namespace

Json parameter_document(std::string_view pattern) {
    const std::vector<std::unique_ptr<Setup>> setups = default_setups();
    std::map<const hw::ParameterGroup*, std::string> kernels;
    for (const std::unique_ptr<Setup>& setup : setups) {
        for (const hw::ParameterGroup* group : setup->groups()) {
            kernels.emplace(group, group->table() == "workload" ? setup->kernel_name : "");
        }
    }
    Json document = Json::array();
    for (const auto& [group, parameters] :
         setup::fitting_parameters(listed_groups(setups), pattern)) {
        for (const hw::ParameterBase* parameter : parameters) {
            Json entry = entry_of(*group, *parameter);
            entry["kernel"] = text_or_null(kernels.at(group));
            document.push_back(std::move(entry));
        }
    }
    return document;
}

}  // namespace weir::experiments::kinds
