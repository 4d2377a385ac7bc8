#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/report/figure.h"

namespace weir::experiments::report {

/// What one value of a factor makes of the metric.
struct TornadoValue {
    std::string value;                         ///< "hop_cycles = 4"
    double change_percent = 0.0;               ///< against the base point
    std::optional<double> half_width_percent;  ///< of the change's 95 % confidence interval
};

/// A factor, and what its values make of the metric where all others are as in the base point.
struct TornadoFactor {
    std::string name;
    std::vector<TornadoValue> values;

    /// From the least to the greatest change, the base's 0 included.
    [[nodiscard]] double swing_percent() const;
};

/// Which of some factors matters most: a bar each, the widest on top.
struct TornadoChart {
    std::string title;
    std::string caption;
    std::string value_label;
    std::vector<TornadoFactor> factors;  ///< in any order
};

[[nodiscard]] Figure tornado_figure(TornadoChart chart);

}  // namespace weir::experiments::report
