#pragma once

#include <cstdint>

#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// Random: replaces each line with the same probability. A way is drawn for all sets whenever a
/// block has come in.
class RandomReplacement {
  public:
    static constexpr const char* kName = "random";
    static constexpr const char* kSentence = "a random line";

    RandomReplacement(const ReplacementShape& shape, const hw::RandomStream& random)
        : ways_(shape.ways), random_(random), way_(random_.below(ways_)) {}

    void used(std::size_t /*line*/, bool /*is_hit*/) {}
    void filled(std::size_t /*line*/, bool /*makes_room*/) { way_ = random_.below(ways_); }
    [[nodiscard]] std::size_t victim(std::size_t /*set*/) const { return way_; }

  private:
    std::uint64_t ways_;
    hw::RandomStream random_;
    std::size_t way_;
};

}  // namespace weir::memory
