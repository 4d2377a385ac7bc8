#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/messages.h"

namespace weir::experiments::analyses {

namespace {

// LoGPC Table 1: messages on an idle machine, one after the other.
class PingAnalysis final : public KernelAnalysis {
  public:
    [[nodiscard]] const records::Metric* leading_metric() const override {
        return &message_metrics().latency_cycles;
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> ping_analysis() { return std::make_unique<PingAnalysis>(); }

}  // namespace weir::experiments::analyses
