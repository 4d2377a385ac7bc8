#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::hw {

class StatisticsGroup;

/// A counter of a part, declared once as a member of the part's StatisticsGroup. The name ends with
/// the unit ("blocked_cycles"); the sentence describes it. Name and sentence are string literals.
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

/// The counters of one part, which derives its Statistics struct from this.
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

/// The counters of one part, with the part's hierarchical name.
struct PartStatistics {
    std::string part;
    const StatisticsGroup* group;
};

}  // namespace weir::hw
