#pragma once

#include "hw/refusal.h"

namespace weir::experiments::trace {

/// Fault of a trace file, with the file, the operation or the found value, and SQLite's message.
class TraceError : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::experiments::trace
