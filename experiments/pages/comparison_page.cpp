#include "experiments/pages/comparison_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/analyses/combined_runs.h"
#include "experiments/analyses/whole_of_parts.h"
#include "experiments/kinds/kind.h"
#include "experiments/pages/estimate_text.h"
#include "experiments/pages/run_figures.h"
#include "experiments/records/saturation.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::pages {

namespace {

using records::ComparedPoint;
using records::MachineComparison;
using Row = std::vector<records::TableCell>;

/// One number of both machines, by seed. A machine has no values if any of its runs lacks the
/// number.
struct PairedNumber {
    std::string name;
    std::vector<double> first;
    std::vector<double> second;
    double computed_from = 0.0;  ///< for a remainder: largest value that it was computed from

    [[nodiscard]] bool is_of_both() const { return !first.empty() && !second.empty(); }
    [[nodiscard]] records::Estimate of_first() const { return analyses::estimate(name, first); }
    [[nodiscard]] records::Estimate of_second() const { return analyses::estimate(name, second); }
    /// Difference, second minus first, paired by seed.
    [[nodiscard]] records::Estimate change() const {
        return analyses::estimate_of_change(name, first, second, computed_from);
    }
};

bool is_significant(const records::Estimate& change) {
    return std::abs(change.mean) > change.half_width.value_or(0.0);
}

double largest_of(const std::vector<double>& values) {
    double largest = 0.0;
    for (const double value : values) {
        largest = std::max(largest, std::abs(value));
    }
    return largest;
}

// Values of a metric in the order of seeds; empty if any run lacks the metric.
std::vector<double> values_of(const std::string& metric,
                              const std::vector<records::SimulationResult>& runs) {
    std::vector<double> values;
    for (const records::SimulationResult& run : runs) {
        const auto value = records::find_metric(run.measured.metrics, metric);
        if (!value) {
            return {};
        }
        values.push_back(*value);
    }
    return values;
}

PairedNumber paired_metric(const ComparedPoint& point, const std::string& metric) {
    return {metric, values_of(metric, point.first), values_of(metric, point.second)};
}

// Metrics in the order of the first machine's first run, then those that only the second machine
// has.
std::vector<PairedNumber> paired_metrics(const ComparedPoint& point) {
    std::vector<PairedNumber> all;
    for (const auto* runs : {&point.first, &point.second}) {
        for (const auto& [name, ignored] : runs->front().measured.metrics) {
            if (std::none_of(all.begin(), all.end(),
                             [&name = name](const auto& known) { return known.name == name; })) {
                all.push_back(paired_metric(point, name));
            }
        }
    }
    std::erase_if(all, [](const auto& each) { return each.first.empty() && each.second.empty(); });
    return all;
}

/// Parts of a metric, in the metric's unit; they sum to it.
struct PairedParts {
    PairedNumber sum;
    std::vector<PairedNumber> parts;
};

constexpr const char* kOutside = "outside_of_these_parts";

// Adds the parts of one machine, by seed. The remainder of the metric is a part of its own.
void add_parts_of(const std::vector<records::SimulationResult>& runs,
                  std::vector<double> PairedNumber::*machine, PairedParts& parts) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const records::Measured& measured = runs[run].measured;
        const double times =
            records::find_metric(analyses::wholes_of_parts(measured), parts.sum.name).value_or(1.0);
        double rest = (parts.sum.*machine)[run];
        for (PairedNumber& part : parts.parts) {
            // A run lacks a part that took no cycles.
            const double cycles =
                times * records::find_metric(measured.round_trip, part.name).value_or(0.0);
            const bool is_rest = part.name == kOutside;
            (part.*machine).push_back(is_rest ? rest : cycles);
            rest -= cycles;
        }
    }
}

// Relative size below which a remainder is a rounding error of sums; a single measured cycle is a
// much larger share.
constexpr double kRounding = 1e-9;

