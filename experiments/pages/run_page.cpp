#include "experiments/pages/run_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "experiments/analyses/combined_runs.h"
#include "experiments/analyses/kernel_analysis.h"
#include "experiments/kinds/kind.h"
#include "experiments/kinds/one_packet/one_packet_kind.h"
#include "experiments/pages/explanation_page.h"
#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/reproduction.h"
#include "experiments/pages/run_figures.h"
#include "experiments/pages/run_sections.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_input.h"
#include "experiments/records/validation.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"

namespace weir::experiments::pages {

namespace {

namespace fs = std::filesystem;

void add_blocks(std::vector<records::Figure> figures, records::Section& section) {
    section.blocks.insert(section.blocks.end(), std::make_move_iterator(figures.begin()),
                          std::make_move_iterator(figures.end()));
}

template <class Content>
void add_block(std::optional<Content> content, records::Section& section) {
    if (content) {
        section.blocks.emplace_back(*std::move(content));
    }
}

void add_section(records::Section section, std::vector<records::Section>& sections) {
    if (!section.blocks.empty() || !section.parts.empty()) {
        sections.push_back(std::move(section));
    }
}

// Reason why a point's network has no channels to draw.
std::string without_channels(const records::ExperimentResult& result) {
    std::set<std::string> models;
    for (const records::PointResult& point : result.points) {
        models.insert(point.network_model);
    }
    if (models.count("wormhole") == 0) {
        return fmt::format(
            "There is no map of channels and queues: a network with network.model = \"{}\" has "
            "none.",
            *models.begin());
    }
    if (std::any_of(result.points.begin(), result.points.end(),
                    [](const records::PointResult& point) {
                        return !records::particular(point, records::kTraces).empty();
                    })) {
        return "There is no map of channels and queues: a recorded run's trace has none.";
    }
    return "There is no map of channels and queues: no message was sent, or channels.csv is "
           "missing from the run's folder.";
}

records::Section network_section(const records::ExperimentResult& result) {
    constexpr std::size_t kMostOpen = 2;
    records::Section section;
    section.title = "The network and the queues";
    section.is_left_out_of_text = true;
    std::vector<records::Figure> figures = network_figures(result);
    const std::string nothing = figures.empty() ? without_channels(result) : "";
    if (!nothing.empty()) {
        section.blocks.emplace_back(records::Paragraph{nothing});
    }
    for (records::PlaybackFigure& playback : network_playbacks(result)) {
        section.blocks.emplace_back(std::move(playback));
    }
    records::Section folded;
    folded.is_folded = true;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        (i < kMostOpen || figures.size() <= kMostOpen + 1 ? section : folded)
            .blocks.emplace_back(std::move(figures[i]));
    }
    if (!folded.blocks.empty()) {
        folded.title = fmt::format("channels and queues of {} other points", folded.blocks.size());
        section.parts.push_back(std::move(folded));
    }
    return section;
}

std::string value_text(const records::PointResult& point, const char* key) {
    for (const auto& [name, value] : point.configuration) {
        if (name == key) {
            return setup::value_text(value);
        }
    }
    return "";
}

// Values of a key at all points, without duplicates.
std::string values_of(const records::ExperimentResult& result, const char* key) {
    std::vector<std::string> values;
    for (const records::PointResult& point : result.points) {
        const std::string text = value_text(point, key);
        if (!text.empty() && std::find(values.begin(), values.end(), text) == values.end()) {
            values.push_back(text);
        }
    }
    std::string text;
    for (const std::string& value : values) {
        text += (text.empty() ? "" : ", ") + value;
    }
    return text;
}

// The page's entry "machine": "32 nodes, mesh [8, 4], wormhole network". Traffic without a machine
// has no number of nodes: the network's dimensions give it.
std::string machine_text(const records::ExperimentResult& result) {
    const std::string nodes = values_of(result, "machine.nodes");
    if (result.points.empty()) {
        return "";
    }
    return fmt::format("{}{} {}, {} network", nodes.empty() ? "" : nodes + " nodes, ",
                       values_of(result, "network.topology"),
                       values_of(result, "network.dimensions"), values_of(result, "network.model"));
}

// Speed of the host, which no result depends on.
std::string speed_text(const records::ExperimentResult& result) {
    double cycles = 0.0;
    double messages = 0.0;
    double seconds = 0.0;
    for (const records::PointResult& point : result.points) {
        for (const std::int64_t of_seed : point.cycles) {
            cycles += static_cast<double>(of_seed);
        }
        messages += static_cast<double>(point.messages);
        seconds += point.machine_seconds;
    }
    return seconds > 0.0
               ? fmt::format("{:.3g} M cycles/s, {:.3g} k messages/s per core of the host",
                             cycles / seconds / 1e6, messages / seconds / 1e3)
               : "";
}

// Proved and unproved properties of each network's routing, without duplicates.
std::vector<std::string> routing_texts(const records::ExperimentResult& result) {
    std::vector<std::string> texts;
    for (const records::PointResult& point : result.points) {
        if (!point.routing || point.routing->is_plain_mesh) {
            continue;
        }
        const records::RoutingFacts& network = *point.routing;
        std::string text = fmt::format(
            "{}, {} virtual channel{}; {}", network.topology, network.virtual_channels,
            network.virtual_channels == 1 ? "" : "s",
            network.deadlock_free
                ? "its routing is proved free of deadlock if nodes accept all arriving messages"
                : "its routing is not free of deadlock");
        if (!network.sending_handlers.empty()) {
            text += fmt::format(". Handlers that send (\"{}\") into queues that fill can deadlock",
                                fmt::join(network.sending_handlers, "\", \""));
        }
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
            texts.push_back(text);
        }
    }
    return texts;
}

