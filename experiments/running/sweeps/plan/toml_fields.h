#pragma once

#include <string>
#include <vector>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// Throws setup::UserFault where `owner` ("[sweep]", "a range") has no such key.
void require_key(const setup::TomlEntry& entry, const std::string& owner,
                 const std::vector<std::string>& known);

/// A text that is not empty. Throws setup::UserFault.
[[nodiscard]] std::string text_in(const setup::TomlEntry& entry);

/// One text, or a list of them. Throws setup::UserFault.
[[nodiscard]] std::vector<std::string> texts_in(const setup::TomlEntry& entry);

/// Of a metric as `weir sweep show --metric` takes it: throws setup::UserFault where no kind of
/// experiment measures it, and no model says it.
void require_metric(const std::string& metric, const setup::Place& place);

}  // namespace weir::experiments::running
