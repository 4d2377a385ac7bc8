#include "firmware/kernels/shared_latencies/shared_latencies.h"

#include <array>
#include <string>

#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/programs.h"

namespace weir::experiments::analyses {

namespace {

using firmware::SharedLatencies;

struct LatencyMetrics final : records::MetricGroup {
    records::Metric load_local{*this, "load_local_cycles", "cycles",
                               "Time to load a line of the node's own memory"};
    records::Metric load_remote{
        *this, "load_remote_cycles", "cycles",
        "Time to load a line of a neighbour's memory that no cache has modified"};
    records::Metric load_changed_at_home{
        *this, "load_changed_at_home_cycles", "cycles",
        "Time to load a line of a neighbour's memory, modified in the home's cache"};
    records::Metric load_changed_elsewhere{
        *this, "load_changed_elsewhere_cycles", "cycles",
        "Time to load a line of a neighbour's memory, modified in a third node's cache"};
    records::Metric load_sixth_reader{
        *this, "load_sixth_reader_cycles", "cycles",
        "Time to load a line of a neighbour's memory, with copies in five other nodes"};
    records::Metric store_local{*this, "store_local_cycles", "cycles",
                                "Time to store to a line of the node's own memory"};
    records::Metric store_local_one_copy{
        *this, "store_local_one_copy_cycles", "cycles",
        "Time to store to a line of the node's own memory, with a copy in one other node"};
    records::Metric store_remote{*this, "store_remote_cycles", "cycles",
                                 "Time to store to a line of a neighbour's memory, without copies"};
    records::Metric store_changed_at_home{
        *this, "store_changed_at_home_cycles", "cycles",
        "Time to store to a line of a neighbour's memory, modified in the home's cache"};
    records::Metric store_changed_elsewhere{
        *this, "store_changed_elsewhere_cycles", "cycles",
        "Time to store to a line of a neighbour's memory, modified in a third node's cache"};
    records::Metric store_five_copies{
        *this, "store_five_copies_cycles", "cycles",
        "Time to store to a line of a neighbour's memory, with copies in five other nodes"};
    records::Metric store_six_copies{
        *this, "store_six_copies_cycles", "cycles",
        "Time to store to a line of a neighbour's memory, with copies in six other nodes"};
};

// Latencies of the real Alewife at 20 MHz between neighbours, as recalled; the paper (ISCA 1995)
// was not available. They are for comparison only. Local accesses are inputs of the machine.
struct Remembered {
    const records::Metric& metric;
    double cycles;
};
const std::vector<Remembered>& remembered() {
    const auto& m = records::declared<LatencyMetrics>();
    static const std::vector<Remembered> all{{m.load_local, 11},
                                             {m.load_remote, 38},
                                             {m.load_changed_at_home, 42},
                                             {m.load_changed_elsewhere, 63},
                                             {m.load_sixth_reader, 425},
                                             {m.store_local, 12},
                                             {m.store_local_one_copy, 40},
                                             {m.store_remote, 38},
                                             {m.store_changed_at_home, 43},
                                             {m.store_changed_elsewhere, 66},
                                             {m.store_five_copies, 84},
                                             {m.store_six_copies, 707}};
    return all;
}

class SharedLatenciesAnalysis final : public WithMetrics<LatencyMetrics> {
  public:
    [[nodiscard]] const records::Metric* leading_metric() const override {
        return &records::declared<LatencyMetrics>().load_remote;
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        for (const SharedLatencies::Scenario& scenario : SharedLatencies::scenarios()) {
            const std::string name = scenario.name;
            const MarkedTime time = marked_time(run.trace, name + " begins", name + " ends");
            for (const Remembered& one : remembered()) {
                if (time.spans > 0 && one.metric.name() == name + "_cycles") {
                    add(measured.metrics, one.metric,
                        time.cycles / static_cast<double>(time.spans));
                }
            }
        }
    }

    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        records::Table table;
        table.columns = {records::text_column("point"), records::text_column("access"),
                         records::number_column("cycles"),
                         records::number_column("Alewife, recalled without a source"),
                         records::number_column("difference, %")};
        for (const records::PointResult& point : result.points) {
            for (const Remembered& one : remembered()) {
                const auto* cycles = records::find_estimate(point, one.metric.name());
                if (cycles != nullptr) {
                    table.rows.push_back(
                        {records::text_cell(point.label), records::text_cell(one.metric.name()),
                         records::number_cell(cycles->mean), records::whole_cell(one.cycles),
                         records::number_cell(100.0 * (cycles->mean / one.cycles - 1.0))});
                }
            }
        }
        return records::section_of("Accesses to shared memory", std::move(table));
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> shared_latencies_analysis() {
    return std::make_unique<SharedLatenciesAnalysis>();
}

}  // namespace weir::experiments::analyses
