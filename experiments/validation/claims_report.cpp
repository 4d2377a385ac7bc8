#include "experiments/validation/claims_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/text_streams.h"

namespace weir::experiments::validation {

namespace {

// Widths of the page's columns: two blanks, the claim, three numbers and, in twelve columns, the
// status.
constexpr std::size_t kClaim = 34;
constexpr std::size_t kNumber = 10;

std::string with_sign(double difference) {
    const std::string text = shown_number(difference);
    return text == "0" || difference < 0.0 ? text : "+" + text;
}

double accepted_distance(const Claim& claim) {
    return claim.within ? *claim.within : *claim.tolerance * std::abs(*claim.published);
}

std::string status_column(const CheckedClaim& checked) {
    if (checked.holds()) {
        return checked.claim.closed.empty() ? name_of(checked.claim.status) : "closed";
    }
    return checked.claim.status == ClaimStatus::kReproduced ? "NOW DIFFERS" : "NOW HOLDS";
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : ", ") + text;
    }
    return all;
}

bool is_counted(const Claim& claim, CountedRows counted) {
    const bool is_predicted = claim.evidence == Evidence::kPredicted;
    switch (counted) {
        case CountedRows::kListed:
            return claim.listed.has_value();
        case CountedRows::kPredicted:
            return claim.listed && is_predicted && !claim.prints_no_number;
        case CountedRows::kDecidable:
            return claim.is_decidable();
        case CountedRows::kHardware:
            return claim.listed || claim.of == PublishedOf::kHardware;
    }
    return false;
}

bool agrees_or_is_inside_band(const CheckedClaim& checked) {
    return checked.status() == ClaimStatus::kReproduced || checked.is_inside_band();
}

std::string band_text(const CheckedClaim& checked) {
    const Band& band = *checked.band;
    if (band.hypotheses == 0) {
        return "no band: no admissible hypothesis changes it";
    }
    return fmt::format("band {} to {}, of {} {}: published is {}", shown_number(band.low),
                       shown_number(band.high), band.hypotheses,
                       band.hypotheses == 1 ? "hypothesis" : "hypotheses",
                       checked.is_inside_band() ? "inside" : "outside");
}

std::string claim_rows(const CheckedClaim& checked) {
    const Claim& claim = checked.claim;
    const std::string published = published_text(claim);
    const std::size_t width = std::min(kClaim, kClaim + kNumber - 1 - published.size());
    hw::TextReader lines(setup::wrapped(claim.what, "", "  ", width));
    std::string line;
    std::getline(lines, line);
    const std::size_t taken = setup::width_of(line) + published.size();
    const std::string blanks(kClaim + kNumber - std::min(kClaim + kNumber, taken), ' ');
    std::string page = fmt::format("  {}{}{}{:>{}}{:>{}}  {}\n", line, blanks, published,
                                   checked.ours ? shown_number(*checked.ours) : "", kNumber,
                                   difference_text(checked), kNumber, status_column(checked));
    while (std::getline(lines, line)) {
        page += "  " + line + "\n";
    }
    const auto add = [&page](const std::string& text) {
        page += setup::wrapped(text, "      ", "      ");
    };
    if (!claim.published_text.empty()) {
        add("published: " + claim.published_text);
    }
    if (claim.ours) {
        add("by " + joined(sources_of(*claim.ours)));
    }
    if (checked.band) {
        add(band_text(checked));
    }
    if (!claim.missing.empty()) {
        add("missing: " + claim.missing);
    }
    if (!claim.although.empty()) {
        add("predicted, although " + claim.although);
        add(fmt::format("with {}: {}", joined(claim.without),
                        checked.without_inputs ? shown_number(*checked.without_inputs) : "–"));
    }
    for (const records::Explanation& explanation : checked.explanations) {
        add(records::explanation_sentence(explanation));
    }
    if (!claim.because.empty()) {
        add((claim.status == ClaimStatus::kReproduced ? "" : "because ") + claim.because);
    }
    return page;
}

/// Part of the page for one kind of evidence.
struct Part {
    std::optional<Evidence> evidence;  ///< empty for rows that are not testable
    std::optional<PublishedOf> of;
    const char* title;
    const char* short_title;

    [[nodiscard]] bool has(const CheckedClaim& checked) const {
        return checked.claim.evidence == evidence && checked.claim.of == of;
    }
};