// Parts of the main metric, or else of the first other metric that is a sum of parts in all
// runs.
std::optional<PairedParts> paired_parts(const ComparedPoint& point, const std::string& leading) {
    std::vector<records::SimulationResult> all = point.first;
    all.insert(all.end(), point.second.begin(), point.second.end());
    const std::vector<std::string> names = analyses::part_names(all);
    const auto is_made_up = [&](const std::string& metric) {
        return std::all_of(all.begin(), all.end(), [&metric](const auto& run) {
            return records::find_metric(analyses::wholes_of_parts(run.measured), metric) &&
                   records::find_metric(run.measured.metrics, metric);
        });
    };
    std::vector<std::string> wholes{leading};
    for (const auto& [metric, ignored] : analyses::wholes_of_parts(all.front().measured)) {
        wholes.push_back(metric);
    }
    const auto whole = std::find_if(wholes.begin(), wholes.end(), is_made_up);
    if (names.empty() || whole == wholes.end()) {
        return std::nullopt;
    }
    PairedParts parts{paired_metric(point, *whole), {}};
    for (const std::string& name : names) {
        parts.parts.push_back({name, {}, {}});
    }
    parts.parts.push_back({kOutside, {}, {}});
    add_parts_of(point.first, &PairedNumber::first, parts);
    add_parts_of(point.second, &PairedNumber::second, parts);
    PairedNumber& rest = parts.parts.back();
    rest.computed_from = std::max(largest_of(parts.sum.first), largest_of(parts.sum.second));
    const auto is_nothing = [](const std::vector<double>& values, const std::vector<double>& of) {
        return std::equal(values.begin(), values.end(), of.begin(),
                          [](double value, double all_of_it) {
                              return std::abs(value) <= kRounding * std::abs(all_of_it);
                          });
    };
    if (is_nothing(rest.first, parts.sum.first) && is_nothing(rest.second, parts.sum.second)) {
        parts.parts.pop_back();
    }
    return parts;
}

/// Means over the seeds, rounded so that the printed numbers sum. The parts sum to their total. The
/// first machine's mean and the change sum to the second machine's mean.
class RoundedParts {
  public:
    explicit RoundedParts(const PairedParts& parts)
        : decimals_(decimals_of(parts)),
          first_(rounded(parts, &PairedNumber::first)),
          second_(rounded(parts, &PairedNumber::second)) {}

    // Text of a part's number; index parts.size() is the sum.
    [[nodiscard]] std::string first(std::size_t part) const { return text(first_[part]); }
    [[nodiscard]] std::string second(std::size_t part) const { return text(second_[part]); }
    [[nodiscard]] std::int64_t change(std::size_t part) const {
        return second_[part] - first_[part];
    }
    /// Text of a number in units of the last decimal: "+6041 ± 12".
    [[nodiscard]] std::string signed_text(std::int64_t units,
                                          const std::optional<double>& half_width) const {
        return (units > 0 ? "+" : "") + text(units) + interval_text(half_width);
    }
    [[nodiscard]] std::string interval_text(const std::optional<double>& half_width) const {
        if (!half_width) {
            return "";
        }
        const bool is_below = *half_width > 0.0 && *half_width < 0.5 * std::pow(10.0, -decimals_);
        return " ± " + (is_below ? setup::shown_number(*half_width)
                                 : fmt::format("{:.{}f}", *half_width, decimals_));
    }

  private:
    // Number of decimals that shows four digits of the greatest change, or of the sum without a
    // change. This number is at least one unless all means are whole numbers.
    static int decimals_of(const PairedParts& parts) {
        constexpr int kDigits = 4;
        constexpr int kMostDecimals = 6;
        double shown = 0.0;
        bool is_whole = true;
        for (const PairedNumber& part : parts.parts) {
            shown = std::max(shown, std::abs(part.change().mean));
            for (const double mean : {part.of_first().mean, part.of_second().mean}) {
                is_whole = is_whole && mean == std::round(mean);
            }
        }
        shown = std::max(shown, std::abs(parts.sum.change().mean));
        shown = shown > 0.0 ? shown : std::abs(parts.sum.of_first().mean);
        const int magnitude =
            shown > 0.0 ? static_cast<int>(std::floor(std::log10(shown))) : kDigits;
        return std::clamp(kDigits - 1 - magnitude, is_whole ? 0 : 1, kMostDecimals);
    }

