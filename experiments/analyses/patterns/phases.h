#pragma once

#include <optional>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/document.h"
#include "experiments/records/measured.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Metrics of the phases that a program names (firmware/sparcle/phases.h): compiled programs by
/// weir_phase(), behavioural ones by trace_mark(). A node that never enters a phase counts as 0
/// cycles.
struct PhaseMetrics final : records::MetricGroup {
    records::Metric phase_cycles{
        *this, "phase_NAME_cycles", "cycles",
        "Time of a node in the program's phase NAME, handlers included; mean of all nodes"};
    records::Metric longest_phase_cycles{
        *this, "longest_phase_NAME_cycles", "cycles",
        "Time in the program's phase NAME on the node that spends most time in it"};
    records::Metric phase_entries{
        *this, "phase_NAME_entries", "1",
        "Number of times that a node enters the program's phase NAME; mean of all nodes"};
};
inline const PhaseMetrics& phase_metrics() { return records::declared<PhaseMetrics>(); }

/// Measures phases over the whole run, in the order in which the trace first names them.
void measure_phases(const TracedRun& run, records::Measured& measured);

/// Table of the phases; absent if no point has phases.
[[nodiscard]] std::optional<records::Section> phases_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
