#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// The lines of each set in an order: a line goes to its end, and the one at its front is found.
class LineOrder {
  public:
    explicit LineOrder(const ReplacementShape& shape)
        : ways_(shape.ways), stamps_(shape.sets * shape.ways) {}

    void move_to_end(std::size_t line) { stamps_[line] = ++clock_; }
    /// The way of the line that has not been moved for longest.
    [[nodiscard]] std::size_t front(std::size_t set) const {
        const auto first = stamps_.begin() + static_cast<std::ptrdiff_t>(set * ways_);
        const auto oldest = std::min_element(first, first + static_cast<std::ptrdiff_t>(ways_));
        return oldest - first;
    }

  private:
    std::size_t ways_;
    std::uint64_t clock_ = 0;
    std::vector<std::uint64_t> stamps_;
};

}  // namespace weir::memory
