#pragma once

#include <string>
#include <vector>

#include "experiments/validation/claim_values.h"
#include "experiments/validation/claims_report.h"
#include "experiments/validation/hypotheses.h"

namespace weir::experiments::validation {

/// Checks claims: computes each needed value once, with all experiments in one pool of processes.
class ClaimsCheck {
  public:
    /// Checks all experiments and models that will run, and runs nothing. The given claims are
    /// those chosen from the file; their hypotheses are tried if `with_hypotheses`. Throws
    /// UserFault for the first fault in them.
    ClaimsCheck(const ClaimsFile& file, std::vector<Claim> claims, bool with_hypotheses,
                const running::RunOptions& options);
    ClaimsCheck(const ClaimsCheck&) = delete;
    ClaimsCheck& operator=(const ClaimsCheck&) = delete;

    /// Runs the experiments into runs/`folder_name`, and computes the claims. Throws UserFault and
    /// RunFailure; completed runs are kept.
    void run(const std::string& folder_name);

    /// The checked claims, after run(), in the order of the file.
    [[nodiscard]] const std::vector<CheckedClaim>& claims() const { return checked_; }
    [[nodiscard]] const std::vector<HypothesisStudy>& studies() const { return studies_; }

  private:
    [[nodiscard]] CheckedClaim computed(const Claim& claim) const;

    std::size_t chosen_;         ///< number of claims to show, at the beginning of claims_
    std::vector<Claim> claims_;  ///< chosen claims, followed by rows that hypotheses must keep
    std::vector<HypothesisStudy> studies_;
    /// claims_, then the studies' varied claims, then claims with the values of their `without`.
    std::vector<Claim> all_;
    ClaimValues values_;
    std::vector<CheckedClaim> checked_;
};

}  // namespace weir::experiments::validation
