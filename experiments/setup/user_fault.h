#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hw/refusal.h"

namespace weir::experiments::setup {

/// Where in the user's input something stands.
struct Place {
    std::string source;  ///< a file's path, or an option as typed: "--set network.hop_cycles=x"
    int line = 0;        ///< from 1; 0 when the whole source is meant
    int column = 0;      ///< from 1, in characters

    /// "file:line:column", or the source alone.
    [[nodiscard]] std::string text() const;
    bool operator==(const Place&) const = default;
};

/// A mistake of the user's, not of the program's. what() is the whole message, ready to print:
///   file:line:column: what was found; accepted: ...; did you mean "..."?
/// The caller ends with exit status 2.
class UserFault : public hw::Refusal {
  public:
    explicit UserFault(std::string message) : Refusal(std::move(message)) {}
    /// A part's own fault, told at the place instead of its key.
    UserFault(const Place& place, const hw::Fault& fault)
        : UserFault(place, fault.found, fault.accepted, fault.nearest) {}
    /// `accepted` and `nearest` are left out of the message when they are empty.
    UserFault(const Place& place, std::string found, std::string accepted = {},
              std::optional<std::string> nearest = {})
        : Refusal({place.text(), std::move(found), std::move(accepted), std::move(nearest)}),
          place_(place) {}

    /// None where it is not of one.
    [[nodiscard]] const std::optional<Place>& place() const { return place_; }

  private:
    std::optional<Place> place_;
};

/// The candidate that `found` was probably meant to be: the one fewest edits away (insertion,
/// deletion, substitution, swap of neighbours; letter case and - for _ are free), if a third of the
/// shorter name or less has to be edited. A name of several words that `found` has all
/// ("entry_cycles" for "interrupt_entry_cycles") is nearer than one with more than two edits. Else
/// the only one that `found` begins ("queue" for "queue_bytes", "queue_b" too). Of equally near
/// ones the first.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view found,
                                                      std::span<const std::string> candidates);

/// The fault of naming something that isn't there:
///   place: no kernel "rmap"; accepted: "remap", "fft"; did you mean "remap"?
[[nodiscard]] UserFault unknown_name(const Place& place, std::string_view kind,
                                     std::string_view found, std::span<const std::string> accepted);

/// The names in quotes, with commas between: "remap", "fft".
[[nodiscard]] std::string quoted_list(std::span<const std::string> names);

}  // namespace weir::experiments::setup
