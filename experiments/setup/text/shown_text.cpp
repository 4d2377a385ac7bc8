#include "experiments/setup/text/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

namespace {

double without_rounding_error(double value) {
    constexpr double kRoundingError = 1e-9;
    return std::abs(value) < kRoundingError ? 0.0 : value;
}

}  // namespace

std::string shown_number(double value) {
    if (value == 0.0 || !std::isfinite(value)) {
        return value == 0.0 ? "0" : fmt::format("{}", value);
    }
    constexpr int kDigits = 4;
    constexpr int kMostDecimals = 6;
    constexpr double kSmallestPlain = 1e-4;
    if (std::abs(value) < kSmallestPlain) {
        return fmt::format("{:.{}g}", value, kDigits);
    }
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const int decimals = std::clamp(kDigits - 1 - magnitude, 0, kMostDecimals);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text;
}

std::string fixed_number(double value, int decimals) {
    const double shown = value == 0.0 ? 0.0 : value;  // avoids "-0"
    const std::string text = fmt::format("{:.{}f}", shown, decimals);
    const bool looks_like_zero = text.find_first_not_of("-0.") == std::string::npos;
    return looks_like_zero && shown != 0.0 ? fmt::format("{:.2g}", shown) : text;
}

std::string percent_number(double percent, int decimals) {
    return fixed_number(without_rounding_error(percent), decimals);
}

std::string signed_number(double value, int decimals) {
    const double shown = without_rounding_error(value);
    return (shown < 0.0 ? "" : "+") + fixed_number(shown, decimals);
}

std::string in_small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
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
