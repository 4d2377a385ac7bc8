#pragma once

#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"

/// Selection of the parts of a model's answer that --show names.
namespace weir::experiments::analyses {

struct ShownParts {
    std::vector<const models::Output*> outputs;
    std::vector<const models::OutputTable*> tables;
};

/// Outputs and tables with these names, in the order of the names; without names, all of the
/// model's. Throws setup::UserFault for unknown names.
[[nodiscard]] ShownParts shown_parts(const models::Model& model,
                                     const std::vector<std::string>& names);

/// Selection for CSV, which has the columns of one table: outputs, or one of the model's tables.
/// Without names, selects all outputs, or the tables of a model without outputs. Throws
/// setup::UserFault for names that do not fit in one CSV.
[[nodiscard]] ShownParts shown_in_csv(const models::Model& model,
                                      const std::vector<std::string>& names);

/// Selection for a sweep, which shows outputs only. Throws setup::UserFault for a table's name.
[[nodiscard]] std::vector<const models::Output*> shown_in_sweep(
    const models::Model& model, const std::vector<std::string>& names);

}  // namespace weir::experiments::analyses
