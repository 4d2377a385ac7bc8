#include "experiments/pages/comparison_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/analyses/combined_runs.h"
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

/// A number of both machines, by seed, where every run has it.
struct PairedNumber {
    std::string name;
    std::vector<double> first;
    std::vector<double> second;

    [[nodiscard]] records::Estimate of_first() const { return analyses::estimate(name, first); }
    [[nodiscard]] records::Estimate of_second() const { return analyses::estimate(name, second); }
    /// Second less first, pair by pair.
    [[nodiscard]] records::Estimate change() const {
        return analyses::estimate_of_change(name, first, second);
    }
};

bool is_told(const records::Estimate& change) {
    return std::abs(change.mean) > change.half_width.value_or(0.0);
}

/// "measured" or "round_trip" of a run.
using Numbers = records::Metrics records::Measured::*;

// In the order of the first machine's first run.
std::vector<PairedNumber> paired_numbers(const ComparedPoint& point, Numbers numbers) {
    std::vector<PairedNumber> all;
    std::vector<std::string> names;
    for (const auto* runs : {&point.first, &point.second}) {
        for (const auto& [name, value] : runs->front().measured.*numbers) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    for (const std::string& name : names) {
        PairedNumber number{name, {}, {}};
        for (std::size_t i = 0; i < point.seeds.size(); ++i) {
            const auto a = records::find_metric(point.first[i].measured.*numbers, name);
            const auto b = records::find_metric(point.second[i].measured.*numbers, name);
            if (a && b) {
                number.first.push_back(*a);
                number.second.push_back(*b);
            }
        }
        if (number.first.size() == point.seeds.size()) {
            all.push_back(std::move(number));
        }
    }
    return all;
}

/// What the two are called: the files' names, or their paths where the names are equal.
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

// "cycles per iteration: 438.3 ± 1.0 with a and 384.1 ± 0.9 with b: -54.2 ± 1.1 (-12.4 %)."
std::string change_sentence(const PairedNumber& number,
                            const std::pair<std::string, std::string>& names) {
    const records::Estimate change = number.change();
    std::string text = fmt::format(
        "{}: {} with {}, {} with {}: {}{}", setup::spaced_name(number.name),
        estimate_text(number.of_first()), names.first, estimate_text(number.of_second()),
        names.second, signed_text(change), percent_text(change, number.of_first().mean));
    if (!is_told(change)) {
        text += number.first.size() > 1 ? ", which the seeds do not tell from 0" : ", the same";
    }
    return text + ".";
}

// The parts that make most of the change, with their own.
std::string parts_sentence(const std::vector<PairedNumber>& parts) {
    constexpr std::size_t kMostTold = 3;
    std::vector<records::Estimate> changes;
    double sum = 0.0;
    for (const PairedNumber& part : parts) {
        changes.push_back(part.change());
        sum += changes.back().mean;
    }
    std::erase_if(changes, [](const records::Estimate& change) { return !is_told(change); });
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return std::abs(a.mean) > std::abs(b.mean);
    });
    if (changes.empty()) {
        return "Where the cycles go: no part differs by more than the seeds do.";
    }
    std::vector<std::string> texts;
    double told = 0.0;
    for (std::size_t i = 0; i < std::min(kMostTold, changes.size()); ++i) {
        told += changes[i].mean;
        texts.push_back(
            fmt::format("{} {}", setup::spaced_name(changes[i].name), signed_text(changes[i])));
    }
    return fmt::format("Where the cycles go, {:+.4g} in all: {}; the rest {:+.4g}.", sum,
                       fmt::join(texts, ", "), sum - told);
}

// Which of both lack metrics since they were saturated.
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
               : fmt::format("Saturated: {}; so there is no {} to compare.", fmt::join(texts, ", "),
                             setup::spaced_name(comparison.first.leading_metric));
}

