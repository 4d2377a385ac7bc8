#pragma once

#include <string>

#include "memory/coherence/home_table.h"

namespace weir::memory {

/// A protocol's table as a module in SystemVerilog, for directory.sv. From the numbers of a state
/// and a packet it gives the cell's rows: 21 bits each, the first row in the lowest bits. A row
/// holds the numbers of the enumerators, from the lowest bit on:
/// - condition (4 bits), next state (4), reply (4), pointers (3), invalidates (2);
/// - begins, stores_line, counts, traps.
[[nodiscard]] std::string home_table_module(Protocol protocol);

}  // namespace weir::memory
