#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/pages/findings/sweep_findings.h"
#include "experiments/pages/findings/varied_groups.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::Finding;

bool is_significant(const records::TornadoFactor& factor) {
    return std::any_of(factor.values.begin(), factor.values.end(),
                       [](const records::TornadoValue& value) { return value.is_significant(); });
}

// Text of an axis's changes: "-24.4 ± 1.2 % at 30, 21 to +44.8 ± 4.6 % at 120, 84".
std::string changes_text(const records::TornadoFactor& factor) {
    const auto [least, most] = std::minmax_element(
        factor.values.begin(), factor.values.end(),
        [](const auto& a, const auto& b) { return a.change_percent < b.change_percent; });
    return least == most ? change_text(*least) : change_text(*least) + " to " + change_text(*most);
}

// Greatest change within the intervals.
double most_change(const std::vector<const records::TornadoFactor*>& factors) {
    double most = 0.0;
    for (const records::TornadoFactor* factor : factors) {
        for (const records::TornadoValue& value : factor->values) {
            most = std::max(most, value.farthest_percent());
        }
    }
    return most;
}

/// Axes of a group; those with a significant effect begin with the widest.
struct RankedFactors {
    std::vector<records::TornadoFactor> all;
    std::vector<const records::TornadoFactor*> significant;
    std::vector<const records::TornadoFactor*> insignificant;
};

RankedFactors ranked_factors(const SweepValues& values, const VariedGroup& group) {
    RankedFactors ranked{tornado_factors(values, group), {}, {}};
    std::erase_if(ranked.all, [](const auto& factor) { return factor.values.empty(); });
    std::stable_sort(ranked.all.begin(), ranked.all.end(), [](const auto& a, const auto& b) {
        return a.swing_percent() > b.swing_percent();
    });
    for (const records::TornadoFactor& factor : ranked.all) {
        (is_significant(factor) ? ranked.significant : ranked.insignificant).push_back(&factor);
    }
    return ranked;
}

// Half width of the 95 % interval of a swing, the difference between its ends. The base is an exact
// end.
double swing_half_width(const records::TornadoFactor& factor) {
    const auto [least, most] = std::minmax_element(
        factor.values.begin(), factor.values.end(),
        [](const auto& a, const auto& b) { return a.change_percent < b.change_percent; });
    const double below =
        least->change_percent < 0.0 ? least->half_width_percent.value_or(0.0) : 0.0;
    const double above = most->change_percent > 0.0 ? most->half_width_percent.value_or(0.0) : 0.0;
    return std::hypot(below, above);
}

// Axes that matter. The widest, and all axes that the intervals do not tell from it, have the first
// rank.
records::Ranking ranking_of(const std::string& label, const RankedFactors& ranked) {
    records::Ranking ranking{label + ": swing", true, {}};
    for (const records::TornadoFactor* factor : ranked.significant) {
        const records::TornadoFactor& widest = *ranked.significant.front();
        const double apart = widest.swing_percent() - factor->swing_percent();
        const double half_width = swing_half_width(*factor);
        const bool is_significant =
            factor != &widest && apart > std::hypot(swing_half_width(widest), half_width);
        ranking.entries.push_back({setup::spaced_name(factor->name),
                                   is_significant ? std::size_t{1} : 0,
                                   {factor->swing_percent()},
                                   half_width});
    }
    return ranking;
}

// Text of the first rank: "interrupt cost or hop cycles".
std::string first_place(const records::Ranking& ranking) {
    std::vector<std::string> names;
    for (const records::Ranking::Entry& entry : ranking.entries) {
        if (entry.place == 0) {
            names.push_back(entry.name);
        }
    }
    return fmt::format("{}", fmt::join(names, " or "));
}

std::string untold_text(const RankedFactors& ranked) {
    std::vector<std::string> names;
    for (const records::TornadoFactor* factor : ranked.insignificant) {
        names.push_back(setup::spaced_name(factor->name));
    }
    return fmt::format("no effect beyond chance, below {} %: {}",
                       setup::shown_number(std::max(
                           std::ceil(10.0 * most_change(ranked.insignificant)) / 10.0, 0.1)),
                       fmt::join(names, ", "));
}

