#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::firmware {

/// Sequential five-point relaxation of an array of doubles within a constant rim. The boundary
/// exchange's nodes together must compute the same values, bit by bit.

/// A point's next value: the mean of the point and its four neighbours. The order of the additions
/// is fixed, because the sum's last bit depends on it.
[[nodiscard]] inline double relaxed(double centre, double north, double south, double west,
                                    double east) {
    return (centre + north + south + west + east) * 0.2;
}

class Relaxation {
  public:
    /// An array of rows by columns and its rim; all values are drawn from the seed.
    Relaxation(std::size_t rows, std::size_t columns, std::uint64_t seed,
               const std::string& purpose);

    /// Rows and columns from -1 (rim) to `rows` and `columns` (rim).
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
