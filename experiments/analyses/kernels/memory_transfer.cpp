#include "experiments/analyses/kernels/memory_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/memory_hierarchy.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/models/memory_logp/latency_prediction.h"
#include "experiments/models/memory_logp/transfer_timing.h"
#include "experiments/records/run_file.h"
#include "experiments/trace/measurements/maybe_cycles.h"
#include "experiments/trace/rows/trace.h"
#include "firmware/kernels/memory_transfer/memory_transfer.h"
#include "hw/text_streams.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(MemoryTransfer::Facts, transfers, transfers_left_out, bytes_moved)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

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

// Access pattern of a transfer for the models. With M levels of cache, repetitions are alike from
// repetition M + 1 on.
models::AccessPattern pattern_of(const Transfer& transfer, std::int64_t levels) {
    return {.kind = kind_in_models(transfer.kind),
            .element_bytes = transfer.element_bytes,
            .stride_bytes = transfer.stride_bytes,
            .elements = transfer.elements,
            .repetitions = std::min(transfer.repetitions, levels + 2),
            .source_address = transfer.source_address,
            .destination_address = transfer.destination_address};
}

void add_predictions(const nodes::MachineConfiguration& machine, const Transfer& transfer,
                     hw::Cycles loop_cycles, MeasuredTransfer& measured) {
    const std::int64_t levels = machine.memory.caches.value();
    if (levels == 0) {
        return;
    }
    const models::TransferTimingInputs inputs =
        transfer_timing_inputs(machine, transfer.element_bytes, loop_cycles);
    const models::MemoryHierarchyGeometry geometry = memory_hierarchy_geometry(machine, inputs);
    const models::AccessPattern pattern = pattern_of(transfer, levels);
    const auto where_all_hit =
        static_cast<double>(inputs.load_cycles + inputs.store_cycles + inputs.loop_cycles);
    const auto element = static_cast<double>(transfer.element_bytes);
    // A transfer's first repetition misses every line.
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

// Cycles between the marks `begin` and `end` of each transfer, by the transfer's index.
std::map<std::int64_t, std::int64_t> marked_cycles(const trace::Trace& trace, const char* begin,
                                                   const char* end) {
    std::map<std::int64_t, std::int64_t> cycles;
    for (const trace::MarkRow& mark : trace.marks) {
        const std::string& name = trace.name_of(mark);
        if (name == begin || name == end) {
            std::int64_t& sum = cycles[mark.value];
            sum = trace::sum_of(sum, name == end ? mark.cycle.count() : -mark.cycle.count());
        }
    }
    return cycles;
}

MeasuredTransfers measure_transfers(const trace::Trace& trace, const MemoryTransfer& kernel,
                                    const nodes::MachineConfiguration& machine) {
    const auto last = marked_cycles(trace, MemoryTransfer::kBegin, MemoryTransfer::kEnd);
    const auto first = marked_cycles(trace, MemoryTransfer::kFirstBegin, MemoryTransfer::kFirstEnd);
    MeasuredTransfers all;
    std::map<std::int64_t, double> contiguous;  // overhead o of contiguous transfers, by size
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
        add_predictions(machine, transfer, kernel.loop_cycles(), measured);
        all.push_back(std::move(measured));
    }
    for (MeasuredTransfer& transfer : all) {
        if (const auto overhead = contiguous.find(transfer.bytes); overhead != contiguous.end()) {
            transfer.overhead_cycles_per_byte = overhead->second;
        }
    }
    return all;
}

using Json = records::Particulars;

Json to_json(const MeasuredTransfer& transfer) {
    Json entry{{"kind", transfer.kind},
               {"element_bytes", transfer.element_bytes},
               {"stride_bytes", transfer.stride_bytes},
               {"bytes", transfer.bytes},
               {"cycles", transfer.cycles},
               {"cycles_per_byte", transfer.cycles_per_byte}};
    if (transfer.first_cycles) {
        entry["first_cycles"] = *transfer.first_cycles;
    }
    if (transfer.overhead_cycles_per_byte) {
        entry["overhead_cycles_per_byte"] = *transfer.overhead_cycles_per_byte;
        entry["latency_cycles_per_byte"] = *transfer.latency_cycles_per_byte();
    }
    entry["predicted"] = Json::object();
    for (const TransferPrediction& prediction : transfer.predictions) {
        entry["predicted"][prediction.model] = {{"cycles_per_byte", prediction.cycles_per_byte},
                                                {"error_percent", prediction.error_percent}};
    }
    return entry;
}

MeasuredTransfer transfer_from(const Json& entry) {
    MeasuredTransfer transfer{.kind = entry.at("kind"),
                              .element_bytes = entry.at("element_bytes"),
                              .stride_bytes = entry.at("stride_bytes"),
                              .bytes = entry.at("bytes"),
                              .cycles = entry.at("cycles"),
                              .cycles_per_byte = entry.at("cycles_per_byte")};
    if (entry.contains("first_cycles")) {
        transfer.first_cycles = entry.at("first_cycles").get<std::int64_t>();
    }
    if (entry.contains("overhead_cycles_per_byte")) {
        transfer.overhead_cycles_per_byte = entry.at("overhead_cycles_per_byte").get<double>();
    }
    for (const auto& [model, prediction] : entry.at("predicted").items()) {
        transfer.predictions.push_back(
            {model, prediction.at("cycles_per_byte"), prediction.at("error_percent")});
    }
    return transfer;
}

