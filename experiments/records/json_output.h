#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weir::experiments::records {

/// The text of what a command prints or a file keeps: indented by so many blanks, in one line where
/// that is -1. Texts of a user's files and programs may be no UTF-8, which JSON has to be: such a
/// byte becomes U+FFFD.
template <class Json>
[[nodiscard]] std::string json_text(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weir::experiments::records
