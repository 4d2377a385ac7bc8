#pragma once

#include <string>
#include <vector>

#include "experiments/commands/claims/claim_values.h"
#include "experiments/commands/claims/claims_report.h"

namespace weir::experiments::commands {

/// The claims, each with what is computed beside it. The experiments that `values` has collected of
/// them run first, into a folder of that name in runs/. Throws UserFault and RunFailure; what ran
/// is kept.
[[nodiscard]] std::vector<CheckedClaim> check_claims(const std::vector<Claim>& claims,
                                                     ClaimValues& values,
                                                     const std::string& folder_name);

}  // namespace weir::experiments::commands
