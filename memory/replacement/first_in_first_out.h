#pragma once

#include "memory/replacement/line_order.h"
#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// FIFO: replaces the line whose block came first, regardless of its uses.
class FirstInFirstOut {
  public:
    static constexpr const char* kName = "fifo";
    static constexpr const char* kSentence = "the line that was fetched first";

    FirstInFirstOut(const ReplacementShape& shape, const hw::RandomStream& /*random*/)
        : order_(shape) {}

    void used(std::size_t /*line*/, bool /*is_hit*/) {}
    void filled(std::size_t line, bool /*makes_room*/) { order_.move_to_end(line); }
    [[nodiscard]] std::size_t victim(std::size_t set) const { return order_.front(set); }

  private:
    LineOrder order_;
};

}  // namespace weir::memory
