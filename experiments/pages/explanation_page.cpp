#include "experiments/pages/explanation_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using nlohmann::ordered_json;
using records::ExplainedPart;
using records::Explanation;

double percent_of_measured(const Explanation& explanation, double cycles) {
    return 100.0 * cycles / explanation.measured_cycles;
}

std::string percent_text(double percent) {
    constexpr double kShownPercent = 0.05;
    return std::abs(percent) < kShownPercent ? "0" : fmt::format("{:+.1f} %", percent);
}

std::string broken_sentence(const Explanation& explanation) {
    std::vector<std::string> broken;
    for (const ExplainedPart& part : explanation.parts) {
        if (part.is_named) {
            broken.push_back(part.label);
        }
    }
    return broken.empty()
               ? fmt::format("No assumption of {} is broken.", explanation.model)
               : fmt::format("Broken for {}: {}.", explanation.model, fmt::join(broken, "; "));
}

records::TableCell signed_cell(double cycles) {
    records::TableCell cell = std::abs(cycles) < records::kShownCycles
                                  ? records::text_cell("0")
                                  : records::text_cell(setup::signed_number(cycles));
    cell.value = cycles;
    return cell;
}

// Parts that no decimal shows count as unexplained.
records::Table parts_table(const Explanation& explanation) {
    records::Table table{
        .caption = fmt::format("{}: predicted {:.1f}, measured {:.1f} cycles", explanation.model,
                               explanation.predicted_cycles, explanation.measured_cycles),
        .columns = {records::text_column("part"),
                    records::number_column("cycles",
                                           "cycles by which the assumption raises the prediction "
                                           "above the measured time"),
                    records::number_column("of the time", "share of the measured time"),
                    records::text_column("broken"), records::text_column("compared with")},
        .rows = {}};
    const auto add = [&](const std::string& label, double cycles, const std::string& broken,
                         const std::string& counterfactual) {
        table.rows.push_back(
            {records::text_cell(label), signed_cell(cycles),
             records::text_cell(percent_text(percent_of_measured(explanation, cycles))),
             records::text_cell(broken), records::text_cell(counterfactual)});
    };
    double rest = explanation.error_cycles();
    for (const ExplainedPart& part : records::shown_parts(explanation)) {
        add(part.label, part.cycles, part.is_named ? "yes" : "", part.counterfactual);
        rest -= part.cycles;
    }
    add("unexplained", rest, "", "");
    add("sum", explanation.error_cycles(), "", "");
    records::declare_last_row_as_sum(table, {1});
    return table;
}

// Row of each assumption with a part in any explanation, by decreasing size in the first one.
std::vector<std::pair<std::string, std::string>> all_parts(
    const std::vector<Explanation>& explanations) {
    std::vector<std::pair<std::string, std::string>> parts;
    for (const Explanation& explanation : explanations) {
        for (const ExplainedPart& part : records::shown_parts(explanation)) {
            if (std::none_of(parts.begin(), parts.end(),
                             [&](const auto& known) { return known.first == part.assumption; })) {
                parts.emplace_back(part.assumption, part.label);
            }
        }
    }
    return parts;
}

double cycles_of(const Explanation& explanation, const std::string& assumption) {
    for (const ExplainedPart& part : explanation.parts) {
        if (part.assumption == assumption) {
            return part.cycles;
        }
    }
    return 0.0;
}

