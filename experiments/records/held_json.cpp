#include "experiments/records/held_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace weir::experiments::records {

using Json = nlohmann::ordered_json;

HeldJson::HeldJson() : HeldJson(Json::object()) {}

HeldJson::HeldJson(Json json) : json_(std::make_unique<Json>(std::move(json))) {}

HeldJson::HeldJson(const HeldJson& other)
    : json_(other.json_ ? std::make_unique<Json>(*other.json_) : nullptr) {}

HeldJson::HeldJson(HeldJson&& other) noexcept = default;

HeldJson& HeldJson::operator=(const HeldJson& other) { return *this = HeldJson(other); }

HeldJson& HeldJson::operator=(HeldJson&& other) noexcept = default;

HeldJson::~HeldJson() = default;

bool HeldJson::operator==(const HeldJson& other) const {
    return json_ && other.json_ ? *json_ == *other.json_ : json_ == other.json_;
}

}  // namespace weir::experiments::records