constexpr std::array kParts{
    Part{Evidence::kPredicted, PublishedOf::kHardware,
         "Measured on real machines, and predicted by the emulated machine",
         "predicted of real machines"},
    Part{Evidence::kPredicted, PublishedOf::kSimulator,
         "Measured on the authors' simulators, and predicted by the emulated machine",
         "predicted of simulators"},
    Part{Evidence::kPredicted, PublishedOf::kModel,
         "Values of the papers' models, measured on the emulated machine", "predicted of models"},
    Part{Evidence::kPredicted, std::nullopt, "Predicted by the emulated machine", "predicted"},
    Part{Evidence::kBound, std::nullopt,
         "Bounds: all values on one side of a limit, or within a band, agree", "bounds"},
    Part{Evidence::kCalibrated, std::nullopt,
         "Calibrated: numbers from which the machine's constants were set", "calibrated"},
    Part{Evidence::kGiven, std::nullopt,
         "Given: the number, or another number of its table, is an input", "given"},
    Part{Evidence::kFormula, std::nullopt,
         "Formulas: results of a model's formula, without running a machine", "formulas"},
    Part{std::nullopt, std::nullopt, "Not testable", "not testable"},
};

/// Name of a set of rows, as in "of 17 decidable rows" and as a key.
struct CountedName {
    CountedRows counted;
    const char* rows;
    const char* key;
};
constexpr std::array kCountedNames{
    CountedName{CountedRows::kListed, "listed rows", "listed"},
    CountedName{CountedRows::kPredicted, "listed predictions of printed numbers", "predicted"},
    CountedName{CountedRows::kDecidable, "decidable rows", "decidable"},
    CountedName{CountedRows::kHardware, "rows of real machines in all", "hardware"},
};

// Counts of rows near the published value, and inside their band.
std::string nearness_text(const std::vector<CheckedClaim>& claims) {
    const bool have_bands =
        std::any_of(claims.begin(), claims.end(),
                    [](const CheckedClaim& checked) { return checked.band.has_value(); });
    std::string text;
    for (const CountedName& name : kCountedNames) {
        const Nearness nearness = nearness_of(claims, name.counted);
        if (nearness.rows == 0) {
            continue;
        }
        text += fmt::format("of {} {}: {} within 3 %, {} within 5 %, {} within 10 %\n",
                            nearness.rows, name.rows, nearness.within_3_percent,
                            nearness.within_5_percent, nearness.within_10_percent);
        if (have_bands) {
            text += fmt::format("    {} inside their band, {} outside, {} closed\n",
                                nearness.inside_band, nearness.outside_band, nearness.closed);
        }
    }
    return text;
}

// The closed rows, by their number in the list, with their reasons.
std::string closed_text(const std::vector<CheckedClaim>& claims) {
    std::vector<const Claim*> closed;
    for (const CheckedClaim& checked : claims) {
        if (!checked.claim.closed.empty()) {
            closed.push_back(&checked.claim);
        }
    }
    std::sort(closed.begin(), closed.end(),
              [](const Claim* left, const Claim* right) { return left->listed < right->listed; });
    std::string text =
        closed.empty() ? "" : "Closed: the published record cannot decide these rows\n";
    for (const Claim* claim : closed) {
        text += setup::wrapped(
            fmt::format("{}  {}: {}", *claim->listed, claim->what, claim->closed), "  ", "      ");
    }
    return text;
}

}  // namespace

std::string shown_number(double value) {
    if (value == 0.0) {
        return "0";
    }
    constexpr int kDigits = 4;
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const int decimals = std::clamp(kDigits - 1 - magnitude, 0, kDigits);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text == "-0" || text == "0" ? setup::shown_number(value) : text;
}

std::string published_text(const Claim& claim) {
    if (claim.published) {
        return shown_number(*claim.published);
    }
    if (claim.at_least && claim.at_most) {
        return shown_number(*claim.at_least) + ".." + shown_number(*claim.at_most);
    }
    if (claim.at_least) {
        return ">= " + shown_number(*claim.at_least);
    }
    return claim.at_most ? "<= " + shown_number(*claim.at_most) : "";
}

std::string difference_text(const CheckedClaim& checked) {
    const Claim& claim = checked.claim;
    if (!checked.ours) {
        return "";
    }
    const double ours = *checked.ours;
    if (!claim.published) {
        if (checked.excess() == 0.0) {
            return "";
        }
        const double bound =
            claim.at_least && ours < *claim.at_least ? *claim.at_least : *claim.at_most;
        return with_sign(ours - bound);
    }
    const double difference = ours - *claim.published;
    if (claim.tolerance && difference != 0.0 && *claim.published != 0.0) {
        return setup::signed_number(100.0 * difference / std::abs(*claim.published)) + " %";
    }
    return with_sign(difference);
}

