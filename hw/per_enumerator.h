#pragma once

#include <array>
#include <cstddef>

namespace weir::hw {

/// An array with one T for each of the N enumerators of E, which count from 0; indexed by
/// enumerator.
template <class E, class T, std::size_t N>
struct PerEnumerator : std::array<T, N> {
    using std::array<T, N>::operator[];

    [[nodiscard]] constexpr T& operator[](E enumerator) {
        return (*this)[static_cast<std::size_t>(enumerator)];
    }
    [[nodiscard]] constexpr const T& operator[](E enumerator) const {
        return (*this)[static_cast<std::size_t>(enumerator)];
    }
};

}  // namespace weir::hw
