#include "experiments/analyses/fits/timed_transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "experiments/records/csv_input.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::analyses {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTransfersFile = "transfers.csv";

const std::array<std::string, 3>& transfer_kinds() {
    static const std::array<std::string, 3> kinds{"memcpy", "pack", "unpack"};
    return kinds;
}

}  // namespace

std::vector<fs::path> transfer_tables(const fs::path& path) {
    if (!fs::is_directory(path)) {
        return {path};
    }
    std::vector<fs::path> tables;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (entry.path().filename() == kTransfersFile) {
            tables.push_back(entry.path());
        }
    }
    if (tables.empty()) {
        throw setup::UserFault(
            {path.string()}, fmt::format("no {} in this folder", kTransfersFile),
            "the folder of a run such as weir run experiments/memory-logp/figure5.toml, or a CSV "
            "table");
    }
    std::sort(tables.begin(), tables.end());
    return tables;
}

std::vector<TimedTransfer> timed_transfers(const fs::path& table) {
    enum Column { kKind, kElement, kStride, kBytes, kCycles };
    const records::CsvInput csv(table, std::vector<std::string>{"kind", "element_bytes",
                                                                "stride_bytes", "bytes", "cycles"});
    std::vector<TimedTransfer> transfers;
    for (std::size_t row = 0; row < csv.rows(); ++row) {
        TimedTransfer& transfer = transfers.emplace_back();
        transfer.shape = {.kind = csv.one_of(row, kKind, transfer_kinds()),
                          .element_bytes = csv.whole_number(row, kElement, 1),
                          .stride_bytes = csv.whole_number(row, kStride, 1),
                          .bytes = csv.whole_number(row, kBytes, 1)};
        transfer.cycles = csv.number(row, kCycles);
    }
    return transfers;
}

}  // namespace weir::experiments::analyses