double CheckedClaim::excess() const {
    if (!ours) {
        return 0.0;
    }
    if (claim.published) {
        return std::max(0.0, std::abs(*ours - *claim.published) - accepted_distance(claim));
    }
    const double below = claim.at_least ? *claim.at_least - *ours : 0.0;
    const double above = claim.at_most ? *ours - *claim.at_most : 0.0;
    return std::max({0.0, below, above});
}

ClaimStatus CheckedClaim::status() const {
    if (!ours) {
        return ClaimStatus::kNotTestable;
    }
    return excess() > 0.0 ? ClaimStatus::kDiffers : ClaimStatus::kReproduced;
}

double CheckedClaim::off() const {
    constexpr double kInsideABound = 0.1;
    if (!ours) {
        return HUGE_VAL;
    }
    if (!claim.published) {
        return excess() == 0.0 ? kInsideABound : HUGE_VAL;
    }
    const double difference = std::abs(*ours - *claim.published);
    if (*claim.published != 0.0) {
        return difference / std::abs(*claim.published);
    }
    const auto* metric = claim.ours ? std::get_if<MetricOfRun>(&claim.ours->from) : nullptr;
    const bool is_percent = metric != nullptr && metric->metric.ends_with("_percent");
    return is_percent ? difference / 100.0 : difference;
}

bool CheckedClaim::is_inside_band() const {
    const double low = claim.published ? *claim.published : claim.at_least.value_or(-HUGE_VAL);
    const double high = claim.published ? *claim.published : claim.at_most.value_or(HUGE_VAL);
    return band && band->low <= high && low <= band->high;
}

bool CheckedClaim::lacks_cause() const {
    return claim.is_decidable() && band && !agrees_or_is_inside_band(*this) &&
           claim.missing.empty();
}

bool CheckedClaim::depends_on_inputs() const {
    constexpr double kLargestShare = 0.1;
    return without_inputs && ours &&
           std::abs(*without_inputs - *ours) >
               kLargestShare * std::abs(claim.published.value_or(*ours));
}

Nearness nearness_of(const std::vector<CheckedClaim>& claims, CountedRows counted) {
    // Tolerance for rounding: a difference of 3 % is within 3 %.
    constexpr double kRounding = 1e-9;
    Nearness nearness;
    for (const CheckedClaim& checked : claims) {
        if (!is_counted(checked.claim, counted)) {
            continue;
        }
        nearness.rows += 1;
        if (!checked.claim.closed.empty()) {
            nearness.closed += 1;
            continue;
        }
        const double off = checked.off() - kRounding;
        nearness.within_3_percent += off <= 0.03 ? 1 : 0;
        nearness.within_5_percent += off <= 0.05 ? 1 : 0;
        nearness.within_10_percent += off <= 0.1 ? 1 : 0;
        (agrees_or_is_inside_band(checked) ? nearness.inside_band : nearness.outside_band) += 1;
    }
    return nearness;
}

std::string claims_page(const std::string& title, const std::vector<CheckedClaim>& claims) {
    std::string page = title.empty() ? "" : setup::wrapped(title, "", "") + "\n";
    const std::string nearness = nearness_text(claims);
    page += nearness.empty() ? "" : nearness + "\n";
    const std::string closed = closed_text(claims);
    page += closed.empty() ? "" : closed + "\n";
    for (const Part& part : kParts) {
        std::string rows;
        std::string source;
        for (const CheckedClaim& checked : claims) {
            if (!part.has(checked)) {
                continue;
            }
            if (checked.claim.source != source) {
                source = checked.claim.source;
                rows += setup::wrapped(source, "", "  ");
            }
            rows += claim_rows(checked);
        }
        if (rows.empty()) {
            continue;
        }
        page += setup::wrapped(part.title, "", "");
        if (part.evidence) {
            page += fmt::format("{:>{}}{:>{}}{:>{}}\n", "published", 2 + kClaim + kNumber, "ours",
                                kNumber, "off by", kNumber);
        }
        page += rows + "\n";
    }
    return page;
}

