#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "hw/fault.h"

namespace weir::hw {

/// In words: "what was found; accepted: what would do; did you mean "name"?".
[[nodiscard]] inline std::string text_of(const Fault& fault) {
    return fault.found + (fault.accepted.empty() ? "" : "; accepted: " + fault.accepted) +
           (fault.nearest ? "; did you mean \"" + *fault.nearest + "\"?" : "");
}

/// As a message shows it: what stands in quotes or brackets is cut behind 200 characters, the whole
/// at 4,000 bytes, and a control character other than a line's end is an escape, which no terminal
/// obeys: "\x1b".
[[nodiscard]] std::string shown(std::string_view text);

/// A fault on its way to the user. The key may also be a place, "file:line"; what() begins with it.
class Refusal : public std::runtime_error {
  public:
    explicit Refusal(Fault fault)
        : runtime_error(shown((fault.key.empty() ? "" : fault.key + ": ") + text_of(fault))),
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
