#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// An order of the lines of each set: a line can be moved to the end, and the line at the front can
/// be found.
class LineOrder {
  public:
    explicit LineOrder(const ReplacementShape& shape)
        : ways_(shape.ways), stamps_(shape.sets * shape.ways) {}

    void move_to_end(std::size_t line) { stamps_[line] = ++clock_; }
    /// Way of the line that was moved longest ago.
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
