#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/records/document.h"
#include "experiments/records/machine_comparison.h"

namespace weir::experiments::pages {

/// Page that compares two machines. Parts of the page:
/// - change of the main metric, paired by seed, with its 95 % interval;
/// - parts of a round trip on each machine, and the parts that make the change;
/// - all other metrics;
/// - parameters in which the machines differ.
[[nodiscard]] records::Document comparison_document(const records::MachineComparison& comparison);

/// Comparison as JSON: for each point its metrics and the parts of a round trip. Each number has
/// both means, the mean of the differences and half the width of the difference's 95 % interval
/// (null with one seed).
[[nodiscard]] nlohmann::ordered_json comparison_json(const records::MachineComparison& comparison);

}  // namespace weir::experiments::pages
