#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// Points of a label around its base, where axes are varied one at a time.
struct VariedGroup {
    std::string label;
    std::string metric;
    std::size_t base = 0;
    std::vector<std::size_t> points;
};

[[nodiscard]] std::vector<VariedGroup> varied_groups(const SweepValues& values);

/// Changes of the group's metric by each axis, in the file's order. The list is empty if the base
/// has no value or its value is 0.
[[nodiscard]] std::vector<records::TornadoFactor> tornado_factors(const SweepValues& values,
                                                                  const VariedGroup& group);

}  // namespace weir::experiments::pages
