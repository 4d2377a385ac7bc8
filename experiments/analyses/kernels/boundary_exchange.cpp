#include "firmware/kernels/boundary_exchange/boundary_exchange.h"

#include <string>
#include <utility>

#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/packed_message.h"
#include "experiments/analyses/patterns/programs.h"

namespace weir::experiments::analyses {

namespace {

using firmware::BoundaryExchange;

struct BoundaryExchangeMetrics final : records::MetricGroup {
    /// For each of BoundaryExchange::kPhases.
    records::MetricFamily phase_cycles{
        *this,
        {BoundaryExchange::kPhases.begin(), BoundaryExchange::kPhases.end()},
        [](const std::string& phase) { return "exchange_" + phase + "_cycles"; },
        "cycles",
        [](const std::string& phase) {
            return "Cycles of the phase \"" + phase + "\" of a step, mean of all nodes";
        },
        "memory logP Section 9"};
};

const BoundaryExchangeMetrics& boundary_exchange_metrics() {
    static const BoundaryExchangeMetrics metrics;
    return metrics;
}

class BoundaryExchangeAnalysis final : public KernelAnalysis {
  public:
    [[nodiscard]] std::vector<const records::MetricGroup*> metrics() const override {
        return {&boundary_exchange_metrics()};
    }
    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        return packed_message_section(result);
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        measure_makespan(run, BoundaryExchange::kBegin, BoundaryExchange::kEnd, measured);
        for (std::size_t i = 0; i < BoundaryExchange::kPhases.size(); ++i) {
            const std::string phase = BoundaryExchange::kPhases[i];
            const MarkedTime time = marked_time(run.trace, phase + "_begin", phase + "_end");
            if (time.spans > 0) {
                add(measured.metrics, boundary_exchange_metrics().phase_cycles[i],
                    time.cycles / static_cast<double>(time.spans));
            }
        }
    }

    void finish(const firmware::Kernel& kernel, const nodes::MachineConfiguration& machine,
                records::PointResult& point) const override {
        const auto& exchange = dynamic_cast<const BoundaryExchange&>(kernel.described());
        auto packed = records::Particulars::object();
        for (const PackedMessage& message :
             packed_messages(exchange, machine, records::means(point))) {
            packed[message.who] = {{"pack_cycles", message.pack_cycles},
                                   {"network_cycles", message.network_cycles},
                                   {"unpack_cycles", message.unpack_cycles},
                                   {"whole_cycles", message.whole_cycles}};
        }
        if (!packed.empty()) {
            point.particulars["packed_message"] = std::move(packed);
        }
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> boundary_exchange_analysis() {
    return std::make_unique<BoundaryExchangeAnalysis>();
}

}  // namespace weir::experiments::analyses
