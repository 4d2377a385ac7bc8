#include "experiments/analyses/explanations/explanation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/patterns/long_messages.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

namespace {

using records::ExplainedPart;
using records::Explanation;
using statistics::PlayerSet;

constexpr double kRounding = 1e-6;

constexpr bool contains(PlayerSet set, std::size_t player) { return (set >> player & 1U) != 0; }

std::vector<PlayerSet> constraints_of(const std::vector<const Assumption*>& players) {
    std::vector<PlayerSet> before(players.size(), 0);
    for (std::size_t i = 0; i < players.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            before[i] |= comes_before(*players[j], *players[i]) ? PlayerSet{1} << j : 0;
        }
    }
    return before;
}

// Model with the trace's values in place of some assumptions.
ExplainedTerms corrected(ExplainedTerms terms, const std::vector<const Assumption*>& players,
                         PlayerSet set, const TraceFacts& facts) {
    for (std::size_t i = 0; i < players.size(); ++i) {
        if (contains(set, i)) {
            players[i]->correct(terms, facts);
        }
    }
    return terms;
}

// Assumptions whose corrections change the model, if all earlier ones are corrected, too.
std::vector<const Assumption*> players_of(const ExplainedTerms& terms, const TraceFacts& facts) {
    std::vector<const Assumption*> players;
    ExplainedTerms before = terms;
    for (const Assumption& assumption : assumptions()) {
        if (assumption.correct == nullptr) {
            continue;
        }
        ExplainedTerms with = before;
        assumption.correct(with, facts);
        ExplainedTerms alone = terms;
        assumption.correct(alone, facts);
        if (std::abs(with.cycles() - before.cycles()) > kRounding ||
            std::abs(alone.cycles() - terms.cycles()) > kRounding) {
            players.push_back(&assumption);
        }
        before = with;
    }
    return players;
}

void split(const ExplainedTerms& terms, const TraceFacts& facts, Explanation& explanation) {
    const std::vector<const Assumption*> players = players_of(terms, facts);
    const std::vector<double> shares = statistics::shapley_values(
        constraints_of(players),
        [&](PlayerSet set) { return -corrected(terms, players, set, facts).cycles(); });
    explanation.unexplained_cycles = explanation.error_cycles();
    for (std::size_t i = 0; i < players.size(); ++i) {
        explanation.parts.push_back({.assumption = players[i]->name,
                                     .label = players[i]->label,
                                     .counterfactual = players[i]->correction,
                                     .cycles = shares[i]});
        explanation.unexplained_cycles -= shares[i];
    }
}

std::optional<Explanation> explanation_of(const records::Prediction& prediction,
                                          const ExplainedPoint& point,
                                          const AskedProgram& program) {
    const std::string name = records::model_of(prediction.model);
    const ComparedModel& model = compared_model(name);
    const auto predicted = records::find_metric(prediction.metrics, point.metric);
    if (!model.terms || !predicted) {
        return std::nullopt;
    }
    Inputs inputs(name == prediction.model ? point.measured_inputs : point.given_inputs);
    records::Metrics details;
    Question question{inputs,          program.machine, program.communication,
                      program.pattern, program.facts,   details};
    const ExplainedTerms terms = model.terms(question);
    // A kernel's own answer, or a limit by the machine, is not split.
    if (!(std::abs(terms.cycles() - *predicted) <= kRounding * *predicted)) {
        return std::nullopt;
    }
    Explanation explanation{.model = prediction.model,
                            .metric = point.metric,
                            .predicted_cycles = *predicted,
                            .measured_cycles = point.measured_cycles};
    split(terms, {point.parts, point.measured_inputs}, explanation);
    name_broken(explanation);
    return explanation;
}

// Whether the trace has the parts of the main metric. The parts of a single message are measured
// inputs of models.
bool has_parts(const ExplainedPoint& point) {
    const bool is_sum = point.metric == iteration_metrics().cycles_per_iteration.name() ||
                        point.metric == program_metrics().makespan_cycles.name();
    return point.metric == single_message_metrics().end_to_end_cycles.name() ||
           (is_sum && !point.parts.empty());
}

ExplainedPart* find_part(Explanation& explanation, const std::string& name) {
    const auto found =
        std::find_if(explanation.parts.begin(), explanation.parts.end(),
                     [&](const ExplainedPart& part) { return part.assumption == name; });
    return found == explanation.parts.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<std::string>& explained_model_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const ComparedModel& model : compared_models()) {
            if (model.terms) {
                all.push_back(model.name);
            }
        }
        return all;
    }();
    return names;
}

