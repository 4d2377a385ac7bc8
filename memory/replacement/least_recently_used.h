#pragma once

#include "memory/replacement/line_order.h"
#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// LRU: replaces the line whose last use is longest ago.
class LeastRecentlyUsed {
  public:
    static constexpr const char* kName = "lru";
    static constexpr const char* kSentence = "the least recently used line";

    LeastRecentlyUsed(const ReplacementShape& shape, const hw::RandomStream& /*random*/)
        : order_(shape) {}

    void used(std::size_t line, bool /*is_hit*/) { order_.move_to_end(line); }
    void filled(std::size_t line, bool /*makes_room*/) { order_.move_to_end(line); }
    [[nodiscard]] std::size_t victim(std::size_t set) const { return order_.front(set); }

  private:
    LineOrder order_;
};

}  // namespace weir::memory
