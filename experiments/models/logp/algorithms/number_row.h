#pragma once

#include <initializer_list>
#include <vector>

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// A table's row of numbers only. (g++ 12 takes a list of variants with a string for
/// uninitialised.)
inline std::vector<OutputTable::Cell> number_row(std::initializer_list<double> numbers) {
    return {numbers.begin(), numbers.end()};
}

}  // namespace weir::experiments::models
