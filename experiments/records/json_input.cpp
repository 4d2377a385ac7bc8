#include "experiments/records/json_input.h"

#include <fmt/format.h>

#include <cmath>
#include <variant>

#include "hw/input_limits.h"
#include "hw/refusal.h"

namespace weir::experiments::records {

using Json = nlohmann::ordered_json;

namespace {

// Rejects numbers beyond 64-bit integers: the library cannot convert them where whole numbers are
// read.
void require_numbers(const Json& json) {
    constexpr double kBeyond64Bits = 9.2e18;
    if (json.is_number_float() && !(std::abs(json.get<double>()) < kBeyond64Bits)) {
        throw Json::out_of_range::create(406, "a number is not between -9.2e18 and 9.2e18", &json);
    }
    if (json.is_structured()) {
        for (const Json& part : json) {
            require_numbers(part);
        }
    }
}

}  // namespace

Json parse_json(std::string_view text) {
    if (const auto fault = hw::limit_fault(text, hw::kJsonLimits, hw::InputSyntax::kJson)) {
        throw Json::other_error::create(501, fault->found + " (" + fault->accepted + ")", nullptr);
    }
    Json json = Json::parse(text);
    require_numbers(json);
    return json;
}

std::int64_t count_from(const Json& json) {
    const auto count = whole_number<std::int64_t>(json);
    if (count < 0) {
        throw Json::out_of_range::create(
            406, fmt::format("{} is below 0, but must be a count or a cycle", count), &json);
    }
    return count;
}

double extent_from(const Json& json) {
    const auto extent = json.get<double>();
    if (extent < 0.0) {
        throw Json::out_of_range::create(
            406, fmt::format("{} is below 0, but must be a time or a half width", extent), &json);
    }
    return extent;
}

Json json_of(const hw::ParameterValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

hw::ParameterValue parameter_value_from(const Json& json) {
    if (json.is_boolean()) {
        return json.get<bool>();
    }
    if (json.is_number_integer()) {
        return whole_number<std::int64_t>(json);
    }
    if (json.is_number()) {
        return json.get<double>();
    }
    if (json.is_string()) {
        return json.get<std::string>();
    }
    if (!json.is_array()) {
        throw Json::type_error::create(
            302, "must be a parameter's value, but is of type " + std::string(json.type_name()),
            &json);
    }
    return whole_numbers_in<std::int64_t>(json);
}

setup::UserFault json_fault(const StoredJson& stored, std::string_view why) {
    // The library's messages begin with the fault's name in brackets.
    const std::size_t end = why.find("] ");
    return {{stored.source},
            stored.found + ": " +
                hw::shortened(end == std::string_view::npos ? why : why.substr(end + 2)),
            stored.accepted};
}

}  // namespace weir::experiments::records
