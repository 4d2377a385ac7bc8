#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// SRRIP-HP: static re-reference interval prediction with hit priority (Jaleel, Theobald, Steely,
/// Emer: "High Performance Cache Replacement Using Re-Reference Interval Prediction", ISCA 2010,
/// Section 4.1). A line has a value of `bits` bits that predicts how far off its next use is: 0
/// soon, the greatest value in the distant future. A block comes in with one less than the
/// greatest, so that a scan goes by without throwing out what is in use; a hit makes it 0. The
/// first line of the set that has the greatest value makes room; while none has, all values of the
/// set grow by one.
///
/// An access that waits for a line on its way is no hit: the miss that brought the line in does not
/// count as its second use.
class StaticRrip {
  public:
    static constexpr const char* kName = "srrip";
    static constexpr const char* kSentence =
        "the one whose next use is predicted furthest off (RRIP)";
    static constexpr int kBits = 2;  // Jaleel et al.: 2 do as well as 3

    StaticRrip(const ReplacementShape& shape, const hw::RandomStream& /*random*/, int bits = kBits)
        : ways_(shape.ways),
          distant_(static_cast<std::uint8_t>((1 << bits) - 1)),
          predictions_(shape.sets * shape.ways, distant_) {}

    void used(std::size_t line, bool is_hit) {
        if (is_hit) {
            predictions_[line] = 0;
        }
    }
    void filled(std::size_t line, bool makes_room) {
        if (makes_room) {
            age(line / ways_);
        }
        predictions_[line] = static_cast<std::uint8_t>(distant_ - 1);
    }
    /// All values of the set grow alike, so that the first to be the greatest is the first that is
    /// the greatest now.
    [[nodiscard]] std::size_t victim(std::size_t set) const {
        const auto first = predictions_.begin() + static_cast<std::ptrdiff_t>(set * ways_);
        const auto furthest = std::max_element(first, first + static_cast<std::ptrdiff_t>(ways_));
        return furthest - first;
    }

  private:
    // What the search for the victim has added to the values of the set.
    void age(std::size_t set) {
        const std::size_t base = set * ways_;
        const int grown = distant_ - predictions_[base + victim(set)];
        for (std::size_t way = 0; way < ways_; ++way) {
            predictions_[base + way] = static_cast<std::uint8_t>(predictions_[base + way] + grown);
        }
    }

    std::size_t ways_;
    std::uint8_t distant_;
    std::vector<std::uint8_t> predictions_;
};

}  // namespace weir::memory
