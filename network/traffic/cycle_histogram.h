#pragma once

#include <cstdint>
#include <map>

namespace weir::network {

/// How often each number of cycles was seen, so that its mean and percentiles are exact, and are
/// the same in whatever order they came.
class CycleHistogram {
  public:
    void add(std::int64_t cycles) {
        ++counts_[cycles];
        ++count_;
        sum_ += cycles;
    }
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] std::int64_t sum() const { return sum_; }

    // Of at least one.
    [[nodiscard]] double mean() const {
        return static_cast<double>(sum_) / static_cast<double>(count_);
    }
    /// The least number of cycles that `percent` of all do not exceed; percent above 0, up to 100.
    [[nodiscard]] std::int64_t percentile(double percent) const;
    [[nodiscard]] std::int64_t largest() const { return counts_.rbegin()->first; }
    [[nodiscard]] std::int64_t least() const { return counts_.begin()->first; }

  private:
    std::map<std::int64_t, std::int64_t> counts_;
    std::int64_t count_ = 0;
    std::int64_t sum_ = 0;
};

}  // namespace weir::network
