#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::firmware {

/// A five-point relaxation on an array of doubles within a rim that stays as it is, by a plain
/// sequential program: what the boundary exchange's nodes must compute together, to the bit.

/// A point's next value: the mean of it and its four neighbours, in an order that is the same
/// everywhere, since the sum's last bit depends on it.
[[nodiscard]] inline double relaxed(double centre, double north, double south, double west,
                                    double east) {
    return (centre + north + south + west + east) * 0.2;
}

class Relaxation {
  public:
    /// An array of rows by columns and its rim, all drawn from the seed.
    Relaxation(std::size_t rows, std::size_t columns, std::uint64_t seed,
               const std::string& purpose);

    /// From -1, the rim, to rows and columns, the rim again.
    [[nodiscard]] double at(std::int64_t row, std::int64_t column) const {
        return values_[index(row, column)];
    }
    void step();

  private:
    [[nodiscard]] std::size_t index(std::int64_t row, std::int64_t column) const {
        return (row + 1) * (columns_ + 2) + column + 1;
    }

    std::size_t rows_;
    std::size_t columns_;
    std::vector<double> values_;
    std::vector<double> next_;
};

}  // namespace weir::firmware
