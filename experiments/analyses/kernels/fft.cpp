#include "firmware/kernels/fft/fft.h"

#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/programs.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Fft::Facts, remap_bytes)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

using firmware::Fft;

struct FftMetrics final : records::MetricGroup {
    records::Metric remap_cycles{
        *this, "remap_cycles", "cycles",
        "Time of a node for the FFT's remap between layouts; mean of all nodes", "LogP Figure 6"};
    records::Metric remap_bytes_per_cycle{
        *this, "remap_bytes_per_cycle", "bytes/cycle",
        "Data rate of a node in the FFT's remap: bytes sent divided by remap_cycles",
        "LogP Figure 8"};
    records::Metric remap_megabytes_per_second{
        *this, "remap_megabytes_per_second", "MB/s",
        "Data rate of a node in the FFT's remap, in MB/s at the processor's clock rate",
        "LogP Figure 8"};
    records::Metric remap_over_compute{
        *this, "remap_over_compute", "1",
        "Ratio of the time of the FFT's remap to its computation time", "LogP Figure 6"};
};

class FftAnalysis final : public WithMetrics<FftMetrics, AnalysisOf<Fft>> {
  public:
    // Computation is a node's time from its own first mark to its own last mark, less the remap.
    // Later ends of other nodes do not count.
    void measure(const TracedRun& run, records::Measured& measured) const override {
        const double bytes = facts_of(run.facts).remap_bytes;
        const MarkedTime time = marked_time(run.trace, Fft::kRemapBegins, Fft::kRemapEnds);
        const MarkedTime whole =
            marked_time(run.trace, firmware::kProgramBegins, firmware::kProgramEnds);
        if (bytes == 0.0 || time.spans == 0 || whole.spans != time.spans) {
            return;
        }
        const auto& m = records::declared<FftMetrics>();
        const double cycles = time.cycles / static_cast<double>(time.spans);
        add(measured.metrics, m.remap_cycles, cycles);
        add(measured.metrics, m.remap_bytes_per_cycle, bytes / cycles);
        add(measured.metrics, m.remap_megabytes_per_second,
            bytes / cycles * run.machine.clock.processor_mhz.value());
        add(measured.metrics, m.remap_over_compute, time.cycles / (whole.cycles - time.cycles));
    }

    // Table of the remap's data rate (LogP Figures 6 and 8).
    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        const auto& m = records::declared<FftMetrics>();
        records::Table table;
        table.columns = {records::text_column("point"), records::number_column("cycles"),
                         records::number_column("MB/s per processor"),
                         records::number_column("over compute")};
        for (const records::PointResult& point : result.points) {
            const auto* cycles = records::find_estimate(point, m.remap_cycles.name());
            const auto* rate = records::find_estimate(point, m.remap_megabytes_per_second.name());
            const auto* share = records::find_estimate(point, m.remap_over_compute.name());
            if (cycles != nullptr && rate != nullptr && share != nullptr) {
                table.rows.push_back(
                    {records::text_cell(point.label), records::whole_cell(cycles->mean),
                     records::number_cell(rate->mean), records::number_cell(share->mean)});
            }
        }
        return records::section_of("The remap", std::move(table));
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> fft_analysis() { return std::make_unique<FftAnalysis>(); }

}  // namespace weir::experiments::analyses
