#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/model_questions/model_sweep.h"
#include "experiments/models/catalogue/model.h"

/// Output of `weir model` for programs. Numbers are exact: they read back to the same bits.
namespace weir::experiments::pages {

/// All models as JSON:
///
/// {"models": [{"name", "title", "source",
///              "inputs": [{"name", "symbol", "unit", "sentence", "accepted", "required",
///                          "default"}],
///              "outputs": [{"name", "symbol", "unit", "sentence", "equation"}],
///              "tables": [{"name", "sentence", "equation", "columns": [{"name", "sentence"}]}]}]}
///
/// "default" is absent if "required" is true.
[[nodiscard]] nlohmann::ordered_json catalogue_document(const models::Models& models);

/// A solved model as JSON, with the outputs and tables that are shown:
///
/// {"model", "source", "inputs": {NAME: value},
///  "outputs": {NAME: {"value", "unit", "symbol", "equation"}},
///  "tables": {NAME: {"columns": [COLUMN], "rows": [[cell]]}},
///  "notes": [text]}
///
/// The value of an output that does not apply is null.
[[nodiscard]] nlohmann::ordered_json solution_document(const models::Model& model,
                                                       const analyses::ShownParts& shown);

/// Part of a solved model that shown_in_csv chose: the outputs' names and values in two lines, or a
/// table's column names and rows. Fields with a comma, a quote or a line end are quoted (RFC 4180),
/// as in a sweep's lines.
[[nodiscard]] std::string solution_csv(const analyses::ShownParts& shown);

/// A sweep of a model as JSON:
///
/// {"model", "source", "inputs": {NAME: value},
///  "points": [{"inputs": {NAME: value}, "outputs": {...}, "notes": [text]}
///             or {"inputs": {NAME: value}, "error": text}]}
///
/// "inputs" of the whole are those that the sweep does not vary. "inputs" of a point are the swept
/// ones, a number each; a swept list has one number. "outputs" are as in solution_document().
[[nodiscard]] nlohmann::ordered_json model_sweep_document(const analyses::ModelSweep& sweep);

/// A line of names, then a line per point: the swept inputs, the outputs, and "error", the reason
/// why the point has no solution. A missing value is an empty field.
[[nodiscard]] std::string model_sweep_csv(const analyses::ModelSweep& sweep);

}  // namespace weir::experiments::pages
