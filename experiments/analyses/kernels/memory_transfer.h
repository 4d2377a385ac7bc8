#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Prediction of a transfer by a model: o + l, and its error.
struct TransferPrediction {
    std::string model;
    double cycles_per_byte = 0.0;
    double error_percent = 0.0;  ///< excess over the measured o + l
};

/// One transfer of the kernels memcpy, pack and unpack, memory logP's measurement.
struct MeasuredTransfer {
    std::string kind;
    std::int64_t element_bytes = 0;
    std::int64_t stride_bytes = 0;
    std::int64_t bytes = 0;
    std::int64_t cycles = 0;  ///< time of the last repetition
    /// Time of the first repetition; absent if there is only one.
    std::optional<std::int64_t> first_cycles;
    double cycles_per_byte = 0.0;  ///< o + l, of the last repetition
    /// o: cycles per byte of a contiguous transfer of this size, if the run has one.
    std::optional<double> overhead_cycles_per_byte;
    /// One for each model; none for a machine without caches.
    std::vector<TransferPrediction> predictions;

    /// Latency l: cycles per byte beyond o; absent if o is.
    [[nodiscard]] std::optional<double> latency_cycles_per_byte() const {
        return overhead_cycles_per_byte ? std::optional(cycles_per_byte - *overhead_cycles_per_byte)
                                        : std::nullopt;
    }
};
using MeasuredTransfers = std::vector<MeasuredTransfer>;

/// Models to which transfers are compared. The models use only the machine's parameters and the
/// transfer:
///     curve_fit          the prediction of the paper's Section 8
///     stack_distance     the sum of Section 8 with exact misses, associativity and TLB
///     write_back_timing  timing that includes lines written back, and waits of accesses for them
///
/// For the first two, o + l is the time of loads, stores and loop if all hit, plus the misses.
inline const std::vector<std::string> kTransferModels{"curve_fit", "stack_distance",
                                                      "write_back_timing"};

/// Metrics over all transfers of a run.
struct TransferMetrics final : records::MetricGroup {
    TransferMetrics();

    records::Metric cycles_per_byte{
        *this, "cycles_per_byte", "cycles/byte",
        "Time per byte o + l, mean of the measured repetitions of all transfers",
        "memory logP: o + l"};
    records::Metric contiguous_spread_percent{*this, "contiguous_spread_percent", "%",
                                              "Excess of the largest over the smallest overhead o "
                                              "among contiguous transfers of all sizes",
                                              "memory logP Section 7"};
    records::Metric strided_over_contiguous{
        *this, "strided_over_contiguous", "1",
        "Largest ratio (o + l) / o of a strided to a contiguous transfer's time per byte",
        "memory logP Section 2"};
    /// Errors of predictions: a metric for each model in kTransferModels.
    records::MetricFamily error_above_percent;
    records::MetricFamily error_below_percent;
};
inline const TransferMetrics& transfer_metrics() { return records::declared<TransferMetrics>(); }

void add_transfer_metrics(const MeasuredTransfers& transfers, records::Metrics& metrics);

/// JSON text of the transfers: the entry "transfers" of a result's particulars.
[[nodiscard]] records::Particulars transfers_to_json(const MeasuredTransfers& transfers);
/// Transfers of a point's first seed; empty for other kernels.
[[nodiscard]] MeasuredTransfers measured_transfers(const records::PointResult& point);

/// Section with o + l by size and stride, plateaus, and errors of predictions. The section is
/// absent for other kernels.
[[nodiscard]] std::optional<records::Section> memory_transfers_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