    // Means in units of the last decimal, the sum last. Method of the largest remainder: all parts
    // are rounded down. The parts with the largest fractions are then rounded up until all parts
    // sum to the rounded sum.
    [[nodiscard]] std::vector<std::int64_t> rounded(
        const PairedParts& parts, std::vector<double> PairedNumber::*machine) const {
        const double scale = std::pow(10.0, decimals_);
        const auto mean_of = [&](const PairedNumber& number) {
            return scale * statistics::Sample{number.*machine}.mean();
        };
        std::vector<std::int64_t> units;
        std::vector<std::pair<double, std::size_t>> behind;
        std::int64_t left = std::llround(mean_of(parts.sum));
        const std::int64_t sum = left;
        for (std::size_t i = 0; i < parts.parts.size(); ++i) {
            const double mean = mean_of(parts.parts[i]);
            const double down = std::floor(mean);
            units.push_back(static_cast<std::int64_t>(down));
            behind.emplace_back(mean - down, i);
            left -= units.back();
        }
        std::stable_sort(behind.begin(), behind.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        for (std::size_t i = 0; left > 0 && i < behind.size(); ++i, --left) {
            ++units[behind[i].second];
        }
        units.push_back(sum);
        return units;
    }

    // Integer arithmetic: a double has fewer digits than some sums.
    [[nodiscard]] std::string text(std::int64_t units) const {
        std::int64_t scale = 1;
        for (int i = 0; i < decimals_; ++i) {
            scale *= 10;
        }
        const std::int64_t size = std::abs(units);
        return fmt::format("{}{}", units < 0 ? "-" : "", size / scale) +
               (decimals_ > 0 ? fmt::format(".{:0{}}", size % scale, decimals_) : "");
    }

    int decimals_;
    std::vector<std::int64_t> first_;
    std::vector<std::int64_t> second_;
};

/// Names of the two machines: the files' names, or their paths if the names are equal.
std::pair<std::string, std::string> names_of(const MachineComparison& comparison) {
    namespace fs = std::filesystem;
    std::string first = fs::path(comparison.first.file).stem().string();
    std::string second = fs::path(comparison.second.file).stem().string();
    return first != second ? std::pair(first, second)
                           : std::pair(comparison.first.file, comparison.second.file);
}

std::string percent_text(const records::Estimate& change, double of) {
    return of == 0.0 ? ""
                     : fmt::format(" ({} %)", setup::signed_number(kPercent * change.mean / of));
}

std::string signed_text(const records::Estimate& value) {
    return (value.mean > 0.0 ? "+" : "") + estimate_text(value);
}

using Names = std::pair<std::string, std::string>;

std::string with_verdict(std::string text, const PairedNumber& number) {
    if (!is_significant(number.change())) {
        const records::Estimate change = number.change();
        text +=
            change.half_width.value_or(0.0) > 0.0 ? ", not distinguishable from 0" : ", the same";
    }
    return text + ".";
}

// Sentence on a number: "cycles per iteration: 438.3 ± 1.0 with a, 384.1 ± 0.9 with b: -54.2 ± 1.1
// (-12.4 %)."
std::string change_sentence(const PairedNumber& number, const Names& names) {
    const records::Estimate change = number.change();
    return with_verdict(
        fmt::format("{}: {} with {}, {} with {}: {}{}", setup::spaced_name(number.name),
                    estimate_text(number.of_first()), names.first,
                    estimate_text(number.of_second()), names.second, signed_text(change),
                    percent_text(change, number.of_first().mean)),
        number);
}

// Sentence on the sum of the parts, with as many decimals as the parts.
std::string sum_sentence(const PairedParts& parts, const Names& names) {
    const RoundedParts rounded(parts);
    const std::size_t sum = parts.parts.size();
    const records::Estimate first = parts.sum.of_first();
    const records::Estimate change = parts.sum.change();
    return with_verdict(
        fmt::format("{}: {}{} with {}, {}{} with {}: {}{}", setup::spaced_name(parts.sum.name),
                    rounded.first(sum), rounded.interval_text(first.half_width), names.first,
                    rounded.second(sum), rounded.interval_text(parts.sum.of_second().half_width),
                    names.second, rounded.signed_text(rounded.change(sum), change.half_width),
                    percent_text(change, first.mean)),
        parts.sum);
}

std::string one_sided_sentence(const PairedNumber& number, const Names& names) {
    const bool is_first = !number.first.empty();
    return fmt::format("{}: {} with {}; not measured with {}.", setup::spaced_name(number.name),
                       estimate_text(is_first ? number.of_first() : number.of_second()),
                       is_first ? names.first : names.second,
                       is_first ? names.second : names.first);
}

// Sentence with the parts that make most of the change; the printed numbers sum.
std::string parts_sentence(const PairedParts& parts) {
    constexpr std::size_t kMostTold = 3;
    const RoundedParts rounded(parts);
    std::vector<std::size_t> told;
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        if (is_significant(parts.parts[i].change())) {
            told.push_back(i);
        }
    }
    std::stable_sort(told.begin(), told.end(), [&parts](std::size_t a, std::size_t b) {
        return std::abs(parts.parts[a].change().mean) > std::abs(parts.parts[b].change().mean);
    });
    if (told.empty()) {
        return "Where the cycles go: no part differs by more than the seeds do.";
    }
    told.resize(std::min(told.size(), kMostTold));
    std::vector<std::string> texts;
    std::int64_t rest = rounded.change(parts.parts.size());
    for (const std::size_t part : told) {
        rest -= rounded.change(part);
        texts.push_back(fmt::format(
            "{} {}", setup::spaced_name(parts.parts[part].name),
            rounded.signed_text(rounded.change(part), parts.parts[part].change().half_width)));
    }
    return fmt::format("Where the cycles go, {} in all: {}; the rest {}.",
                       rounded.signed_text(rounded.change(parts.parts.size()), std::nullopt),
                       fmt::join(texts, ", "), rounded.signed_text(rest, std::nullopt));
}

