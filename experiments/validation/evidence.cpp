#include "experiments/validation/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "experiments/kinds/setup.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/parameters/parameter_effect.h"
#include "experiments/validation/claim_values.h"
#include "hw/text_streams.h"

namespace weir::experiments::validation {

namespace {

using setup::UserFault;

/// An input number of an experiment: a parameter's value, or a model's input.
struct GivenNumber {
    std::string key;
    double value = 0.0;
};

/// Inputs of one point of an experiment.
struct Ingredients {
    std::vector<GivenNumber> numbers;
    std::map<std::string, std::string> sources;  ///< source of each parameter that has an effect
};

std::vector<double> numbers_in(const hw::ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return {static_cast<double>(*whole)};
    }
    if (const auto* number = std::get_if<double>(&value)) {
        return {*number};
    }
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        return {list->begin(), list->end()};
    }
    return {};
}

/// Inputs of experiments' points, each read once.
class IngredientsOfRuns {
  public:
    explicit IngredientsOfRuns(const running::RunOptions& options) : options_(options) {}

    const Ingredients& of(const MetricOfRun& metric) {
        const auto key = std::tuple(metric.file, metric.settings, metric.point);
        const auto found = found_.find(key);
        if (found != found_.end()) {
            return found->second;
        }
        Ingredients& ingredients = found_[key];
        try {
            ingredients = read(metric);
        } catch (const UserFault&) {
            // ClaimValues makes the same request, and reports the fault's place.
        }
        return ingredients;
    }

  private:
    [[nodiscard]] Ingredients read(const MetricOfRun& metric) const {
        std::vector<std::string> settings = metric.settings;
        settings.insert(settings.end(), options_.set_options.begin(), options_.set_options.end());
        const auto file = setup::ExperimentFile::read(metric.file, options_.presets, settings);
        const auto point = std::find_if(
            file.points().begin(), file.points().end(), [&metric](const setup::Point& each) {
                return metric.point.empty() || each.label == metric.point;
            });
        if (point == file.points().end()) {
            return {};
        }
        const setup::SelectedRun run(point - file.points().begin());
        const std::unique_ptr<kinds::Setup> made = running::check_run(file, run);
        Ingredients ingredients;
        const setup::SetupCircumstances circumstances(made->groups(), made->kind->facts());
        for (const hw::ParameterGroup* group : circumstances.groups()) {
            for (const hw::ParameterBase* parameter : group->parameters()) {
                if (!setup::effect_of(*group, *parameter).holds(circumstances)) {
                    continue;
                }
                const std::string key = group->table() + "." + parameter->name();
                ingredients.sources[key] = parameter->source();
                for (const double value : numbers_in(parameter->value_as_variant())) {
                    ingredients.numbers.push_back({key, value});
                }
            }
        }
        for (const setup::ModelInput& input : file.model_inputs(run, made->kind->model_inputs())) {
            ingredients.numbers.push_back({"models.inputs." + input.name, input.value});
        }
        return ingredients;
    }

    const running::RunOptions& options_;
    std::map<std::tuple<std::filesystem::path, std::vector<std::string>, std::string>, Ingredients>
        found_;
};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Tables and figures that a source names: "LoPC Figure 6" and "LoPC Figure 7" for "LoPC Section
/// 4.4, Figures 6 and 7". The list is empty if the source names none.
std::vector<std::string> tables_of_source(const std::string& source) {
    std::vector<std::string> tables;
    std::string paper;  // words before the section, table or figure
    bool is_of_paper = true;
    std::string kind;
    hw::TextReader words(source);
    for (std::string word; words >> word;) {
        const bool is_number = is_digit(word.front());
        if (word.starts_with("Table") || word.starts_with("Figure")) {
            kind = word.starts_with("Table") ? "Table" : "Figure";
            is_of_paper = false;
        } else if (is_number && !kind.empty()) {
            tables.push_back(paper + kind + " " +
                             word.substr(0, word.find_first_not_of("0123456789")));
        } else if (word != "and" && word != "to") {
            is_of_paper = is_of_paper && !is_number && !word.starts_with("Section");
            paper += is_of_paper ? word + " " : "";
            kind.clear();
        }
    }
    return tables;
}

