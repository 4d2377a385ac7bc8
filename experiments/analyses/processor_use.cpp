#include "experiments/analyses/processor_use.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/records/csv_input.h"

namespace weir::experiments::analyses {

namespace {

constexpr const char* kColumns = "begin_cycle,end_cycle,computing,communicating,idle";

double& share_of(ProcessorUse& use, hw::CoreState state) {
    switch (state) {
        case hw::CoreState::kCompute:
            return use.computing;
        case hw::CoreState::kWait:
        case hw::CoreState::kDone:
            return use.idle;
        default:
            return use.communicating;
    }
}

}  // namespace

std::vector<ProcessorUse> processor_use(const trace::Trace& trace, trace::CycleWindow window,
                                        std::size_t slices) {
    const auto begin = static_cast<double>(window.begin.count());
    const double length =
        static_cast<double>((window.end - window.begin).count()) / static_cast<double>(slices);
    std::vector<ProcessorUse> uses(slices);
    for (std::size_t i = 0; i < slices; ++i) {
        uses[i].begin_cycle = begin + length * static_cast<double>(i);
        uses[i].end_cycle = begin + length * static_cast<double>(i + 1);
    }
    for (const trace::CoreIntervalRow& interval : trace.core_intervals) {
        if (!window.overlaps(interval.begin, interval.end)) {
            continue;
        }
        const auto from = static_cast<double>(std::max(interval.begin, window.begin).count());
        const auto to = static_cast<double>(std::min(interval.end, window.end).count());
        for (auto i = static_cast<std::size_t>((from - begin) / length);
             i < slices && uses[i].begin_cycle < to; ++i) {
            const double overlap =
                std::min(to, uses[i].end_cycle) - std::max(from, uses[i].begin_cycle);
            share_of(uses[i], interval.state) += std::max(overlap, 0.0) / length;
        }
    }
    return uses;
}

std::string processor_use_table(const std::vector<ProcessorUse>& uses) {
    std::string table = fmt::format("{}\n", kColumns);
    for (const ProcessorUse& use : uses) {
        table += fmt::format("{:.1f},{:.1f},{:.4f},{:.4f},{:.4f}\n", use.begin_cycle, use.end_cycle,
                             use.computing, use.communicating, use.idle);
    }
    return table;
}

std::vector<ProcessorUse> read_processor_use(const std::filesystem::path& file) {
    const records::CsvInput table(file, kColumns);
    std::vector<ProcessorUse> uses;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        uses.push_back({table.number(row, 0), table.number(row, 1), table.number(row, 2),
                        table.number(row, 3), table.number(row, 4)});
    }
    return uses;
}

}  // namespace weir::experiments::analyses
