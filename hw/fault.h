#pragma once

#include <optional>
#include <string>

namespace weir::hw {

/// What is wrong with what the user gave. The part that knows makes it; who has read the input adds
/// the place, and experiments/setup/user_fault.h words it.
struct Fault {
    std::string key;                     ///< "network.dimensions", within one table "dimensions"
    std::string found;                   ///< what is wrong with it
    std::string accepted = {};           ///< what would do; empty where the rest says it
    std::optional<std::string> nearest;  ///< the name that was probably meant
};

}  // namespace weir::hw
