#pragma once

#include <cstddef>
#include <string>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/model_questions/model_sweep.h"
#include "experiments/models/catalogue/model.h"

/// What `weir model` prints for a person, 80 columns wide.
namespace weir::experiments::pages {

inline constexpr std::size_t kMostTableRows = 40;

/// The models' names and titles under their papers.
[[nodiscard]] std::string model_listing(const models::Models& models);

/// What a model's inputs, outputs and tables are: name, symbol, unit, default, sentence, what is
/// accepted, the paper's equation.
[[nodiscard]] std::string model_reference(const models::Model& model);

/// A solved model: its inputs, with those marked that have their defaults, the outputs and tables
/// that are shown, and notes. Of a table the first kMostTableRows rows.
[[nodiscard]] std::string solution_page(const models::Model& model,
                                        const analyses::ModelInputs& inputs,
                                        const analyses::ShownParts& shown);

/// A row a point; below them why the others have no solution.
[[nodiscard]] std::string model_sweep_page(const analyses::ModelSweep& sweep,
                                           const analyses::ModelInputs& inputs);

}  // namespace weir::experiments::pages
