#include "experiments/analyses/measure.h"

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/analyses/kernels/memory_transfer.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/patterns/long_messages.h"
#include "experiments/analyses/patterns/messages.h"
#include "experiments/analyses/patterns/phases.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/analyses/patterns/shared_accesses.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::analyses {

namespace {

using firmware::Communication;

// Window of the measurement. The window ends when the first thread marks the end of its steady
// state. For one-way messages without such a mark, the window ends with the last handled message.
trace::CycleWindow measured_window(const TracedRun& run) {
    trace::CycleWindow window = run.asked;
    const std::vector<std::string> names = trace::mark_names(run.trace);
    if (std::find(names.begin(), names.end(), "steady state ends") != names.end()) {
        for (const trace::MarkSpan& span : trace::mark_spans(run.trace, "steady state ends")) {
            window.end = std::min(window.end, span.first);
        }
    }
    if (has_iterations(run.communication()) && window.end >= hw::kNever &&
        (run.communication() == Communication::kOneWay ||
         run.pattern().outstanding_requests > 1.0)) {
        if (const auto last = trace::last_time(run.trace, &hw::MessageTimes::handler_end)) {
            window.end = *last + hw::Cycles(1);
        }
    }
    return window;
}

}  // namespace

records::Measured measure(TracedRun run, const KernelAnalysis& analysis,
                          const std::optional<IntervalQuestion>& interval) {
    run.window = measured_window(run);
    records::Measured measured;
    if (interval) {
        run.window = measure_interval(run, interval->batches, interval->detects_warm_up, measured);
    }
    measure_iterations(run, measured);
    if (run.communication() == Communication::kProgram && run.has_intervals()) {
        measure_core_states(run, measured);
    }
    measure_makespan(run, firmware::kProgramBegins, firmware::kProgramEnds, measured);
    analysis.measure(run, measured);
    measure_long_messages(run, measured);
    measure_messages(run, measured);
    measure_phases(run, measured);
    measure_shared_accesses(run, measured);
    return measured;
}

const records::MetricList& kernel_metrics() {
    static const records::MetricList all = [] {
        std::vector<const records::MetricGroup*> groups{
            &iteration_metrics(),    &program_metrics(),        &message_metrics(),
            &long_message_metrics(), &single_message_metrics(), &phase_metrics(),
            &shared_access_metrics()};
        for (const KernelAnalysis* analysis : kernel_analyses()) {
            const auto own = analysis->metrics();
            groups.insert(groups.end(), own.begin(), own.end());
        }
        return records::metrics_of(groups);
    }();
    return all;
}

const records::Metric& leading_metric(Communication communication) {
    switch (communication) {
        case Communication::kSingle:
            return single_message_metrics().end_to_end_cycles;
        case Communication::kPipeline:
        case Communication::kProgram:
            return program_metrics().makespan_cycles;
        case Communication::kNone:
            return transfer_metrics().cycles_per_byte;
        case Communication::kRequestReply:
        case Communication::kOneWay:
            break;
    }
    return iteration_metrics().cycles_per_iteration;
}

}  // namespace weir::experiments::analyses
