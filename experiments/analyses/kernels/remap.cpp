#include "experiments/analyses/kernels/remap.h"

#include <algorithm>
#include <optional>

#include "experiments/analyses/kernels/registry.h"
#include "experiments/trace/measurements/measurements.h"
#include "firmware/kernels/remap/remap.h"

namespace weir::experiments::analyses {

namespace {

class RemapAnalysis final : public WithMetrics<RemapMetrics> {
  public:
    [[nodiscard]] const records::Metric* second_metric() const override {
        return &remap_metrics().whole_run_cycles;
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        if (run.asked.end < hw::kNever) {
            return;
        }
        if (const auto end = end_of(run.trace)) {
            add(measured.metrics, remap_metrics().whole_run_cycles_per_iteration,
                static_cast<double>(end->count()) / iterations_of(run));
        }
        if (run.communication() != firmware::Communication::kOneWay) {
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

  private:
    // End of the slowest node: its last handler has ended, and its last body is in memory.
    static std::optional<hw::Cycles> end_of(const trace::Trace& trace) {
        const auto handler = trace::last_time(trace, &hw::MessageTimes::handler_end);
        const auto body = trace::last_time(trace, &hw::MessageTimes::receive_dma_end);
        return handler && body ? std::max(*handler, *body) : handler;
    }
    static double iterations_of(const TracedRun& run) {
        const auto& remap = dynamic_cast<const firmware::Remap&>(run.kernel.described());
        return static_cast<double>(remap.iterations());
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> remap_analysis() { return std::make_unique<RemapAnalysis>(); }

}  // namespace weir::experiments::analyses
