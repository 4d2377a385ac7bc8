#include "experiments/kinds/experiment_schema.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/kind.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/json_input.h"

namespace weir::experiments::kinds {

namespace {

using Json = nlohmann::ordered_json;
using Type = hw::AcceptedValues::Type;

using Groups = std::vector<const hw::ParameterGroup*>;

constexpr const char* kWorkload = "workload";

Json number_schema(const char* type, const hw::AcceptedValues& accepted) {
    Json schema{{"type", type}};
    if (accepted.least) {
        schema["minimum"] = records::json_of(*accepted.least);
    }
    if (accepted.greatest) {
        schema["maximum"] = records::json_of(*accepted.greatest);
    }
    return schema;
}

Json value_schema(const hw::AcceptedValues& accepted) {
    switch (accepted.type) {
        case Type::kFlag:
            return {{"type", "boolean"}};
        case Type::kWholeNumber:
            return number_schema("integer", accepted);
        case Type::kNumber:
            return number_schema("number", accepted);
        case Type::kText:
        case Type::kFilePath:
            return {{"type", "string"}};
        case Type::kName:
            return {{"enum", accepted.names}};
        case Type::kWholeNumbers:
            return {{"type", "array"}, {"items", number_schema("integer", accepted)}};
        case Type::kWords:
            return {{"anyOf",
                     Json::array({Json{{"type", "string"}}, Json{{"type", "integer"}},
                                  Json{{"type", "array"}, {"items", {{"type", "integer"}}}}})}};
        case Type::kNumbers:
        case Type::kRows:
            break;  // only inputs of models have these types, parameters never
    }
    return {};
}

std::string description_of(const hw::ParameterBase& parameter) {
    std::string text = parameter.sentence();
    if (const std::string unit = parameter.unit(); !unit.empty()) {
        text += ". In " + unit;
    }
    if (const hw::Condition& effect = parameter.effective_when(); !effect.is_always()) {
        text += ". Only with " + effect.text();
    }
    if (!parameter.source().empty()) {
        text += ". Source: " + parameter.source();
    }
    return text;
}

Json parameter_schema(const hw::ParameterBase& parameter) {
    Json schema = value_schema(parameter.accepted_values());
    const Json standard = records::json_of(parameter.default_as_variant());
    if (schema.contains("items") && !standard.empty()) {
        schema["minItems"] = 1;  // a default is always accepted
    }
    schema["description"] = description_of(parameter);
    schema["default"] = standard;
    return schema;
}

/// Values that an axis gives to the parameter: a list of values, or a range of numbers.
Json swept_schema(const hw::ParameterBase& parameter) {
    const hw::AcceptedValues accepted = parameter.accepted_values();
    Json each = value_schema(accepted);
    // A single number is accepted as a list of one number.
    if (accepted.type == Type::kWholeNumbers) {
        each = {{"anyOf", Json::array({number_schema("integer", accepted), each})}};
    }
    const Json list{{"type", "array"}, {"items", each}, {"minItems", 1}};
    const bool is_of_numbers = accepted.type == Type::kWholeNumber ||
                               accepted.type == Type::kNumber ||
                               accepted.type == Type::kWholeNumbers;
    return is_of_numbers
               ? Json{{"anyOf", Json::array({list, Json{{"$ref", "#/definitions/range"}}})}}
               : list;
}

/// Keys of groups that share a table. If groups accept different values for a key, the schema
/// accepts the values of any of them.
Json properties_of(const Groups& groups, Json (*schema_of)(const hw::ParameterBase&)) {
    std::vector<std::pair<std::string, Json>> keys;
    for (const hw::ParameterGroup* group : groups) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            auto key = std::find_if(keys.begin(), keys.end(), [parameter](const auto& other) {
                return other.first == parameter->name();
            });
            if (key == keys.end()) {
                key = keys.insert(key, {parameter->name(), Json::array()});
            }
            Json schema = schema_of(*parameter);
            if (std::find(key->second.begin(), key->second.end(), schema) == key->second.end()) {
                key->second.push_back(std::move(schema));
            }
        }
    }
    Json properties = Json::object();
    for (const auto& [key, schemas] : keys) {
        properties[key] = schemas.size() == 1 ? schemas.front() : Json{{"anyOf", schemas}};
    }
    return properties;
}