// One row for each assumption, one column for each prediction. Parts that no decimal shows count
// as unexplained here, so that the columns have their sums.
records::Table compact_table(const std::vector<Explanation>& explanations) {
    records::Table table{
        .caption = "Cycles by which each assumption raises a prediction above the machine",
        .columns = {records::text_column("assumption that does not hold")},
        .rows = {}};
    std::vector<std::size_t> columns;
    for (const Explanation& explanation : explanations) {
        table.columns.push_back(records::number_column(explanation.model));
        columns.push_back(columns.size() + 1);
    }
    const auto add_row = [&](const std::string& label, const auto& value) {
        std::vector<records::TableCell> row{records::text_cell(label)};
        for (const Explanation& explanation : explanations) {
            row.push_back(signed_cell(value(explanation)));
        }
        table.rows.push_back(std::move(row));
    };
    const std::vector<std::pair<std::string, std::string>> parts = all_parts(explanations);
    for (const auto& [assumption, label] : parts) {
        add_row(label, [&, name = assumption](const Explanation& e) { return cycles_of(e, name); });
    }
    add_row("unexplained", [&](const Explanation& explanation) {
        double rest = explanation.error_cycles();
        for (const auto& [assumption, label] : parts) {
            rest -= cycles_of(explanation, assumption);
        }
        return rest;
    });
    add_row("sum", [](const Explanation& explanation) { return explanation.error_cycles(); });
    records::declare_last_row_as_sum(table, columns);
    return table;
}

const char* order_text() {
    return "Machines are idealised first, then the model is corrected by values of the trace. "
           "Where parts interact, each is a Shapley value: the mean over all orders in which a "
           "correction follows those that it includes.";
}

}  // namespace

records::Document explanation_document(const records::ExplainedRun& run) {
    records::Document document;
    document.title =
        "Errors of models by assumption: " + (run.title.empty() ? run.file : run.title);
    document.facts = {{"experiment", run.file},
                      {"idealised machines", fmt::format("{} run now, {} of earlier calls",
                                                         run.machines_run, run.machines_kept)},
                      {"kept in", run.folder}};
    const bool is_one = run.points.size() == 1;
    for (const records::ExplainedPoint& point : run.points) {
        records::Section section{
            .title = is_one ? "Parts of the errors" : point.label, .blocks = {}, .parts = {}};
        records::Finding finding{.about = is_one ? "" : point.label, .sentences = {}};
        for (const Explanation& explanation : point.explanations) {
            finding.sentences.push_back(records::explanation_sentence(explanation));
            if (explanation.not_split.empty()) {
                finding.sentences.push_back(broken_sentence(explanation));
                section.blocks.emplace_back(parts_table(explanation));
            }
        }
        document.findings.push_back(std::move(finding));
        document.sections.push_back(std::move(section));
    }
    document.sections.push_back({.title = "How the parts are computed",
                                 .blocks = {records::Paragraph{order_text()}},
                                 .parts = {}});
    return document;
}

ordered_json explanation_json(const records::ExplainedRun& run) {
    ordered_json json{{"title", run.title},
                      {"experiment", run.file},
                      {"folder", run.folder},
                      {"machines_run", run.machines_run},
                      {"machines_kept", run.machines_kept},
                      {"points", ordered_json::array()}};
    for (const records::ExplainedPoint& point : run.points) {
        json["points"].push_back(
            {{"label", point.label},
             {"explained", records::explanations_to_json(point.explanations)}});
    }
    return json;
}

records::Section explanation_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = "Why the models are off";
    for (const records::PointResult& point : result.points) {
        const std::vector<Explanation> explanations = records::explanations_of(point);
        if (explanations.empty()) {
            continue;
        }
        if (result.points.size() == 1) {
            for (const Explanation& explanation : explanations) {
                section.blocks.emplace_back(
                    records::Paragraph{records::explanation_sentence(explanation)});
            }
            section.blocks.emplace_back(compact_table(explanations));
            continue;
        }
        section.parts.push_back({.title = point.label,
                                 .blocks = {compact_table(explanations)},
                                 .parts = {},
                                 .is_folded = true,
                                 .is_left_out_of_text = true});
    }
    if (!section.blocks.empty() || !section.parts.empty()) {
        section.blocks.emplace_back(records::Paragraph{fmt::format(
            "Computed with values of the trace. weir explain {} also runs machines in which "
            "queues, network or memory are idealised.",
            result.folder)});
    }
    return section;
}

}  // namespace weir::experiments::pages
