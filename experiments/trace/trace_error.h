#pragma once

#include <stdexcept>

namespace weir::experiments::trace {

/// The fault of a trace file: says which file, what was done or found, and SQLite's own words.
class TraceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace weir::experiments::trace