// Sentence that names the machines without metrics because of saturation.
std::string saturation_sentence(const MachineComparison& comparison, const ComparedPoint& point) {
    const auto names = names_of(comparison);
    std::vector<std::string> texts;
    for (const auto& [runs, name] :
         {std::pair(&point.first, names.first), std::pair(&point.second, names.second)}) {
        const std::size_t saturated = records::saturated_runs(*runs);
        if (saturated > 0) {
            texts.push_back(
                fmt::format("{} ({} of {})", name, saturated, setup::counted(runs->size(), "run")));
        }
    }
    return texts.empty()
               ? ""
               : fmt::format("Saturated: {}; {} cannot be compared.", fmt::join(texts, ", "),
                             setup::spaced_name(comparison.first.leading_metric));
}

records::Finding finding_of(const MachineComparison& comparison, const ComparedPoint& point) {
    records::Finding finding{point.label, {}};
    const Names names = names_of(comparison);
    const std::string& metric = comparison.first.leading_metric;
    const PairedNumber leading = paired_metric(point, metric);
    const auto parts = paired_parts(point, metric);
    if (parts && parts->sum.name == metric) {
        finding.sentences.push_back(sum_sentence(*parts, names));
    } else if (leading.is_of_both()) {
        finding.sentences.push_back(change_sentence(leading, names));
    } else if (!leading.first.empty() || !leading.second.empty()) {
        finding.sentences.push_back(one_sided_sentence(leading, names));
    }
    const std::string saturation = saturation_sentence(comparison, point);
    if (!saturation.empty()) {
        finding.sentences.push_back(saturation);
    }
    if (parts) {
        if (parts->sum.name != metric) {
            finding.sentences.push_back(sum_sentence(*parts, names));
        }
        finding.sentences.push_back(parts_sentence(*parts));
    }
    return finding;
}

std::vector<records::TableColumn> columns_of(const MachineComparison& comparison,
                                             const std::string& what) {
    const auto names = names_of(comparison);
    return {records::text_column(what), records::number_column(names.first, "mean over the seeds"),
            records::number_column(names.second, "mean over the seeds"),
            records::number_column("change",
                                   "mean of the differences, seed by seed, ± half the width of its "
                                   "95 % confidence interval (Student's t)"),
            records::TableColumn{"in %", "of the first", true, true}};
}

records::TableCell share_cell(const PairedNumber& number) {
    const double first = number.of_first().mean;
    return first == 0.0 ? records::absent_cell()
                        : records::percent_cell(kPercent * number.change().mean / first);
}

