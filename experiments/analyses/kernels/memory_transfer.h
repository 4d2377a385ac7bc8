#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

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

/// Of all transfers of a run.
struct TransferMetrics final : records::MetricGroup {
    TransferMetrics();

    records::Metric cycles_per_byte{*this, "cycles_per_byte", "cycles/byte",
                                    "The measured repetitions of all transfers, a byte moved",
                                    "memory logP: o + l"};
    records::Metric contiguous_spread_percent{*this, "contiguous_spread_percent", "%",
                                              "How far the largest o of all sizes is above the "
                                              "smallest",
                                              "memory logP Section 7"};
    records::Metric strided_over_contiguous{*this, "strided_over_contiguous", "1",
                                            "The largest (o + l) / o", "memory logP Section 2"};
    /// By kTransferModels.
    records::MetricFamily error_above_percent;
    records::MetricFamily error_below_percent;
};
const TransferMetrics& transfer_metrics();

void add_transfer_metrics(const MeasuredTransfers& transfers, records::Metrics& metrics);

/// As the entry "transfers" of a result's particulars.
[[nodiscard]] records::Particulars transfers_to_json(const MeasuredTransfers& transfers);
/// What a point's first seed left of its transfers; empty of other kernels.
[[nodiscard]] MeasuredTransfers measured_transfers(const records::PointResult& point);

/// o + l by size and stride, plateaus, and how far the predictions are off. Nothing of other
/// kernels.
[[nodiscard]] std::optional<records::Section> memory_transfers_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
