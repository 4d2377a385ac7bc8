#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/report/figure.h"
#include "experiments/report/line_chart.h"

namespace weir::experiments::report {

/// What one source says of a category.
struct Dot {
    std::size_t category = 0;
    double value = 0.0;
    std::optional<double> half_width;  ///< of the 95 % confidence interval
};

/// A mark for each category: what is measured with its interval, or what one model says.
struct DotSeries {
    CurveKind kind = CurveKind::kMeasured;
    std::string name;
    std::vector<Dot> dots;
};

/// Numbers of things that have no order on a scale: a row each, from the top.
struct DotChart {
    std::string title;
    std::string caption;
    std::string category_name;  ///< of the column
    std::string value_name;     ///< with its unit
    std::string value_label;
    bool value_is_logarithmic = false;
    std::vector<std::string> categories;
    std::vector<DotSeries> series;
};

[[nodiscard]] Figure dot_figure(const DotChart& chart);

/// The same as bars side by side, of which every series has a colour.
[[nodiscard]] Figure bar_figure(const DotChart& chart);

}  // namespace weir::experiments::report