// Row of a number; a metric of only one machine has no change.
Row row_of(const PairedNumber& number) {
    const auto mean_cell = [](const std::vector<double>& values) {
        const statistics::Sample sample{values};
        records::TableCell cell =
            values.empty() ? records::absent_cell() : records::number_cell(sample.mean());
        cell.half_width = sample.half_width();
        return cell;
    };
    Row row{records::text_cell(setup::spaced_name(number.name)), mean_cell(number.first),
            mean_cell(number.second), records::absent_cell(), records::absent_cell()};
    if (number.is_of_both()) {
        const records::Estimate change = number.change();
        row[3] = records::interval_cell(change.mean, change.half_width);
        row[4] = share_cell(number);
    }
    return row;
}

// Row of a part; index parts.size() is the sum.
Row row_of_part(const PairedParts& parts, const RoundedParts& rounded, std::size_t index) {
    const bool is_sum = index == parts.parts.size();
    const PairedNumber& number = is_sum ? parts.sum : parts.parts[index];
    const records::Estimate change = number.change();
    const std::string& name = number.name;
    return {
        records::text_cell(is_sum ? "sum: " + setup::spaced_name(name) : setup::spaced_name(name)),
        {rounded.first(index), number.of_first().mean, number.of_first().half_width, {}},
        {rounded.second(index), number.of_second().mean, number.of_second().half_width, {}},
        {rounded.signed_text(rounded.change(index), change.half_width),
         change.mean,
         change.half_width,
         {}},
        share_cell(number)};
}

std::string caption_of(const ComparedPoint& point, const std::string& what) {
    return (point.label.empty() ? "" : point.label + ": ") + what;
}

records::Table parts_table(const MachineComparison& comparison, const ComparedPoint& point,
                           const PairedParts& parts) {
    records::Table table;
    table.caption = caption_of(
        point, setup::spaced_name(parts.sum.name) +
                   ": means over the seeds, rounded so that the parts add up to the sum");
    table.columns = columns_of(comparison, "part");
    const RoundedParts rounded(parts);
    for (std::size_t i = 0; i <= parts.parts.size(); ++i) {
        table.rows.push_back(row_of_part(parts, rounded, i));
    }
    records::declare_last_row_as_sum(table, {1, 2, 3});
    return table;
}

// Bar of one machine at a point, with the parts of the table.
records::PointResult bar_of(const PairedParts& parts, std::vector<double> PairedNumber::*machine,
                            const std::string& label) {
    records::PointResult bar;
    bar.label = label;
    for (const PairedNumber& part : parts.parts) {
        bar.round_trip.emplace_back(part.name, statistics::Sample{part.*machine}.mean());
    }
    return bar;
}

bool has_bar(const PairedParts& parts) {
    const auto is_drawn = [](const std::vector<double>& values) {
        return statistics::Sample{values}.mean() >= 0.0;
    };
    return std::all_of(parts.parts.begin(), parts.parts.end(), [&](const PairedNumber& part) {
        return is_drawn(part.first) && is_drawn(part.second);
    });
}

std::optional<records::Section> parts_section(const MachineComparison& comparison) {
    const Names names = names_of(comparison);
    records::Section section;
    section.title = "Where the cycles go";
    std::vector<records::Block> tables;
    records::ExperimentResult bars;
    for (const ComparedPoint& point : comparison.points) {
        const auto parts = paired_parts(point, comparison.first.leading_metric);
        if (!parts) {
            continue;
        }
        tables.emplace_back(parts_table(comparison, point, *parts));
        if (has_bar(*parts)) {
            const std::string label = point.label.empty() ? "" : point.label + ", ";
            bars.points.push_back(bar_of(*parts, &PairedNumber::first, label + names.first));
            bars.points.push_back(bar_of(*parts, &PairedNumber::second, label + names.second));
        }
    }
    if (tables.empty()) {
        return std::nullopt;
    }
    for (records::Figure& figure : cycle_figures(bars)) {
        section.blocks.emplace_back(std::move(figure));
    }
    std::move(tables.begin(), tables.end(), std::back_inserter(section.blocks));
    return section;
}

records::Section metrics_section(const MachineComparison& comparison) {
    records::Section section;
    section.title = "All metrics";
    for (const ComparedPoint& point : comparison.points) {
        records::Table table;
        table.caption = caption_of(point, "means over the seeds");
        table.columns = columns_of(comparison, "metric");
        for (const PairedNumber& number : paired_metrics(point)) {
            table.rows.push_back(row_of(number));
        }
        section.blocks.emplace_back(std::move(table));
    }
    return section;
}

