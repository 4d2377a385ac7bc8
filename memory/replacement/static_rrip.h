#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// SRRIP-HP: static re-reference interval prediction with hit priority (Jaleel, Theobald, Steely,
/// Emer: "High Performance Cache Replacement Using Re-Reference Interval Prediction", ISCA 2010,
/// Section 4.1).
///
/// Each line has a prediction of `bits` bits for the distance of its next use: 0 is near, the
/// largest value is distant. A new block gets the largest value less one, so that a scan does not
/// replace lines in use. A hit sets the prediction to 0. The first line of the set with the largest
/// value is replaced. If there is none, all predictions of the set grow by one until there is.
///
/// An access that waits for a line in flight is no hit: the miss that fetched the line does not
/// count as a second use.
class StaticRrip {
  public:
    static constexpr const char* kName = "srrip";
    static constexpr const char* kSentence = "the line with the most distant predicted use (RRIP)";
    static constexpr int kBits = 2;  // Jaleel et al.: 2 bits do as well as 3

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
    /// All predictions of a set grow by the same amount, so the first to reach the largest value is
    /// the first maximum now.
    [[nodiscard]] std::size_t victim(std::size_t set) const {
        const auto first = predictions_.begin() + static_cast<std::ptrdiff_t>(set * ways_);
        const auto furthest = std::max_element(first, first + static_cast<std::ptrdiff_t>(ways_));
        return furthest - first;
    }

  private:
    // Ages the set: adds to each prediction the amount that brings the victim's to the largest
    // value.
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
