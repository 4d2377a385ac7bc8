#include "experiments/analyses/kernels/remap.h"

#include "experiments/analyses/kernels/registry.h"

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
            trace::Statement last(run.trace, "SELECT max(receive_dma_end_cycle) FROM messages");
            if (last.step() && !last.is_null(0)) {
                add(measured.metrics, remap_metrics().whole_run_cycles_per_byte,
                    static_cast<double>(last.integer(0)) /
                        (pattern.iterations * pattern.body_bytes));
            }
        } else if (pattern.has_fixed_order) {
            trace::Statement last(run.trace, "SELECT max(handler_end_cycle) FROM messages");
            if (last.step() && !last.is_null(0)) {
                add(measured.metrics, remap_metrics().whole_run_cycles,
                    static_cast<double>(last.integer(0)));
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
