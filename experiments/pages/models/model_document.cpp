#include "experiments/pages/models/model_document.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/models/model_input.h"
#include "experiments/records/figure.h"

namespace weir::experiments::pages {

namespace {

using nlohmann::ordered_json;

ordered_json document_of(const models::Input& input, double value) {
    if (input.type() == hw::AcceptedValues::Type::kWholeNumber) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

ordered_json value_of(const models::Input& input) {
    if (const auto* number = std::get_if<double>(&*input.value())) {
        return document_of(input, *number);
    }
    return std::visit([](const auto& value) { return ordered_json(value); }, *input.value());
}

ordered_json document_of(const models::Output& output, const std::optional<double>& value) {
    return {{"value", value ? ordered_json(*value) : ordered_json(nullptr)},
            {"unit", output.unit()},
            {"symbol", output.symbol()},
            {"equation", output.equation()}};
}

ordered_json document_of(const models::OutputTable& table) {
    ordered_json columns = ordered_json::array();
    for (const auto& column : table.columns()) {
        columns.push_back(column.name);
    }
    ordered_json rows = ordered_json::array();
    for (const auto& row : table.rows()) {
        ordered_json cells = ordered_json::array();
        for (const auto& cell : row) {
            cells.push_back(std::visit([](const auto& held) { return ordered_json(held); }, cell));
        }
        rows.push_back(std::move(cells));
    }
    return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

ordered_json reference_of(const models::Input& input) {
    ordered_json document = {{"name", input.name()},         {"symbol", input.symbol()},
                             {"unit", input.unit()},         {"sentence", input.sentence()},
                             {"accepted", input.accepted()}, {"required", !input.value()}};
    if (input.value()) {
        document["default"] = value_of(input);
    }
    return document;
}

ordered_json reference_of(const models::Output& output) {
    return {{"name", output.name()},
            {"symbol", output.symbol()},
            {"unit", output.unit()},
            {"sentence", output.sentence()},
            {"equation", output.equation()}};
}

ordered_json reference_of(const models::OutputTable& table) {
    ordered_json columns = ordered_json::array();
    for (const auto& column : table.columns()) {
        columns.push_back(ordered_json{{"name", column.name}, {"sentence", column.sentence}});
    }
    return {{"name", table.name()},
            {"sentence", table.sentence()},
            {"equation", table.equation()},
            {"columns", std::move(columns)}};
}

template <typename Parts>
ordered_json references_of(const Parts& parts) {
    ordered_json documents = ordered_json::array();
    for (const auto* part : parts) {
        documents.push_back(reference_of(*part));
    }
    return documents;
}

ordered_json document_of(const analyses::ModelSweep& sweep, const analyses::SweepPoint& point) {
    ordered_json document = {{"inputs", ordered_json::object()}};
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        const models::Input& input = *sweep.axes[i].input;
        document["inputs"][input.name()] = document_of(input, point.at[i]);
    }
    if (!point.is_solved()) {
        document["error"] = point.error;
        return document;
    }
    document["outputs"] = ordered_json::object();
    for (std::size_t i = 0; i < sweep.outputs.size(); ++i) {
        document["outputs"][sweep.outputs[i]->name()] =
            document_of(*sweep.outputs[i], point.outputs[i]);
    }
    document["notes"] = point.notes;
    return document;
}

// Shortest text that reads back to the same bits.
std::string csv_number(const std::optional<double>& value) {
    return value ? models::shortest_text(*value) : "";
}

}  // namespace

ordered_json catalogue_document(const models::Models& models) {
    ordered_json documents = ordered_json::array();
    for (const auto& model : models) {
        documents.push_back(ordered_json{{"name", model->name()},
                                         {"title", model->title()},
                                         {"source", model->source()},
                                         {"inputs", references_of(model->inputs())},
                                         {"outputs", references_of(model->outputs())},
                                         {"tables", references_of(model->tables())}});
    }
    return {{"models", std::move(documents)}};
}

ordered_json solution_document(const models::Model& model, const analyses::ShownParts& shown) {
    ordered_json document = {{"model", model.name()},
                             {"source", model.source()},
                             {"inputs", ordered_json::object()},
                             {"outputs", ordered_json::object()},
                             {"tables", ordered_json::object()},
                             {"notes", model.notes()}};
    for (const models::Input* input : model.inputs()) {
        document["inputs"][input->name()] = value_of(*input);
    }
    for (const models::Output* output : shown.outputs) {
        document["outputs"][output->name()] = document_of(*output, output->value());
    }
    for (const models::OutputTable* table : shown.tables) {
        document["tables"][table->name()] = document_of(*table);
    }
    return document;
}

ordered_json model_sweep_document(const analyses::ModelSweep& sweep) {
    ordered_json document = {{"model", sweep.model->name()},
                             {"source", sweep.model->source()},
                             {"inputs", ordered_json::object()},
                             {"points", ordered_json::array()}};
    for (const models::Input* input : sweep.model->inputs()) {
        if (!sweep.sweeps(*input)) {
            document["inputs"][input->name()] = value_of(*input);
        }
    }
    for (const analyses::SweepPoint& point : sweep.points) {
        document["points"].push_back(document_of(sweep, point));
    }
    return document;
}

std::string solution_csv(const analyses::ShownParts& shown) {
    records::DataTable csv;
    if (shown.tables.empty()) {
        csv.rows.emplace_back();
        for (const models::Output* output : shown.outputs) {
            csv.columns.push_back(output->name());
            csv.rows.front().emplace_back(csv_number(output->value()));
        }
        return records::csv_text(csv);
    }
    const models::OutputTable& table = *shown.tables.front();
    for (const auto& column : table.columns()) {
        csv.columns.push_back(column.name);
    }
    for (const auto& row : table.rows()) {
        std::vector<records::DataTable::Cell>& cells = csv.rows.emplace_back();
        for (const models::OutputTable::Cell& cell : row) {
            const auto* number = std::get_if<double>(&cell);
            cells.emplace_back(number != nullptr ? csv_number(*number)
                                                 : std::get<std::string>(cell));
        }
    }
    return records::csv_text(csv);
}

std::string model_sweep_csv(const analyses::ModelSweep& sweep) {
    records::DataTable csv;
    for (const analyses::SweepAxis& axis : sweep.axes) {
        csv.columns.push_back(axis.input->name());
    }
    for (const models::Output* output : sweep.outputs) {
        csv.columns.push_back(output->name());
    }
    csv.columns.emplace_back("error");
    for (const analyses::SweepPoint& point : sweep.points) {
        std::vector<records::DataTable::Cell>& cells = csv.rows.emplace_back();
        for (const double value : point.at) {
            cells.emplace_back(csv_number(value));
        }
        for (const std::optional<double>& value : point.outputs) {
            cells.emplace_back(csv_number(value));
        }
        cells.emplace_back(point.error);
    }
    return records::csv_text(csv);
}

}  // namespace weir::experiments::pages