std::vector<Explanation> explain_predictions(const std::vector<records::Prediction>& predictions,
                                             const ExplainedPoint& point,
                                             const AskedProgram& program) {
    std::vector<Explanation> explanations;
    if (!has_parts(point)) {
        return explanations;
    }
    for (const records::Prediction& prediction : predictions) {
        try {
            if (auto explanation = explanation_of(prediction, point, program)) {
                explanations.push_back(*std::move(explanation));
            }
        } catch (const models::ModelError&) {  // the prediction has the reason
        }
    }
    return explanations;
}

namespace {

const hw::ParameterValue* value_of(const Configuration& configuration, const std::string& key) {
    const auto found = std::find_if(configuration.begin(), configuration.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    return found == configuration.end() ? nullptr : &found->second;
}

// DMA engines have parameters with an effect only if messages have bodies.
bool is_for(const IdealSetting& setting, const Configuration& configuration) {
    using Messages = IdealSetting::Messages;
    const bool has_bodies = value_of(configuration, "dma.setup_cycles") != nullptr;
    return setting.messages == Messages::kAll ||
           (setting.messages == Messages::kWithBodies) == has_bodies;
}

bool has_mechanism(const IdealSetting& setting, const Configuration& configuration) {
    const hw::ParameterValue* value = value_of(configuration, setting.key);
    return value != nullptr && *value != setting.value &&
           (!setting.from || *value == *setting.from);
}

bool may_be_broken(const Assumption& assumption, const Configuration& configuration) {
    if (!assumption.only_with) {
        return true;
    }
    const hw::ParameterValue* value = value_of(configuration, assumption.only_with->key);
    return value != nullptr && *value == assumption.only_with->value;
}

// Settings that idealise the mechanism for the machine's messages; empty if it has none.
std::vector<IdealSetting> settings_of(const Assumption& assumption,
                                      const Configuration& configuration) {
    std::vector<IdealSetting> settings;
    std::copy_if(assumption.settings.begin(), assumption.settings.end(),
                 std::back_inserter(settings),
                 [&](const IdealSetting& setting) { return is_for(setting, configuration); });
    const bool is_broken =
        may_be_broken(assumption, configuration) &&
        std::any_of(settings.begin(), settings.end(), [&](const IdealSetting& setting) {
            return has_mechanism(setting, configuration);
        });
    return is_broken ? settings : std::vector<IdealSetting>{};
}

}  // namespace

IdealisedAssumptions idealised_assumptions(const Configuration& configuration) {
    IdealisedAssumptions idealised;
    for (const Assumption& assumption : assumptions()) {
        if (auto settings = settings_of(assumption, configuration); !settings.empty()) {
            idealised.assumptions.push_back(&assumption);
            idealised.settings.push_back(std::move(settings));
        }
    }
    idealised.before = constraints_of(idealised.assumptions);
    return idealised;
}

Explanation joined_explanation(const IdealisedAssumptions& idealised,
                               const std::vector<Explanation>& machines) {
    const std::vector<PlayerSet> sets = statistics::permitted_sets(idealised.before);
    const std::vector<double> shares =
        statistics::shapley_values(idealised.before, [&](PlayerSet set) {
            const auto found = std::find(sets.begin(), sets.end(), set);
            return -machines[static_cast<std::size_t>(found - sets.begin())].error_cycles();
        });
    Explanation joined = machines.front();
    joined.parts.clear();
    joined.idealised_machines = static_cast<std::int64_t>(machines.size()) - 1;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const Assumption& assumption = *idealised.assumptions[i];
        joined.parts.push_back({.assumption = assumption.name,
                                .label = assumption.label,
                                .counterfactual = assumption.idealisation,
                                .cycles = shares[i]});
    }
    for (const ExplainedPart& part : machines.back().parts) {
        if (ExplainedPart* known = find_part(joined, part.assumption)) {
            known->cycles += part.cycles;
        } else {
            joined.parts.push_back(part);
        }
    }
    joined.unexplained_cycles = machines.back().unexplained_cycles;
    name_broken(joined);
    return joined;
}

void name_broken(Explanation& explanation) {
    double largest = 0.0;
    for (const ExplainedPart& part : explanation.parts) {
        largest = std::max(largest, std::abs(part.cycles));
    }
    const double least =
        std::max(kNamedShareOfTime * explanation.measured_cycles, kNamedShareOfLargest * largest);
    for (ExplainedPart& part : explanation.parts) {
        part.is_named = std::abs(part.cycles) >= least;
    }
    std::stable_sort(explanation.parts.begin(), explanation.parts.end(),
                     [](const ExplainedPart& a, const ExplainedPart& b) {
                         return std::abs(a.cycles) > std::abs(b.cycles);
                     });
}

}  // namespace weir::experiments::analyses
