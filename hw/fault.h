#pragma once

#include <optional>
#include <string>

namespace weir::hw {

/// An error in a user's input. The part that finds it creates it; the reader of the input adds the
/// place; experiments/setup/user_fault.h makes the message.
struct Fault {
    std::string key;    ///< key at fault: "network.dimensions"; within one table, "dimensions"
    std::string found;  ///< the wrong value or state
    std::string accepted = {};           ///< the accepted values; empty where `found` is enough
    std::optional<std::string> nearest;  ///< the probably intended name
};

}  // namespace weir::hw
