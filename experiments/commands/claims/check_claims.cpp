#include "experiments/commands/claims/check_claims.h"

#include "experiments/running/processes/run_folder.h"

namespace weir::experiments::commands {

std::vector<CheckedClaim> check_claims(const std::vector<Claim>& claims, ClaimValues& values,
                                       const std::string& folder_name) {
    if (!values.experiments().empty()) {
        running::RunFolder folder(std::nullopt, folder_name);
        try {
            values.run_experiments(folder.path());
        } catch (const running::RunFailure&) {
            folder.keep();
            throw;
        }
        folder.keep();
    }
    std::vector<CheckedClaim> checked;
    checked.reserve(claims.size());
    for (const Claim& claim : claims) {
        CheckedClaim& each = checked.emplace_back();
        each.claim = claim;
        if (claim.ours) {
            each.ours = values.value_of(*claim.ours);
            each.models = values.models_of(*claim.ours);
        }
    }
    return checked;
}

}  // namespace weir::experiments::commands
