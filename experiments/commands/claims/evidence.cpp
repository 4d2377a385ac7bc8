#include "experiments/commands/claims/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>

#include "experiments/commands/claims/claim_values.h"
#include "experiments/kinds/setup.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/parameters/parameter_effect.h"

namespace weir::experiments::commands {

namespace {

using setup::UserFault;

/// A number that an experiment is given: a parameter's value, or a model's input.
struct GivenNumber {
    std::string key;
    double value = 0.0;
};

/// What one point of an experiment is made of.
struct Ingredients {
    std::vector<GivenNumber> numbers;
    std::map<std::string, std::string> sources;  ///< of each parameter that has an effect
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

/// Of every experiment and point once.
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
            // ClaimValues asks for the same, and says where.
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
        const setup::SelectedRun run(static_cast<std::size_t>(point - file.points().begin()));
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

/// "LoGPC Table 4" of "LoGPC Table 4, asynchronous"; empty where it is no table or figure.
std::string table_of_source(const std::string& source) {
    std::size_t end = 0;
    for (const std::string_view kind : {"Table ", "Figure "}) {
        const std::size_t at = source.find(kind);
        std::size_t digits_end = at == std::string::npos ? 0 : at + kind.size();
        while (digits_end > 0 && digits_end < source.size() && is_digit(source[digits_end])) {
            ++digits_end;
        }
        const bool has_number = digits_end > 0 && is_digit(source[digits_end - 1]);
        end = has_number && (end == 0 || digits_end < end) ? digits_end : end;
    }
    return source.substr(0, end);
}

bool names_table(const std::string& source, const std::string& table) {
    const std::size_t at = source.find(table);
    const std::size_t end = at + table.size();
    return at != std::string::npos && (end == source.size() || !is_digit(source[end]));
}

/// Whether the number has more than one digit that is not a zero at its end: 21, 0.15, 1.5.
bool is_no_chance(double value) {
    if (value == 0.0) {
        return false;
    }
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value)) + 1e-12));
    const double digits = std::abs(value) / unit;
    return std::abs(digits - std::round(digits)) > 1e-9;
}

/// Why a row is not predicted.
struct Finding {
    Evidence kind;
    std::string why;
};

class Settling {
  public:
    Settling(std::vector<Claim>& claims, const running::RunOptions& options)
        : claims_(claims), ingredients_(options) {}

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
                fmt::format(R"(claim "{}" says kind = "predicted", and {})", claim.name,
                            finding->why),
                fmt::format(R"(kind = "{}", or although = "...", why it is predicted all the same)",
                            name_of(finding->kind)));
        }
        if (is_open) {
            claim.evidence = finding ? finding->kind : Evidence::kPredicted;
        }
    }

  private:
    std::optional<Finding> found_of(const Claim& claim) {
        const std::string table = table_of_source(claim.source);
        for (const MetricOfRun* metric : metrics_of(*claim.ours)) {
            const Ingredients& given = ingredients_.of(*metric);
            for (const auto& [key, source] : given.sources) {
                if (!table.empty() && names_table(source, table)) {
                    return Finding{Evidence::kCalibrated,
                                   fmt::format("{} of {} has its value from {}", key,
                                               metric->experiment, table)};
                }
            }
            for (const GivenNumber& number : given.numbers) {
                if (const Claim* other = published_as(number.value, claim, table)) {
                    return Finding{
                        Evidence::kGiven,
                        fmt::format(
                            "{} of {} is {}, what {}", number.key, metric->experiment, number.value,
                            other == &claim
                                ? std::string("is published")
                                : fmt::format("\"{}\" has of the same table", other->name))};
                }
            }
        }
        return std::nullopt;
    }

    /// The row itself or one of its table that publishes this number.
    [[nodiscard]] const Claim* published_as(double number, const Claim& claim,
                                            const std::string& table) const {
        if (!is_no_chance(number)) {
            return nullptr;
        }
        if (claim.published == number) {
            return &claim;
        }
        const auto found = std::find_if(claims_.begin(), claims_.end(), [&](const Claim& other) {
            return !table.empty() && other.published == number &&
                   table_of_source(other.source) == table;
        });
        return found == claims_.end() ? nullptr : &*found;
    }

    std::vector<Claim>& claims_;
    IngredientsOfRuns ingredients_;
};

// What is published by a formula of printed numbers.
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

void settle_evidence(std::vector<Claim>& claims, const running::RunOptions& options) {
    compute_published(claims, options);
    Settling settling(claims, options);
    for (Claim& claim : claims) {
        settling.settle(claim);
    }
}

}  // namespace weir::experiments::commands
