#pragma once

#include <string>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {

/// What follows `--set` on the command line, "table.key=value", as the tree of a file that holds
/// this one key; every Place in it is the option itself. The value is TOML; what isn't TOML is a
/// string, so that `--set workload.kernel=remap` needs no quotes.
/// Throws UserFault when there is no key, or when a value that opens a list, a table or a string
/// doesn't close it; the message says that `accepted_form` is accepted.
[[nodiscard]] TomlEntry parse_set_option(
    const std::string& option, const std::string& accepted_form = "--set table.key=value");

}  // namespace weir::experiments::setup
