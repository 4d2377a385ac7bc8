#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "hw/fault.h"

namespace weir::hw {

/// In words: "what was found; accepted: what would do; did you mean "name"?".
[[nodiscard]] inline std::string text_of(const Fault& fault) {
    return fault.found + (fault.accepted.empty() ? "" : "; accepted: " + fault.accepted) +
           (fault.nearest ? "; did you mean \"" + *fault.nearest + "\"?" : "");
}

/// A fault on its way to the user. The key may also be a place, "file:line"; what() begins with it.
class Refusal : public std::runtime_error {
  public:
    explicit Refusal(Fault fault)
        : runtime_error((fault.key.empty() ? "" : fault.key + ": ") + text_of(fault)),
          fault_(std::move(fault)) {}
    /// Of what says all itself.
    explicit Refusal(std::string found) : Refusal(Fault{{}, std::move(found), {}, {}}) {}
    Refusal(std::string key, std::string found, std::string accepted = {})
        : Refusal(Fault{std::move(key), std::move(found), std::move(accepted), {}}) {}

    [[nodiscard]] const Fault& fault() const { return fault_; }

  private:
    Fault fault_;
};

}  // namespace weir::hw
