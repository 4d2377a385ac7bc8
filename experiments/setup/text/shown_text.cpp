#include "experiments/setup/text/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

std::string shown_number(double value) {
    if (value == 0.0 || !std::isfinite(value)) {
        return value == 0.0 ? "0" : fmt::format("{}", value);
    }
    constexpr int kDigits = 4;
    constexpr int kMostDecimals = 6;
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const int decimals = std::clamp(kDigits - 1 - magnitude, 0, kMostDecimals);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text == "-0" ? "0" : text;
}

std::string spaced_name(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string value_text(const hw::ParameterValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : toml_text(value);
}

}  // namespace weir::experiments::setup
