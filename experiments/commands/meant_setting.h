#pragma once

#include <optional>
#include <string>

namespace weir::experiments::commands {

/// Option that sets the key of experiments nearest to `key`: "--set run.seeds=VALUE" for "seed".
/// Empty if no key is near.
[[nodiscard]] std::optional<std::string> meant_setting(const std::string& key);

}  // namespace weir::experiments::commands
