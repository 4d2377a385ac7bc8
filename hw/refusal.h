#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "hw/fault.h"

namespace weir::hw {

/// Message of a fault: `FOUND; accepted: ACCEPTED; did you mean "NAME"?`
[[nodiscard]] std::string text_of(const Fault& fault);

/// Most bytes of an input that a message quotes.
inline constexpr std::size_t kMostQuoted = 200;

/// Shortens an input that a message quotes without quotation marks to at most `most` bytes. A
/// shortened text ends with an ellipsis (3 bytes), and no UTF-8 character is split.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = kMostQuoted);

/// The text with control characters other than the line end as escapes ("\x1b").
[[nodiscard]] std::string with_escapes(std::string_view text);

/// A message made safe to display. Text in quotes or brackets is cut after 200 bytes, and a message
/// of more than 4,000 bytes loses its middle. Control characters other than the line end are
/// escaped ("\x1b"), so that no terminal obeys them.
[[nodiscard]] std::string shown(std::string_view text);

/// A fault as an exception. The key may be a place, "file:line"; what() begins with it.
class Refusal : public std::runtime_error {
  public:
    explicit Refusal(Fault fault);
    /// For a message that needs neither a key nor accepted values.
    explicit Refusal(std::string found);
    Refusal(std::string key, std::string found, std::string accepted = {});

    [[nodiscard]] const Fault& fault() const { return fault_; }

  private:
    Fault fault_;
};

}  // namespace weir::hw
