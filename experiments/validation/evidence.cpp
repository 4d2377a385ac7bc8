#include "experiments/validation/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "experiments/kinds/kind.h"
#include "experiments/kinds/setup.h"
#include "experiments/kinds/topologies.h"
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
    std::shared_ptr<const kinds::Setup> setup;   ///< null for a faulty file
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
        const std::shared_ptr<kinds::Setup> made = running::check_run(file, run);
        Ingredients ingredients;
        ingredients.setup = made;
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
    std::string key;     ///< input that the number comes from; empty for the machine's shape
    double value = 0.0;  ///< the input's value
};

/// Largest relative difference with which a machine has a published mean distance. A lattice rarely
/// has exactly the distance that is printed with two digits.
constexpr double kSameDistance = 0.05;
/// A node's own two channels, which LogP's Section 5.1 counts as hops.
constexpr double kOwnChannels = 2.0;

std::optional<double> number_in(const std::string& text) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

/// True if `other` is far from `value`, so that a number that depends on it must change.
bool is_far_from(double other, double value) {
    return value != 0.0 && (other / value <= 0.5 || other / value >= 2.0);
}

class Settling {
  public:
    Settling(std::vector<Claim> all, const running::RunOptions& options)
        : all_(std::move(all)), ingredients_(options) {}

    void settle(Claim& claim) {
        if (!claim.ours || claim.evidence == Evidence::kFormula ||
            claim.evidence == Evidence::kBound || !claim.closed.empty()) {
            return;
        }
        const bool is_open = !claim.evidence.has_value();
        if (!is_open && claim.evidence != Evidence::kPredicted) {
            return;
        }
        std::vector<Finding> findings = found_of(claim);
        std::erase_if(findings, [&claim](const Finding& each) { return is_excused(claim, each); });
        if (!findings.empty() && !is_open) {
            const Finding& finding = findings.front();
            throw UserFault(
                claim.place,
                fmt::format(R"(claim "{}" has kind = "predicted", but {})", claim.name,
                            finding.why),
                fmt::format(R"(kind = "{}"{})", name_of(finding.kind),
                            finding.key.empty()
                                ? std::string()
                                : fmt::format(", or although with without.{} far from {}",
                                              finding.key, finding.value)));
        }
        if (is_open) {
            claim.evidence = findings.empty() ? Evidence::kPredicted : findings.front().kind;
        }
    }

  private:
    /// True if the row's `without` gives the input a value far from its own.
    [[nodiscard]] static bool is_excused(const Claim& claim, const Finding& finding) {
        return !finding.key.empty() &&
               std::any_of(claim.without.begin(), claim.without.end(),
                           [&finding](const std::string& setting) {
                               const std::size_t equals = setting.find('=');
                               const std::optional<double> other =
                                   number_in(setting.substr(equals + 1));
                               return setting.substr(0, equals) == finding.key && other &&
                                      is_far_from(*other, finding.value);
                           });
    }

    [[nodiscard]] std::vector<Finding> found_of(const Claim& claim) {
        const std::vector<std::string> tables = tables_of_source(claim.source);
        std::vector<Finding> findings;
        for (const MetricOfRun* metric : metrics_of(std::as_const(*claim.ours))) {
            const Ingredients& given = ingredients_.of(*metric);
            add_shape(findings, *metric, given, tables);
            for (const auto& [key, source] : given.sources) {
                if (names_one(source, tables)) {
                    findings.push_back({Evidence::kCalibrated,
                                        fmt::format("{} of {} takes its value from {}", key,
                                                    metric->experiment, tables.front()),
                                        key, value_of(given, key)});
                }
            }
            for (const GivenNumber& number : given.numbers) {
                if (const Claim* other = published_as(number.value, claim, tables)) {
                    findings.push_back(
                        {Evidence::kGiven,
                         fmt::format("{} of {} is {}, which {}", number.key, metric->experiment,
                                     number.value,
                                     other == &claim
                                         ? std::string("is published")
                                         : fmt::format("\"{}\" publishes from the same table",
                                                       other->name)),
                         number.key, number.value});
                }
            }
        }
        return findings;
    }

    [[nodiscard]] static double value_of(const Ingredients& given, const std::string& key) {
        const auto number =
            std::find_if(given.numbers.begin(), given.numbers.end(),
                         [&key](const GivenNumber& each) { return each.key == key; });
        return number == given.numbers.end() ? 0.0 : number->value;
    }

    /// Adds a finding if the network of the run has a distance that one of the tables publishes.
    void add_shape(std::vector<Finding>& findings, const MetricOfRun& metric,
                   const Ingredients& given, const std::vector<std::string>& tables) const {
        if (given.setup == nullptr) {
            return;
        }
        std::vector<const Claim*> rows;
        for (const Claim& row : all_) {
            if (is_distance(row) && have_one_in_common(tables_of_source(row.source), tables)) {
                rows.push_back(&row);
            }
        }
        if (rows.empty()) {
            return;
        }
        const std::optional<double> distance = kinds::mean_distance_hops(*given.setup);
        if (!distance) {
            return;
        }
        for (const Claim* row : rows) {
            const auto is_published = [row](double hops) {
                return std::abs(hops - *row->published) <= kSameDistance * *row->published;
            };
            if (is_published(*distance) || is_published(*distance + kOwnChannels)) {
                findings.push_back(
                    {Evidence::kGiven,
                     fmt::format("the network of {} has the mean distance that \"{}\" publishes "
                                 "from the same table, {} hops",
                                 metric.experiment, row->name, *row->published),
                     "", 0.0});
            }
        }
    }

    /// True for a row that publishes a distance: all metrics of its computation are in hops.
    [[nodiscard]] static bool is_distance(const Claim& row) {
        if (!row.ours || !row.published) {
            return false;
        }
        const std::vector<const MetricOfRun*> metrics = metrics_of(std::as_const(*row.ours));
        return !metrics.empty() &&
               std::all_of(metrics.begin(), metrics.end(), [](const MetricOfRun* each) {
                   return kinds::unit_of(each->metric) == "hops";
               });
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
