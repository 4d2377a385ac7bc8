#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/report/figure.h"

namespace weir::experiments::report {

/// What a curve is of: how it is drawn follows from it, as the papers do.
enum class CurveKind {
    kMeasured,   ///< points with their intervals, joined by a thin line
    kModel,      ///< a curve without points
    kPublished,  ///< open diamonds, not joined
};

struct CurvePoint {
    double x = 0.0;
    double y = 0.0;
    std::optional<double> half_width;  ///< of the 95 % confidence interval
};

struct Curve {
    CurveKind kind = CurveKind::kMeasured;
    std::string who;     ///< "measured", a model, "published"
    std::string series;  ///< what else tells it from others; empty where it is the only one
    std::vector<CurvePoint> points;  ///< by x
    bool is_steps = false;           ///< a value that stays until the next
};

/// Numbers over a number.
struct LineChart {
    std::string title;
    std::string caption;
    std::string x_name;  ///< of the column, with its unit
    std::string y_name;
    std::string x_label;
    std::string y_label;
    bool x_is_logarithmic = false;
    bool y_is_logarithmic = false;
    std::vector<Curve> curves;

    /// Whether anything would be seen.
    [[nodiscard]] bool is_empty() const;
};

/// One series: a colour a model, what is measured in black. Several: a colour a series, a dash a
/// model. Logarithmic axes leave out what is not above 0.
[[nodiscard]] Figure line_figure(const LineChart& chart);

}  // namespace weir::experiments::report