records::Finding finding_of(const MachineComparison& comparison, const ComparedPoint& point) {
    records::Finding finding{point.label, {}};
    const auto names = names_of(comparison);
    for (const PairedNumber& number : paired_numbers(point, &records::Measured::metrics)) {
        if (number.name == comparison.first.leading_metric) {
            finding.sentences.push_back(change_sentence(number, names));
        }
    }
    const std::string saturation = saturation_sentence(comparison, point);
    if (!saturation.empty()) {
        finding.sentences.push_back(saturation);
    }
    const std::vector<PairedNumber> parts = paired_numbers(point, &records::Measured::round_trip);
    if (!parts.empty()) {
        finding.sentences.push_back(parts_sentence(parts));
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

Row row_of(const PairedNumber& number) {
    const double first = number.of_first().mean;
    const records::Estimate change = number.change();
    return {records::text_cell(setup::spaced_name(number.name)), records::number_cell(first),
            records::number_cell(number.of_second().mean),
            records::interval_cell(change.mean, change.half_width),
            first == 0.0 ? records::absent_cell()
                         : records::percent_cell(kPercent * change.mean / first)};
}

std::string caption_of(const ComparedPoint& point, const std::string& what) {
    return (point.label.empty() ? "" : point.label + ": ") + what;
}

PairedNumber sum_of(const std::vector<PairedNumber>& parts) {
    PairedNumber sum{"sum", std::vector<double>(parts.front().first.size(), 0.0),
                     std::vector<double>(parts.front().first.size(), 0.0)};
    for (const PairedNumber& part : parts) {
        for (std::size_t i = 0; i < sum.first.size(); ++i) {
            sum.first[i] += part.first[i];
            sum.second[i] += part.second[i];
        }
    }
    return sum;
}

// Of both machines' points as those of one experiment.
std::vector<records::Figure> parts_figures(const MachineComparison& comparison) {
    const auto names = names_of(comparison);
    records::ExperimentResult both;
    for (std::size_t i = 0; i < comparison.points.size(); ++i) {
        const std::string& label = comparison.points[i].label;
        for (const auto& [result, name] : {std::pair(&comparison.first, names.first),
                                           std::pair(&comparison.second, names.second)}) {
            both.points.push_back(result->points[i]);
            both.points.back().label = label.empty() ? name : fmt::format("{}, {}", label, name);
        }
    }
    return cycle_figures(both);
}

std::optional<records::Section> parts_section(const MachineComparison& comparison) {
    records::Section section;
    section.title = "Where the cycles go";
    for (const ComparedPoint& point : comparison.points) {
        const std::vector<PairedNumber> parts =
            paired_numbers(point, &records::Measured::round_trip);
        if (parts.empty()) {
            continue;
        }
        records::Table table;
        table.caption = caption_of(point, "means over the seeds, cycles");
        table.columns = columns_of(comparison, "part");
        for (const PairedNumber& part : parts) {
            table.rows.push_back(row_of(part));
        }
        table.rows.push_back(row_of(sum_of(parts)));
        section.blocks.emplace_back(std::move(table));
    }
    if (section.blocks.empty()) {
        return std::nullopt;
    }
    for (records::Figure& figure : parts_figures(comparison)) {
        section.blocks.insert(section.blocks.begin(), std::move(figure));
    }
    return section;
}

records::Section metrics_section(const MachineComparison& comparison) {
    records::Section section;
    section.title = "Everything measured";
    for (const ComparedPoint& point : comparison.points) {
        records::Table table;
        table.caption = caption_of(point, "means over the seeds");
        table.columns = columns_of(comparison, "metric");
        for (const PairedNumber& number : paired_numbers(point, &records::Measured::metrics)) {
            table.rows.push_back(row_of(number));
        }
        section.blocks.emplace_back(std::move(table));
    }
    return section;
}

// Keys whose values differ at some point.
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
            const auto is_told = [&key = key, &texts = texts](const Row& row) {
                return row[0].text == key && row[1].text == texts.first;
            };
            if (texts.first != texts.second &&
                std::none_of(table.rows.begin(), table.rows.end(), is_told)) {
                table.rows.push_back(
                    {records::text_cell(key),
                     texts.first.empty() ? records::absent_cell() : records::text_cell(texts.first),
                     texts.second.empty() ? records::absent_cell()
                                          : records::text_cell(texts.second)});
            }
        }
    }
    return records::section_of("In what the machines differ", std::move(table));
}

nlohmann::ordered_json json_of(const std::vector<PairedNumber>& numbers) {
    auto json = nlohmann::ordered_json::object();
    for (const PairedNumber& number : numbers) {
        const records::Estimate change = number.change();
        json[number.name] = {{"first", number.of_first().mean},
                             {"second", number.of_second().mean},
                             {"change", change.mean},
                             {"half_width", nullptr}};
        if (change.half_width) {
            json[number.name]["half_width"] = *change.half_width;
        }
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
        json["points"].push_back(
            {{"label", point.label},
             {"seeds", point.seeds},
             {"saturated_runs",
              {{"first", records::saturated_runs(point.first)},
               {"second", records::saturated_runs(point.second)}}},
             {"metrics", json_of(paired_numbers(point, &records::Measured::metrics))},
             {"round_trip", json_of(paired_numbers(point, &records::Measured::round_trip))}});
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
    return document;
}

}  // namespace weir::experiments::pages
