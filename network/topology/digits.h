#pragma once

#include <cstddef>

namespace weir::network {

/// Numbers as digits of a radix. Digit 0 is the lowest.
class Digits {
  public:
    explicit Digits(int radix) : radix_(radix) {}

    [[nodiscard]] std::size_t power(int exponent) const {
        std::size_t power = 1;
        for (int i = 0; i < exponent; ++i) {
            power *= radix_;
        }
        return power;
    }
    [[nodiscard]] int digit(std::size_t number, int position) const {
        return static_cast<int>(number / power(position) % radix_);
    }
    /// The number with the digit at `position` replaced by `digit_there`.
    [[nodiscard]] std::size_t with(std::size_t number, int position, int digit_there) const {
        return number - digit(number, position) * power(position) + digit_there * power(position);
    }
    /// The number with the digit at `position` removed; higher digits move down by one position.
    [[nodiscard]] std::size_t without(std::size_t number, int position) const {
        return number / power(position + 1) * power(position) + number % power(position);
    }

  private:
    std::size_t radix_;
};

}  // namespace weir::network
