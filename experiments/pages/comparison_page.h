#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/records/document.h"
#include "experiments/records/machine_comparison.h"

namespace weir::experiments::pages {

/// Two machines on one page: the difference of what the program is about, paired by seed, with its
/// 95 % interval; where a round trip goes on each, and which parts make the difference; all else
/// that was measured; and in what the machines differ.
[[nodiscard]] records::Document comparison_document(const records::MachineComparison& comparison);

/// The same numbers for a program: of each point the metrics and the parts of a round trip with
/// both means, the mean of the differences and half the width of its 95 % interval (null with one
/// seed).
[[nodiscard]] nlohmann::ordered_json comparison_json(const records::MachineComparison& comparison);

}  // namespace weir::experiments::pages
