#include "experiments/validation/check_claims.h"

#include <algorithm>
#include <utility>

#include "experiments/running/processes/run_folder.h"
#include "experiments/validation/evidence.h"

namespace weir::experiments::validation {

namespace {

// The chosen claims, followed by the rows that their hypotheses must keep, with their kinds
// settled.
std::vector<Claim> known_claims(const ClaimsFile& file, std::vector<Claim> chosen,
                                bool with_hypotheses, const running::RunOptions& options) {
    for (const std::filesystem::path& path :
         with_hypotheses ? file.hypotheses : std::vector<std::filesystem::path>{}) {
        const std::vector<std::string> kept = read_hypotheses(path).keeps;
        for (const Claim& claim : file.claims) {
            const bool is_there =
                std::any_of(chosen.begin(), chosen.end(),
                            [&claim](const Claim& each) { return each.name == claim.name; });
            if (!is_there && fits_name(claim.name, kept)) {
                chosen.push_back(claim);
            }
        }
    }
    settle_evidence(chosen, file.claims, options);
    return chosen;
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

// The claim with the values of its `without`.
Claim without_inputs(Claim claim) {
    for (MetricOfRun* metric : metrics_of(*claim.ours)) {
        metric->settings.insert(metric->settings.end(), claim.without.begin(), claim.without.end());
    }
    return claim;
}

// All claims to compute: the claims, those that the studies vary, and those without inputs.
std::vector<Claim> all_claims(const std::vector<Claim>& claims,
                              const std::vector<HypothesisStudy>& studies) {
    std::vector<Claim> all = with_varied(claims, studies);
    for (const Claim& claim : claims) {
        if (!claim.without.empty()) {
            all.push_back(without_inputs(claim));
        }
    }
    return all;
}

}  // namespace

ClaimsCheck::ClaimsCheck(const ClaimsFile& file, std::vector<Claim> claims, bool with_hypotheses,
                         const running::RunOptions& options)
    : chosen_(claims.size()),
      claims_(known_claims(file, std::move(claims), with_hypotheses, options)),
      studies_(with_hypotheses ? studies_of(file, claims_, options)
                               : std::vector<HypothesisStudy>{}),
      all_(all_claims(claims_, studies_)),
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
            } catch (const setup::UserFault&) {  // a model may not be valid under the hypothesis
                varied.push_back({all_[next]});
            }
        }
        study.conclude(checked_, varied);
    }
    for (CheckedClaim& checked : checked_) {
        if (!checked.claim.without.empty()) {
            checked.without_inputs = values_.value_of(*all_[next++].ours);
        }
    }
    checked_.resize(chosen_);
    for (CheckedClaim& checked : checked_) {
        if (checked.claim.is_explained) {
            const ClaimValue& ours = *checked.claim.ours;
            checked.explanations =
                values_.explanations_of(std::get<MetricOfRun>(ours.from), ours.place);
        }
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

}  // namespace weir::experiments::validation
