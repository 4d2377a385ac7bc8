#pragma once

#include <cstddef>
#include <string>

namespace weir::experiments::setup {

/// Number with its noun: "1 run", "2 runs".
[[nodiscard]] std::string counted(std::size_t count, const std::string& what);

}  // namespace weir::experiments::setup