MeasuredTransfers transfers_from(const Json& json) {
    MeasuredTransfers transfers;
    for (const Json& entry : json) {
        transfers.push_back(transfer_from(entry));
    }
    return transfers;
}

void write_csv(const MeasuredTransfers& transfers, const std::filesystem::path& path) {
    hw::TextWriter csv;
    csv << "kind,element_bytes,stride_bytes,bytes,cycles,first_cycles,cycles_per_byte,"
           "overhead_cycles_per_byte,latency_cycles_per_byte";
    for (const std::string& model : kTransferModels) {
        csv << ',' << model << "_cycles_per_byte";
    }
    csv << '\n';
    for (const MeasuredTransfer& transfer : transfers) {
        const auto given = [](const auto& value) {
            return value ? fmt::format("{}", *value) : std::string();
        };
        csv << fmt::format("{},{},{},{},{},{},{},{},{}", transfer.kind, transfer.element_bytes,
                           transfer.stride_bytes, transfer.bytes, transfer.cycles,
                           given(transfer.first_cycles), transfer.cycles_per_byte,
                           given(transfer.overhead_cycles_per_byte),
                           given(transfer.latency_cycles_per_byte()));
        for (const std::string& model : kTransferModels) {
            const auto predicted =
                std::find_if(transfer.predictions.begin(), transfer.predictions.end(),
                             [&](const TransferPrediction& each) { return each.model == model; });
            csv << ',';
            if (predicted != transfer.predictions.end()) {
                csv << fmt::format("{}", predicted->cycles_per_byte);
            }
        }
        csv << '\n';
    }
    records::write_run_file(path, csv.str());
}

class MemoryTransferAnalysis final
    : public WithMetrics<TransferMetrics, AnalysisOf<MemoryTransfer>> {
  public:
    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        return memory_transfers_section(result);
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        const MarkedTime time =
            marked_time(run.trace, MemoryTransfer::kBegin, MemoryTransfer::kEnd);
        if (time.spans > 0) {
            add(measured.metrics, transfer_metrics().cycles_per_byte,
                time.cycles / facts_of(run.facts).bytes_moved);
        }
        const auto& kernel = dynamic_cast<const MemoryTransfer&>(run.kernel.described());
        const MeasuredTransfers transfers = measure_transfers(run.trace, kernel, run.machine);
        add_transfer_metrics(transfers, measured.metrics);
        (*measured.particulars)["transfers"] = transfers_to_json(transfers);
    }

    // Writes transfers.csv: measured and predicted o + l of each transfer.
    void write_tables(const TracedRun& /*run*/, const records::Measured& measured,
                      const std::filesystem::path& folder) const override {
        write_csv(transfers_from(measured.particulars->at("transfers")), folder / "transfers.csv");
    }
};

}  // namespace

void add_transfer_metrics(const MeasuredTransfers& transfers, records::Metrics& metrics) {
    const TransferMetrics& m = transfer_metrics();
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
        add(metrics, m.contiguous_spread_percent, 100.0 * (*most / *least - 1.0));
        add(metrics, m.strided_over_contiguous, *std::max_element(ratios.begin(), ratios.end()));
    }
    for (std::size_t i = 0; i < kTransferModels.size(); ++i) {
        if (const auto found = errors.find(kTransferModels[i]); found != errors.end()) {
            const auto [below, above] =
                std::minmax_element(found->second.begin(), found->second.end());
            add(metrics, m.error_above_percent[i], *above);
            add(metrics, m.error_below_percent[i], *below);
        }
    }
}

records::Particulars transfers_to_json(const MeasuredTransfers& transfers) {
    Json entries = Json::array();
    for (const MeasuredTransfer& transfer : transfers) {
        entries.push_back(to_json(transfer));
    }
    return entries;
}

TransferMetrics::TransferMetrics()
    : error_above_percent(
          *this, kTransferModels,
          [](const std::string& model) { return model + "_error_above_percent"; }, "%",
          [](const std::string& model) {
              return "Largest excess of " + model +
                     "'s predicted o + l over a transfer's measured one";
          },
          "memory logP Figure 6"),
      error_below_percent(
          *this, kTransferModels,
          [](const std::string& model) { return model + "_error_below_percent"; }, "%",
          [](const std::string& model) {
              return "Largest shortfall of " + model +
                     "'s predicted o + l below a transfer's measured one";
          },
          "memory logP Figure 6") {}

MeasuredTransfers measured_transfers(const records::PointResult& point) {
    return transfers_from(records::particular(point, "transfers"));
}

std::unique_ptr<KernelAnalysis> memory_transfer_analysis() {
    return std::make_unique<MemoryTransferAnalysis>();
}

}  // namespace weir::experiments::analyses
