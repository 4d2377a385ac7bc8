#include "experiments/setup/parameters/parameter_value.h"

#include <cstdint>
#include <vector>

namespace weir::experiments::setup {

std::optional<double> number_of(const hw::ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
    return list != nullptr && list->size() == 1 ? std::optional(static_cast<double>(list->front()))
                                                : std::nullopt;
}

std::string short_key(const std::string& key) { return key.substr(key.rfind('.') + 1); }

}  // namespace weir::experiments::setup
