#include "experiments/models/model_input.h"

#include <array>
#include <charconv>
#include <cmath>

#include "experiments/models/model_error.h"
#include "hw/declaration.h"

namespace weir::experiments::models {

std::string shortest_text(double value) {
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), result.ptr};
}

void require_quantity(std::string_view name, double value, double smallest, std::string_view unit) {
    if (value >= smallest && value <= kLargestQuantity) {
        return;
    }
    const std::string found =
        std::isnan(value) ? "not given, or not a number" : shortest_text(value);
    throw ModelError(
        std::string(name) + " is " + found,
        shortest_text(smallest) + " to " + shortest_text(kLargestQuantity) + " " +
            (unit.empty() ? hw::unit_of_name(name.substr(0, name.find(' '))) : std::string(unit)));
}

void require_count(std::string_view name, int value, int smallest, std::string_view unit) {
    if (value >= smallest) {
        return;
    }
    throw ModelError(std::string(name) + " is " + std::to_string(value),
                     std::to_string(smallest) + " or more " + std::string(unit));
}

}  // namespace weir::experiments::models
