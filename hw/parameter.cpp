#include "hw/parameter.h"

#include <sstream>

namespace weir::hw {

ParameterBase* ParameterGroup::find(std::string_view name) const {
    for (ParameterBase* parameter : parameters_) {
        if (parameter->name() == name) {
            return parameter;
        }
    }
    return nullptr;
}

namespace detail {

namespace {
template <class T>
std::string describe_range(const char* noun, T low, T high) {
    const bool has_low = low != std::numeric_limits<T>::lowest();
    const bool has_high = high != std::numeric_limits<T>::max();
    std::ostringstream text;
    text << noun;
    if (has_low && has_high) {
        text << " from " << low << " to " << high;
    } else if (has_low) {
        text << " of at least " << low;
    } else if (has_high) {
        text << " of at most " << high;
    }
    return text.str();
}
}  // namespace

std::string describe_integer_range(std::int64_t low, std::int64_t high) {
    return describe_range("a whole number", low, high);
}

std::string describe_real_range(double low, double high) {
    return describe_range("a number", low, high);
}

}  // namespace detail
}  // namespace weir::hw