// Sentences on the axes of the only group, one per axis.
std::vector<std::string> sentences_of(const RankedFactors& ranked) {
    std::vector<std::string> sentences;
    for (const records::TornadoFactor* factor : ranked.significant) {
        sentences.push_back(
            fmt::format("{}: {}.", setup::spaced_name(factor->name), changes_text(*factor)));
    }
    if (!ranked.insignificant.empty()) {
        sentences.push_back("By the others, " + untold_text(ranked) + ".");
    }
    return sentences;
}

// Sentence on all axes of one of several groups, the widest first.
std::string sentence_of(const std::string& label, const RankedFactors& ranked) {
    std::vector<std::string> parts;
    for (const records::TornadoFactor* factor : ranked.significant) {
        parts.push_back(
            fmt::format("{} {}", setup::spaced_name(factor->name), changes_text(*factor)));
    }
    if (!ranked.insignificant.empty()) {
        parts.push_back(untold_text(ranked));
    }
    return fmt::format("{}: {}.", label, fmt::join(parts, "; "));
}

/// Significant change of an axis that is farthest from 0, over all groups.
struct FarthestChange {
    std::string axis;
    std::string label;
    records::TornadoValue value;
};

void look_for_farthest(const std::string& label, const RankedFactors& ranked,
                       std::vector<FarthestChange>& farthest) {
    for (const records::TornadoFactor* factor : ranked.significant) {
        const records::TornadoValue value = *std::max_element(
            factor->values.begin(), factor->values.end(), [](const auto& a, const auto& b) {
                return std::abs(a.change_percent) < std::abs(b.change_percent);
            });
        const auto known =
            std::find_if(farthest.begin(), farthest.end(),
                         [factor](const auto& each) { return each.axis == factor->name; });
        if (known == farthest.end()) {
            farthest.push_back({factor->name, label, value});
        } else if (std::abs(value.change_percent) > std::abs(known->value.change_percent)) {
            *known = {factor->name, label, value};
        }
    }
}

// Sentences on the axes that matter most: "interrupt cost matters most to 9 of 11: LU, FFT".
std::vector<std::string> most_sentences(
    const std::vector<std::pair<std::string, std::string>>& most, std::size_t groups) {
    std::vector<std::pair<std::string, std::vector<std::string>>> by_axis;
    for (const auto& [label, axis] : most) {
        auto found = std::find_if(by_axis.begin(), by_axis.end(),
                                  [&axis = axis](const auto& each) { return each.first == axis; });
        if (found == by_axis.end()) {
            found = by_axis.insert(by_axis.end(), {axis, {}});
        }
        found->second.push_back(label);
    }
    std::stable_sort(by_axis.begin(), by_axis.end(), [](const auto& a, const auto& b) {
        return a.second.size() > b.second.size();
    });
    std::vector<std::string> sentences;
    sentences.reserve(by_axis.size());
    for (const auto& [axis, labels] : by_axis) {
        sentences.push_back(fmt::format("{} matters most to {} of {}: {}.", axis, labels.size(),
                                        groups, fmt::join(labels, "; ")));
    }
    return sentences;
}

}  // namespace

std::vector<Finding> varied_findings(const SweepValues& values) {
    Finding finding{"Change by each axis alone, in % of the base", {}};
    const std::vector<VariedGroup> groups = varied_groups(values);
    std::vector<std::pair<std::string, std::string>> most;
    std::vector<FarthestChange> farthest;
    std::vector<std::string> sentences;
    for (const VariedGroup& group : groups) {
        const RankedFactors ranked = ranked_factors(values, group);
        if (ranked.all.empty()) {
            continue;
        }
        if (groups.size() == 1) {
            sentences = sentences_of(ranked);
            continue;
        }
        sentences.push_back(sentence_of(group.label, ranked));
        look_for_farthest(group.label, ranked, farthest);
        if (!ranked.significant.empty()) {
            finding.rankings.push_back(ranking_of(group.label, ranked));
            most.emplace_back(group.label, first_place(finding.rankings.back()));
        }
    }
    finding.sentences = most_sentences(most, groups.size());
    for (const FarthestChange& each : farthest) {
        finding.sentences.push_back(fmt::format("{}: no more than {} ({}).",
                                                setup::spaced_name(each.axis),
                                                change_text(each.value), each.label));
    }
    finding.sentences.insert(finding.sentences.end(), sentences.begin(), sentences.end());
    return finding.sentences.empty() ? std::vector<Finding>{} : std::vector{finding};
}

}  // namespace weir::experiments::pages
