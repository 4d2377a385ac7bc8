#include "experiments/analyses/patterns/programs.h"

#include <algorithm>
#include <vector>

#include "experiments/analyses/patterns/iterations.h"
#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::analyses {

const ProgramMetrics& program_metrics() {
    static const ProgramMetrics metrics;
    return metrics;
}

void measure_core_states(const TracedRun& run, records::Measured& measured) {
    for (const trace::CoreStateShare& share : trace::core_state_share(run.trace, run.asked)) {
        auto part = std::find_if(measured.round_trip.begin(), measured.round_trip.end(),
                                 [&share](const auto& p) { return p.first == share.state; });
        if (part == measured.round_trip.end()) {
            measured.round_trip.emplace_back(share.state, 0.0);
            part = measured.round_trip.end() - 1;
        }
        part->second += static_cast<double>(share.total.count()) / run.node_count;
    }
    add(measured.metrics, iteration_metrics().blocked_cycles,
        records::find_metric(measured.round_trip, "blocked").value_or(0.0));
}

void measure_makespan(const TracedRun& run, const char* begin, const char* end,
                      records::Measured& measured) {
    const ProgramMetrics& m = program_metrics();
    const auto cycles = cycles_between(run.trace, begin, end);
    if (!cycles) {
        return;
    }
    add(measured.metrics, m.makespan_cycles, static_cast<double>(cycles->count()));
    const double operations = run.pattern().operations_per_node;
    if (operations > 0.0) {
        add(measured.metrics, m.cycles_per_operation,
            static_cast<double>(cycles->count()) / operations);
    }
}

std::optional<hw::Cycles> cycles_between(const trace::Trace& trace, const char* first_mark,
                                         const char* last_mark) {
    const std::vector<std::string> names = trace::mark_names(trace);
    if (std::find(names.begin(), names.end(), last_mark) == names.end()) {
        return std::nullopt;
    }
    hw::Cycles begin = hw::kNever;
    hw::Cycles end(0);
    for (const trace::MarkSpan& span : trace::mark_spans(trace, first_mark)) {
        begin = std::min(begin, span.first);
    }
    for (const trace::MarkSpan& span : trace::mark_spans(trace, last_mark)) {
        end = std::max(end, span.last);
    }
    return end - begin;
}

MarkedTime marked_time(const trace::Trace& trace, const std::string& begin,
                       const std::string& end) {
    std::int64_t marks = 0;
    trace::CycleTotal cycles;
    for (const trace::MarkRow& mark : trace.marks) {
        const std::string& name = trace.name_of(mark);
        if (name == end || name == begin) {
            marks += 1;
            cycles.add(name == end ? mark.cycle.count() : -mark.cycle.count());
        }
    }
    MarkedTime time;
    if (marks / 2 > 0) {
        time = {static_cast<double>(cycles.count()), marks / 2};
    }
    return time;
}

}  // namespace weir::experiments::analyses
