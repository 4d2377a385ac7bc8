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
/// 3. given: the network of a run has the mean distance that the row's table publishes, within 5 %.
///    A node's own two channels may count or not. The machine may have been built to that distance.
/// 4. calibrated: the source of a parameter that has an effect names the row's table.
/// 5. given: a parameter's value or a model's input equals the published value, or another value of
///    the same table or figure. Numbers of one digit (7, 200) are ignored, since they may agree by
///    chance.
/// 6. predicted.
///
/// Other values of a claim's table are looked up in `all`, which has all claims of the file.
///
/// Throws UserFault for a row declared as predicted that is formula, calibrated or given. Closed
/// rows are exempt, since they count nowhere as agreement. A row with `although` may have inputs of
/// points 4 and 5. Then `without` gives each of them a value at most half or at least twice its
/// own. ClaimsCheck then computes the row with these values. Nothing excuses point 3.
void settle_evidence(std::vector<Claim>& claims, std::vector<Claim> all,
                     const running::RunOptions& options);

}  // namespace weir::experiments::validation
