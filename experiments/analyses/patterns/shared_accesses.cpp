#include "experiments/analyses/patterns/shared_accesses.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "experiments/records/point_values.h"

namespace weir::experiments::analyses {

namespace {

constexpr std::size_t kParts = kSharedAccessParts.size();
constexpr std::array kPartSentences{
    "time from the miss to the first request to the home",
    "time from the first request to the last retry, while the home is busy",
    "time of the request in queues and network",
    "time that the request waits for the home's directory",
    "time of the home's software trap, until it sends its first packet",
    "time from the first invalidation or forwarded request to the last acknowledgement",
    "time of the home's directory and memory",
    "time of the reply in queues and network, until the requester has all acknowledgements",
    "time from the line's arrival to the access"};
static_assert(kPartSentences.size() == kParts);

std::vector<std::string> part_names() {
    return {kSharedAccessParts.begin(), kSharedAccessParts.end()};
}

std::string sentence_of(const std::string& access, const std::string& part) {
    for (std::size_t i = 0; i < kParts; ++i) {
        if (part == kSharedAccessParts[i]) {
            return "Part of remote_" + access + "_cycles: " + kPartSentences[i];
        }
    }
    return "";
}

// Whether the access missed, its line's home is another node, and it was performed in the end.
bool is_remote_access(const hw::SharedTransaction& one, trace::CycleWindow window) {
    return one.node != one.home && !one.is_prefetch && one.use < hw::kNever &&
           one.reply < hw::kNever && window.contains(one.begin);
}

struct Sums {
    std::int64_t count = 0;
    std::array<std::int64_t, kParts> cycles{};
};

void add_means(const Sums& sums, const SharedAccessMetrics::Kind& kind, records::Metrics& metrics) {
    if (sums.count == 0) {
        return;
    }
    const auto count = static_cast<double>(sums.count);
    double all = 0.0;
    for (const std::int64_t cycles : sums.cycles) {
        all += static_cast<double>(cycles);
    }
    add(metrics, kind.count, count);
    add(metrics, kind.cycles, all / count);
    for (std::size_t i = 0; i < kParts; ++i) {
        add(metrics, kind.parts[i], static_cast<double>(sums.cycles[i]) / count);
    }
}

records::StackedBars chart_of_parts() {
    records::StackedBars chart;
    chart.title = "where a remote access goes";
    chart.caption = "Means over accesses that missed and whose line's home is another node.";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles from the miss to the use of the line";
    for (const char* part : kSharedAccessParts) {
        chart.parts.push_back({part, ""});
    }
    return chart;
}

}  // namespace

SharedAccessMetrics::Kind::Kind(records::MetricGroup& group, const std::string& access)
    : count(group, "remote_" + access + "s", "1",
            "Number of " + access + "s that missed on a line whose home is another node"),
      cycles(group, "remote_" + access + "_cycles", "cycles",
             "Time of a " + access +
                 " that missed on another node's line, from its miss to its use of the line"),
      parts(
          group, part_names(),
          [access](const std::string& part) { return "remote_" + access + "_" + part + "_cycles"; },
          "cycles", [access](const std::string& part) { return sentence_of(access, part); }) {}

std::array<std::int64_t, kParts> parts_of(const hw::SharedTransaction& one) {
    const bool invalidates = one.last_acknowledgement < hw::kNever;
    const hw::Cycles first_packet = invalidates ? one.first_invalidation : one.reply;
    const hw::Cycles software = one.is_trapped ? first_packet - one.home_begin : hw::Cycles(0);
    const hw::Cycles invalidations =
        invalidates ? one.last_acknowledgement - one.first_invalidation : hw::Cycles(0);
    return {(one.first_asked - one.begin).count(),
            (one.asked - one.first_asked).count(),
            (one.home_arrival - one.asked).count(),
            (one.home_begin - one.home_arrival).count(),
            software.count(),
            invalidations.count(),
            (one.reply - one.home_begin - software - invalidations).count(),
            (one.fill - one.reply).count(),
            (one.use - one.fill).count()};
}

void measure_shared_accesses(const TracedRun& run, records::Measured& measured) {
    Sums loads;
    Sums stores;
    for (const hw::SharedTransaction& one : run.trace.transactions) {
        if (!is_remote_access(one, run.asked)) {
            continue;
        }
        Sums& sums = one.request == hw::SharedRequest::kRead ? loads : stores;
        const auto parts = parts_of(one);
        sums.count += 1;
        for (std::size_t i = 0; i < kParts; ++i) {
            sums.cycles[i] += parts[i];
        }
    }
    add_means(loads, shared_access_metrics().loads, measured.metrics);
    add_means(stores, shared_access_metrics().stores, measured.metrics);
}

std::optional<records::Section> shared_accesses_section(const records::ExperimentResult& result) {
    constexpr std::size_t kMostBars = 60;
    records::StackedBars chart = chart_of_parts();
    records::Table table;
    table.keys = 2;
    table.columns = {records::text_column("point"), records::text_column("accesses"),
                     records::number_column("times"),
                     records::number_column("cycles", "from the miss to the use of the line")};
    for (std::size_t i = 0; i < kParts; ++i) {
        table.columns.push_back(records::number_column(kSharedAccessParts[i], kPartSentences[i]));
    }
    const SharedAccessMetrics& m = shared_access_metrics();
    for (const records::PointResult& point : result.points) {
        for (const auto& [name, kind] :
             {std::pair{"loads", &m.loads}, std::pair{"stores", &m.stores}}) {
            const auto mean = [&point](const records::Metric& metric) {
                const records::Estimate* found = records::find_estimate(point, metric.name());
                return found == nullptr ? std::nullopt : std::optional(found->mean);
            };
            const std::optional<double> times = mean(kind->count);
            if (!times) {
                continue;
            }
            std::vector<records::TableCell>& row = table.rows.emplace_back();
            row = {records::text_cell(point.label), records::text_cell(name),
                   records::whole_cell(*times), records::number_cell(mean(kind->cycles))};
            records::StackedBar bar{point.label, name, {}, mean(kind->cycles)};
            std::vector<std::size_t> parts;
            for (std::size_t i = 0; i < kParts; ++i) {
                bar.parts.push_back(mean(kind->parts[i]));
                parts.push_back(row.size());
                row.push_back(records::number_cell(bar.parts.back()));
            }
            records::declare_sum_in_last_row(table, parts, parts.front() - 1);
            chart.bars.push_back(std::move(bar));
        }
    }
    const bool has_figure = !chart.bars.empty() && chart.bars.size() <= kMostBars;
    auto section = records::section_of("Where the cycles of a remote access go", std::move(table));
    if (section && has_figure) {
        section->blocks.insert(section->blocks.begin(), records::Figure{"", std::move(chart)});
    }
    return section;
}

}  // namespace weir::experiments::analyses
