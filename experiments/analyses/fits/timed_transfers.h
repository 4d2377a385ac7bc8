#pragma once

#include <filesystem>
#include <vector>

#include "experiments/records/model_fit.h"

namespace weir::experiments::analyses {

/// Time of one transfer within a node's memory, by the clock of the program that made it.
struct TimedTransfer {
    records::TransferShape shape;
    double cycles = 0.0;
};

/// Tables of transfers: the file itself, or all transfers.csv in and below a folder, sorted. Throws
/// setup::UserFault if the folder has none.
[[nodiscard]] std::vector<std::filesystem::path> transfer_tables(const std::filesystem::path& path);

/// Reads a CSV table, transfers.csv of a run or one of a real machine. Its first line names the
/// columns kind, element_bytes, stride_bytes, bytes and cycles, in any order; others are ignored.
/// Throws setup::UserFault with file, line and column for a missing column or a faulty value.
[[nodiscard]] std::vector<TimedTransfer> timed_transfers(const std::filesystem::path& table);

}  // namespace weir::experiments::analyses
