#include "experiments/records/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "experiments/records/json_fields.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::records {

WEIR_JSON_FIELDS(ExplainedPart, assumption, label, counterfactual, cycles, is_named)
WEIR_JSON_FIELDS(Explanation, model, metric, predicted_cycles, measured_cycles, parts,
                 unexplained_cycles, idealised_machines, not_split)

namespace {

constexpr const char* kEntry = "explained";
constexpr double kSmallShare = 0.1;  // share of the largest part; a sentence sums smaller parts

}  // namespace

nlohmann::ordered_json explanations_to_json(const std::vector<Explanation>& explanations) {
    return explanations;
}

void add_explanations(const std::vector<Explanation>& explanations, PointResult& point) {
    if (!explanations.empty()) {
        (*point.particulars)[kEntry] = explanations;
    }
}

std::vector<Explanation> explanations_of(const PointResult& point) {
    return particular(point, kEntry).get<std::vector<Explanation>>();
}

std::vector<ExplainedPart> shown_parts(const Explanation& explanation) {
    std::vector<ExplainedPart> shown;
    std::copy_if(explanation.parts.begin(), explanation.parts.end(), std::back_inserter(shown),
                 [](const ExplainedPart& part) { return std::abs(part.cycles) >= kShownCycles; });
    return shown;
}

std::string explanation_sentence(const Explanation& explanation) {
    const double error = explanation.error_cycles();
    const double percent = 100.0 * std::abs(error) / explanation.measured_cycles;
    std::string text =
        fmt::format("{} is {:.1f} cycles ({} %) {} the machine", explanation.model, std::abs(error),
                    setup::percent_number(percent), error < 0.0 ? "below" : "above");
    if (!explanation.not_split.empty()) {
        return text + "; " + explanation.not_split + ".";
    }
    std::vector<std::string> parts;
    double rest = 0.0;
    std::size_t smaller = 0;
    for (const ExplainedPart& part : shown_parts(explanation)) {
        if (std::abs(part.cycles) >= kSmallShare * std::abs(explanation.parts.front().cycles)) {
            parts.push_back(fmt::format("{:+.1f} for {}", part.cycles, part.label));
        } else {
            rest += part.cycles;
            smaller += 1;
        }
    }
    if (smaller > 0) {
        parts.push_back(
            fmt::format("{:+.1f} in {}", rest, setup::counted(smaller, "smaller part")));
    }
    if (std::abs(explanation.unexplained_cycles) >= kShownCycles) {
        parts.push_back(fmt::format("{:+.1f} unexplained", explanation.unexplained_cycles));
    }
    return parts.empty() ? text + "."
                         : fmt::format("{}, of which {}.", text, fmt::join(parts, "; "));
}

}  // namespace weir::experiments::records
