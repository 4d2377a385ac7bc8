#include "experiments/setup/files/experiment_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::experiments::setup {

namespace {

const TomlTable& require_table(const TomlEntry& entry, const std::string& name,
                               const std::string& accepted = "a table") {
    if (const TomlTable* table = entry.as_table()) {
        return *table;
    }
    throw UserFault(entry.place, name + " is " + described(entry), accepted);
}

const TomlList& require_list(const TomlEntry& entry, const std::string& name,
                             const std::string& accepted) {
    if (const TomlList* list = entry.as_list()) {
        return *list;
    }
    throw UserFault(entry.place, name + " is " + described(entry), accepted);
}

std::string require_string(const TomlEntry& entry, const std::string& name) {
    if (const std::string* text = entry.as_string()) {
        return *text;
    }
    throw UserFault(entry.place, name + " is " + described(entry), "a string");
}

double require_number(const TomlEntry& entry, const std::string& name) {
    const std::optional<double> number = entry.as_number();
    if (number && std::isfinite(*number)) {
        return *number;
    }
    throw UserFault(entry.place, name + " is " + described(entry), "a finite number");
}

Published published_value(const TomlEntry& entry) {
    const std::string name = "published." + entry.key;
    const TomlTable& table =
        require_table(entry, name, "a table, { value = number, source = \"where published\" }");
    Published published;
    published.metric = entry.key;
    published.name_place = entry.key_place;
    for (const TomlEntry& field : table.entries) {
        const std::string field_name = name + "." + field.key;
        require_key(field, name, {"value", "source", "unit", "tolerance", "within"});
        if (field.key == "value") {
            published.value = require_number(field, field_name);
            published.place = field.place;
        } else if (field.key == "source") {
            published.source = require_string(field, field_name);
        } else if (field.key == "unit") {
            published.unit = require_string(field, field_name);
        } else {
            const double allowed = require_number(field, field_name);
            if (allowed < 0) {
                throw UserFault(field.place, field_name + " is " + described(field),
                                field.key == "tolerance"
                                    ? "a fraction of the published value, 0 or more"
                                    : "a distance from the published value, 0 or more");
            }
            (field.key == "tolerance" ? published.tolerance : published.within) = allowed;
        }
    }
    if (published.tolerance && published.within) {
        throw UserFault(table.find("within")->key_place, name + " has both tolerance and within",
                        "one of them");
    }
    if (table.find("value") == nullptr) {
        throw UserFault(entry.key_place, name + " has no value", "value = number");
    }
    if (published.source.empty()) {
        throw UserFault(entry.key_place, name + " has no source",
                        "source = \"paper and table it was published in\"");
    }
    return published;
}

std::vector<Published> published_values(const TomlEntry& entry) {
    std::vector<Published> values;
    for (const TomlEntry& metric : require_table(entry, "published").entries) {
        values.push_back(published_value(metric));
    }
    return values;
}

void read_model_inputs(const TomlEntry& entry, Layer& layer) {
    for (const TomlEntry& input : require_table(entry, "models.inputs").entries) {
        const std::string name = "models.inputs." + input.key;
        if (input.key == "source") {
            layer.model_inputs_source = require_string(input, name);
        } else {
            layer.model_inputs.push_back(
                {input.key, require_number(input, name), {}, input.key_place, input.place});
        }
    }
    if (layer.owner == Layer::Owner::kSetOption && layer.model_inputs_source.empty()) {
        layer.model_inputs_source = entry.place.source;
    }
    const bool has_inputs = !layer.model_inputs.empty();
    const bool has_source = !layer.model_inputs_source.empty();
    if (layer.owner == Layer::Owner::kFile && has_inputs && !has_source) {
        throw UserFault(entry.key_place, "models.inputs has no source",
                        "source = \"where the numbers come from\" beside them");
    }
    if (layer.owner != Layer::Owner::kFile && has_source && !has_inputs) {
        throw UserFault(entry.key_place, "models.inputs gives a source and no number",
                        "name = number beside the source");
    }
}

std::vector<NameInFile> models_to_compare(const TomlEntry& entry) {
    std::vector<NameInFile> models;
    for (const TomlEntry& model :
         require_list(entry, "models.compare", "a list of the models' names").items) {
        models.push_back({require_string(model, "a name in models.compare"), model.place});
    }
    return models;
}

/// Label made of the settings: "network.dimensions = [2, 1], core.flag = true".
std::string label_from(const std::vector<TomlEntry>& settings) {
    std::string label;
    for (const TomlEntry& table : settings) {
        if (table.as_table() == nullptr) {
            continue;
        }
        for (const TomlEntry& setting : table.as_table()->entries) {
            label += fmt::format("{}{}.{} = {}", label.empty() ? "" : ", ", table.key, setting.key,
                                 toml_text(setting));
        }
    }
    return label.empty() ? "as it stands" : label;
}

Point point_of(const TomlEntry& entry, Layer::Owner owner) {
    const std::string name =
        owner == Layer::Owner::kPoint ? "an entry of point" : "an entry of points";
    Point point;
    point.place = entry.place;
    point.overrides.owner = owner;
    for (const TomlEntry& field : require_table(entry, name, "a table of overrides").entries) {
        if (field.key == "label") {
            point.label = require_string(field, "label");
        } else if (field.key == "against" && owner == Layer::Owner::kPoint) {
            point.against = require_string(field, "against");
            point.against_place = field.place;
        } else if (field.key == "published" && owner == Layer::Owner::kPoint) {
            point.overrides.published = published_values(field);
        } else if (field.key == "models") {
            for (const TomlEntry& inputs : require_table(field, "models").entries) {
                require_key(inputs, "models of a point", {"inputs"});
                read_model_inputs(inputs, point.overrides);
            }
        } else {
            point.overrides.settings.push_back(field);
        }
    }
    if (point.label.empty()) {
        point.label = label_from(point.overrides.settings);
    }
    return point;
}

// Throws UserFault for a point whose `against` names no other point.
void require_points_against(const std::vector<Point>& points) {
    for (const Point& point : points) {
        if (point.against.empty()) {
            continue;
        }
        std::vector<std::string> others;
        for (const Point& other : points) {
            if (other.label != point.label) {
                others.push_back(other.label);
            }
        }
        if (std::find(others.begin(), others.end(), point.against) == others.end()) {
            throw unknown_name(point.against_place, "other point", point.against, others);
        }
    }
}

std::vector<Point> points_of(const TomlEntry& entry, Layer::Owner owner) {
    const bool are_variants = owner == Layer::Owner::kVariant;
    std::vector<Point> points;
    for (const TomlEntry& point :
         require_list(entry, are_variants ? "sensitivity.points" : "point",
                      are_variants ? "a list of tables, [{ label = \"...\", table.key = value }]"
                                   : "a list of tables, each under [[point]]")
             .items) {
        points.push_back(point_of(point, owner));
    }
    require_points_against(points);
    return points;
}

Sensitivity sensitivity_of(const TomlEntry& entry) {
    Sensitivity sensitivity;
    sensitivity.place = entry.place;
    for (const TomlEntry& field : require_table(entry, "an entry of sensitivity").entries) {
        require_key(field, "[[sensitivity]]", {"what", "points"});
        if (field.key == "what") {
            sensitivity.what = require_string(field, "sensitivity.what");
        } else {
            sensitivity.variants = points_of(field, Layer::Owner::kVariant);
        }
    }
    if (sensitivity.what.empty()) {
        throw UserFault(entry.place, "[[sensitivity]] has no what",
                        "a description of the varied parameters: what = \"queue size\"");
    }
    if (sensitivity.variants.empty()) {
        throw UserFault(entry.place, "[[sensitivity]] has no points",
                        "points = [{ label = \"...\", table.key = value }]");
    }
    return sensitivity;
}

std::vector<Sensitivity> sensitivities_of(const TomlEntry& entry) {
    std::vector<Sensitivity> sensitivities;
    for (const TomlEntry& item :
         require_list(entry, "sensitivity", "a list of tables, each under [[sensitivity]]").items) {
        sensitivities.push_back(sensitivity_of(item));
    }
    return sensitivities;
}

void read_entry(const TomlEntry& entry, ExperimentContent& content) {
    if (entry.key == "title") {
        content.title = require_string(entry, "title");
    } else if (entry.key == "description") {
        content.description = require_string(entry, "description");
    } else if (entry.key == "published") {
        content.base.published = published_values(entry);
    } else if (entry.key == "models") {
        for (const TomlEntry& field : require_table(entry, "models").entries) {
            require_key(field, "[models]", {"compare", "inputs"});
            if (field.key == "compare") {
                content.models_to_compare = models_to_compare(field);
            } else {
                read_model_inputs(field, content.base);
            }
        }
    } else if (entry.key == "point") {
        content.points = points_of(entry, Layer::Owner::kPoint);
    } else if (entry.key == "sensitivity") {
        content.sensitivity = sensitivities_of(entry);
    } else if (entry.key == "sweep") {
        content.sweep = entry;
    } else if (entry.key == "cost") {
        content.cost = entry;
    } else if (entry.key == "search") {
        content.search = entry;
    } else if (entry.key != "extends") {
        content.base.settings.push_back(entry);
    }
}

}  // namespace