std::string claims_summary(const std::vector<CheckedClaim>& claims) {
    const auto count = [&claims](ClaimStatus status) {
        return std::count_if(claims.begin(), claims.end(), [status](const CheckedClaim& checked) {
            return checked.status() == status;
        });
    };
    std::string page = fmt::format("{} claims: {} reproduced, {} differ, {} not testable\n",
                                   claims.size(), count(ClaimStatus::kReproduced),
                                   count(ClaimStatus::kDiffers), count(ClaimStatus::kNotTestable));
    for (const Part& part : kParts) {
        const auto count_part = [&](bool reproduced) {
            return std::count_if(claims.begin(), claims.end(), [&](const CheckedClaim& checked) {
                return part.has(checked) &&
                       (checked.status() == ClaimStatus::kReproduced) == reproduced;
            });
        };
        if (part.evidence && count_part(true) + count_part(false) > 0) {
            page += fmt::format("  {}: {} reproduced, {} differ\n", part.short_title,
                                count_part(true), count_part(false));
        }
    }
    page += nearness_text(claims);
    for (const CheckedClaim& checked : claims) {
        if (!checked.holds()) {
            page += setup::wrapped(
                fmt::format("{}: {}: the file says \"{}\", and ours is {} where {} is published",
                            checked.claim.place.text(), checked.claim.name,
                            name_of(checked.claim.status), shown_number(*checked.ours),
                            published_text(checked.claim)),
                "", "  ");
        }
        if (checked.lacks_cause()) {
            page += setup::wrapped(
                fmt::format("{}: {}: {} is outside the row's band; accepted: missing = \"...\", "
                            "the mechanism that the machine lacks",
                            checked.claim.place.text(), checked.claim.name,
                            published_text(checked.claim)),
                "", "  ");
        }
        if (checked.depends_on_inputs()) {
            page += setup::wrapped(
                fmt::format("{}: {}: the row is called predicted, but {} change it from {} to {}; "
                            "accepted: kind = \"calibrated\" or \"given\"",
                            checked.claim.place.text(), checked.claim.name,
                            joined(checked.claim.without), shown_number(*checked.ours),
                            shown_number(*checked.without_inputs)),
                "", "  ");
        }
    }
    return page;
}

nlohmann::ordered_json claims_document(const std::vector<CheckedClaim>& claims) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const CheckedClaim& checked : claims) {
        const Claim& claim = checked.claim;
        nlohmann::ordered_json row{
            {"name", claim.name}, {"what", claim.what}, {"source", claim.source}};
        if (claim.evidence) {
            row["kind"] = name_of(*claim.evidence);
        }
        if (claim.of) {
            row["of"] = name_of(*claim.of);
        }
        if (claim.listed) {
            row["listed"] = *claim.listed;
        }
        const auto add_text = [&row](const char* key, const std::string& text) {
            if (!text.empty()) {
                row[key] = text;
            }
        };
        add_text("closed", claim.closed);
        if (claim.prints_no_number) {
            row["prints_no_number"] = true;
        }
        add_text("missing", claim.missing);
        add_text("although", claim.although);
        const auto add = [&row](const char* key, const std::optional<double>& value) {
            if (value) {
                row[key] = *value;
            }
        };
        add("without_inputs", checked.without_inputs);
        add("published", claim.published);
        if (!claim.published_text.empty()) {
            row["published"] = claim.published_text;
        }
        add("at_least", claim.at_least);
        add("at_most", claim.at_most);
        add("tolerance", claim.tolerance);
        add("within", claim.within);
        add("ours", checked.ours);
        if (checked.band) {
            row["band"] = {{"low", checked.band->low},
                           {"high", checked.band->high},
                           {"hypotheses", checked.band->hypotheses},
                           {"inside", checked.is_inside_band()}};
        }
        if (claim.ours) {
            row["computed_by"] = sources_of(*claim.ours);
        }
        if (!checked.explanations.empty()) {
            row["explained"] = records::explanations_to_json(checked.explanations);
        }
        row["status"] = name_of(checked.status());
        row["declared"] = name_of(claim.status);
        row["holds"] = checked.holds();
        if (!claim.because.empty()) {
            row["because"] = claim.because;
        }
        rows.push_back(row);
    }
    return rows;
}

nlohmann::ordered_json counted_document(const std::vector<CheckedClaim>& claims) {
    nlohmann::ordered_json counted = nlohmann::ordered_json::object();
    for (const CountedName& name : kCountedNames) {
        const Nearness nearness = nearness_of(claims, name.counted);
        counted[name.key] = {{"rows", nearness.rows},
                             {"within_3_percent", nearness.within_3_percent},
                             {"within_5_percent", nearness.within_5_percent},
                             {"within_10_percent", nearness.within_10_percent},
                             {"inside_band", nearness.inside_band},
                             {"outside_band", nearness.outside_band},
                             {"closed", nearness.closed}};
    }
    return counted;
}

}  // namespace weir::experiments::validation