/// True if the text names one of the tables.
bool names_one(const std::string& text, const std::vector<std::string>& tables) {
    return std::any_of(tables.begin(), tables.end(), [&text](const std::string& table) {
        for (std::size_t at = text.find(table); at != std::string::npos;
             at = text.find(table, at + 1)) {
            const std::size_t end = at + table.size();
            if (end == text.size() || !is_digit(text[end])) {
                return true;
            }
        }
        return false;
    });
}

bool have_one_in_common(const std::vector<std::string>& left,
                        const std::vector<std::string>& right) {
    return std::find_first_of(left.begin(), left.end(), right.begin(), right.end()) != left.end();
}

/// True if the number has more than one significant digit, as 21, 0.15 and 1.5: an equal input is
/// then no coincidence.
bool is_no_chance(double value) {
    if (value == 0.0) {
        return false;
    }
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value)) + 1e-12));
    const double digits = std::abs(value) / unit;
    return std::abs(digits - std::round(digits)) > 1e-9;
}

/// Reason why a row is not predicted.
struct Finding {
    Evidence kind;
    std::string why;
};

class Settling {
  public:
    Settling(std::vector<Claim> all, const running::RunOptions& options)
        : all_(std::move(all)), ingredients_(options) {}

    void settle(Claim& claim) {
        if (!claim.ours || claim.evidence == Evidence::kFormula ||
            claim.evidence == Evidence::kBound) {
            return;
        }
        const bool is_open = !claim.evidence.has_value();
        const bool asks = is_open || claim.evidence == Evidence::kPredicted;
        const std::optional<Finding> finding =
            asks && claim.although.empty() ? found_of(claim) : std::nullopt;
        if (finding && !is_open) {
            throw UserFault(
                claim.place,
                fmt::format(R"(claim "{}" has kind = "predicted", but {})", claim.name,
                            finding->why),
                fmt::format(R"(kind = "{}", or although = "...", why it is predicted nevertheless)",
                            name_of(finding->kind)));
        }
        if (is_open) {
            claim.evidence = finding ? finding->kind : Evidence::kPredicted;
        }
    }

  private:
    std::optional<Finding> found_of(const Claim& claim) {
        const std::vector<std::string> tables = tables_of_source(claim.source);
        for (const MetricOfRun* metric : metrics_of(*claim.ours)) {
            const Ingredients& given = ingredients_.of(*metric);
            for (const auto& [key, source] : given.sources) {
                if (names_one(source, tables)) {
                    return Finding{Evidence::kCalibrated,
                                   fmt::format("{} of {} takes its value from {}", key,
                                               metric->experiment, tables.front())};
                }
            }
            for (const GivenNumber& number : given.numbers) {
                if (const Claim* other = published_as(number.value, claim, tables)) {
                    return Finding{
                        Evidence::kGiven,
                        fmt::format("{} of {} is {}, which {}", number.key, metric->experiment,
                                    number.value,
                                    other == &claim
                                        ? std::string("is published")
                                        : fmt::format("\"{}\" publishes from the same table",
                                                      other->name))};
                }
            }
        }
        return std::nullopt;
    }

    /// Row that publishes this number: the claim itself, or another row of one of its tables; null
    /// if none.
    [[nodiscard]] const Claim* published_as(double number, const Claim& claim,
                                            const std::vector<std::string>& tables) const {
        if (!is_no_chance(number)) {
            return nullptr;
        }
        if (claim.published == number || claim.at_least == number || claim.at_most == number) {
            return &claim;
        }
        const auto found = std::find_if(all_.begin(), all_.end(), [&](const Claim& other) {
            return other.published == number &&
                   have_one_in_common(tables_of_source(other.source), tables);
        });
        return found == all_.end() ? nullptr : &*found;
    }

    std::vector<Claim> all_;
    IngredientsOfRuns ingredients_;
};

// Computes published values that are formulas of printed numbers.
void compute_published(std::vector<Claim>& claims, const running::RunOptions& options) {
    for (Claim& claim : claims) {
        if (claim.published_from) {
            std::vector<Claim> formula(1);
            formula.front().ours = claim.published_from;
            claim.published = ClaimValues(formula, options).value_of(*formula.front().ours);
        }
    }
}

}  // namespace

void settle_evidence(std::vector<Claim>& claims, std::vector<Claim> all,
                     const running::RunOptions& options) {
    compute_published(claims, options);
    compute_published(all, options);
    Settling settling(std::move(all), options);
    for (Claim& claim : claims) {
        settling.settle(claim);
    }
}

}  // namespace weir::experiments::validation
