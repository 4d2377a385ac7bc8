#include "experiments/validation/claims_file.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <utility>

#include "experiments/setup/files/extends_chain.h"
#include "experiments/validation/claim_entries.h"
#include "hw/per_enumerator.h"

namespace weir::experiments::validation {

namespace {

namespace fs = std::filesystem;

using setup::TomlEntry;
using setup::TomlTable;
using setup::UserFault;

const hw::PerEnumerator<ClaimStatus, std::string, 3> kStatuses{
    {"reproduced", "differs", "not testable"}};

const hw::PerEnumerator<Evidence, std::string, 5> kKinds{
    {"predicted", "bound", "calibrated", "given", "formula"}};

const hw::PerEnumerator<PublishedOf, std::string, 3> kPublishedOf{
    {"hardware", "simulator", "model"}};

double distance_of(const TomlEntry& entry) {
    const double number = number_of(entry);
    if (!(number >= 0.0)) {
        throw not_a(entry, "a number from 0 on");
    }
    return number;
}

// Throws UserFault if the published value itself is an operand of `ours`.
void refuse_published_operand(const Claim& claim, const ClaimValue& value) {
    if (const auto* number = std::get_if<double>(&value.from)) {
        if (number != nullptr && claim.published && *number == *claim.published) {
            throw UserFault(value.place, "ours contains the published value",
                            "values of experiments or models");
        }
    }
    if (const auto* relation = std::get_if<Relation>(&value.from)) {
        for (const ClaimValue& operand : relation->operands) {
            refuse_published_operand(claim, operand);
        }
    }
}

bool truth_of(const TomlEntry& entry) {
    const auto* truth = std::get_if<bool>(&entry.value);
    if (truth == nullptr) {
        throw not_a(entry, "true or false");
    }
    return *truth;
}

int number_in_list(const TomlEntry& entry) {
    const auto* number = std::get_if<std::int64_t>(&entry.value);
    if (number == nullptr || *number < 1 || *number > 1000) {
        throw not_a(entry, "a whole number from 1 to 1000");
    }
    return static_cast<int>(*number);
}

// Throws UserFault for keys of closed rows, bands and inputs on a row that cannot have them.
void settle_decision(const Claim& claim) {
    const auto fault = [&claim](const std::string& found, const std::string& accepted) {
        return UserFault(claim.place, fmt::format("claim \"{}\" {}", claim.name, found), accepted);
    };
    const bool is_listed_prediction = claim.listed && claim.evidence == Evidence::kPredicted;
    if (!claim.closed.empty() && !is_listed_prediction) {
        throw fault("is closed, but no listed prediction",
                    R"(closed only with listed and kind = "predicted")");
    }
    if (claim.prints_no_number && claim.closed.empty()) {
        throw fault("has prints_no_number, but is not closed", "closed = \"...\", the reason");
    }
    if (!claim.missing.empty() && !claim.is_decidable()) {
        throw fault("has missing, but is no decidable row",
                    R"(missing only with listed, kind = "predicted" and without closed)");
    }
    if (claim.is_explained &&
        !(claim.ours && std::holds_alternative<MetricOfRun>(claim.ours->from))) {
        throw fault("has explain, but no run's metric is its number",
                    "explain only with ours.experiment and ours.metric");
    }
    if (claim.although.empty() != claim.without.empty()) {
        throw fault(claim.although.empty() ? "has without, but no although"
                                           : "has although, but no without",
                    "both: the reason, and other values of the inputs from the row's table");
    }
}

// Settles the kind as far as it follows from the row alone; settle_evidence() settles other kinds.
void settle_kind(Claim& claim) {
    const auto fault = [&claim](const std::string& found, const std::string& accepted) {
        return UserFault(claim.place, fmt::format("claim \"{}\" {}", claim.name, found), accepted);
    };
    if (!claim.ours) {
        if (claim.evidence || claim.of || claim.listed || !claim.although.empty()) {
            throw fault("is not testable, but names its kind of evidence",
                        "none of kind, of, listed and although");
        }
        settle_decision(claim);
        return;
    }
    if (metrics_of(std::as_const(*claim.ours)).empty()) {
        if (claim.evidence.value_or(Evidence::kFormula) != Evidence::kFormula) {
            throw fault(fmt::format("has kind = \"{}\", but no experiment computes it",
                                    name_of(*claim.evidence)),
                        R"(kind = "formula", or an experiment)");
        }
        claim.evidence = Evidence::kFormula;
    } else if (claim.evidence == Evidence::kFormula) {
        throw fault(R"(has kind = "formula", but an experiment computes it)",
                    R"("predicted", "calibrated" or "given")");
    }
    const bool is_bound = claim.at_least || claim.at_most;
    if (is_bound && !claim.evidence) {
        claim.evidence = Evidence::kBound;
    }
    if (is_bound && claim.evidence == Evidence::kPredicted && !claim.listed) {
        throw fault("is a bound with kind = \"predicted\"", R"(kind = "bound")");
    }
    if (!is_bound && claim.evidence == Evidence::kBound) {
        throw fault("has kind = \"bound\", but no bound", "at_least or at_most");
    }
    if ((claim.evidence == Evidence::kPredicted) != claim.of.has_value()) {
        throw fault(
            claim.of ? "has of, but not kind = \"predicted\""
                     : "is predicted, but does not say of what kind of source",
            R"(kind = "predicted" with of = "hardware", "simulator" or "model", or neither)");
    }
    const bool is_input =
        claim.evidence == Evidence::kGiven || claim.evidence == Evidence::kCalibrated;
    if (claim.listed && claim.of != PublishedOf::kHardware && !is_input) {
        throw fault("is listed, but not predicted of hardware",
                    R"(kind = "predicted" with of = "hardware", or "given" or "calibrated")");
    }
    settle_decision(claim);
}

void require_complete(const Claim& claim, bool has_status) {
    const auto fault = [&claim](const std::string& found, const std::string& accepted) {
        return UserFault(claim.place, fmt::format("claim \"{}\" {}", claim.name, found), accepted);
    };
    if (claim.what.empty() || claim.source.empty() || !has_status) {
        throw fault(fmt::format("has no {}", claim.what.empty()     ? "what"
                                             : claim.source.empty() ? "source"
                                                                    : "status"),
                    claim.what.empty()     ? "the published quantity: what = \"...\""
                    : claim.source.empty() ? "source = \"...\", paper and table or section"
                                           : "status = " + setup::quoted_list(kStatuses));
    }
    if (claim.status != ClaimStatus::kReproduced && claim.because.empty()) {
        throw fault(
            fmt::format("{} without a reason",
                        claim.status == ClaimStatus::kDiffers ? "differs" : "is not testable"),
            "because = \"...\"");
    }
    const bool is_bound = claim.at_least || claim.at_most;
    if (claim.status == ClaimStatus::kNotTestable) {
        if (claim.ours || claim.tolerance || claim.within) {
            throw fault("is not testable, but has ours, tolerance or within",
                        "only published and because");
        }
        return;
    }
    if (!claim.published_text.empty()) {
        throw fault("has a text as its published value", "a number");
    }
    const bool is_published = claim.published || claim.published_from;
    if (is_published == is_bound) {
        throw fault("needs either published or a bound", "published, or at_least, at_most or both");
    }
    if (!claim.ours) {
        throw fault("has no ours", kAcceptedClaimValue);
    }
    const bool has_distance = claim.tolerance.has_value() != claim.within.has_value();
    if (is_published && !has_distance) {
        throw fault("needs either tolerance or within",
                    "tolerance, a fraction of the published value, or within, a distance");
    }
    if (is_bound && (claim.tolerance || claim.within)) {
        throw fault("is a bound with a tolerance", "a bound without a tolerance");
    }
    if (claim.at_least && claim.at_most && *claim.at_least > *claim.at_most) {
        throw fault("has at_least above at_most", "at_least up to at_most");
    }
}

// Throws UserFault if two claims have the same number in the list.
void refuse_listed_twice(const std::vector<Claim>& claims) {
    const Claim& last = claims.back();
    for (const Claim& claim : claims) {
        if (&claim != &last && last.listed && claim.listed == last.listed) {
            throw UserFault(last.place,
                            fmt::format(R"(claims "{}" and "{}" both have listed = {})", claim.name,
                                        last.name, *last.listed),
                            "a number of its own for each");
        }
    }
}

Claim read_claim(const TomlEntry& entry, const fs::path& folder) {
    Claim claim;
    claim.name = entry.key;
    claim.place = entry.key_place;
    bool has_status = false;
    for (const TomlEntry& each : table_of(entry, "a table, [claim." + entry.key + "]").entries) {
        if (each.key == "what") {
            claim.what = quoted_text(each);
        } else if (each.key == "source") {
            claim.source = quoted_text(each);
        } else if (each.key == "because") {
            claim.because = quoted_text(each);
        } else if (each.key == "status") {
            claim.status = one_of<ClaimStatus>(each, kStatuses);
            has_status = true;
        } else if (each.key == "kind") {
            claim.evidence = one_of<Evidence>(each, kKinds);
        } else if (each.key == "of") {
            claim.of = one_of<PublishedOf>(each, kPublishedOf);
        } else if (each.key == "listed") {
            claim.listed = number_in_list(each);
        } else if (each.key == "closed") {
            claim.closed = quoted_text(each);
        } else if (each.key == "prints_no_number") {
            claim.prints_no_number = truth_of(each);
        } else if (each.key == "missing") {
            claim.missing = quoted_text(each);
        } else if (each.key == "explain") {
            claim.is_explained = truth_of(each);
        } else if (each.key == "although") {
            claim.although = quoted_text(each);
        } else if (each.key == "without") {
            claim.without = settings_of(each);
        } else if (each.key == "published" && each.as_string() != nullptr) {
            claim.published_text = quoted_text(each);
        } else if (each.key == "published" && each.as_table() != nullptr) {
            claim.published_from = read_claim_value(each, folder);
            if (!metrics_of(std::as_const(*claim.published_from)).empty()) {
                throw UserFault(each.place, "the published value is computed by an experiment",
                                "printed numbers, and models with printed numbers as inputs");
            }
        } else if (each.key == "published") {
            claim.published = number_of(each);
        } else if (each.key == "at_least") {
            claim.at_least = number_of(each);
        } else if (each.key == "at_most") {
            claim.at_most = number_of(each);
        } else if (each.key == "tolerance") {
            claim.tolerance = distance_of(each);
        } else if (each.key == "within") {
            claim.within = distance_of(each);
        } else if (each.key == "ours") {
            claim.ours = read_claim_value(each, folder);
        } else {
            throw unknown_key(
                each, "a claim",
                {"what", "source", "published", "at_least", "at_most", "tolerance", "within",
                 "ours", "status", "because", "kind", "of", "listed", "closed", "prints_no_number",
                 "missing", "although", "without", "explain"});
        }
    }
    require_complete(claim, has_status);
    settle_kind(claim);
    if (claim.ours) {
        refuse_published_operand(claim, *claim.ours);
    }
    return claim;
}

bool is_chosen(const Claim& claim, const std::string& pattern) {
    std::vector<std::string> texts{claim.name, claim.what, claim.source};
    if (claim.ours) {
        const std::vector<std::string> sources = sources_of(*claim.ours);
        texts.insert(texts.end(), sources.begin(), sources.end());
    }
    return std::any_of(texts.begin(), texts.end(), [&pattern](const std::string& text) {
        return fnmatch(("*" + pattern + "*").c_str(), text.c_str(), FNM_CASEFOLD) == 0;
    });
}

}  // namespace

const std::string& name_of(ClaimStatus status) { return kStatuses[status]; }

const std::string& name_of(Evidence kind) { return kKinds[kind]; }

const std::string& name_of(PublishedOf of) { return kPublishedOf[of]; }

std::optional<ClaimsFile> read_claims(const fs::path& file) {
    const TomlEntry entry = setup::read_toml_file(file, {file.string()});
    const TomlTable& top = *entry.as_table();
    if (top.find("claim") == nullptr) {
        return std::nullopt;
    }
    ClaimsFile claims;
    for (const TomlEntry& each : top.entries) {
        if (each.key == "title") {
            claims.title = quoted_text(each);
        } else if (each.key == "hypotheses") {
            claims.hypotheses = files_of(each, file.parent_path());
        } else if (each.key == "claim") {
            for (const TomlEntry& claim : table_of(each, "tables [claim.NAME]").entries) {
                claims.claims.push_back(read_claim(claim, file.parent_path()));
                refuse_listed_twice(claims.claims);
            }
        } else {
            throw unknown_key(each, "a file of claims", {"title", "hypotheses", "claim"});
        }
    }
    if (claims.claims.empty()) {
        throw UserFault({file.string()}, "a file of claims without any", "tables [claim.NAME]");
    }
    return claims;
}

std::vector<Claim> chosen_claims(const ClaimsFile& file, const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
        if (std::none_of(file.claims.begin(), file.claims.end(),
                         [&pattern](const Claim& claim) { return is_chosen(claim, pattern); })) {
            std::vector<std::string> names;
            for (const Claim& claim : file.claims) {
                names.push_back(claim.name);
            }
            throw UserFault({"--only " + pattern}, "matches no claim",
                            "part of a claim's name, text, source or computation",
                            setup::nearest_name(pattern, names));
        }
    }
    std::vector<Claim> chosen;
    std::copy_if(file.claims.begin(), file.claims.end(), std::back_inserter(chosen),
                 [&patterns](const Claim& claim) {
                     return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                                            [&claim](const std::string& p) {
                                                                return is_chosen(claim, p);
                                                            });
                 });
    return chosen;
}

}  // namespace weir::experiments::validation