// Text of a number of cycles: "36120 cycles", "1.4 million cycles".
std::string cycles_text(double cycles) {
    constexpr double kMillion = 1e6;
    return cycles < kMillion ? fmt::format("{:.0f} cycles", cycles)
                             : fmt::format("{:.1f} million cycles", cycles / kMillion);
}

std::vector<std::pair<std::string, std::string>> facts_of(const records::ExperimentResult& result) {
    std::size_t runs = 0;
    double cycles = 0.0;
    for (const records::PointResult& point : result.points) {
        runs += point.seeds.size();
        for (const std::int64_t each : point.cycles) {
            cycles += static_cast<double>(each);
        }
    }
    std::vector<std::pair<std::string, std::string>> facts{
        {"experiment", result.file},
        {"kernel", result.kernel},
        {"machine", machine_text(with_configurations(result))},
        {"runs", result.points.empty() ? ""
                                       : fmt::format("{} of {}, {}", runs,
                                                     setup::counted(result.points.size(), "point"),
                                                     cycles_text(cycles))},
        {"without result",
         result.endings.empty() ? "" : setup::counted(result.endings.size(), "run")},
        {"interrupted",
         result.runs_left == 0 ? "" : setup::counted(result.runs_left, "run") + " had not ended"},
        {"measured from",
         result.points.empty() ? "" : fmt::format("cycle {}", result.warmup_cycles)},
        {"took", setup::fixed_number(result.wall_seconds, 1) + " s"}};
    facts.emplace_back("speed", speed_text(result));
    for (const std::string& proof : routing_texts(result)) {
        facts.emplace_back("network", proof);
    }
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    return facts;
}

// True if a terminal shows the main metric only. A single point is shown with all of its
// metrics.
bool is_about_one_number(const records::ExperimentResult& result) {
    return result.points.size() > 1 && !result.leading_metric.empty();
}

