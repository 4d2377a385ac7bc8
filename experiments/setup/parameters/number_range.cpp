#include "experiments/setup/parameters/number_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace weir::experiments::setup {

namespace {

double rounded(double value, double scale) {
    constexpr int kDigits = 15;
    const int decimals = kDigits - 1 - static_cast<int>(std::floor(std::log10(scale)));
    return decimals < 0 || decimals > 300 ? value
                                          : std::stod(fmt::format("{:.{}f}", value, decimals));
}

// The addend keeps the last step despite rounding errors.
double whole_steps(double steps) { return std::floor(steps + 1e-8); }

}  // namespace

std::optional<double> NumberRange::steps() const {
    if (!by_factor) {
        if (step == 0.0 || (stop - start) / step < 0.0) {
            return std::nullopt;
        }
        return whole_steps((stop - start) / step);
    }
    const bool leads = start > 0.0 && stop > 0.0 &&
                       (start == stop || (step > 1.0 && stop > start) ||
                        (step > 0.0 && step < 1.0 && stop < start));
    if (!leads) {
        return std::nullopt;
    }
    return start == stop ? 0.0 : whole_steps(std::log(stop / start) / std::log(step));
}

std::vector<double> NumberRange::values() const {
    const double scale = std::max({std::abs(start), std::abs(stop), std::abs(step)});
    const auto count = static_cast<std::size_t>(steps().value_or(0.0)) + 1;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count; ++i) {
        const auto many = static_cast<double>(i);
        const double value = by_factor ? start * std::pow(step, many) : start + many * step;
        numbers.push_back(i == 0 ? start : rounded(value, by_factor ? std::abs(value) : scale));
    }
    return numbers;
}

std::vector<double> evenly_spaced(double start, double stop, std::size_t count, bool logarithmic) {
    const double scale = std::max(std::abs(start), std::abs(stop));
    std::vector<double> numbers;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        const double value =
            logarithmic ? start * std::pow(stop / start, share) : start + share * (stop - start);
        numbers.push_back(i == 0 ? start : rounded(value, logarithmic ? value : scale));
    }
    numbers.push_back(stop);
    return numbers;
}

}  // namespace weir::experiments::setup
