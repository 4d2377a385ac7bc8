#include "experiments/analyses/kernels/registry.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/analyses/patterns/long_messages.h"
#include "experiments/analyses/patterns/phases.h"
#include "experiments/analyses/patterns/shared_accesses.h"

namespace weir::experiments::analyses {

namespace {

struct Entry {
    std::vector<std::string> kernels;
    std::unique_ptr<KernelAnalysis> analysis;
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = [] {
        std::vector<Entry> list;
        list.push_back({{"ping"}, ping_analysis()});
        list.push_back({{"remap"}, remap_analysis()});
        list.push_back({{"spmv", "shared-spmv"}, spmv_analysis()});
        list.push_back({{"diamond-dag"}, diamond_dag_analysis()});
        list.push_back({{"memcpy", "pack", "unpack"}, memory_transfer_analysis()});
        list.push_back({{"boundary-exchange"}, boundary_exchange_analysis()});
        list.push_back({{"broadcast"}, broadcast_analysis()});
        list.push_back({{"summation"}, summation_analysis()});
        list.push_back({{"multithread"}, multithread_analysis()});
        list.push_back({{"fft"}, fft_analysis()});
        list.push_back({{"lu"}, lu_analysis()});
        list.push_back({{"hot-spot", "producer-consumer"}, record_delivery_analysis()});
        list.push_back({{"all-pairs"}, all_pairs_exchange_analysis()});
        list.push_back({{"jacobi"}, jacobi_analysis()});
        list.push_back({{"shared-latencies"}, shared_latencies_analysis()});
        list.push_back({{"shared-reads"}, shared_reads_analysis()});
        return list;
    }();
    return all;
}

}  // namespace

nlohmann::ordered_json KernelAnalysis::facts(const firmware::Kernel& /*kernel*/) const {
    return nlohmann::ordered_json::object();
}

const KernelAnalysis& analysis_of(std::string_view kernel) {
    static const KernelAnalysis none;
    const auto found =
        std::find_if(entries().begin(), entries().end(), [kernel](const Entry& entry) {
            const auto& names = entry.kernels;
            return std::find(names.begin(), names.end(), kernel) != names.end();
        });
    return found == entries().end() ? none : *found->analysis;
}

std::vector<const KernelAnalysis*> kernel_analyses() {
    std::vector<const KernelAnalysis*> all;
    for (const Entry& entry : entries()) {
        all.push_back(entry.analysis.get());
    }
    return all;
}

std::vector<const records::Metric*> second_metrics() {
    std::vector<const records::Metric*> metrics;
    for (const Entry& entry : entries()) {
        if (const records::Metric* metric = entry.analysis->second_metric()) {
            metrics.push_back(metric);
        }
    }
    return metrics;
}

std::vector<records::Section> program_sections(const records::ExperimentResult& result) {
    std::vector<records::Section> sections;
    for (const auto section_of : {long_messages_section, phases_section, shared_accesses_section}) {
        if (auto section = section_of(result)) {
            sections.push_back(*std::move(section));
        }
    }
    for (const Entry& entry : entries()) {
        if (auto section = entry.analysis->section(result)) {
            sections.push_back(*std::move(section));
        }
    }
    return sections;
}

}  // namespace weir::experiments::analyses
