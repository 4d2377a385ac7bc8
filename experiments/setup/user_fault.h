#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hw/refusal.h"

namespace weir::experiments::setup {

/// Place in the user's input.
struct Place {
    std::string source;  ///< path of a file, or an option as typed: "--set network.hop_cycles=x"
    int line = 0;        ///< from 1; 0 for the whole source
    int column = 0;      ///< from 1, in characters

    /// "file:line:column", or only the source.
    [[nodiscard]] std::string text() const;
    bool operator==(const Place&) const = default;
};

/// A mistake of the user, not of the program. The message, what(), is ready to print:
///    file:line:column: what was found; accepted: ...; did you mean "..."?
/// The caller ends with exit status 2.
class UserFault : public hw::Refusal {
  public:
    explicit UserFault(std::string message) : Refusal(std::move(message)) {}
    /// Fault of a part, reported at this place of the input instead of at the part's key.
    UserFault(const Place& place, const hw::Fault& fault)
        : UserFault(place, fault.found, fault.accepted, fault.nearest) {}
    /// Empty `accepted` and `nearest` are left out of the message.
    UserFault(const Place& place, std::string found, std::string accepted = {},
              std::optional<std::string> nearest = {})
        : Refusal({place.text(), std::move(found), std::move(accepted), std::move(nearest)}),
          place_(place) {}

    /// Place of the fault; empty if it has none.
    [[nodiscard]] const std::optional<Place>& place() const { return place_; }

  private:
    std::optional<Place> place_;
};

/// The candidate that `found` probably means; empty if none is near. In this order:
/// 1. The candidate with the fewest edits, if these are at most 2 and at most a third of the
///    shorter name. An edit is an insertion, deletion, substitution or swap of neighbours. Letter
///    case, and - for _, are free.
/// 2. A candidate of several words that `found` has all ("entry_cycles" for
///    "interrupt_entry_cycles").
/// 3. The candidate with the fewest edits, if at most a third of the shorter name.
/// 4. The only candidate that begins with `found` ("queue_bytes" for "queue" or "queue_b").
///
/// Among equally near candidates, the first.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view found,
                                                      std::span<const std::string> candidates);

/// Fault of an unknown name:
///   place: no kernel "rmap"; accepted: "remap", "fft"; did you mean "remap"?
[[nodiscard]] UserFault unknown_name(const Place& place, std::string_view kind,
                                     std::string_view found, std::span<const std::string> accepted);

/// Names in quotes, separated by commas: "remap", "fft".
[[nodiscard]] std::string quoted_list(std::span<const std::string> names);

}  // namespace weir::experiments::setup