Json closed_object(Json properties) {
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

/// Names that replace a placeholder, each with its schema; null: the schema of the placeholder.
using Names = std::vector<std::pair<std::string, Json>>;

/// Schema definitions for all setups, and the names that replace placeholders.
class Vocabulary {
  public:
    Vocabulary() {
        const std::vector<std::unique_ptr<Setup>> setups = default_setups();
        std::vector<std::pair<std::string, Groups>> tables;
        for (const hw::ParameterGroup* group : listed_groups(setups)) {
            auto table = std::find_if(tables.begin(), tables.end(), [group](const auto& other) {
                return other.first == group->table();
            });
            if (table == tables.end()) {
                table = tables.insert(table, {group->table(), {}});
            }
            table->second.push_back(group);
        }
        for (const auto& [table, groups] : tables) {
            define_table(table, groups);
        }
        define_kernels(setups);
        for (const records::Metric* metric : all_metrics()) {
            if (metric->pattern().empty()) {
                names_["METRIC"].emplace_back(metric->name(), nullptr);
            }
        }
        for (const std::unique_ptr<Setup>& setup : setups) {
            for (const std::string& input : setup->kind->model_inputs()) {
                names_["INPUT"].emplace_back(input, nullptr);
            }
        }
    }

    [[nodiscard]] const Json& definitions() const { return definitions_; }

    /// Replaces the placeholders of the outline by names.
    void fill(Json& node) const {
        if (node.is_object() && node.contains("properties")) {
            if (node["properties"].contains("METRIC")) {
                node["patternProperties"] = metric_patterns(node["properties"]["METRIC"]);
            }
            node["properties"] = filled(node["properties"]);
        }
        if (node == Json{{"enum", {"MODEL"}}}) {
            node["enum"] = all_models();
        }
        if (node.is_structured()) {
            for (Json& child : node) {
                fill(child);
            }
        }
    }

  private:
    void define(const std::string& placeholder, const std::string& table, Json schema) {
        const std::string name = (placeholder == "TABLE" ? "table_" : "swept_") + table;
        names_[placeholder].emplace_back(table, Json{{"$ref", "#/definitions/" + name}});
        definitions_[name] = std::move(schema);
    }

    void define_table(const std::string& table, const Groups& groups) {
        Json schema = closed_object(properties_of(groups, parameter_schema));
        schema["description"] = table == kWorkload
                                    ? "Program that runs on the machine, and its parameters"
                                    : groups.front()->sentence();
        define("TABLE", table, std::move(schema));
        define("SWEPT_TABLE", table, closed_object(properties_of(groups, swept_schema)));
    }

    /// Defines that a [workload] table that names its kernel has only keys of that kernel.
    void define_kernels(const std::vector<std::unique_ptr<Setup>>& setups) {
        Json kernels = Json::array();
        Json conditions = Json::array();
        for (const std::unique_ptr<Setup>& setup : setups) {
            const std::string& kernel = setup->kernel_name;
            if (kernel.empty()) {
                continue;
            }
            Groups groups;
            for (const hw::ParameterGroup* group : setup->groups()) {
                if (group->table() == kWorkload) {
                    groups.push_back(group);
                }
            }
            Json properties = properties_of(groups, parameter_schema);
            properties["kernel"] = Json::object();
            definitions_["kernel_" + kernel] = closed_object(std::move(properties));
            kernels.push_back(kernel);
            conditions.push_back(
                {{"if",
                  {{"properties", {{"kernel", {{"const", kernel}}}}}, {"required", {"kernel"}}}},
                 {"then", {{"$ref", "#/definitions/kernel_" + kernel}}}});
        }
        Json& table = definitions_["table_workload"];
        table["properties"]["kernel"] = {{"enum", kernels}};
        table["allOf"] = conditions;
        definitions_["swept_workload"]["properties"]["kernel"] = {
            {"type", "array"}, {"items", {{"enum", kernels}}}, {"minItems", 1}};
    }

    [[nodiscard]] Json filled(const Json& properties) const {
        Json all = Json::object();
        for (const auto& [name, entry] : properties.items()) {
            const auto names = names_.find(name);
            if (names == names_.end()) {
                all[name] = entry;
                continue;
            }
            for (const auto& [each, schema] : names->second) {
                all[each] = schema.is_null() ? entry : schema;
            }
        }
        return all;
    }

    std::map<std::string, Names> names_;
    Json definitions_ = Json::object();
};

}  // namespace

Json experiment_schema(Json outline) {
    const Vocabulary vocabulary;
    vocabulary.fill(outline);
    outline["definitions"].update(vocabulary.definitions());
    return outline;
}

}  // namespace weir::experiments::kinds
