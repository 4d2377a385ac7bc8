#pragma once

#include <cstddef>
#include <string>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/model_questions/model_sweep.h"
#include "experiments/models/catalogue/model.h"

/// Output of `weir model` for a terminal of 80 columns.
namespace weir::experiments::pages {

inline constexpr std::size_t kMostTableRows = 40;

/// Names and titles of the models, grouped by paper.
[[nodiscard]] std::string model_listing(const models::Models& models);

/// Reference of a model's inputs, outputs and tables: name, symbol, unit, default, sentence,
/// accepted values, the paper's equation.
[[nodiscard]] std::string model_reference(const models::Model& model);

/// A solved model: its inputs (defaults are marked), the shown outputs and tables, and notes.
/// Tables have their first kMostTableRows rows.
[[nodiscard]] std::string solution_page(const models::Model& model,
                                        const analyses::ModelInputs& inputs,
                                        const analyses::ShownParts& shown);

/// One row per solved point; below the table the reasons why the others have no solution.
[[nodiscard]] std::string model_sweep_page(const analyses::ModelSweep& sweep,
                                           const analyses::ModelInputs& inputs);

}  // namespace weir::experiments::pages
