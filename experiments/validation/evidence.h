#pragma once

#include <string>
#include <vector>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// Settles what the rows leave to be computed before anything runs:
///
/// - what is published, where it follows from printed numbers by a formula;
/// - what kind of evidence a row is, where it does not say so.
///
/// A row is formula where no experiment computes it, and a bound where it is one. Else it is
/// calibrated where a parameter that has an effect names the row's table as the source of its
/// value, given where the published value, or another one of the same table or figure, is a
/// parameter's value or a model's input in the experiment, and predicted otherwise. A number of one
/// digit (7, 200) is no sign of that: it may be there by chance.
///
/// `all` are the file's, among which other numbers of a table are looked for.
///
/// Throws UserFault for a row that calls itself predicted and is formula, calibrated or given,
/// unless it has an `although`.
void settle_evidence(std::vector<Claim>& claims, std::vector<Claim> all,
                     const running::RunOptions& options);

}  // namespace weir::experiments::validation
