#pragma once

#include <cstdint>
#include <optional>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace_error.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// A sum that stays exact. Throws TraceError where it leaves 64 bits.
inline std::int64_t sum_of(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        throw TraceError("the trace's cycles add up to more than 64 bits hold");
    }
    return sum;
}

/// Cycles that a trace may not know: what is computed from something missing is missing.
class MaybeCycles {
  public:
    MaybeCycles() = default;
    explicit MaybeCycles(std::int64_t cycles) : cycles_(cycles) {}
    /// A time; missing where it is kNever.
    explicit MaybeCycles(hw::Cycles time) {
        if (time < hw::kNever) {
            cycles_ = time.count();
        }
    }

    [[nodiscard]] bool is_known() const { return cycles_.has_value(); }
    /// Of known ones.
    [[nodiscard]] std::int64_t count() const { return *cycles_; }

    friend MaybeCycles operator+(MaybeCycles a, MaybeCycles b) {
        return a.is_known() && b.is_known() ? MaybeCycles(sum_of(*a.cycles_, *b.cycles_))
                                            : MaybeCycles();
    }
    friend MaybeCycles operator-(MaybeCycles a, MaybeCycles b) {
        return a.is_known() && b.is_known() ? MaybeCycles(sum_of(*a.cycles_, -*b.cycles_))
                                            : MaybeCycles();
    }

  private:
    std::optional<std::int64_t> cycles_;
};

/// later - earlier.
inline MaybeCycles between(hw::Cycles earlier, hw::Cycles later) {
    return MaybeCycles(later) - MaybeCycles(earlier);
}

/// Whether a time is known, and inside.
inline bool lies_in(CycleWindow window, hw::Cycles time) {
    return time < hw::kNever && window.contains(time);
}

/// Many of them.
class CycleTotal {
  public:
    void add(std::int64_t cycles) { sum_ = sum_of(sum_, cycles); }
    [[nodiscard]] std::int64_t count() const { return sum_; }

  private:
    std::int64_t sum_ = 0;
};

}  // namespace weir::experiments::trace
