#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// Of programs whose whole time counts.
struct ProgramMetrics final : records::MetricGroup {
    records::Metric makespan_cycles{*this, "makespan_cycles", "cycles",
                                    "From the first node's begin of the program to the last's end",
                                    "LoGPC Section 5.2.1: M"};
    records::Metric cycles_per_operation{
        *this, "cycles_per_operation", "cycles",
        "The makespan by the operations of a node: keys, reads, iterations, steps or records"};
};
const ProgramMetrics& program_metrics();

/// Whether it is a compiled program of the user's own: without a twin on the behavioural core,
/// whose marks would say what its time is of.
[[nodiscard]] bool is_users_program(const firmware::Kernel& kernel);

/// Core states, mean over the nodes: between the marks of the program, where they sum to the
/// makespan. The whole run's where no node marked the end, and of a user's own compiled program.
void measure_core_states(const TracedRun& run, records::Measured& measured);

/// From a mark's first to another's last, and what that is for each operation; nothing where no
/// node marked the end.
void measure_makespan(const TracedRun& run, const char* begin, const char* end,
                      records::Measured& measured);

/// From the first mark of one name to the last of the other; nothing where no node marked the end.
[[nodiscard]] std::optional<trace::CycleWindow> window_between(const trace::Trace& trace,
                                                               const char* first_mark,
                                                               const char* last_mark);
/// The length of that window.
[[nodiscard]] std::optional<hw::Cycles> cycles_between(const trace::Trace& trace,
                                                       const char* first_mark,
                                                       const char* last_mark);

/// All the time from marks of one name to those of another, where each begin has its end.
struct MarkedTime {
    double cycles = 0.0;
    std::int64_t spans = 0;
};
[[nodiscard]] MarkedTime marked_time(const trace::Trace& trace, const std::string& begin,
                                     const std::string& end);

}  // namespace weir::experiments::analyses
