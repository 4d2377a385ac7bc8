#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "hw/fault.h"

namespace weir::hw {

/// In words: "what was found; accepted: what would do; did you mean "name"?".
[[nodiscard]] std::string text_of(const Fault& fault);

/// What a message quotes at most of an input, in bytes.
inline constexpr std::size_t kMostQuoted = 200;

/// What a message quotes of an input without quotes around it: so many bytes at most, no character
/// cut in two, the last three of which then say that there is more.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = kMostQuoted);

/// As a message shows it: what stands in quotes or brackets is cut behind 200 bytes, the whole
/// at 4,000, and a control character other than a line's end is an escape, which no terminal
/// obeys: "\x1b".
[[nodiscard]] std::string shown(std::string_view text);

/// A fault on its way to the user. The key may also be a place, "file:line"; what() begins with it.
class Refusal : public std::runtime_error {
  public:
    explicit Refusal(Fault fault);
    /// Of what says all itself.
    explicit Refusal(std::string found);
    Refusal(std::string key, std::string found, std::string accepted = {});

    [[nodiscard]] const Fault& fault() const { return fault_; }

  private:
    Fault fault_;
};

}  // namespace weir::hw
