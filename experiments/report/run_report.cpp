#include "experiments/report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "experiments/config/user_fault.h"
#include "experiments/report/chart_style.h"
#include "experiments/report/run_figures.h"
#include "experiments/report/run_tables.h"
#include "experiments/run/version.h"
#include "experiments/sweep/sweep_plan.h"

namespace weir::experiments::report {

namespace {

namespace fs = std::filesystem;

void add_blocks(std::vector<Figure> figures, Section& section) {
    section.blocks.insert(section.blocks.end(), std::make_move_iterator(figures.begin()),
                          std::make_move_iterator(figures.end()));
}

template <class Content>
void add_block(std::optional<Content> content, Section& section) {
    if (content) {
        section.blocks.emplace_back(*std::move(content));
    }
}

void add_section(Section section, std::vector<Section>& sections) {
    if (!section.blocks.empty() || !section.parts.empty()) {
        sections.push_back(std::move(section));
    }
}

// Why a point's network has no channels to draw.
std::string without_channels(const run::ExperimentResult& result) {
    std::set<std::string> models;
    for (const run::PointResult& point : result.points) {
        models.insert(point.network_model);
    }
    if (models.count("wormhole") == 0) {
        return fmt::format(
            "There is no map of channels and queues: a network with network.model = \"{}\" has "
            "none.",
            *models.begin());
    }
    return "There is no map of channels and queues: no message was sent, or the run's folder has "
           "no "
           "channels.csv any more.";
}

Section network_section(const run::ExperimentResult& result) {
    constexpr std::size_t kMostOpen = 2;
    Section section;
    section.title = "The network and the queues";
    std::vector<Figure> figures = network_figures(result);
    const std::string nothing = figures.empty() ? without_channels(result) : "";
    if (!nothing.empty()) {
        section.blocks.emplace_back(Paragraph{nothing});
    }
    Section folded;
    folded.is_folded = true;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        (i < kMostOpen || figures.size() <= kMostOpen + 1 ? section : folded)
            .blocks.emplace_back(std::move(figures[i]));
    }
    if (!folded.blocks.empty()) {
        folded.title = fmt::format("the same of {} other points", folded.blocks.size());
        section.parts.push_back(std::move(folded));
    }
    return section;
}

std::string value_text(const run::PointResult& point, const char* key) {
    for (const auto& [name, value] : point.configuration) {
        if (name == key) {
            return sweep::value_text(value);
        }
    }
    return "";
}

// Of all points, each value once.
std::string values_of(const run::ExperimentResult& result, const char* key) {
    std::vector<std::string> values;
    for (const run::PointResult& point : result.points) {
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

// Traffic without a machine has the network's nodes, which its dimensions say.
std::string machine_text(const run::ExperimentResult& result) {
    const std::string nodes = values_of(result, "machine.nodes");
    return fmt::format("{}{} {}, {} network", nodes.empty() ? "" : nodes + " nodes, ",
                       values_of(result, "network.topology"),
                       values_of(result, "network.dimensions"), values_of(result, "network.model"));
}

std::vector<std::pair<std::string, std::string>> facts_of(const run::ExperimentResult& result) {
    std::size_t runs = 0;
    double cycles = 0.0;
    for (const run::PointResult& point : result.points) {
        runs += point.seeds.size();
        for (const std::int64_t each : point.cycles) {
            cycles += static_cast<double>(each);
        }
    }
    std::vector<std::pair<std::string, std::string>> facts{
        {"experiment", result.file},
        {"kernel", values_of(result, "workload.kernel")},
        {"machine", machine_text(result)},
        {"runs", fmt::format("{} of {} points, {:.1f} million cycles", runs, result.points.size(),
                             cycles / 1e6)},
        {"measured from", fmt::format("cycle {}", result.warmup_cycles)},
        {"took", fmt::format("{:.1f} s", result.wall_seconds)}};
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    return facts;
}

run::StoredResult read_folders(const fs::path& folder) {
    std::error_code unknown;
    if (fs::exists(folder / "result.json", unknown) || !fs::is_directory(folder, unknown)) {
        return run::read_stored_result(folder);
    }
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (fs::exists(entry.path() / "result.json", unknown) &&
            entry.path().filename().string().find("-seed-") == std::string::npos) {
            found.push_back(entry.path());
        }
    }
    if (found.empty()) {
        return run::read_stored_result(folder);  // which says what is missing
    }
    std::sort(found.begin(), found.end());
    run::StoredResult all;
    all.title = folder.filename().empty() ? folder.parent_path().filename().string()
                                          : folder.filename().string();
    all.file = folder.string();
    all.is_study = true;
    for (const fs::path& each : found) {
        const run::StoredResult one = run::read_stored_result(each);
        all.weir_version = one.weir_version;
        all.wall_seconds += one.wall_seconds;
        all.experiments.insert(all.experiments.end(), one.experiments.begin(),
                               one.experiments.end());
    }
    return all;
}

std::string title_of(const run::ExperimentResult& result) {
    return result.title.empty() ? result.file : result.title;
}

}  // namespace

std::vector<Section> experiment_sections(const run::ExperimentResult& result) {
    std::vector<Section> sections;
    Section results;
    results.title = "Results";
    add_block(results_table(result), results);
    add_blocks(metric_figures(result), results);
    add_blocks(particular_figures(result), results);
    Section asked;
    asked.title = "What the models were asked with";
    asked.is_folded = true;
    add_block(model_inputs_table(result), asked);
    if (!asked.blocks.empty()) {
        results.parts.push_back(std::move(asked));
    }
    Section metrics;
    metrics.title = "Everything that was measured";
    metrics.is_folded = true;
    metrics.blocks.emplace_back(metrics_table(result));
    results.parts.push_back(std::move(metrics));
    add_section(std::move(results), sections);
    add_section(validation_section(result), sections);
    Section cycles;
    cycles.title = "Where the cycles went";
    add_blocks(cycle_figures(result), cycles);
    Section parts;
    parts.title = "In figures";
    parts.is_folded = true;
    add_block(round_trip_table(result), parts);
    if (!parts.blocks.empty()) {
        cycles.parts.push_back(std::move(parts));
    }
    add_section(std::move(cycles), sections);
    add_section(network_section(result), sections);
    Section sensitivity;
    sensitivity.title = "Sensitivity";
    add_blocks(sensitivity_figures(result), sensitivity);
    add_block(sensitivity_table(result), sensitivity);
    add_section(std::move(sensitivity), sections);
    add_section(configuration_section(result), sections);
    return sections;
}

Section experiment_section(const run::ExperimentResult& result) {
    Section section;
    section.title = title_of(result);
    if (!result.description.empty()) {
        section.blocks.emplace_back(Paragraph{result.description});
    }
    std::string facts;
    for (const auto& [name, value] : facts_of(result)) {
        facts.append(facts.empty() ? "" : "; ").append(name).append(": ").append(value);
    }
    section.blocks.emplace_back(Paragraph{facts + "."});
    section.parts = experiment_sections(result);
    return section;
}

Document run_document(const fs::path& folder) {
    const run::StoredResult stored = read_folders(folder);
    Document document;
    if (!stored.is_study) {
        const run::ExperimentResult& result = stored.experiments.front();
        document.title = title_of(result);
        document.description = result.description;
        document.facts = facts_of(result);
        document.sections = experiment_sections(result);
    } else {
        document.title = stored.title.empty() ? stored.file : stored.title;
        document.description = stored.description;
        document.facts = {{"study", stored.file},
                          {"took", fmt::format("{:.1f} s", stored.wall_seconds)}};
        for (const run::ExperimentResult& result : stored.experiments) {
            document.sections.push_back(experiment_section(result));
        }
    }
    document.facts.emplace_back("Weir", stored.weir_version);
    name_figures(document);
    return document;
}

}  // namespace weir::experiments::report
