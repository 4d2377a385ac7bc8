#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/report/figure.h"

namespace weir::experiments::report {

struct StackedBar {
    std::string group;  ///< the bars of a group stand side by side over its name
    std::string who;    ///< in its group; empty where it is alone
    std::vector<std::optional<double>> parts;  ///< of StackedBars::parts, from the bottom
};

/// What sums are made of.
struct StackedBars {
    struct Part {
        std::string name;
        std::string colour;  ///< "#0072B2"; empty: the next of the palette
    };
    std::string title;
    std::string caption;
    std::string group_name;  ///< of the column
    std::string unit;        ///< "cycles"
    std::string value_label;
    std::vector<Part> parts;
    std::vector<StackedBar> bars;  ///< those of a group after each other
};

/// Parts below zero are in the data and not in the picture.
[[nodiscard]] Figure stacked_figure(const StackedBars& chart);

}  // namespace weir::experiments::report
