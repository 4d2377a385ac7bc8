#include <utility>

#include "experiments/analyses/cost_bars.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/analyses/whole_of_parts.h"
#include "firmware/kernels/spmv/sparse_product.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(SparseProduct::Facts, rows, nonzeros, remote_nonzeros, most_nonzeros)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

using firmware::SparseProduct;

struct SpmvMetrics final : records::MetricGroup {
    records::Metric cycles_per_nonzero{*this, "cycles_per_nonzero", "cycles",
                                       "Time from the first node's start to the last node's end, "
                                       "divided by the mean number of non-zeros of a node",
                                       "LoPC Figure 8"};
    records::Metric gets_per_nonzero{*this, "gets_per_nonzero", "1",
                                     "Share of non-zeros whose element of x is on another node",
                                     "LoPC Section 3.1.1: n/m"};
    records::Metric most_nonzeros_over_mean{
        *this, "most_nonzeros_over_mean", "1",
        "Ratio of the largest number of non-zeros on a node to the mean of all nodes"};
};

class SpmvAnalysis final : public WithMetrics<SpmvMetrics, AnalysisOf<SparseProduct>> {
  public:
    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        return cost_bars_section(result);
    }
    [[nodiscard]] const records::Metric* leading_metric() const override {
        return &records::declared<SpmvMetrics>().cycles_per_nonzero;
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        const auto& m = records::declared<SpmvMetrics>();
        const Facts facts = facts_of(run.facts);
        if (const auto cycles = cycles_between(run.trace, SparseProduct::kProductBegins,
                                               SparseProduct::kProductEnds)) {
            add(measured.metrics, m.cycles_per_nonzero,
                static_cast<double>(cycles->count()) * run.node_count / facts.nonzeros);
        }
        add(measured.metrics, m.gets_per_nonzero, facts.remote_nonzeros / facts.nonzeros);
        add_parts(run, facts, measured);
        add(measured.metrics, m.most_nonzeros_over_mean,
            facts.most_nonzeros * run.node_count / facts.nonzeros);
    }

    // Parts of round trips are per get, and only some non-zeros need a get; parts of a whole
    // program's time are means over the nodes.
    static void add_parts(const TracedRun& run, const Facts& facts, records::Measured& measured) {
        const double per_nonzero = has_iterations(run.communication())
                                       ? facts.remote_nonzeros / facts.nonzeros
                                       : run.node_count / facts.nonzeros;
        add_whole(records::declared<SpmvMetrics>().cycles_per_nonzero, per_nonzero, measured);
    }

    void add_to(records::Prediction& prediction, double answer,
                const nlohmann::ordered_json& facts) const override {
        const Facts known = facts_of(facts);
        add(prediction.metrics, records::declared<SpmvMetrics>().cycles_per_nonzero,
            answer * known.remote_nonzeros / known.nonzeros);
    }

    void finish(const firmware::Kernel& /*kernel*/, const nodes::MachineConfiguration& /*machine*/,
                records::PointResult& point) const override {
        const CostBars bars = cost_bars(records::means(point), point.round_trip, point.predictions);
        auto bars_by_name = records::Particulars::object();
        for (const CostBar& bar : bars) {
            bars_by_name[bar.who] = records::metrics_to_json(bar.parts);
        }
        if (!bars.empty()) {
            (*point.particulars)["cost_bars"] = std::move(bars_by_name);
        }
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> spmv_analysis() { return std::make_unique<SpmvAnalysis>(); }

}  // namespace weir::experiments::analyses
