#pragma once

#include <cstddef>
#include <vector>

#include "experiments/pages/sweep_values.h"
#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// Puts columns into a table that say which point a row is of, and makes them its keys: number,
/// label, and what its axes set: each axis in a column, or the one that a point varies.
void add_place_columns(const SweepValues& values, records::Table& table);
/// The cells of a point in those columns.
void add_place(const SweepValues& values, std::size_t index, std::vector<records::TableCell>& row);

}  // namespace weir::experiments::pages