records::Section results_section(const records::ExperimentResult& result) {
    constexpr std::size_t kFewPoints = 4;
    records::Section results;
    results.title = "Results";
    if (!result.leading_metric.empty()) {
        add_block(results_table(result, result.leading_metric), results);
    }
    for (const records::Metric* second : analyses::second_metrics()) {
        add_block(results_table(result, second->name()), results);
    }
    add_block(precision_table(result), results);
    add_blocks(metric_figures(result), results);
    const auto add_folded = [&results](const std::string& title, auto table, bool is_for_text) {
        records::Section part;
        part.title = title;
        part.is_folded = true;
        part.is_left_out_of_text = !is_for_text;
        add_block(std::move(table), part);
        add_section(std::move(part), results.parts);
    };
    const bool is_short = !is_about_one_number(result);
    add_folded("Inputs of the models", model_inputs_table(result), is_short);
    add_folded("Other predictions of the models", also_predicted_table(result),
               is_short || result.points.size() <= kFewPoints);
    add_folded("All metrics", std::optional(metrics_table(result)), is_short);
    return results;
}

records::Section cycles_section(const records::ExperimentResult& result) {
    records::Section cycles;
    cycles.title = "Where the cycles go";
    add_blocks(cycle_figures(result), cycles);
    records::Section parts;
    parts.title = "In numbers";
    parts.is_folded = true;
    parts.is_left_out_of_text = is_about_one_number(result);
    add_block(round_trip_table(result), parts);
    add_section(std::move(parts), cycles.parts);
    return cycles;
}

std::string title_of(const records::ExperimentResult& result) {
    return result.title.empty() ? result.file : result.title;
}

bool has_variants(const records::ExperimentResult& result) {
    return std::any_of(result.sensitivity.begin(), result.sensitivity.end(),
                       [](const auto& row) { return !row.variants.empty(); });
}

// Sensitivity section; says so if the variants have not run.
records::Section sensitivity_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = "Sensitivity to unpublished parameters";
    if (has_variants(result)) {
        add_blocks(sensitivity_figures(result), section);
        add_block(sensitivity_table(result), section);
    } else if (!result.sensitivity.empty()) {
        section.blocks.emplace_back(
            records::Paragraph{"Not run; weir run --sensitivity measures it."});
    }
    return section;
}

// Page of a study without its experiments.
records::Document document_of_all_parts(const records::StudyResult& result) {
    records::Document document;
    document.title = result.title.empty() ? result.file : result.title;
    document.description = result.description;
    document.facts = {{"study", result.file},
                      {"took", setup::fixed_number(result.wall_seconds, 1) + " s"}};
    if (auto tables = kinds::unloaded_tables(result.parts)) {
        document.sections.push_back(*std::move(tables));
    }
    return document;
}

// Last line of a terminal's page: the name of the result's folder.
std::string location_of_results(const records::ExperimentResult& result) {
    return "\nresults are in " + setup::printable(result.folder) + "\n";
}

std::string location_of_results(const records::StudyResult& result) {
    return "\nresults are in " + setup::printable(result.folder) + "\n";
}

std::vector<records::Section> experiment_sections(const records::ExperimentResult& result) {
    std::vector<records::Section> sections;
    add_section(endings_section(result), sections);
    if (result.points.empty()) {
        const records::ExperimentResult configured = with_configurations(result);
        if (!configured.points.empty()) {
            add_section(configuration_section(configured), sections);
        }
        return sections;
    }
    add_section(printed_section(result), sections);
    add_section(results_section(result), sections);
    for (records::Section& section : kinds::own_sections(result)) {
        sections.push_back(std::move(section));
    }
    add_section(validation_section(result), sections);
    add_section(cycles_section(result), sections);
    add_section(explanation_section(result), sections);
    add_section(network_section(result), sections);
    add_section(sensitivity_section(result), sections);
    add_section(configuration_section(result), sections);
    add_section(citations_section(result), sections);
    return sections;
}

}  // namespace

records::Section experiment_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = title_of(result);
    if (!result.description.empty()) {
        section.blocks.emplace_back(records::Paragraph{result.description});
    }
    std::string facts;
    for (const auto& [name, value] : facts_of(result)) {
        facts.append(facts.empty() ? "" : "; ").append(name).append(": ").append(value);
    }
    section.blocks.emplace_back(records::Paragraph{facts + "."});
    if (const auto endings = endings_finding(result)) {
        std::string text = endings->about + ".";
        for (const std::string& sentence : endings->sentences) {
            text += " " + sentence;
        }
        section.blocks.emplace_back(records::Paragraph{text});
    }
    section.parts = experiment_sections(result);
    return section;
}

