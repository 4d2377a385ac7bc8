#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::records {

/// Among a point's particulars: the traces that it was measured in, where no machine ran. They may
/// not say everything.
inline constexpr const char* kTraces = "traces";

/// One published value beside what was measured, or how far a model was off, and beside what each
/// model predicts of it.
struct Check {
    std::string point;
    std::string metric;
    std::string source;
    double published = 0.0;
    std::optional<Estimate> measured;  ///< nothing where the run did not give it
    std::optional<double> allowed;     ///< largest accepted distance; nothing: only shown
    Metrics predicted;                 ///< by model
    bool is_of_trace = false;          ///< of traces that may not say everything
    std::string saturation;            ///< saturation_text(), where it was not measured
    [[nodiscard]] bool missed() const;
};

/// All published values of an experiment, those with a tolerance checked. A value that carries a
/// tolerance and was not measured is missed.
std::vector<Check> validate(const ExperimentResult& result);

/// How far a value is from a reference, in per cent of it; of a metric in per cent, or of no
/// reference at all, the difference.
std::string error_against(double reference, double value, const std::string& metric);

/// The checks of one experiment as a table of 80 columns.
std::string validation_table(const std::string& experiment, const std::vector<Check>& checks);

/// [{"point", "metric", "published", "source", "measured", "confidence_half_width_95", "within",
///   "missed", "predicted": {MODEL: value}}]
/// "measured" and its half width are absent where there is none, "within" where it is only shown.
/// "saturation" is there where runs were saturated and so lack the metric.
nlohmann::ordered_json to_json(const std::vector<Check>& checks);

/// How many of all checks held.
std::string validation_summary(const std::vector<Check>& checks);

}  // namespace weir::experiments::records
