#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "experiments/random_machines/settings.h"

namespace weir::experiments::random_machines {

/// Which draw: the same two numbers are the same machine, whatever else is drawn.
struct DrawNumber {
    std::uint64_t seed = 1;
    std::uint64_t number = 0;
    std::uint64_t attempt = 0;  ///< anew, where a run refused what its set-up had accepted
};

/// How often values were refused, by key; what no single key is to blame for has none.
using Refusals = std::map<std::string, std::int64_t>;

/// A value was refused by something else than a message to the user.
class RudeRefusal : public std::runtime_error {
  public:
    RudeRefusal(Settings refused, const std::string& what)
        : runtime_error(what), settings(std::move(refused)) {}
    Settings settings;
};

/// Draws a machine with a program that its set-up accepts. Values that it refuses are drawn again.
/// The folder is for the experiment's file. Throws RudeRefusal.
[[nodiscard]] Settings draw_machine(const DrawNumber& which, const std::filesystem::path& folder,
                                    Refusals& refusals);

}  // namespace weir::experiments::random_machines
