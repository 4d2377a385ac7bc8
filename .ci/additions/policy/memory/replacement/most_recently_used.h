#pragma once

#include <cstddef>
#include <vector>

#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// MRU: replaces the line with the latest use.
class MostRecentlyUsed {
  public:
    static constexpr const char* kName = "mru";
    static constexpr const char* kSentence = "the most recently used line";

    MostRecentlyUsed(const ReplacementShape& shape, const hw::RandomStream& /*random*/)
        : ways_(shape.ways), latest_(shape.sets) {}

    void used(std::size_t line, bool /*is_hit*/) { latest_[line / ways_] = line % ways_; }
    void filled(std::size_t line, bool /*makes_room*/) { latest_[line / ways_] = line % ways_; }
    [[nodiscard]] std::size_t victim(std::size_t set) const { return latest_[set]; }

  private:
    std::size_t ways_;
    std::vector<std::size_t> latest_;  // most recently used way of each set
};

}  // namespace weir::memory
