#pragma once

#include <string>
#include <vector>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// Completes the claims before anything runs:
///
/// - the published value, if it is a formula of printed numbers;
/// - the kind of evidence, if the row does not have it.
///
/// The kind is the first of these that applies:
/// 1. formula: no experiment computes the row.
/// 2. bound: the row has a bound.
/// 3. calibrated: the source of a parameter that has an effect names the row's table.
/// 4. given: a parameter's value or a model's input equals the published value, or another value of
///    the same table or figure. Numbers of one digit (7, 200) are ignored, since they may agree by
///    chance.
/// 5. predicted.
///
/// Other values of a claim's table are looked up in `all`, which has all claims of the file.
///
/// Throws UserFault for a row declared as predicted that is formula, calibrated or given, unless it
/// has an `although`.
void settle_evidence(std::vector<Claim>& claims, std::vector<Claim> all,
                     const running::RunOptions& options);

}  // namespace weir::experiments::validation
