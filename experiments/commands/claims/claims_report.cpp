#include "experiments/commands/claims/claims_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::commands {

namespace {

// Columns of the page: two blanks, the claim, three numbers and, in twelve, the status.
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
        return name_of(checked.claim.status);
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

std::string claim_rows(const CheckedClaim& checked) {
    const Claim& claim = checked.claim;
    const std::string published = published_text(claim);
    const std::size_t width = std::min(kClaim, kClaim + kNumber - 1 - published.size());
    std::istringstream lines(setup::wrapped(claim.what, "", "  ", width));
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
    if (!claim.because.empty()) {
        add((claim.status == ClaimStatus::kReproduced ? "" : "because ") + claim.because);
    }
    return page;
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
    return text == "-0" ? "0" : text;
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
        return fmt::format("{:+.1f} %", 100.0 * difference / std::abs(*claim.published));
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

std::string claims_page(const std::string& title, const std::vector<CheckedClaim>& claims) {
    std::string page = title.empty() ? "" : setup::wrapped(title, "", "");
    page += fmt::format("{:>{}}{:>{}}{:>{}}\n", "published", 2 + kClaim + kNumber, "ours", kNumber,
                        "off by", kNumber);
    std::string source;
    for (const CheckedClaim& checked : claims) {
        if (checked.claim.source != source) {
            source = checked.claim.source;
            page += setup::wrapped(source, "", "  ");
        }
        page += claim_rows(checked);
    }
    return page + "\n";
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
    for (const CheckedClaim& checked : claims) {
        if (!checked.holds()) {
            page += setup::wrapped(
                fmt::format("{}: {}: the file says \"{}\", and ours is {} where {} is published",
                            checked.claim.place.text(), checked.claim.name,
                            name_of(checked.claim.status), shown_number(*checked.ours),
                            published_text(checked.claim)),
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
        const auto add = [&row](const char* key, const std::optional<double>& value) {
            if (value) {
                row[key] = *value;
            }
        };
        add("published", claim.published);
        if (!claim.published_text.empty()) {
            row["published"] = claim.published_text;
        }
        add("at_least", claim.at_least);
        add("at_most", claim.at_most);
        add("tolerance", claim.tolerance);
        add("within", claim.within);
        add("ours", checked.ours);
        if (claim.ours) {
            row["computed_by"] = sources_of(*claim.ours);
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

}  // namespace weir::experiments::commands
