#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/kinds/kernel/machine_state.h"
#include "experiments/kinds/kind.h"
#include "experiments/pages/run_sections.h"
#include "experiments/records/run_file.h"
#include "experiments/records/stored_result.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "nodes/run_end.h"

namespace weir::experiments::pages {

namespace {

namespace fs = std::filesystem;

using records::ExperimentResult;
using records::RunEnding;

constexpr const char* kEndingsTitle = "Endings of runs without a result";
constexpr std::size_t kMostToldEndings = 5;
constexpr std::size_t kMostOpenEndings = 4;
constexpr std::size_t kMostPrintedLines = 60;  // most lines of a program's output on a page

std::size_t runs_with_results(const ExperimentResult& result) {
    std::size_t runs = 0;
    for (const records::PointResult& point : result.points) {
        runs += point.seeds.size();
    }
    for (const records::SensitivityResult& sensitivity : result.sensitivity) {
        for (const records::PointResult& variant : sensitivity.variants) {
            runs += variant.seeds.size();
        }
    }
    return runs;
}

// Number of runs not begun. Runs that were cut short are among the endings instead.
std::size_t runs_not_begun(const ExperimentResult& result) {
    const std::size_t cut_short =
        std::count_if(result.endings.begin(), result.endings.end(), [](const RunEnding& ending) {
            return ending.how == nodes::run_end_name(nodes::RunEnd::kInterrupted);
        });
    return result.runs_left - std::min(result.runs_left, cut_short);
}

// Name of a run: "P = 2, seed 3"; only the seed for an experiment without labels.
std::string name_of(const RunEnding& ending) {
    return fmt::format("{}{}seed {}", ending.point, ending.point.empty() ? "" : ", ", ending.seed);
}

// True for a run that `weir run --until` has stopped.
bool is_stop(const RunEnding& ending) { return ending.exit_status == 0; }

bool are_stops(const std::vector<RunEnding>& endings) {
    return std::all_of(endings.begin(), endings.end(), is_stop);
}

// Text of an end: "deadlock in cycle 500".
std::string end_text(const RunEnding& ending) {
    return ending.cycles > 0 ? fmt::format("{} in cycle {}", ending.how, ending.cycles)
                             : ending.how;
}

// First line of the explanation, without the cycle, which is in another column.
std::string reason_of(const RunEnding& ending) {
    std::string reason = ending.explanation.substr(0, ending.explanation.find('\n'));
    const std::string cycle = fmt::format("cycle {}: ", ending.cycles);
    if (reason.starts_with(cycle)) {
        reason.erase(0, cycle.size());
    }
    for (const char* behind : {": ", ", "}) {  // the cycle is shown in another column
        const std::string how = ending.how + behind;
        reason.erase(0, reason.starts_with(how) ? how.size() : 0);
    }
    while (!reason.empty() && std::string_view(" :.;").find(reason.back()) != std::string::npos) {
        reason.pop_back();
    }
    return reason;
}

std::string sentence_of(const RunEnding& ending, bool is_only_run) {
    const std::string reason = reason_of(ending);
    return fmt::format(
        "{}{}{}{}{}.", is_only_run ? "" : name_of(ending) + ": ", end_text(ending),
        ending.exit_status == 0 ? "" : fmt::format(", exit status {}", ending.exit_status),
        reason.empty() ? "" : ": ", reason);
}

// Last lines of a program's output; `folder` is that of its run, relative to the experiment's.
void add_printed(const std::string& printed, const std::string& folder, records::Section& section) {
    const std::string shown = records::last_lines(printed, kMostPrintedLines);
    section.blocks.emplace_back(records::Paragraph{
        shown.size() == printed.size()
            ? "Lines printed by the program (node: line):"
            : fmt::format("Last lines printed by the program (node: line; the whole output is in "
                          "{}/console.txt):",
                          folder)});
    section.blocks.emplace_back(records::Listing{shown});
}

records::Table partial_table(const RunEnding& ending) {
    records::Table table;
    table.caption = "Values until this cycle: partial, not a result";
    table.columns = {records::text_column("quantity"), records::number_column("value"),
                     records::text_column("unit")};
    const auto add = [&table](const std::string& name, double value, const std::string& unit) {
        table.rows.push_back({records::text_cell(name, records::TableCell::Mark::kQuiet),
                              records::number_cell(value),
                              records::text_cell(unit == "1" ? "" : unit)});
    };
    if (ending.cycles > 0) {
        table.rows.push_back({records::text_cell("simulated", records::TableCell::Mark::kQuiet),
                              records::whole_cell(static_cast<double>(ending.cycles)),
                              records::text_cell("cycles")});
    }
    if (ending.messages > 0) {
        table.rows.push_back({records::text_cell("messages sent", records::TableCell::Mark::kQuiet),
                              records::whole_cell(static_cast<double>(ending.messages)),
                              records::text_cell("")});
    }
    for (const auto& [name, value] : ending.partial) {
        add(setup::spaced_name(name), value, kinds::unit_of(name));
    }
    return table;
}

records::Section section_of(const ExperimentResult& result, const RunEnding& ending) {
    records::Section section;
    section.title = fmt::format("{}: {}", name_of(ending), end_text(ending));
    if (!ending.explanation.empty()) {
        section.blocks.emplace_back(records::Listing{ending.explanation});
    }
    if (const std::string printed = records::printed_in(fs::path(result.folder) / ending.folder);
        !printed.empty()) {
        add_printed(printed, ending.folder, section);
    }
    records::Table partial = partial_table(ending);
    if (!partial.rows.empty()) {
        section.blocks.emplace_back(std::move(partial));
    }
    if (const std::string state =
            records::text_of_file(fs::path(result.folder) / ending.folder / kinds::kStateFile);
        !state.empty()) {
        section.blocks.emplace_back(
            records::Paragraph{"Waiting parts, queues and messages in this cycle:"});
        section.blocks.emplace_back(records::Listing{state});
    }
    return section;
}

records::Table endings_table(const ExperimentResult& result) {
    records::Table table;
    table.columns = {records::text_column("point"),         records::number_column("seed"),
                     records::text_column("how it ended"),  records::number_column("in cycle"),
                     records::number_column("exit status"), records::text_column("folder")};
    table.keys = 2;
    for (const RunEnding& ending : result.endings) {
        const auto number = [](double value) {
            return value > 0.0 ? records::whole_cell(value) : records::absent_cell();
        };
        table.rows.push_back(
            {records::text_cell(ending.point),
             records::whole_cell(static_cast<double>(ending.seed)),
             records::text_cell(ending.how, is_stop(ending) ? records::TableCell::Mark::kNone
                                                            : records::TableCell::Mark::kBad),
             number(static_cast<double>(ending.cycles)),
             number(static_cast<double>(ending.exit_status)), records::text_cell(ending.folder)});
    }
    return table;
}

}  // namespace

std::optional<records::Finding> endings_finding(const ExperimentResult& result) {
    if (result.endings.empty()) {
        return std::nullopt;
    }
    const std::size_t good = runs_with_results(result);
    const std::size_t bad = result.endings.size();
    const std::size_t unbegun = runs_not_begun(result);
    const std::size_t all = good + bad + unbegun;
    const bool is_only_run = all == 1;
    records::Finding finding;
    const bool is_stopped = are_stops(result.endings);
    finding.about =
        is_only_run
            ? (is_stopped ? "The run was stopped, as asked" : "The run gives no result")
            : fmt::format("{} of {} runs {}{}{}", bad, all,
                          is_stopped ? "were stopped, as asked" : "give no result",
                          unbegun == 0 ? "" : fmt::format(", and {} had not begun", unbegun),
                          good == 0
                              ? ""
                              : fmt::format("; the numbers below are those of the other {}", good));
    for (const RunEnding& ending : result.endings) {
        if (finding.sentences.size() == kMostToldEndings && bad > kMostToldEndings + 1) {
            finding.sentences.push_back(
                fmt::format("And {} more, below.", bad - finding.sentences.size()));
            break;
        }
        finding.sentences.push_back(sentence_of(ending, is_only_run));
    }
    return finding;
}

records::Section endings_section(const ExperimentResult& result) {
    records::Section section;
    section.title = are_stops(result.endings)    ? "State of stopped runs"
                    : result.endings.size() == 1 ? "Ending of the run without a result"
                                                 : kEndingsTitle;
    if (!result.endings.empty()) {
        section.blocks.emplace_back(endings_table(result));
    }
    records::Section folded;
    folded.is_folded = true;
    for (const RunEnding& ending : result.endings) {
        (section.parts.size() < kMostOpenEndings ? section : folded)
            .parts.push_back(section_of(result, ending));
    }
    if (!folded.parts.empty()) {
        folded.title = fmt::format("{} more", folded.parts.size());
        section.parts.push_back(std::move(folded));
    }
    return section;
}

records::Section printed_section(const ExperimentResult& result) {
    records::Section section;
    section.title = "Output of the program";
    if (result.points.size() == 1 && result.points.front().seeds.size() == 1) {
        for (const fs::path& folder : records::folders_of_point(result, result.points.front())) {
            if (const std::string printed = records::printed_in(folder); !printed.empty()) {
                add_printed(printed, folder.filename().string(), section);
            }
        }
    }
    return section;
}

ExperimentResult with_configurations(ExperimentResult result) {
    if (!result.points.empty()) {
        return result;
    }
    for (const RunEnding& ending : result.endings) {
        const bool is_there = std::any_of(
            result.points.begin(), result.points.end(),
            [&ending](const records::PointResult& point) { return point.label == ending.point; });
        if (is_there || ending.configuration.empty()) {
            continue;
        }
        records::PointResult& point = result.points.emplace_back();
        point.label = ending.point;
        point.configuration = ending.configuration;
    }
    return result;
}

}  // namespace weir::experiments::pages
