#pragma once

#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"

/// What --show names: of a model's answer the part that is printed.
namespace weir::experiments::analyses {

struct ShownParts {
    std::vector<const models::Output*> outputs;
    std::vector<const models::OutputTable*> tables;
};

/// The outputs and tables of these names, in their order; all of them when there are no names.
/// Throws setup::UserFault for any other name.
[[nodiscard]] ShownParts shown_parts(const models::Model& model,
                                     const std::vector<std::string>& names);

/// The same for CSV, which has the columns of one table: outputs, or one of the model's tables.
/// Without names the outputs; the tables of a model that has no outputs. Throws setup::UserFault
/// for names that do not go into one.
[[nodiscard]] ShownParts shown_in_csv(const models::Model& model,
                                      const std::vector<std::string>& names);

/// The same for a sweep, which shows outputs alone. Throws setup::UserFault for a table's name.
[[nodiscard]] std::vector<const models::Output*> shown_in_sweep(
    const models::Model& model, const std::vector<std::string>& names);

}  // namespace weir::experiments::analyses