ExperimentContent content_of_file(const TomlEntry& file) {
    ExperimentContent content;
    content.base.owner = Layer::Owner::kFile;
    for (const TomlEntry& entry : file.as_table()->entries) {
        read_entry(entry, content);
    }
    return content;
}

ExperimentContent content_of_set_option(const TomlEntry& option) {
    ExperimentContent content;
    content.base.owner = Layer::Owner::kSetOption;
    for (const TomlEntry& entry : option.as_table()->entries) {
        if (entry.key == "extends" || entry.key == "point" || entry.key == "sensitivity" ||
            entry.key == "sweep" || entry.key == "cost" || entry.key == "search") {
            throw UserFault(entry.place, fmt::format("only a file can say \"{}\"", entry.key),
                            "--set table.key=value");
        }
        read_entry(entry, content);
    }
    return content;
}

std::vector<std::string> keys_beside_parameter_tables(Layer::Owner owner) {
    switch (owner) {
        case Layer::Owner::kFile:
            return {"extends",   "title",  "description", "point", "sensitivity",
                    "published", "models", "sweep",       "cost",  "search"};
        case Layer::Owner::kPoint:
            return {"label", "against", "published", "models"};
        case Layer::Owner::kVariant:
            return {"label", "models"};
        default:
            return {"title", "description", "published", "models"};
    }
}

}  // namespace weir::experiments::setup
