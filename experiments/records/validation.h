#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::records {

/// Key in the particulars of a point: the traces that were measured in place of runs. Traces may
/// lack tables.
inline constexpr const char* kTraces = "traces";

/// Published value with its measured value, or with a model's deviation, and with each model's
/// prediction.
struct Check {
    std::string point;
    std::string metric;
    std::string source;
    double published = 0.0;
    std::optional<Estimate> measured;  ///< measured value; empty if the run did not measure it
    /// Largest accepted deviation from the published value; empty: the value is shown but not
    /// checked.
    std::optional<double> allowed;
    Metrics predicted;         ///< predictions of the metric, by model
    bool is_of_trace = false;  ///< the value is measured in traces, which may lack tables
    std::string saturation;    ///< saturation_text() if saturation prevented the measurement
    [[nodiscard]] bool missed() const;
};

/// Checks of all published values of an experiment. Values without a tolerance are not checked. A
/// checked value that was not measured is missed.
std::vector<Check> validate(const ExperimentResult& result);

/// Deviation of a value from a reference, in per cent of the reference. The difference itself for a
/// metric in per cent, or if the reference is 0.
std::string error_against(double reference, double value, const std::string& metric);

/// Checks of one experiment as a table of 80 characters' width.
std::string validation_table(const std::string& experiment, const std::vector<Check>& checks);

/// JSON of checks: [{"point", "metric", "published", "source", "measured",
/// "confidence_half_width_95", "within", "missed", "predicted": {MODEL: value}}]
///
/// Absent entries: "measured" without a measurement, its half width without a confidence interval,
/// and "within" (the tolerance) without a tolerance. "saturation" is present if saturated runs lack
/// the metric.
nlohmann::ordered_json to_json(const std::vector<Check>& checks);

/// Summary: how many of the checks hold, are missed and are open.
std::string validation_summary(const std::vector<Check>& checks);

}  // namespace weir::experiments::records
