#pragma once

#include <string>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

/// Parses the text behind `--set`, "table.key=value", into the tree of a file with this one key.
/// Every Place in the tree is the option itself. The value is TOML; other texts are strings, so
/// that `--set workload.kernel=remap` needs no quotes. Throws UserFault, with `accepted_form` as
/// accepted, if there is no key, or if a list, table or string is not closed.
[[nodiscard]] TomlEntry parse_set_option(
    const std::string& option, const std::string& accepted_form = "--set table.key=value");

}  // namespace weir::experiments::setup
