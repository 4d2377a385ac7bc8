#include "experiments/analyses/patterns/programs.h"

#include <algorithm>
#include <vector>

#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/analyses/whole_of_parts.h"
#include "experiments/trace/measurements/measurements.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::experiments::analyses {

bool is_users_program(const firmware::Kernel& kernel) {
    return dynamic_cast<const firmware::CompiledKernel*>(&kernel) != nullptr &&
           &kernel.described() == &kernel;
}

namespace {

// Adds the numbers of messages that a node sends in a program, and the thread's own time, as inputs
// of models.
void add_program_inputs(const TracedRun& run, trace::CycleWindow window,
                        records::Measured& measured) {
    double bodies = 0.0;
    double messages = 0.0;
    for (const trace::MessageRow& message : run.trace.messages) {
        if (trace::lies_in(window, message.times.launch)) {
            (message.body_bytes > hw::Bytes(0) ? bodies : messages) += 1.0;
        }
    }
    if (messages + bodies == 0.0) {
        return;
    }
    measured.model_inputs.emplace_back("messages_per_node", messages / run.node_count);
    measured.model_inputs.emplace_back("bodies_per_node", bodies / run.node_count);
    measured.model_inputs.emplace_back(
        "program_work_cycles", records::find_metric(measured.round_trip, "compute").value_or(0.0));
}

}  // namespace

void measure_core_states(const TracedRun& run, records::Measured& measured) {
    // A program's time and its parts are measured from the program's first mark, even with a
    // warm-up.
    const auto window =
        is_users_program(run.kernel)
            ? std::nullopt
            : window_between(run.trace, firmware::kProgramBegins, firmware::kProgramEnds);
    if (window) {
        const double operations = run.pattern().operations_per_node;
        add_whole(program_metrics().makespan_cycles, 1.0, measured);
        if (operations > 0.0) {
            add_whole(program_metrics().cycles_per_operation, 1.0 / operations, measured);
        }
    }
    for (const trace::CoreStateShare& share :
         trace::core_state_share(run.trace, window.value_or(trace::CycleWindow{}))) {
        auto part = std::find_if(measured.round_trip.begin(), measured.round_trip.end(),
                                 [&share](const auto& p) { return p.first == share.state; });
        if (part == measured.round_trip.end()) {
            measured.round_trip.emplace_back(share.state, 0.0);
            part = measured.round_trip.end() - 1;
        }
        part->second += static_cast<double>(share.total.count()) / run.node_count;
    }
    if (window) {
        add_program_inputs(run, *window, measured);
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

std::optional<trace::CycleWindow> window_between(const trace::Trace& trace, const char* first_mark,
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
    return trace::CycleWindow{begin, end};
}

std::optional<hw::Cycles> cycles_between(const trace::Trace& trace, const char* first_mark,
                                         const char* last_mark) {
    const auto window = window_between(trace, first_mark, last_mark);
    return window ? std::optional(window->end - window->begin) : std::nullopt;
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
