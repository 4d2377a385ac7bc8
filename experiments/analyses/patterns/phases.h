#pragma once

#include <optional>

#include "experiments/analyses/traced_run.h"
#include "experiments/records/document.h"
#include "experiments/records/measured.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Of the phases that a program names (firmware/sparcle/phases.h): compiled ones by weir_phase(),
/// behavioural ones by trace_mark(). A node that is never in a phase counts with 0 cycles.
struct PhaseMetrics final : records::MetricGroup {
    records::Metric phase_cycles{*this, "phase_NAME_cycles", "cycles",
                                 "What a node spends in the program's phase NAME, handlers "
                                 "included, the mean of all nodes"};
    records::Metric longest_phase_cycles{*this, "longest_phase_NAME_cycles", "cycles",
                                         "The same of the node that spends most in it"};
    records::Metric phase_entries{*this, "phase_NAME_entries", "1",
                                  "How often a node enters the program's phase NAME, the mean of "
                                  "all nodes"};
};
const PhaseMetrics& phase_metrics();

/// Of the whole run, in the order in which the trace first names the phases.
void measure_phases(const TracedRun& run, records::Measured& measured);

/// A table of them; nothing where no point has any.
[[nodiscard]] std::optional<records::Section> phases_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
