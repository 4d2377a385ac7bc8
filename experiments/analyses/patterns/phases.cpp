#include "experiments/analyses/patterns/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/records/point_values.h"
#include "experiments/trace/rows/trace_error.h"
#include "firmware/sparcle/phases.h"

namespace weir::experiments::analyses {

namespace {

constexpr std::string_view kPhase = WEIR_PHASE_MARK;
constexpr std::string_view kNoPhase = WEIR_NO_PHASE_MARK;

struct Phase {
    std::vector<double> cycles;  // cycles of each node in the phase
    double entries = 0.0;        // number of times that all nodes together entered the phase
};

bool begins_phase(std::string_view mark) { return mark.starts_with(kPhase); }

// End of a node's program, or of the run if the program has not ended.
hw::Cycles end_of_program(const trace::Trace& trace, hw::NodeId node, hw::Cycles last_mark) {
    for (const trace::CoreIntervalRow& interval : trace.intervals_of(node)) {
        if (interval.state == hw::CoreState::kDone) {
            return std::max(interval.begin, last_mark);
        }
    }
    const auto run = trace.run.find("cycles");
    std::int64_t cycles = 0;
    if (run != trace.run.end()) {
        const char* const last = run->second.data() + run->second.size();
        const auto [read, fault] = std::from_chars(run->second.data(), last, cycles);
        if (fault != std::errc() || read != last || cycles < 0) {
            throw trace::TraceError(trace.path(),
                                    fmt::format("the run's cycles are \"{}\"", run->second),
                                    "a whole number from 0 on");
        }
    }
    return std::max(hw::Cycles(cycles), last_mark);
}

// Marks of phases by node, in time order. The last mark written in a cycle counts.
std::map<std::int32_t, std::vector<const trace::MarkRow*>> marks_by_node(
    const trace::Trace& trace) {
    std::map<std::int32_t, std::vector<const trace::MarkRow*>> nodes;
    for (const trace::MarkRow& mark : trace.marks) {
        const std::string& name = trace.name_of(mark);
        if (begins_phase(name) || name == kNoPhase) {
            nodes[mark.node.index()].push_back(&mark);
        }
    }
    for (auto& [node, marks] : nodes) {
        std::stable_sort(
            marks.begin(), marks.end(),
            [](const trace::MarkRow* a, const trace::MarkRow* b) { return a->cycle < b->cycle; });
    }
    return nodes;
}

// Phases by their name in metrics. Names that differ only in characters that metrics do not have
// are merged.
std::map<std::string, Phase> phases_of(const TracedRun& run) {
    std::map<std::string, Phase> phases;
    for (const auto& [node, marks] : marks_by_node(run.trace)) {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const std::string_view name = run.trace.name_of(*marks[i]);
            if (!begins_phase(name)) {
                continue;
            }
            const hw::Cycles end =
                i + 1 < marks.size() ? marks[i + 1]->cycle
                                     : end_of_program(run.trace, hw::NodeId(node), marks[i]->cycle);
            Phase& phase = phases[phase_metrics().phase_cycles.name_of(name.substr(kPhase.size()))];
            phase.cycles.resize(run.node_count);
            phase.cycles[node] += static_cast<double>((end - marks[i]->cycle).count());
            phase.entries += 1.0;
        }
    }
    return phases;
}

std::vector<std::string> phase_names(const trace::Trace& trace) {
    std::vector<std::string> names;
    for (const std::string& mark : trace.mark_names) {
        if (begins_phase(mark)) {
            names.push_back(mark.substr(kPhase.size()));
        }
    }
    return names;
}

// The program's name for a phase, which stands for NAME in the name of a measured metric.
std::string programs_name(const records::Metric& metric, const std::string& measured) {
    const std::size_t begin = metric.name().find(records::kProgramsName);
    const std::size_t behind = metric.name().size() - begin - records::kProgramsName.size();
    return measured.substr(begin, measured.size() - begin - behind);
}

}  // namespace

void measure_phases(const TracedRun& run, records::Measured& measured) {
    const PhaseMetrics& m = phase_metrics();
    std::map<std::string, Phase> phases = phases_of(run);
    for (const std::string& name : phase_names(run.trace)) {
        const auto found = phases.find(m.phase_cycles.name_of(name));
        if (found == phases.end()) {
            continue;  // merged with an earlier name of the same metric
        }
        const Phase& phase = found->second;
        double sum = 0.0;
        for (const double cycles : phase.cycles) {
            sum += cycles;
        }
        const double most = *std::max_element(phase.cycles.begin(), phase.cycles.end());
        measured.metrics.emplace_back(found->first, sum / run.node_count);
        measured.metrics.emplace_back(m.longest_phase_cycles.name_of(name), most);
        measured.metrics.emplace_back(m.phase_entries.name_of(name),
                                      phase.entries / run.node_count);
        phases.erase(found);
    }
}

std::optional<records::Section> phases_section(const records::ExperimentResult& result) {
    const PhaseMetrics& m = phase_metrics();
    const bool has_others = result.points.size() > 1;
    records::Table table;
    table.keys = has_others ? 2 : 1;
    if (has_others) {
        table.columns.push_back(records::text_column("measured"));
    }
    table.columns.insert(
        table.columns.end(),
        {records::text_column("phase"),
         records::number_column("cycles", "cycles of a node in this phase, mean of all nodes"),
         records::number_column("longest",
                                "cycles in this phase of the node that spends most time in it"),
         records::number_column("entries",
                                "number of times that a node enters the phase, mean of all nodes"),
         records::number_column(
             "% of run",
             "share of the run's cycles that a node spends in the phase, mean of all nodes")});
    for (const records::PointResult& point : result.points) {
        const records::Estimate* run = records::find_estimate(point, "run_cycles");
        for (const records::Estimate& measured : point.measured) {
            if (!m.phase_cycles.is_named(measured.name)) {
                continue;
            }
            const std::string name = programs_name(m.phase_cycles, measured.name);
            const auto cell = [&](const records::Metric& metric) {
                const records::Estimate* found =
                    records::find_estimate(point, metric.name_of(name));
                return found == nullptr ? records::absent_cell()
                                        : records::number_cell(found->mean);
            };
            std::vector<records::TableCell>& row = table.rows.emplace_back();
            if (has_others) {
                row.push_back(records::text_cell(point.label));
            }
            row.insert(row.end(),
                       {records::text_cell(name), cell(m.phase_cycles),
                        cell(m.longest_phase_cycles), cell(m.phase_entries),
                        run == nullptr ? records::absent_cell()
                                       : records::number_cell(100.0 * measured.mean / run->mean)});
        }
    }
    return records::section_of("Phases of the program", std::move(table));
}

}  // namespace weir::experiments::analyses
