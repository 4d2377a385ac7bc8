#pragma once

#include <cstdint>
#include <map>

namespace weir::network {

/// A histogram with one count per number of cycles. Mean and percentiles are exact, and do not
/// depend on the order of the values.
class CycleHistogram {
  public:
    void add(std::int64_t cycles) {
        ++counts_[cycles];
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
    [[nodiscard]] std::int64_t largest() const { return counts_.rbegin()->first; }
    [[nodiscard]] std::int64_t least() const { return counts_.begin()->first; }

  private:
    std::map<std::int64_t, std::int64_t> counts_;
    std::int64_t count_ = 0;
    std::int64_t sum_ = 0;
};

}  // namespace weir::network
