#include "experiments/validation/paper_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/pages/run_page.h"
#include "experiments/records/validation.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"
#include "experiments/validation/check_claims.h"
#include "experiments/validation/claim_values.h"
#include "experiments/validation/claims_report.h"
#include "experiments/validation/evidence.h"
#include "experiments/validation/findings_table.h"
#include "experiments/validation/paper_runs.h"

namespace weir::experiments::validation {

namespace {

namespace fs = std::filesystem;
using records::TableCell;

constexpr std::array kPapers{Paper{"lopc", "LoPC ", "LoPC (1997)"},
                             Paper{"logp", "LogP ", "LogP (1993)"},
                             Paper{"logpc", "LoGPC ", "LoGPC (2001)"},
                             Paper{"memory-logp", "Memory logP", "Memory logP (2003)"}};

TableCell published_cell(const Claim& claim) {
    if (claim.published) {
        return records::number_cell(*claim.published);
    }
    if (claim.at_least && claim.at_most) {
        return records::text_cell(records::number_cell(*claim.at_least).text + " to " +
                                  records::number_cell(*claim.at_most).text);
    }
    if (claim.at_least) {
        return records::text_cell("≥ " + records::number_cell(*claim.at_least).text);
    }
    return records::text_cell(claim.at_most ? "≤ " + records::number_cell(*claim.at_most).text
                                            : claim.published_text);
}

TableCell claim_error_cell(const CheckedClaim& checked) {
    const Claim& claim = checked.claim;
    if (!checked.ours || !claim.published || *claim.published == 0.0) {
        return records::absent_cell();
    }
    return records::percent_cell(100.0 * (*checked.ours - *claim.published) /
                                 std::abs(*claim.published));
}

TableCell claim_verdict_cell(const CheckedClaim& checked, const std::string& fault) {
    if (!fault.empty()) {
        return records::text_cell("not computed: " + fault, TableCell::Mark::kBad);
    }
    if (!checked.holds()) {
        return records::text_cell(
            checked.claim.status == ClaimStatus::kReproduced ? "now differs" : "now holds",
            TableCell::Mark::kBad);
    }
    if (!checked.claim.closed.empty()) {
        return records::text_cell("closed");
    }
    const ClaimStatus status = checked.claim.status;
    return records::text_cell(name_of(status), status == ClaimStatus::kReproduced
                                                   ? TableCell::Mark::kGood
                                                   : TableCell::Mark::kNone);
}

/// The paper's claims with their computed values.
struct ClaimsShown {
    records::Section section;
    bool all_hold = true;
};

ClaimsShown claims_shown(const std::vector<Claim>& claims, const ClaimValues& values) {
    ClaimsShown shown;
    shown.section.title = "The paper's numbers";
    records::Table table;
    table.columns = {{"claim", "", false},   {"in", "", false},    {"published", "", true},
                     {"ours", "", true},     {"off by", "", true}, {"verdict", "", false},
                     {"because", "", false}, {"by", "", false}};
    std::vector<CheckedClaim> checked;
    std::size_t faults = 0;
    for (const Claim& claim : claims) {
        CheckedClaim each{claim, std::nullopt};
        std::string fault;
        std::string by;
        try {
            each.ours = claim.ours ? std::optional(values.value_of(*claim.ours)) : std::nullopt;
        } catch (const setup::UserFault& why) {
            fault = why.what();
            ++faults;
        }
        if (claim.ours) {
            for (const std::string& source : sources_of(*claim.ours)) {
                by += (by.empty() ? "" : ", ") + source;
            }
        }
        shown.all_hold = shown.all_hold && fault.empty() && each.holds();
        table.rows.push_back({records::text_cell(claim.what), records::text_cell(claim.source),
                              published_cell(claim), records::number_cell(each.ours),
                              claim_error_cell(each), claim_verdict_cell(each, fault),
                              records::text_cell(claim.because), records::text_cell(by)});
        checked.push_back(std::move(each));
    }
    const auto count = [&checked](ClaimStatus status) {
        return std::count_if(checked.begin(), checked.end(), [status](const CheckedClaim& each) {
            return each.status() == status;
        });
    };
    const auto not_computed = static_cast<std::ptrdiff_t>(faults);
    shown.section.blocks.emplace_back(records::Paragraph{fmt::format(
        "{} claims: {} reproduced, {} differ, {} not testable{}. Computed as by weir validate.",
        checked.size(), count(ClaimStatus::kReproduced), count(ClaimStatus::kDiffers),
        count(ClaimStatus::kNotTestable) - not_computed,
        faults > 0 ? fmt::format(", {} not computed", faults) : "")});
    shown.section.blocks.emplace_back(std::move(table));
    return shown;
}

records::Section failed_section(const PaperRun& run) {
    records::Section section;
    section.title = run.options.file.stem().string() + ": failed";
    section.blocks.emplace_back(records::Listing{run.fault});
    return section;
}

bool any_check_missed(const records::ExperimentResult& result) {
    const std::vector<records::Check> checks = records::validate(result);
    return std::any_of(checks.begin(), checks.end(),
                       [](const records::Check& check) { return check.missed(); });
}

}  // namespace

std::span<const Paper> papers() { return kPapers; }

const Paper& find_paper(const std::string& name) {
    std::vector<std::string> names;
    for (const Paper& paper : kPapers) {
        if (name == paper.name) {
            return paper;
        }
        names.emplace_back(paper.name);
    }
    if (name.empty()) {
        throw setup::UserFault({"NAME"}, "no paper is named", setup::quoted_list(names));
    }
    throw setup::unknown_name({}, "paper", name, names);
}

std::vector<Claim> claims_of(const Paper& paper, const std::vector<std::string>& only) {
    const fs::path file = running::data_folder() / "experiments" / "claims.toml";
    std::vector<Claim> claims = chosen_claims(*read_claims(file), only);
    std::erase_if(claims,
                  [&paper](const Claim& claim) { return !claim.source.starts_with(paper.source); });
    return claims;
}

std::string computed_table(const Paper& paper, const std::vector<Claim>& claims,
                           const running::RunOptions& options) {
    ClaimsCheck check({}, claims, false, options);
    check.run(paper.name);
    return findings_table(check.claims());
}

PaperPage paper_page(const Paper& paper, const fs::path& folder, const running::RunOptions& options,
                     bool again) {
    const fs::path experiments = running::data_folder() / "experiments";
    std::vector<Claim> claims = claims_of(paper, {});
    settle_evidence(claims, claims, options);
    ClaimValues values(claims, options);
    std::vector<PaperRun> runs = paper_runs(experiments / paper.name, values, options);
    run_all(runs, folder, again);
    values.take_results(results_for(values, runs));

    ClaimsShown shown = claims_shown(claims, values);
    PaperPage page{.status = running::kSuccess, .any_missed = !shown.all_hold};
    double seconds = 0.0;
    records::Document& document = page.document;
    document.title = fmt::format("{}: its experiments and its numbers", paper.title);
    document.sections.push_back(std::move(shown.section));
    for (const PaperRun& each : runs) {
        page.status = page.status == running::kSuccess ? each.status : page.status;
        if (each.result) {
            seconds += each.result->wall_seconds;
            page.any_missed = page.any_missed || (each.is_shown && any_check_missed(*each.result));
        } else {
            document.sections.push_back(failed_section(each));
        }
        if (each.result && each.is_shown) {
            document.sections.push_back(pages::experiment_section(*each.result));
        }
    }
    document.facts = {{"experiments", std::to_string(runs.size())},
                      {"took", setup::fixed_number(seconds, 0) + " s"},
                      {"Weir", setup::kVersion}};
    records::name_figures(document);
    records::share_value_axes(document);
    return page;
}

}  // namespace weir::experiments::validation
