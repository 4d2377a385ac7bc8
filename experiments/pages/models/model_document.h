#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/model_questions/model_sweep.h"
#include "experiments/models/catalogue/model.h"

/// What `weir model` prints for programs. Numbers are exact: they read back to the same bits.
namespace weir::experiments::pages {

/// {"models": [{"name", "title", "source",
///              "inputs": [{"name", "symbol", "unit", "sentence", "accepted", "required",
///                          "default"}],
///              "outputs": [{"name", "symbol", "unit", "sentence", "equation"}],
///              "tables": [{"name", "sentence", "equation", "columns": [{"name", "sentence"}]}]}]}
/// "default" is there unless "required" is true.
[[nodiscard]] nlohmann::ordered_json catalogue_document(const models::Models& models);

/// {"model", "source", "inputs": {NAME: value},
///  "outputs": {NAME: {"value", "unit", "symbol", "equation"}},
///  "tables": {NAME: {"columns": [COLUMN], "rows": [[cell]]}},
///  "notes": [text]}
/// of a solved model, with the outputs and tables that are shown. The value of an output that does
/// not apply is null.
[[nodiscard]] nlohmann::ordered_json solution_document(const models::Model& model,
                                                       const analyses::ShownParts& shown);

/// Of a solved model what shown_in_csv chose: a line of names and one of the outputs' values, or
/// the table's names and rows. Fields with a comma, a quote or a line's end stand in quotes (RFC
/// 4180), here and in a sweep's lines.
[[nodiscard]] std::string solution_csv(const analyses::ShownParts& shown);

/// {"model", "source", "inputs": {NAME: value},
///  "points": [{"inputs": {NAME: value}, "outputs": {...}, "notes": [text]}
///             or {"inputs": {NAME: value}, "error": text}]}
/// "inputs" of the whole are those that stay the same, of a point those that are swept, a number
/// each (also where the input is a list, of that one number); outputs as in a solution.
[[nodiscard]] nlohmann::ordered_json model_sweep_document(const analyses::ModelSweep& sweep);

/// A line of names, then a line a point: the swept inputs, the outputs, and "error": why the point
/// has no solution. What has no value is empty.
[[nodiscard]] std::string model_sweep_csv(const analyses::ModelSweep& sweep);

}  // namespace weir::experiments::pages
