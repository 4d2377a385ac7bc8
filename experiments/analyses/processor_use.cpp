#include "experiments/analyses/processor_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace weir::experiments::analyses {

namespace {

double& share_of(ProcessorUse& use, std::string_view state) {
    if (state == "compute") {
        return use.computing;
    }
    return state == "wait" || state == "done" ? use.idle : use.communicating;
}

}  // namespace

std::vector<ProcessorUse> processor_use(const trace::TraceDatabase& database,
                                        trace::CycleWindow window, std::size_t slices) {
    const auto begin = static_cast<double>(window.begin.count());
    const double length =
        static_cast<double>((window.end - window.begin).count()) / static_cast<double>(slices);
    std::vector<ProcessorUse> uses(slices);
    for (std::size_t i = 0; i < slices; ++i) {
        uses[i].begin_cycle = begin + length * static_cast<double>(i);
        uses[i].end_cycle = begin + length * static_cast<double>(i + 1);
    }
    trace::Statement rows(database,
                          "SELECT begin_cycle, end_cycle, name FROM core_intervals JOIN "
                          "core_states USING (state) WHERE end_cycle > ?1 AND begin_cycle < ?2");
    rows.bind(1, window.begin.count());
    rows.bind(2, window.end.count());
    while (rows.step()) {
        const auto from = static_cast<double>(std::max(rows.integer(0), window.begin.count()));
        const auto to = static_cast<double>(std::min(rows.integer(1), window.end.count()));
        for (auto i = static_cast<std::size_t>((from - begin) / length);
             i < slices && uses[i].begin_cycle < to; ++i) {
            const double overlap =
                std::min(to, uses[i].end_cycle) - std::max(from, uses[i].begin_cycle);
            share_of(uses[i], rows.text(2)) += std::max(overlap, 0.0) / length;
        }
    }
    return uses;
}

std::string processor_use_table(const std::vector<ProcessorUse>& uses) {
    std::string table = "begin_cycle,end_cycle,computing,communicating,idle\n";
    for (const ProcessorUse& use : uses) {
        table += fmt::format("{:.1f},{:.1f},{:.4f},{:.4f},{:.4f}\n", use.begin_cycle, use.end_cycle,
                             use.computing, use.communicating, use.idle);
    }
    return table;
}

std::vector<ProcessorUse> read_processor_use(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::vector<ProcessorUse> uses;
    for (std::string line; std::getline(in, line);) {
        ProcessorUse use;
        if (std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf", &use.begin_cycle, &use.end_cycle,
                        &use.computing, &use.communicating, &use.idle) == 5) {
            uses.push_back(use);
        }
    }
    return uses;
}

}  // namespace weir::experiments::analyses
