#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weir::experiments::records {

/// JSON text of an output or a file, indented by `indent` spaces; -1: on one line. A byte that is
/// not UTF-8 becomes U+FFFD, since texts of users' files and programs may hold any bytes.
template <class Json>
[[nodiscard]] std::string json_text(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weir::experiments::records
