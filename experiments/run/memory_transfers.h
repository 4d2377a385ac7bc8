#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/run/metrics.h"
#include "experiments/run/setup.h"
#include "firmware/kernels/memory_transfer/memory_transfer.h"

namespace weir::experiments::run {

/// What a model says of o + l, and how far that is from what was measured.
struct TransferPrediction {
    std::string model;
    double cycles_per_byte = 0.0;
    double error_percent = 0.0;  ///< of the measured
};

/// One transfer of a kernel "memcpy", "pack" or "unpack": memory logP's measurement.
struct MeasuredTransfer {
    std::string kind;
    std::int64_t element_bytes = 0;
    std::int64_t stride_bytes = 0;
    std::int64_t bytes = 0;
    std::int64_t cycles = 0;                   ///< of the last repetition
    std::optional<std::int64_t> first_cycles;  ///< of the first, where there is another
    double cycles_per_byte = 0.0;              ///< o + l, of the last repetition
    /// o: as many contiguous bytes, where the same run has moved them.
    std::optional<double> overhead_cycles_per_byte;
    std::vector<TransferPrediction> predictions;  ///< in a machine with caches

    /// l.
    [[nodiscard]] std::optional<double> latency_cycles_per_byte() const {
        return overhead_cycles_per_byte ? std::optional(cycles_per_byte - *overhead_cycles_per_byte)
                                        : std::nullopt;
    }
};
using MeasuredTransfers = std::vector<MeasuredTransfer>;

/// The models that transfers are set beside, none of which sees more than the machine's parameters
/// and the transfer:
///     curve_fit          the paper's, Section 8
///     stack_distance     its sum with exact misses, ways and the TLB
///     write_back_timing  what the sum leaves out, too: lines written back, and who waits for them
/// The first two have o + l as what loads, stores and the loop take where all hit, and the misses.
inline const std::vector<std::string> kTransferModels{"curve_fit", "stack_distance",
                                                      "write_back_timing"};

/// From a run's trace. Throws trace::TraceError.
[[nodiscard]] MeasuredTransfers measure_transfers(const std::filesystem::path& trace_file,
                                                  const firmware::MemoryTransfer& kernel,
                                                  const Setup& setup);

/// How far each model is off at most, above and below, in per cent; the largest (o + l) / o; and by
/// how many per cent the largest o of all sizes is above the smallest.
[[nodiscard]] Metrics transfer_metrics(const MeasuredTransfers& transfers);
[[nodiscard]] std::vector<std::string> known_transfer_metrics();

}  // namespace weir::experiments::run
