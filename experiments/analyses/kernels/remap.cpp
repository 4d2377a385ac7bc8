#include "experiments/analyses/kernels/remap.h"

#include "experiments/analyses/kernels/registry.h"
#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::analyses {

namespace {

class RemapAnalysis final : public KernelAnalysis {
  public:
    [[nodiscard]] std::vector<const records::MetricGroup*> metrics() const override {
        return {&remap_metrics()};
    }
    [[nodiscard]] const records::Metric* second_metric() const override {
        return &remap_metrics().whole_run_cycles;
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        if (run.communication() != firmware::Communication::kOneWay || run.asked.end < hw::kNever) {
            return;
        }
        const firmware::MessagePattern pattern = run.pattern();
        if (pattern.body_bytes > 0.0) {
            const auto last = trace::last_time(run.trace, &hw::MessageTimes::receive_dma_end);
            if (last) {
                add(measured.metrics, remap_metrics().whole_run_cycles_per_byte,
                    static_cast<double>(last->count()) / (pattern.iterations * pattern.body_bytes));
            }
        } else if (pattern.has_fixed_order) {
            const auto last = trace::last_time(run.trace, &hw::MessageTimes::handler_end);
            if (last) {
                add(measured.metrics, remap_metrics().whole_run_cycles,
                    static_cast<double>(last->count()));
            }
        }
    }
};

}  // namespace

const RemapMetrics& remap_metrics() {
    static const RemapMetrics metrics;
    return metrics;
}

std::unique_ptr<KernelAnalysis> remap_analysis() { return std::make_unique<RemapAnalysis>(); }

}  // namespace weir::experiments::analyses
