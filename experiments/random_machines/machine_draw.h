#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "experiments/random_machines/settings.h"

namespace weir::experiments::random_machines {

/// Number of a draw: the same seed and number give the same machine in every campaign.
struct DrawNumber {
    std::uint64_t seed = 1;
    std::uint64_t number = 0;
    std::uint64_t attempt = 0;  ///< number of repetitions after refused runs
};

/// Number of refused values by key; refusals without a single cause have an empty key.
using Refusals = std::map<std::string, std::int64_t>;

/// A value was refused by something other than a message to the user.
class RudeRefusal : public std::runtime_error {
  public:
    RudeRefusal(Settings refused, const std::string& what)
        : runtime_error(what), settings(std::move(refused)) {}
    Settings settings;
};

/// Draws a machine and a program that its set-up accepts. Refused values are drawn again. The
/// experiment's file is written to `folder`. Throws RudeRefusal if a value is refused without a
/// message to the user.
[[nodiscard]] Settings draw_machine(const DrawNumber& which, const std::filesystem::path& folder,
                                    Refusals& refusals);

}  // namespace weir::experiments::random_machines
