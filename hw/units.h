#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <ostream>

namespace weir::hw {

/// A whole number of one unit. Quantities of different units don't mix. Plain numbers enter only
/// through the explicit constructor, and leave only through count().
template <class Unit>
class Quantity {
  public:
    using Count = std::int64_t;

    constexpr Quantity() = default;
    constexpr explicit Quantity(Count count) : count_(count) {}

    [[nodiscard]] constexpr Count count() const { return count_; }

    constexpr auto operator<=>(const Quantity&) const = default;

    constexpr Quantity& operator+=(Quantity other) {
        count_ += other.count_;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        count_ -= other.count_;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend constexpr Quantity operator*(Count factor, Quantity a) {
        return Quantity(factor * a.count_);
    }
    friend constexpr Quantity operator*(Quantity a, Count factor) { return factor * a; }
    friend std::ostream& operator<<(std::ostream& out, Quantity a) { return out << a.count_; }

  private:
    Count count_ = 0;
};

struct CycleUnit {};
struct ByteUnit {};
struct FlitUnit {};

/// Processor cycles: a duration, or a point in time counted from the start of the run.
using Cycles = Quantity<CycleUnit>;
using Bytes = Quantity<ByteUnit>;
using Flits = Quantity<FlitUnit>;

/// A point in time that never comes.
inline constexpr Cycles kNever{INT64_MAX / 2};

/// Number of flits of `flit_bytes` that carry `bytes`; the last flit may be partly empty.
constexpr Flits flits_of(Bytes bytes, Bytes flit_bytes) {
    return Flits((bytes.count() + flit_bytes.count() - 1) / flit_bytes.count());
}

/// Number of a node, from 0 to P-1.
class NodeId {
  public:
    constexpr NodeId() = default;
    constexpr explicit NodeId(std::int32_t index) : index_(index) {}
    [[nodiscard]] constexpr std::int32_t index() const { return index_; }
    constexpr auto operator<=>(const NodeId&) const = default;
    friend std::ostream& operator<<(std::ostream& out, NodeId node) { return out << node.index_; }

  private:
    std::int32_t index_ = 0;
};

}  // namespace weir::hw