// Section of the keys whose values differ between the machines at any point.
std::optional<records::Section> machines_section(const MachineComparison& comparison) {
    records::Table table;
    const auto names = names_of(comparison);
    table.columns = {records::text_column("key"), records::text_column(names.first),
                     records::text_column(names.second)};
    std::vector<Row> seen;
    for (std::size_t i = 0; i < comparison.points.size(); ++i) {
        std::map<std::string, std::pair<std::string, std::string>> values;
        for (const auto& [key, value] : comparison.first.points[i].configuration) {
            values[key].first = setup::toml_text(value);
        }
        for (const auto& [key, value] : comparison.second.points[i].configuration) {
            values[key].second = setup::toml_text(value);
        }
        for (const auto& [key, texts] : values) {
            const auto is_listed = [&key = key, &texts = texts](const Row& row) {
                return row[0].text == key && row[1].text == texts.first;
            };
            if (texts.first != texts.second &&
                std::none_of(table.rows.begin(), table.rows.end(), is_listed)) {
                table.rows.push_back(
                    {records::text_cell(key),
                     texts.first.empty() ? records::absent_cell() : records::text_cell(texts.first),
                     texts.second.empty() ? records::absent_cell()
                                          : records::text_cell(texts.second)});
            }
        }
    }
    return records::section_of("Differences between the machines", std::move(table));
}

nlohmann::ordered_json json_of(const std::vector<PairedNumber>& numbers) {
    auto json = nlohmann::ordered_json::object();
    for (const PairedNumber& number : numbers) {
        auto& each = json[number.name] = {
            {"first", nullptr}, {"second", nullptr}, {"change", nullptr}, {"half_width", nullptr}};
        if (!number.first.empty()) {
            each["first"] = number.of_first().mean;
        }
        if (!number.second.empty()) {
            each["second"] = number.of_second().mean;
        }
        if (number.is_of_both()) {
            const records::Estimate change = number.change();
            each["change"] = change.mean;
            if (change.half_width) {
                each["half_width"] = *change.half_width;
            }
        }
    }
    return json;
}

nlohmann::ordered_json json_of(const ComparedPoint& point, const std::string& leading) {
    const auto parts = paired_parts(point, leading);
    nlohmann::ordered_json json{{"label", point.label},
                                {"seeds", point.seeds},
                                {"metrics", json_of(paired_metrics(point))},
                                {"round_trip_of", parts ? parts->sum.name : ""},
                                {"round_trip", nlohmann::ordered_json::object()}};
    if (parts) {
        json["round_trip"] = json_of(parts->parts);
    }
    return json;
}

}  // namespace

nlohmann::ordered_json comparison_json(const MachineComparison& comparison) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, result] :
         {std::pair("first", &comparison.first), std::pair("second", &comparison.second)}) {
        json[name] = {{"file", result->file}, {"folder", result->folder}};
    }
    json["kernel"] = comparison.first.kernel;
    json["leading_metric"] = comparison.first.leading_metric;
    json["points"] = nlohmann::ordered_json::array();
    for (const ComparedPoint& point : comparison.points) {
        json["points"].push_back(json_of(point, comparison.first.leading_metric));
        json["points"].back()["saturated_runs"] = {
            {"first", records::saturated_runs(point.first)},
            {"second", records::saturated_runs(point.second)}};
    }
    return json;
}

records::Document comparison_document(const MachineComparison& comparison) {
    records::Document document;
    const auto names = names_of(comparison);
    document.title = fmt::format("{} against {}", names.second, names.first);
    document.facts = {{"first", comparison.first.file},
                      {"second", comparison.second.file},
                      {"program", comparison.first.kernel},
                      {"seeds", fmt::format("{}, paired", comparison.points.front().seeds.size())},
                      {"results", comparison.first.folder + ", " + comparison.second.folder}};
    for (const ComparedPoint& point : comparison.points) {
        document.findings.push_back(finding_of(comparison, point));
    }
    if (auto machines = machines_section(comparison)) {
        document.sections.push_back(*std::move(machines));
    }
    if (auto parts = parts_section(comparison)) {
        document.sections.push_back(*std::move(parts));
    }
    document.sections.push_back(metrics_section(comparison));
    records::name_figures(document);
    records::share_value_axes(document);
    return document;
}

}  // namespace weir::experiments::pages
