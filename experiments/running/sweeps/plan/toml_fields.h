#pragma once

#include <string>
#include <vector>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

/// The entry's text. Throws setup::UserFault for an empty text and for any other type.
[[nodiscard]] std::string text_in(const setup::TomlEntry& entry);

/// The entry's text, or list of texts. Throws setup::UserFault for an empty text and for any other
/// type.
[[nodiscard]] std::vector<std::string> texts_in(const setup::TomlEntry& entry);

/// Checks a metric as `weir sweep show --metric` takes it. Throws setup::UserFault if no kind of
/// experiment measures it and no model predicts it.
void require_metric(const std::string& metric, const setup::Place& place);

}  // namespace weir::experiments::running
