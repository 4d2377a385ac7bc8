#pragma once

#include <string>
#include <vector>

#include "experiments/validation/claim_values.h"
#include "experiments/validation/claims_report.h"
#include "experiments/validation/hypotheses.h"

namespace weir::experiments::validation {

/// Claims with all that is computed for them, in one pool of processes, and nothing of it twice.
class ClaimsCheck {
  public:
    /// Checks all that will run, and runs nothing. `claims` are the chosen ones of `file`, whose
    /// hypotheses are tried if `with_hypotheses`. Throws UserFault.
    ClaimsCheck(const ClaimsFile& file, std::vector<Claim> claims, bool with_hypotheses,
                const running::RunOptions& options);
    ClaimsCheck(const ClaimsCheck&) = delete;
    ClaimsCheck& operator=(const ClaimsCheck&) = delete;

    /// Runs the experiments, into a folder of that name in runs/, and computes. Throws UserFault
    /// and RunFailure; what ran is kept.
    void run(const std::string& folder_name);

    /// After run(), in the order of the file.
    [[nodiscard]] const std::vector<CheckedClaim>& claims() const { return checked_; }
    [[nodiscard]] const std::vector<HypothesisStudy>& studies() const { return studies_; }

  private:
    [[nodiscard]] CheckedClaim computed(const Claim& claim) const;

    std::size_t chosen_;         ///< so many of claims_ are shown
    std::vector<Claim> claims_;  ///< the chosen ones, and those that hypotheses must keep
    std::vector<HypothesisStudy> studies_;
    std::vector<Claim> all_;  ///< those and then what the studies vary
    ClaimValues values_;
    std::vector<CheckedClaim> checked_;
};

}  // namespace weir::experiments::validation
