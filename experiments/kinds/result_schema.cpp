#include "experiments/kinds/result_schema.h"

#include <nlohmann/json.hpp>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/kinds/kind.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

namespace {

using Json = nlohmann::ordered_json;

// The outline's properties, with an entry for each metric in place of METRIC.
Json with_metrics(const Json& properties) {
    Json all = Json::object();
    const auto add = [&](const records::Metric& metric) {
        Json entry = properties.at("METRIC");
        if (!entry.contains("description")) {
            entry["description"] = metric.sentence();
        }
        all[metric.name()] = entry;
    };
    for (const records::Metric* metric : all_metrics()) {
        if (metric->pattern().empty()) {
            add(*metric);
        }
    }
    for (const records::Metric* metric : analyses::model_metrics().metrics()) {
        add(*metric);
    }
    for (const auto& [name, entry] : properties.items()) {
        if (name != "METRIC") {
            all[name] = entry;
        }
    }
    return all;
}

Json with_models(const Json& properties) {
    Json all = Json::object();
    for (const std::string& model : all_models()) {
        all[model] = properties.at("MODEL");
        all[model + "_given"] = properties.at("MODEL");
    }
    return all;
}

// The outline's properties, with an entry for each input of the kinds' models.
Json with_inputs(const Json& properties) {
    Json all = Json::object();
    for (const ListedKind& listed : all_kinds()) {
        for (const std::string& input : listed.kind->model_inputs()) {
            all[input] = properties.at("INPUT");
        }
    }
    for (const auto& [name, entry] : properties.items()) {
        if (name != "INPUT") {
            all[name] = entry;
        }
    }
    return all;
}

}  // namespace

Json result_schema(Json outline) {
    records::add_result_entries(outline.at("definitions"));
    for (auto& [name, definition] : outline.at("definitions").items()) {
        if (!definition.contains("properties")) {
            continue;
        }
        Json& properties = definition.at("properties");
        if (properties.contains("METRIC")) {
            definition["patternProperties"] = metric_patterns(properties.at("METRIC"));
            Json& closed = definition.at("properties");
            closed = with_metrics(closed);
        } else if (properties.contains("MODEL")) {
            properties = with_models(properties);
        } else if (properties.contains("INPUT")) {
            properties = with_inputs(properties);
        }
    }
    Json& workloads = outline.at("definitions").at("kernel").at("enum");
    for (const ListedKind& listed : all_kinds()) {
        if (!listed.workload.empty()) {
            workloads.push_back(listed.workload);
        }
    }
    return outline;
}

}  // namespace weir::experiments::kinds
