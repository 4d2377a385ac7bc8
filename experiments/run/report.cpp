#include "experiments/run/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "experiments/config/wrapped_text.h"
#include "experiments/run/open_loop_report.h"
#include "experiments/run/precision_report.h"
#include "experiments/run/setup.h"
#include "experiments/run/transfer_report.h"

namespace weir::experiments::run {

namespace {

// The words in lines that fit the page, each after `indent`; nothing of a blank text.
std::string wrapped(const std::string& text, const std::string& indent = "") {
    const bool is_blank = text.find_first_not_of(" \n") == std::string::npos;
    return is_blank ? "" : config::wrapped(text, indent, indent);
}

// A name and the columns after it; a name too long for its column stands on lines of its own.
std::string row(const std::string& indent, const std::string& name, std::size_t name_width,
                const std::string& columns) {
    if (config::width_of(name) < name_width) {
        return fmt::format("{}{:<{}}{}\n", indent, name, name_width, columns);
    }
    return wrapped(name, indent) + fmt::format("{}{:<{}}{}\n", indent, "", name_width, columns);
}

// The page without blanks at the ends of its lines.
std::string without_trailing_blanks(const std::string& page) {
    std::istringstream lines(page);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string number(double value) { return fmt::format("{:.1f}", value); }

// 17 columns.
std::string with_half_width(const Estimate& estimate) {
    return estimate.half_width
               ? fmt::format("{:>9.1f} ± {:<5.1f}", estimate.mean, *estimate.half_width)
               : fmt::format("{:>9.1f}        ", estimate.mean);
}

std::string percent_against(double value, double reference) {
    return reference != 0.0 ? fmt::format("{:+.1f} %", 100.0 * (value / reference - 1.0)) : "";
}

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

// The papers' symbol of a model's input.
std::string symbol(const std::string& input, const std::string& model) {
    const bool is_lopc = model.starts_with("lopc") && !model.starts_with("lopc_rule_of_thumb");
    if (input == "latency_cycles" && is_lopc) {
        return "S_l";
    }
    constexpr std::array kSymbols{std::pair{"latency_cycles", "L"},
                                  std::pair{"first_byte_latency_cycles", "L"},
                                  std::pair{"send_overhead_cycles", "o_s"},
                                  std::pair{"long_send_overhead_cycles", "o_sl"},
                                  std::pair{"receive_overhead_cycles", "o_r"},
                                  std::pair{"long_receive_overhead_cycles", "o_rl"},
                                  std::pair{"header_to_dma_cycles", "header to DMA"},
                                  std::pair{"mean_hops", "hops"},
                                  std::pair{"handler_cycles", "S_o"},
                                  std::pair{"handler_squared_cv", "C²"},
                                  std::pair{"message_bytes", "B"}};
    for (const auto& [name, symbol] : kSymbols) {
        if (input == name) {
            return symbol;
        }
    }
    return "W";
}

std::string inputs_text(const Prediction& prediction) {
    std::string text;
    for (const auto& [name, value] : prediction.inputs) {
        text +=
            fmt::format("{}{} {:.{}f}", text.empty() ? "" : ", ", symbol(name, prediction.model),
                        value, name == "handler_squared_cv" ? 3 : 1);
    }
    return text;
}

void predictions_table(const PointResult& point, const std::string& metric, std::string& page) {
    constexpr std::size_t kName = 26;
    const Estimate& measured = *find_estimate(point, metric);
    page += fmt::format("{:<28}{:>9}{:>25}\n", spaced(metric), "cycles", "against measured");
    page += row("  ", "measured", kName, with_half_width(measured));
    const auto compared = [&](const std::string& name, double value) {
        return row("  ", name, kName,
                   fmt::format("{:>9.1f}{:>25}", value, percent_against(value, measured.mean)));
    };
    std::string asked_with;
    for (const Prediction& prediction : point.predictions) {
        const auto value = find_metric(prediction.metrics, metric);
        page += value ? compared(prediction.model, *value)
                      : row("  ", prediction.model, kName, fmt::format("{:>9}", "none"));
        asked_with += row("  ", prediction.model, kName, inputs_text(prediction));
        if (!prediction.not_applicable.empty()) {
            asked_with += wrapped("none, since " + prediction.not_applicable, "    ");
        }
    }
    for (const config::Published& published : point.published) {
        if (published.metric == metric) {
            page += compared("published", published.value);
            page += wrapped("in " + published.source, "    ");
        }
    }
    page += asked_with.empty() ? "\n" : "\nthe models were asked with\n" + asked_with + "\n";
}

// What models say besides, of what was measured too.
void also_predicted_table(const PointResult& point, const std::string& except, std::string& page) {
    for (const Prediction& prediction : point.predictions) {
        std::string rows;
        for (const Estimate& measured : point.measured) {
            const auto value = find_metric(prediction.metrics, measured.name);
            if (value && measured.name != except) {
                rows += row("  ", spaced(measured.name), 38,
                            fmt::format("{:>10.2f}{:>12.2f}{:>11}", measured.mean, *value,
                                        percent_against(*value, measured.mean)));
            }
        }
        if (!rows.empty()) {
            page += fmt::format("{:<40}{:>10}{:>12}{:>11}\n", prediction.model + " says besides",
                                "measured", "predicted", "off") +
                    rows + "\n";
        }
    }
}

// LoGPC Figure 3: a row for every few cycles, a bar as long as the queue is full.
void input_queue_table(const PointResult& point, std::string& page) {
    if (point.input_queue.empty()) {
        return;
    }
    constexpr std::int64_t kRows = 20;
    constexpr std::int64_t kBar = 50;
    std::int64_t peak = 1;
    for (const auto& [cycle, bytes] : point.input_queue) {
        peak = std::max(peak, bytes);
    }
    const std::int64_t last = point.input_queue.back().first;
    const std::int64_t step = std::max<std::int64_t>(1, (last + kRows - 1) / kRows);
    page += "the input queue from a message's first byte until its DMA has caught up\n";
    page += fmt::format("{:>9}{:>9}\n", "cycle", "bytes");
    std::size_t next = 0;
    std::int64_t held = 0;
    for (std::int64_t cycle = 0; cycle < last + step; cycle += step) {
        while (next < point.input_queue.size() && point.input_queue[next].first <= cycle) {
            held = point.input_queue[next++].second;
        }
        page += fmt::format("{:>9}{:>9}  {:#>{}}\n", cycle, held, "", held * kBar / peak);
    }
    page += "\n";
}

// Under each source what it gives.
void published_table(const PointResult& point, const std::string& except, std::string& page) {
    std::vector<std::string> sources;
    for (const config::Published& published : point.published) {
        const bool is_new =
            std::find(sources.begin(), sources.end(), published.source) == sources.end();
        if (published.metric != except && is_new) {
            sources.push_back(published.source);
        }
    }
    if (sources.empty()) {
        return;
    }
    page +=
        fmt::format("{:<34}{:>9}{:>19}{:>10}\n", "published in", "measured", "published", "apart");
    for (const std::string& source : sources) {
        page += wrapped(source, "  ");
        for (const config::Published& published : point.published) {
            if (published.metric == except || published.source != source) {
                continue;
            }
            const std::optional<Estimate> measured = find_comparable(point, published.metric);
            const std::string columns =
                !measured ? fmt::format("{:>12}{:>16.1f}", "not measured", published.value)
                          : fmt::format("{}{:>11.1f}{:>+10.1f}", with_half_width(*measured),
                                        published.value, measured->mean - published.value);
            page += row("    ", spaced(published.metric), 30, columns);
        }
    }
    page += "\n";
}

void other_metrics(const PointResult& point, const std::string& except, std::string& page) {
    std::string rows;
    for (const Estimate& measured : point.measured) {
        const bool shown = measured.name == except ||
                           std::any_of(point.published.begin(), point.published.end(),
                                       [&](const auto& p) { return p.metric == measured.name; });
        if (!shown) {
            rows += row("  ", spaced(measured.name), 32, with_half_width(measured));
        }
    }
    if (!rows.empty()) {
        page += "also measured\n" + rows + "\n";
    }
}

void round_trip_table(const PointResult& point, std::string& page) {
    if (point.round_trip.empty()) {
        return;
    }
    double sum = 0.0;
    for (const auto& [name, value] : point.round_trip) {
        sum += value;
    }
    const auto part = [&point](const std::string& name) {
        return find_metric(point.round_trip, name).value_or(0.0);
    };
    if (!find_metric(point.round_trip, "request_send")) {
        page += "where an iteration goes\n";
        for (const auto& [name, value] : point.round_trip) {
            page += fmt::format("  {:<25}{:>10.1f}\n", spaced(name), value);
        }
        page += fmt::format("  {:<25}{:>10.1f}\n\n", "sum", sum);
        return;
    }
    page += fmt::format("where a round trip goes    {:>10}{:>10}\n", "request", "reply");
    for (const char* name :
         {"send", "network_unloaded", "network_contention", "notify", "queueing", "handler"}) {
        page +=
            fmt::format("  {:<25}{:>10.1f}{:>10.1f}\n", spaced(name),
                        part(std::string("request_") + name), part(std::string("reply_") + name));
    }
    for (const char* name : {"compute", "wait", "interference"}) {
        page += fmt::format("  {:<25}{:>10.1f}\n", name, part(name));
    }
    page += fmt::format("  {:<25}{:>10.1f}\n\n", "sum", sum);
}

const Prediction* find_prediction(const PointResult& point, const std::string& model) {
    for (const Prediction& prediction : point.predictions) {
        if (prediction.model == model) {
            return &prediction;
        }
    }
    return nullptr;
}

// Every model that some point has been compared with.
std::vector<std::string> models_of(const ExperimentResult& result) {
    std::vector<std::string> models;
    for (const PointResult& point : result.points) {
        for (const Prediction& prediction : point.predictions) {
            if (std::find(models.begin(), models.end(), prediction.model) == models.end()) {
                models.push_back(prediction.model);
            }
        }
    }
    return models;
}

// The metric at every point, beside some of the models.
void sweep_block(const ExperimentResult& result, const std::string& metric,
                 std::span<const std::string> models, std::size_t model_width, std::string& page) {
    constexpr std::size_t kLabel = 14;
    std::string header = fmt::format("{:>9}{:>8}", "measured", "");
    for (const std::string& model : models) {
        header += fmt::format("{:>{}}", model, model_width);
    }
    page += row("", spaced(metric), kLabel + 2, header);
    for (const PointResult& point : result.points) {
        const Estimate* measured = find_estimate(point, metric);
        std::string columns = measured != nullptr ? with_half_width(*measured)
                                                  : fmt::format("{:>9}{:>8}", "none", "");
        for (const std::string& model : models) {
            const Prediction* prediction = find_prediction(point, model);
            const auto value =
                prediction != nullptr ? find_metric(prediction->metrics, metric) : std::nullopt;
            const std::string predicted = value && measured != nullptr
                                              ? fmt::format("{} {:>8}", number(*value),
                                                            percent_against(*value, measured->mean))
                                              : "none";
            columns += fmt::format("{:>{}}", predicted, model_width);
        }
        page += row("  ", point.label, kLabel, columns);
    }
    page += "\n";
}

// Two digits after the point where the number is small.
std::string figure(double value) {
    return fmt::format("{:.{}f}", value, std::abs(value) < 10.0 ? 2 : 1);
}

// Under each metric and source, the points of which it says something.
void published_by_point(const ExperimentResult& result, std::string& page) {
    std::vector<std::pair<std::string, std::string>> told;  // metric and source
    for (const PointResult& of_point : result.points) {
        for (const config::Published& first : of_point.published) {
            const std::pair heading(first.metric, first.source);
            if (std::find(told.begin(), told.end(), heading) != told.end()) {
                continue;
            }
            told.push_back(heading);
            page += wrapped(spaced(first.metric) + ", published in " + first.source);
            page += fmt::format("{:<35}{:>11}{:>12}{:>12}\n", "", "measured", "published", "apart");
            for (const PointResult& point : result.points) {
                for (const config::Published& published : point.published) {
                    if (std::pair(published.metric, published.source) != heading) {
                        continue;
                    }
                    const std::optional<Estimate> measured =
                        find_comparable(point, published.metric);
                    page +=
                        row("  ", point.label, 33,
                            fmt::format("{:>11}{:>12}{:>12}",
                                        measured ? figure(measured->mean) : "none",
                                        figure(published.value),
                                        measured ? figure(measured->mean - published.value) : ""));
                }
            }
            page += "\n";
        }
    }
}

// The metric at every point beside all models, as many side by side as fit.
void sweep_blocks(const ExperimentResult& result, const std::string& metric, std::string& page) {
    constexpr std::size_t kForModels = 47;  // what label and measured value leave of the page
    const std::vector<std::string> models = models_of(result);
    std::size_t model_width = 20;
    for (const std::string& model : models) {
        model_width = std::max(model_width, model.size() + 2);
    }
    const std::size_t in_block = kForModels / model_width;
    std::size_t first = 0;
    do {
        const std::size_t count = std::min(in_block, models.size() - first);
        sweep_block(result, metric, std::span(models).subspan(first, count), model_width, page);
        first += count;
    } while (first < models.size());
}

void sweep_table(const ExperimentResult& result, const std::string& metric, std::string& page) {
    sweep_blocks(result, metric, page);
    if (find_estimate(result.points.front(), "whole_run_cycles") != nullptr) {
        sweep_blocks(result, "whole_run_cycles", page);
    }
    published_by_point(result, page);
}

void changes_table(const ExperimentResult& result, const std::string& metric, std::string& page) {
    std::string rows;
    for (const PointResult& point : result.points) {
        if (const auto change = find_comparable(point, "over_other_point_percent")) {
            rows += row("  ", point.label, 33,
                        fmt::format("{:>+9.1f} %  {}", change->mean, point.against));
        }
    }
    if (!rows.empty()) {
        page +=
            fmt::format("{:<35}{:>11}  of the point\n", spaced(metric) + ", change", "from that") +
            rows + "\n";
    }
}

// LoGPC Figures 3 to 5 by point.
void single_messages_table(const ExperimentResult& result, std::string& page) {
    struct Column {
        const char* metric;
        const char* heading;
        int width;
        int digits;
    };
    constexpr std::array kColumns{
        Column{"sender_cycles", "sender", 9, 0},
        Column{"end_to_end_cycles", "end to end", 11, 0},
        Column{"bandwidth_bytes_per_cycle", "bytes/cycle", 12, 3},
        Column{"input_queue_peak_bytes", "peak", 6, 0},
        Column{"network_stopped_cycles", "stopped", 8, 0},
        Column{"input_queue_drained_bytes_per_cycle", "drained", 8, 3},
        Column{"crossover_bytes", "crossover", 10, 0},
    };
    if (find_estimate(result.points.front(), "bandwidth_bytes_per_cycle") == nullptr) {
        return;
    }
    constexpr std::size_t kLabel = 15;
    std::string header;
    for (const Column& column : kColumns) {
        header += fmt::format("{:>{}}", column.heading, column.width);
    }
    page += row("", "measured", kLabel, header);
    for (const PointResult& point : result.points) {
        std::string columns;
        for (const Column& column : kColumns) {
            const Estimate* measured = find_estimate(point, column.metric);
            columns += measured == nullptr
                           ? fmt::format("{:>{}}", "-", column.width)
                           : fmt::format("{:>{}.{}f}", measured->mean, column.width, column.digits);
        }
        page += row("  ", point.label, kLabel - 2, columns);
    }
    page += wrapped(
        "sender: until its last byte is in the network. peak: bytes in the receiver's input queue. "
        "stopped: cycles it had no room. drained: bytes a cycle that the queue falls by while the "
        "DMA catches up. crossover: the message from which on it has caught up by the tail.",
        "  ");
    page += "\n";
}

// Of an LU decomposition: what share of the processors is idle, in all and by tenths of the time.
void idle_table(const ExperimentResult& result, std::string& page) {
    if (find_estimate(result.points.front(), "idle_percent") == nullptr) {
        return;
    }
    constexpr std::size_t kLabel = 23;
    constexpr int kTenthsOfTime = 10;
    std::string header = fmt::format("{:>6}", "all");
    for (int tenth = 1; tenth <= kTenthsOfTime; ++tenth) {
        header += fmt::format("{:>5}", tenth);
    }
    page += row("", "idle processors, %", kLabel, header);
    for (const PointResult& point : result.points) {
        std::string columns = fmt::format("{:>6.0f}", find_estimate(point, "idle_percent")->mean);
        for (int tenth = 1; tenth <= kTenthsOfTime; ++tenth) {
            const Estimate* idle =
                find_estimate(point, "idle_percent_tenth_" + std::to_string(tenth));
            columns += fmt::format("{:>5.0f}", idle->mean);
        }
        page += row("  ", point.label, kLabel - 2, columns);
    }
    page += wrapped(
        "In all, and in each tenth of the time; processors.svg and .csv of each run have more.",
        "  ");
    page += "\n";
}

// Of records with a hot node: what one takes, and when the last was done.
void records_table(const ExperimentResult& result, std::string& page) {
    constexpr std::size_t kLabel = 28;
    std::string rows;
    for (const PointResult& point : result.points) {
        const auto cycles = [&point](const char* metric) {
            const Estimate* measured = find_estimate(point, metric);
            return measured == nullptr ? std::string("-") : fmt::format("{:.0f}", measured->mean);
        };
        if (find_estimate(point, "other_record_cycles") == nullptr &&
            find_estimate(point, "hot_record_cycles") == nullptr) {
            continue;
        }
        rows += row("  ", point.label, kLabel - 2,
                    fmt::format("{:>10}{:>11}{:>12}{:>11}", cycles("hot_record_cycles"),
                                cycles("hot_records_done_cycles"), cycles("other_record_cycles"),
                                cycles("other_records_done_cycles")));
    }
    if (!rows.empty()) {
        page += row("", "records, cycles", kLabel,
                    fmt::format("{:>10}{:>11}{:>12}{:>11}", "to the hot", "all done", "to others",
                                "all done"));
        page += rows + "\n";
    }
}

// A message that is packed, sent and unpacked, beside memory logP with LogP.
void packed_message_table(const ExperimentResult& result, std::string& page) {
    constexpr std::size_t kLabel = 36;
    std::string rows;
    for (const PointResult& point : result.points) {
        if (point.packed_messages.empty()) {
            continue;
        }
        rows += wrapped(point.label, "  ");
        const double whole = point.packed_messages.front().whole_cycles;
        for (const PackedMessage& message : point.packed_messages) {
            rows +=
                row("    ", spaced(message.who), kLabel - 4,
                    fmt::format("{:>7.0f}{:>9.0f}{:>8.0f}{:>7.0f}{:>10}", message.pack_cycles,
                                message.network_cycles, message.unpack_cycles, message.whole_cycles,
                                percent_against(message.whole_cycles, whole)));
        }
    }
    if (!rows.empty()) {
        page += row("", "a column as a message, cycles", kLabel,
                    fmt::format("{:>7}{:>9}{:>8}{:>7}", "pack", "network", "unpack", "whole"));
        page += rows;
        page += wrapped(
            "memory logp: l of a transfer repeated over its data; cold: every line is missed. "
            "Neither knows what the program does in between.",
            "  ");
        page += "\n";
    }
}

// LogP Figures 6 and 8 by point.
void remap_table(const ExperimentResult& result, std::string& page) {
    constexpr std::size_t kLabel = 33;
    std::string rows;
    for (const PointResult& point : result.points) {
        const Estimate* cycles = find_estimate(point, "remap_cycles");
        const Estimate* rate = find_estimate(point, "remap_megabytes_per_second");
        const Estimate* share = find_estimate(point, "remap_over_compute");
        if (cycles != nullptr && rate != nullptr && share != nullptr) {
            rows += row(
                "  ", point.label, kLabel,
                fmt::format("{:>11.0f}{:>18.2f}{:>14.2f}", cycles->mean, rate->mean, share->mean));
        }
    }
    if (!rows.empty()) {
        page += fmt::format("{:<{}}{:>11}{:>18}{:>14}\n", "remap", kLabel + 2, "cycles",
                            "MB/s a processor", "over compute") +
                rows + "\n";
    }
}

// LoPC Figure 8 in figures.
void cost_bars_table(const ExperimentResult& result, std::string& page) {
    constexpr std::size_t kLabel = 21;
    std::string rows;
    for (const PointResult& point : result.points) {
        rows += point.cost_bars.empty() ? "" : wrapped(point.label, "  ");
        for (const CostBar& bar : point.cost_bars) {
            std::string columns;
            for (const char* part : kCostParts) {
                const auto cycles = find_metric(bar.parts, part);
                columns += cycles ? fmt::format("{:>11.1f}", *cycles) : fmt::format("{:>11}", "-");
            }
            rows += row("    ", spaced(bar.who), kLabel - 11, columns);
        }
    }
    if (!rows.empty()) {
        std::string header;
        for (const char* part : kCostParts) {
            header += fmt::format("{:>11}", part);
        }
        page += "where a non-zero's cycles go\n" + row("    ", "", kLabel - 11, header) + rows;
        page += wrapped(
            "contention: waits for handlers and in the network. idle: what is left, of nodes that "
            "end before the last. The models' compute has the sends.",
            "  ");
        page += "\n";
    }
}

// How fast the host was, which no result depends on.
std::string speed_line(const ExperimentResult& result) {
    double cycles = 0.0;
    double messages = 0.0;
    double seconds = 0.0;
    for (const PointResult& point : result.points) {
        for (const std::int64_t of_seed : point.cycles) {
            cycles += static_cast<double>(of_seed);
        }
        messages += static_cast<double>(point.messages);
        seconds += point.machine_seconds;
    }
    return seconds > 0.0 ? fmt::format("one core emulated {:.3g} M cycles/s, {:.3g} k messages/s",
                                       cycles / seconds / 1e6, messages / seconds / 1e3)
                         : "";
}

// What is proved of each network, and what is not; once where points have the same.
std::string network_lines(const ExperimentResult& result) {
    std::vector<std::string> lines;
    for (const PointResult& point : result.points) {
        if (!point.routing || point.routing->is_plain_mesh) {
            continue;
        }
        const RoutingFacts& network = *point.routing;
        std::string line = fmt::format(
            "network: {}, {} virtual channel{}; {}", network.topology, network.virtual_channels,
            network.virtual_channels == 1 ? "" : "s",
            network.deadlock_free
                ? "its routing is proved free of deadlock where nodes take in what arrives"
                : "its routing is not free of deadlock");
        if (!network.sending_handlers.empty()) {
            line += fmt::format(". Handlers that send (\"{}\") into queues that fill can deadlock",
                                fmt::join(network.sending_handlers, "\", \""));
        }
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
            lines.push_back(line);
        }
    }
    std::string page;
    for (const std::string& line : lines) {
        page += wrapped(line);
    }
    return page;
}

void sensitivity_table(const ExperimentResult& result, const std::string& metric,
                       std::string& page) {
    if (result.sensitivity.empty() || metric.empty()) {
        return;
    }
    const Estimate* base = find_estimate(result.points.front(), metric);
    page += fmt::format("{:<37}{:>25}{:>18}\n", "sensitivity to what is not published",
                        spaced(metric), "change");
    for (const SensitivityResult& sensitivity : result.sensitivity) {
        page += wrapped(sensitivity.what, "  ");
        for (const PointResult& variant : sensitivity.variants) {
            const Estimate* value = find_estimate(variant, metric);
            page += row("    ", variant.label, 49,
                        value == nullptr ? fmt::format("{:>9}", "none")
                                         : fmt::format("{}{:>10}", with_half_width(*value),
                                                       percent_against(value->mean, base->mean)));
        }
    }
    page += "\n";
}

}  // namespace

std::string main_metric_of(const ExperimentResult& result) {
    if (result.kernel == kOpenLoop) {
        return "packet_latency_cycles";
    }
    for (const char* name : {"cycles_per_nonzero", "cycles_per_iteration", "makespan_cycles",
                             "end_to_end_cycles", "cycles_per_byte"}) {
        if (find_estimate(result.points.front(), name) != nullptr) {
            return name;
        }
    }
    return {};
}

std::string report(const ExperimentResult& result) {
    const PointResult& first = result.points.front();
    std::string page = wrapped(result.title.empty() ? result.file : result.title);
    page += wrapped(result.description);
    std::int64_t cycles = 0;
    for (const PointResult& point : result.points) {
        for (const std::int64_t of_seed : point.cycles) {
            cycles += of_seed;
        }
    }
    page += wrapped(
        fmt::format("kernel {}, {} seed{}, {:.1f} M cycles, measured from cycle {}; {:.1f} s",
                    result.kernel, first.seeds.size(), first.seeds.size() == 1 ? "" : "s",
                    static_cast<double>(cycles) / 1e6, result.warmup_cycles, result.wall_seconds));
    page += wrapped(speed_line(result));
    page += network_lines(result);
    page += "\n";
    const std::string metric = main_metric_of(result);
    if (result.kernel == kOpenLoop) {
        page += open_loop_report(result);
        changes_table(result, metric, page);
    } else if (result.points.size() > 1 && !metric.empty()) {
        sweep_table(result, metric, page);
        changes_table(result, metric, page);
        single_messages_table(result, page);
        constexpr std::size_t kMostCharts = 4;
        for (const PointResult& point : result.points) {
            if (result.points.size() <= kMostCharts && !point.input_queue.empty()) {
                page += wrapped(point.label);
                also_predicted_table(point, metric, page);
                input_queue_table(point, page);
            }
        }
    } else {
        for (const PointResult& point : result.points) {
            if (result.points.size() > 1) {
                page += wrapped(point.label);
            }
            if (!metric.empty()) {
                predictions_table(point, metric, page);
            }
            published_table(point, metric, page);
            also_predicted_table(point, metric, page);
            round_trip_table(point, page);
            input_queue_table(point, page);
            other_metrics(point, metric, page);
        }
    }
    page += precision_page(result);
    idle_table(result, page);
    records_table(result, page);
    packed_message_table(result, page);
    cost_bars_table(result, page);
    remap_table(result, page);
    for (const PointResult& point : result.points) {
        if (result.points.size() > 1 && !point.transfers.empty()) {
            page += wrapped(point.label);
        }
        page += transfer_report(point.transfers);
    }
    sensitivity_table(result, metric, page);
    page += "everything is in " + result.folder + "\n";
    return without_trailing_blanks(page);
}

}  // namespace weir::experiments::run
