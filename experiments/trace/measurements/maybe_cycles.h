#pragma once

#include <cstdint>
#include <optional>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace_error.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Exact sum. Throws TraceError if the sum does not fit 64 bits.
inline std::int64_t sum_of(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        throw TraceError("the sum of the trace's cycles exceeds 64 bits");
    }
    return sum;
}

/// Number of cycles that may be unknown. Computations with an unknown number give an unknown one.
class MaybeCycles {
  public:
    MaybeCycles() = default;
    explicit MaybeCycles(std::int64_t cycles) : cycles_(cycles) {}
    /// `time` as a number of cycles; unknown if it is kNever.
    explicit MaybeCycles(hw::Cycles time) {
        if (time < hw::kNever) {
            cycles_ = time.count();
        }
    }

    [[nodiscard]] bool is_known() const { return cycles_.has_value(); }
    /// Number of cycles, which must be known.
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

/// Cycles from one time to a later one.
inline MaybeCycles between(hw::Cycles earlier, hw::Cycles later) {
    return MaybeCycles(later) - MaybeCycles(earlier);
}

/// True if the time is known and inside the window.
inline bool lies_in(CycleWindow window, hw::Cycles time) {
    return time < hw::kNever && window.contains(time);
}

/// Exact sum of many numbers of cycles.
class CycleTotal {
  public:
    void add(std::int64_t cycles) { sum_ = sum_of(sum_, cycles); }
    [[nodiscard]] std::int64_t count() const { return sum_; }

  private:
    std::int64_t sum_ = 0;
};

}  // namespace weir::experiments::trace
