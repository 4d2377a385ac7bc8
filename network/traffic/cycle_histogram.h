#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace weir::network {

/// A histogram with one count per number of cycles, which must not be negative. Mean and
/// percentiles are exact, and do not depend on the order of the values.
class CycleHistogram {
  public:
    void add(std::int64_t cycles) {
        if (static_cast<std::size_t>(cycles) < low_.size()) {
            ++low_[cycles];
        } else {
            add_beyond(cycles);
        }
        ++count_;
        sum_ += cycles;
    }
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] std::int64_t sum() const { return sum_; }

    // mean(), percentile(), largest() and least() require at least one value.
    [[nodiscard]] double mean() const {
        return static_cast<double>(sum_) / static_cast<double>(count_);
    }
    /// Smallest number of cycles that at least `percent` of all values do not exceed; 0 < percent
    /// <= 100.
    [[nodiscard]] std::int64_t percentile(double percent) const;
    [[nodiscard]] std::int64_t largest() const;
    [[nodiscard]] std::int64_t least() const;

  private:
    static constexpr std::int64_t kLow = 1 << 14;

    [[gnu::noinline]] void add_beyond(std::int64_t cycles);

    std::vector<std::int64_t> low_;              // counts of 0, 1, ... cycles, below kLow
    std::map<std::int64_t, std::int64_t> high_;  // counts of kLow cycles and more
    std::int64_t count_ = 0;
    std::int64_t sum_ = 0;
};

}  // namespace weir::network
