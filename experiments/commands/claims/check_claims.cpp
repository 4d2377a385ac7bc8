#include "experiments/commands/claims/check_claims.h"

#include <utility>

#include "experiments/commands/claims/evidence.h"
#include "experiments/running/processes/run_folder.h"

namespace weir::experiments::commands {

namespace {

std::vector<Claim> settled(std::vector<Claim> claims, const running::RunOptions& options) {
    settle_evidence(claims, options);
    return claims;
}

std::vector<HypothesisStudy> studies_of(const ClaimsFile& file, const std::vector<Claim>& claims,
                                        const running::RunOptions& options) {
    std::vector<HypothesisStudy> studies;
    for (const std::filesystem::path& hypotheses : file.hypotheses) {
        studies.emplace_back(read_hypotheses(hypotheses), file.claims, claims, options);
    }
    return studies;
}

std::vector<Claim> with_varied(std::vector<Claim> claims,
                               const std::vector<HypothesisStudy>& studies) {
    for (const HypothesisStudy& study : studies) {
        claims.insert(claims.end(), study.varied().begin(), study.varied().end());
    }
    return claims;
}

}  // namespace

ClaimsCheck::ClaimsCheck(const ClaimsFile& file, std::vector<Claim> claims, bool with_hypotheses,
                         const running::RunOptions& options)
    : claims_(settled(std::move(claims), options)),
      studies_(with_hypotheses ? studies_of(file, claims_, options)
                               : std::vector<HypothesisStudy>{}),
      all_(with_varied(claims_, studies_)),
      values_(all_, options) {}

void ClaimsCheck::run(const std::string& folder_name) {
    if (!values_.experiments().empty()) {
        running::RunFolder folder(std::nullopt, folder_name);
        try {
            values_.run_experiments(folder.path());
        } catch (const running::RunFailure&) {
            folder.keep();
            throw;
        }
        folder.keep();
    }
    checked_.clear();
    for (std::size_t i = 0; i < claims_.size(); ++i) {
        checked_.push_back(computed(all_[i]));
    }
    std::size_t next = claims_.size();
    for (HypothesisStudy& study : studies_) {
        std::vector<CheckedClaim> varied;
        for (const std::size_t end = next + study.varied().size(); next < end; ++next) {
            try {
                varied.push_back(computed(all_[next]));
            } catch (const setup::UserFault&) {  // a model may not hold under the hypothesis
                varied.push_back({all_[next]});
            }
        }
        study.conclude(checked_, varied);
    }
}

CheckedClaim ClaimsCheck::computed(const Claim& claim) const {
    CheckedClaim checked;
    checked.claim = claim;
    if (claim.ours) {
        checked.ours = values_.value_of(*claim.ours);
        checked.models = values_.models_of(*claim.ours);
    }
    return checked;
}

}  // namespace weir::experiments::commands
