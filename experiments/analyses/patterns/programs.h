#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// Metrics of programs that are measured by their whole time.
struct ProgramMetrics final : records::MetricGroup {
    records::Metric makespan_cycles{
        *this, "makespan_cycles", "cycles",
        "Time from the start of the program on the first node to its end on the last node",
        "LoGPC Section 5.2.1: M"};
    records::Metric cycles_per_operation{*this, "cycles_per_operation", "cycles",
                                         "Makespan divided by the number of operations of a node: "
                                         "keys, reads, iterations, steps or records"};
};
inline const ProgramMetrics& program_metrics() { return records::declared<ProgramMetrics>(); }

/// Whether the kernel is a user's own compiled program, which has no behavioural version and need
/// not mark its begin and end.
[[nodiscard]] bool is_users_program(const firmware::Kernel& kernel);

/// Measures times in each core state, mean over the nodes, between the marks of the program; they
/// sum to the makespan. Covers the whole run if no node marked the end, or for a user's own
/// program.
void measure_core_states(const TracedRun& run, records::Measured& measured);

/// Measures the time from the first mark `begin` to the last mark `end`, and its quotient by the
/// operations. Adds nothing if no node marked the end.
void measure_makespan(const TracedRun& run, const char* begin, const char* end,
                      records::Measured& measured);

/// Window from the first mark of one name to the last of the other; empty if no node marked the
/// end.
[[nodiscard]] std::optional<trace::CycleWindow> window_between(const trace::Trace& trace,
                                                               const char* first_mark,
                                                               const char* last_mark);
/// Length of the window of window_between().
[[nodiscard]] std::optional<hw::Cycles> cycles_between(const trace::Trace& trace,
                                                       const char* first_mark,
                                                       const char* last_mark);

/// Sum, over all nodes, of the times from marks `begin` to marks `end`; each begin needs an end.
struct MarkedTime {
    double cycles = 0.0;
    std::int64_t spans = 0;
};
[[nodiscard]] MarkedTime marked_time(const trace::Trace& trace, const std::string& begin,
                                     const std::string& end);

}  // namespace weir::experiments::analyses
