#include "experiments/run/memory_transfers.h"

#include <algorithm>
#include <map>

#include "experiments/models/memory_logp/latency_prediction.h"
#include "experiments/models/memory_logp/transfer_timing.h"
#include "experiments/run/memory_hierarchy.h"
#include "experiments/trace/trace_database.h"

namespace weir::experiments::run {

namespace {

using firmware::MemoryTransfer;
using firmware::Transfer;
using firmware::TransferKind;

const char* kind_name(TransferKind kind) {
    switch (kind) {
        case TransferKind::kCopy:
            return "memcpy";
        case TransferKind::kPack:
            return "pack";
        case TransferKind::kUnpack:
            return "unpack";
    }
    return "";
}

models::TransferKind kind_in_models(TransferKind kind) {
    switch (kind) {
        case TransferKind::kPack:
            return models::TransferKind::kPack;
        case TransferKind::kUnpack:
            return models::TransferKind::kUnpack;
        default:
            return models::TransferKind::kCopy;
    }
}

// From M + 1 on the repetitions of M levels are alike.
models::AccessPattern pattern_of(const Transfer& transfer, std::int64_t levels) {
    return {.kind = kind_in_models(transfer.kind),
            .element_bytes = transfer.element_bytes,
            .stride_bytes = transfer.stride_bytes,
            .elements = transfer.elements,
            .repetitions = std::min(transfer.repetitions, levels + 2),
            .source_address = transfer.source_address,
            .destination_address = transfer.destination_address};
}

void add_predictions(const Setup& setup, const Transfer& transfer, hw::Cycles loop_cycles,
                     MeasuredTransfer& measured) {
    const std::int64_t levels = setup.machine.memory.caches.value();
    if (levels == 0) {
        return;
    }
    const models::TransferTimingInputs inputs =
        transfer_timing_inputs(setup, transfer.element_bytes, loop_cycles);
    const models::MemoryHierarchyGeometry geometry = memory_hierarchy_geometry(setup, inputs);
    const models::AccessPattern pattern = pattern_of(transfer, levels);
    const auto where_all_hit =
        static_cast<double>(inputs.load_cycles + inputs.store_cycles + inputs.loop_cycles);
    const auto element = static_cast<double>(transfer.element_bytes);
    // A first repetition misses every line.
    const auto misses = [&](const models::LatencyPrediction& prediction) {
        return transfer.repetitions == 1 ? prediction.first_repetition_miss_cycles_per_element()
                                         : prediction.miss_cycles_per_element();
    };
    const std::vector<double> cycles_per_byte{
        (where_all_hit + misses(models::latency_from_fitted_curve(geometry, pattern))) / element,
        (where_all_hit + misses(models::latency_from_stack_distances(geometry, pattern))) / element,
        models::transfer_timing(geometry, inputs, pattern).repetition_cycles.back() /
            static_cast<double>(transfer.bytes())};
    for (std::size_t i = 0; i < kTransferModels.size(); ++i) {
        measured.predictions.push_back(
            {kTransferModels[i], cycles_per_byte[i],
             100.0 * (cycles_per_byte[i] / measured.cycles_per_byte - 1.0)});
    }
}

// By the transfer's index.
std::map<std::int64_t, std::int64_t> marked_cycles(const trace::TraceDatabase& database,
                                                   const char* begin, const char* end) {
    trace::Statement rows(database,
                          "SELECT value, SUM(CASE name WHEN ?2 THEN cycle ELSE -cycle END) FROM "
                          "marks WHERE name IN (?1, ?2) GROUP BY value");
    rows.bind(1, std::string_view(begin));
    rows.bind(2, std::string_view(end));
    std::map<std::int64_t, std::int64_t> cycles;
    while (rows.step()) {
        cycles[rows.integer(0)] = rows.integer(1);
    }
    return cycles;
}

}  // namespace

MeasuredTransfers measure_transfers(const std::filesystem::path& trace_file,
                                    const MemoryTransfer& kernel, const Setup& setup) {
    const trace::TraceDatabase database = trace::TraceDatabase::open(trace_file);
    const auto last = marked_cycles(database, MemoryTransfer::kBegin, MemoryTransfer::kEnd);
    const auto first =
        marked_cycles(database, MemoryTransfer::kFirstBegin, MemoryTransfer::kFirstEnd);
    MeasuredTransfers all;
    std::map<std::int64_t, double> contiguous;  // by size
    for (std::size_t i = 0; i < kernel.transfers().size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const Transfer& transfer = kernel.transfers()[i];
        MeasuredTransfer measured{.kind = kind_name(transfer.kind),
                                  .element_bytes = transfer.element_bytes,
                                  .stride_bytes = transfer.stride_bytes,
                                  .bytes = transfer.bytes(),
                                  .cycles = last.at(index)};
        measured.cycles_per_byte =
            static_cast<double>(measured.cycles) / static_cast<double>(measured.bytes);
        if (const auto cycles = first.find(index); cycles != first.end()) {
            measured.first_cycles = cycles->second;
        }
        if (transfer.stride_bytes == transfer.element_bytes) {
            contiguous[measured.bytes] = measured.cycles_per_byte;
        }
        add_predictions(setup, transfer, kernel.loop_cycles(), measured);
        all.push_back(std::move(measured));
    }
    for (MeasuredTransfer& transfer : all) {
        if (const auto overhead = contiguous.find(transfer.bytes); overhead != contiguous.end()) {
            transfer.overhead_cycles_per_byte = overhead->second;
        }
    }
    return all;
}

Metrics transfer_metrics(const MeasuredTransfers& transfers) {
    Metrics metrics;
    std::vector<double> overheads;
    std::vector<double> ratios;
    std::map<std::string, std::vector<double>> errors;
    for (const MeasuredTransfer& transfer : transfers) {
        for (const TransferPrediction& prediction : transfer.predictions) {
            errors[prediction.model].push_back(prediction.error_percent);
        }
        if (transfer.overhead_cycles_per_byte) {
            ratios.push_back(transfer.cycles_per_byte / *transfer.overhead_cycles_per_byte);
            overheads.push_back(*transfer.overhead_cycles_per_byte);
        }
    }
    if (!overheads.empty()) {
        const auto [least, most] = std::minmax_element(overheads.begin(), overheads.end());
        metrics.emplace_back("contiguous_spread_percent", 100.0 * (*most / *least - 1.0));
        metrics.emplace_back("strided_over_contiguous",
                             *std::max_element(ratios.begin(), ratios.end()));
    }
    for (const std::string& model : kTransferModels) {
        if (const auto found = errors.find(model); found != errors.end()) {
            const auto [below, above] =
                std::minmax_element(found->second.begin(), found->second.end());
            metrics.emplace_back(model + "_error_above_percent", *above);
            metrics.emplace_back(model + "_error_below_percent", *below);
        }
    }
    return metrics;
}

std::vector<std::string> known_transfer_metrics() {
    std::vector<std::string> names{"contiguous_spread_percent", "strided_over_contiguous"};
    for (const std::string& model : kTransferModels) {
        names.push_back(model + "_error_above_percent");
        names.push_back(model + "_error_below_percent");
    }
    return names;
}

}  // namespace weir::experiments::run
