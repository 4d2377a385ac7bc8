#pragma once

#include "hw/refusal.h"

namespace weir::experiments::trace {

/// The fault of a trace file: says which file, what was done or found, and SQLite's own words.
class TraceError : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::experiments::trace
