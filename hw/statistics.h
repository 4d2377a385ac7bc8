#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::hw {

class StatisticsGroup;

/// A count a part keeps; declared once, as a member of the part's StatisticsGroup, with its unit in
/// the name ("blocked_cycles") and a sentence. Both strings are literals.
class Counter {
  public:
    Counter(StatisticsGroup& group, const char* name, const char* sentence);
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;

    Counter& operator+=(std::int64_t amount) {
        value_ += amount;
        return *this;
    }
    void raise_to(std::int64_t value) { value_ = value > value_ ? value : value_; }
    [[nodiscard]] std::int64_t value() const { return value_; }
    [[nodiscard]] const char* name() const { return name_; }
    [[nodiscard]] const char* sentence() const { return sentence_; }

  private:
    const char* name_;
    const char* sentence_;
    std::int64_t value_ = 0;
};

/// The counters of one part; a part derives its Statistics struct from it.
class StatisticsGroup {
  public:
    StatisticsGroup() = default;
    StatisticsGroup(const StatisticsGroup&) = delete;
    StatisticsGroup& operator=(const StatisticsGroup&) = delete;
    ~StatisticsGroup() = default;

    [[nodiscard]] const std::vector<const Counter*>& counters() const { return counters_; }

  private:
    friend class Counter;
    std::vector<const Counter*> counters_;
};

inline Counter::Counter(StatisticsGroup& group, const char* name, const char* sentence)
    : name_(name), sentence_(sentence) {
    group.counters_.push_back(this);
}

/// One part's counters under the part's hierarchical name, as the machine hands them out.
struct PartStatistics {
    std::string part;
    const StatisticsGroup* group;
};

}  // namespace weir::hw
