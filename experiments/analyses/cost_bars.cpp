#include "experiments/analyses/cost_bars.h"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::analyses {

namespace {

constexpr const char* kCostMetric = "cycles_per_nonzero";

CostBar measured_bar(double gets, double cycles, const records::Metrics& round_trip) {
    const auto sum = [&](std::initializer_list<const char*> names) {
        double total = 0.0;
        for (const char* name : names) {
            total += gets * records::find_metric(round_trip, name).value_or(0.0);
        }
        return total;
    };
    CostBar bar{"measured",
                {{"compute", sum({"compute", "wait"})},
                 {"send", sum({"request_send"})},
                 {"network", sum({"request_network_unloaded", "request_notify",
                                  "reply_network_unloaded", "reply_notify"})},
                 {"handlers", sum({"request_handler", "reply_send", "reply_handler"})},
                 {"contention", sum({"interference", "request_queueing", "reply_queueing",
                                     "request_network_contention", "reply_network_contention"})}}};
    double idle = cycles;
    for (const auto& [name, part] : bar.parts) {
        idle -= part;
    }
    bar.parts.emplace_back("idle", idle);
    return bar;
}

// Bar of LoPC's prediction: the response time R is W + 2 S_l + 2 S_o and the contention.
std::optional<CostBar> model_bar(double gets, const records::Prediction& prediction) {
    const auto cycles = records::find_metric(prediction.metrics, kCostMetric);
    const auto thread = records::find_metric(prediction.inputs, "thread_cycles");
    const auto work = thread ? thread : records::find_metric(prediction.inputs, "work_cycles");
    const auto latency = records::find_metric(prediction.inputs, "latency_cycles");
    const auto handler = records::find_metric(prediction.inputs, "handler_cycles");
    if (!cycles || !work || !latency || !handler) {
        return std::nullopt;
    }
    const double compute = gets * *work;
    const double network = gets * 2.0 * *latency;
    const double handlers = gets * 2.0 * *handler;
    return CostBar{prediction.model,
                   {{"compute", compute},
                    {"network", network},
                    {"handlers", handlers},
                    {"contention", *cycles - compute - network - handlers}}};
}

}  // namespace

CostBars cost_bars(const records::Metrics& measured, const records::Metrics& round_trip,
                   const std::vector<records::Prediction>& predictions) {
    const auto gets = records::find_metric(measured, "gets_per_nonzero");
    const auto cycles = records::find_metric(measured, kCostMetric);
    if (!gets || !cycles || !records::find_metric(round_trip, "request_send")) {
        return {};
    }
    CostBars bars{measured_bar(*gets, *cycles, round_trip)};
    for (const char* model : {"lopc_given", "lopc"}) {
        for (const records::Prediction& prediction : predictions) {
            const auto bar =
                prediction.model == model ? model_bar(*gets, prediction) : std::optional<CostBar>();
            if (bar && bars.size() == 1) {
                bars.push_back(*bar);
            }
        }
    }
    return bars;
}

CostBars cost_bars(const records::PointResult& point) {
    CostBars bars;
    for (const auto& [who, parts] : records::particular(point, "cost_bars").items()) {
        bars.push_back({who, records::metrics_from(parts)});
    }
    return bars;
}

namespace {

// Total of a bar: the measured time, or the model's prediction.
std::optional<double> whole_of(const records::PointResult& point, const CostBar& bar) {
    for (const records::Prediction& prediction : point.predictions) {
        if (prediction.model == bar.who) {
            return records::find_metric(prediction.metrics, kCostMetric);
        }
    }
    return records::find_metric(records::means(point), kCostMetric);
}

void add_cost_figure(const records::ExperimentResult& result, records::Section& section) {
    records::StackedBars chart;
    chart.title = "where a non-zero's cycles go";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles per non-zero";
    std::string who;
    constexpr std::array kPartColours{"#26426B", "#0072B2", "#009E73",
                                      "#A3547F", "#C22E1F", "#E6E6EA"};
    static_assert(kPartColours.size() == kCostParts.size());
    for (std::size_t part = 0; part < kPartColours.size(); ++part) {
        chart.parts.push_back({kCostParts[part], kPartColours[part]});
    }
    for (const records::PointResult& point : result.points) {
        for (const CostBar& each : cost_bars(point)) {
            records::StackedBar bar{point.label, each.who, {}, whole_of(point, each)};
            for (const char* part : kCostParts) {
                bar.parts.push_back(records::find_metric(each.parts, part));
            }
            chart.bars.push_back(std::move(bar));
            who = each.who == "measured" ? who : setup::spaced_name(each.who);
        }
    }
    chart.caption = "Left bars: measured" + (who.empty() ? "" : "; right bars: " + who) +
                    ". Idle is the time of nodes that end before the last node. A model's "
                    "compute includes the sends.";
    constexpr std::size_t kMostBars = 60;
    if (!chart.bars.empty() && chart.bars.size() <= kMostBars) {
        section.blocks.emplace_back(records::Figure{"", chart});
    }
}

}  // namespace

std::optional<records::Section> cost_bars_section(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {records::text_column("point"), records::text_column("source")};
    table.keys = 2;
    for (const char* part : kCostParts) {
        table.columns.push_back(records::number_column(part));
    }
    for (const records::PointResult& point : result.points) {
        for (const CostBar& bar : cost_bars(point)) {
            std::vector<records::TableCell> row{records::text_cell(point.label),
                                                records::text_cell(setup::spaced_name(bar.who))};
            for (const char* part : kCostParts) {
                row.push_back(records::number_cell(records::find_metric(bar.parts, part)));
            }
            table.rows.push_back(std::move(row));
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = "Where a non-zero's cycles go";
    add_cost_figure(result, section);
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(records::Paragraph{
        "Contention: waiting for handlers and in the network. Idle: time of nodes that end before "
        "the last node. A model's compute includes the sends."});
    return section;
}

}  // namespace weir::experiments::analyses