records::Document run_document(const records::ExperimentResult& result) {
    records::Document document;
    document.title = title_of(result);
    document.description = result.description;
    document.findings = run_findings(result);
    if (auto endings = endings_finding(result)) {
        document.findings.insert(document.findings.begin(), *std::move(endings));
    }
    document.facts = facts_of(result);
    document.sections = experiment_sections(result);
    records::name_figures(document);
    records::share_value_axes(document);
    return document;
}

records::Document run_document(const records::StudyResult& result) {
    records::Document document = document_of_all_parts(result);
    for (const records::ExperimentResult& part : result.parts) {
        document.sections.push_back(experiment_section(part));
    }
    records::name_figures(document);
    records::share_value_axes(document);
    return document;
}

namespace {

// Sets the main metric of the experiments that have it; at least one of them must.
void lead_with(const std::string& metric, std::vector<records::ExperimentResult>& experiments) {
    std::vector<std::string> names;
    bool is_found = false;
    for (records::ExperimentResult& experiment : experiments) {
        bool has_metric = false;
        for (const records::PointResult& point : experiment.points) {
            for (const records::Estimate& measured : point.measured) {
                names.push_back(measured.name);
                has_metric = has_metric || measured.name == metric;
            }
        }
        if (has_metric) {
            is_found = true;
            experiment.leading_metric = metric;
            analyses::set_changes(kinds::over_other_point_percent().name(), metric,
                                  experiment.points);
        }
    }
    if (!is_found) {
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        throw setup::unknown_name({"--metric " + metric}, "metric", metric, names);
    }
}

}  // namespace

records::Document stored_document(const fs::path& folder, const std::string& metric) {
    records::StoredResult stored = left_runs(folder);
    if (!metric.empty()) {
        lead_with(metric, stored.experiments);
    }
    // Only stored pages have these sections: their digests read the runs' traces again.
    std::vector<records::Section> reproductions;
    for (const records::ExperimentResult& experiment : stored.experiments) {
        reproductions.push_back(experiment.points.empty() ? records::Section{}
                                                          : reproduction_section(experiment));
    }
    try {
        records::Document document =
            stored.is_study ? run_document(records::StudyResult{
                                  stored.file, stored.title, stored.description, folder.string(),
                                  stored.wall_seconds, std::move(stored.experiments)})
                            : run_document(stored.experiments.front());
        const std::size_t first = document.sections.size() - reproductions.size();
        for (std::size_t i = 0; i < reproductions.size(); ++i) {
            add_section(std::move(reproductions[i]),
                        stored.is_study ? document.sections[first + i].parts : document.sections);
        }
        document.facts.emplace_back("Weir", stored.weir_version);
        return document;
    } catch (const nlohmann::json::exception& fault) {
        // Values that only the run's kind or program writes are first read, and checked, here.
        throw records::json_fault(
            {(folder / "result.json").string(), "this is not a result of weir run",
             "the file that the run wrote; run the experiment again"},
            fault.what());
    }
}

std::string text_page(const records::ExperimentResult& result) {
    return text_page(run_document(result)) + location_of_results(result);
}

std::string text_page(const records::StudyResult& result) {
    return text_page(run_document(result)) + location_of_results(result);
}

std::string text_page_of_points(records::ExperimentResult result) {
    result.sensitivity.clear();
    return text_page(run_document(result));
}

std::string text_page_of_sensitivity(const records::ExperimentResult& result) {
    return "\n" + text_section(sensitivity_section(result)) + location_of_results(result);
}

std::string text_page_of_all_parts(const records::StudyResult& result) {
    return text_page(document_of_all_parts(result)) + location_of_results(result);
}

}  // namespace weir::experiments::pages
