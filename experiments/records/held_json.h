#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace weir::experiments::records {

/// JSON value of a record, an empty object by default. Records that hold it compile without the
/// JSON library, which takes seconds; who reads or writes the value includes nlohmann/json.hpp.
class HeldJson {
  public:
    HeldJson();
    HeldJson(nlohmann::ordered_json json);
    HeldJson(const HeldJson& other);
    HeldJson(HeldJson&& other) noexcept;
    HeldJson& operator=(const HeldJson& other);
    HeldJson& operator=(HeldJson&& other) noexcept;
    ~HeldJson();

    [[nodiscard]] nlohmann::ordered_json& operator*() { return *json_; }
    [[nodiscard]] const nlohmann::ordered_json& operator*() const { return *json_; }
    [[nodiscard]] nlohmann::ordered_json* operator->() { return json_.get(); }
    [[nodiscard]] const nlohmann::ordered_json* operator->() const { return json_.get(); }

    [[nodiscard]] bool operator==(const HeldJson& other) const;

  private:
    std::unique_ptr<nlohmann::ordered_json> json_;  ///< null after a move
};

}  // namespace weir::experiments::records
