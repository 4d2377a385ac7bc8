#include "experiments/run/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace weir::experiments::run {

namespace {

constexpr std::size_t kWidth = 80;

std::string wrapped(const std::string& text) {
    std::istringstream words(text);
    std::string page;
    std::string line;
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
            page += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return line.empty() ? page : page + line + "\n";
}

std::string number(double value) { return fmt::format("{:.1f}", value); }

std::string with_half_width(const Estimate& estimate) {
    return estimate.half_width
               ? fmt::format("{:>9.1f} ± {:<5.1f}", estimate.mean, *estimate.half_width)
               : fmt::format("{:>9.1f}        ", estimate.mean);
}

std::string percent_against(double value, double reference) {
    return reference != 0.0 ? fmt::format("{:+.1f} %", 100.0 * (value / reference - 1.0)) : "";
}

// What the experiment is about, if it is about one number.
std::string main_metric(const PointResult& point) {
    for (const char* name : {"cycles_per_nonzero", "cycles_per_iteration"}) {
        if (find_estimate(point, name) != nullptr) {
            return name;
        }
    }
    return {};
}

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string inputs_text(const Prediction& prediction) {
    std::string text;
    const auto symbol = [&](const std::string& name) -> std::string {
        if (name == "latency_cycles") {
            return prediction.model.starts_with("lopc") &&
                           prediction.model.find("rule") == std::string::npos
                       ? "S_l"
                       : "L";
        }
        if (name == "send_overhead_cycles") {
            return "o_s";
        }
        if (name == "receive_overhead_cycles") {
            return "o_r";
        }
        if (name == "handler_cycles") {
            return "S_o";
        }
        if (name == "handler_squared_cv") {
            return "C²";
        }
        if (name == "message_bytes") {
            return "B";
        }
        return "W";
    };
    for (const auto& [name, value] : prediction.inputs) {
        text += (text.empty() ? "" : ", ") + symbol(name) + " " +
                fmt::format("{:.{}f}", value, name == "handler_squared_cv" ? 3 : 1);
    }
    return text;
}

void predictions_table(const PointResult& point, const std::string& metric, std::string& page) {
    const Estimate& measured = *find_estimate(point, metric);
    page +=
        fmt::format("{:<24}{:>17} {:>10}   {}\n", spaced(metric), "cycles  ", "against", "inputs");
    page +=
        fmt::format("{:<24}{:>17} {:>10}\n", "  measured", with_half_width(measured), "measured");
    for (const Prediction& prediction : point.predictions) {
        const auto value = find_metric(prediction.metrics, metric);
        if (value) {
            page +=
                fmt::format("{:<24}{:>9.1f}{:>8} {:>10}   {}\n", "  " + prediction.model, *value,
                            "", percent_against(*value, measured.mean), inputs_text(prediction));
        } else {
            page += fmt::format("{:<24}{:>9}\n", "  " + prediction.model, "none");
            page += "    " + prediction.not_applicable + "\n";
        }
    }
    for (const config::Published& published : point.published) {
        if (published.metric == metric) {
            page +=
                fmt::format("{:<24}{:>9.1f}{:>8} {:>10}   {}\n", "  published", published.value, "",
                            percent_against(published.value, measured.mean), published.source);
        }
    }
    page += "\n";
}

void published_table(const PointResult& point, const std::string& except, std::string& page) {
    std::string rows;
    for (const config::Published& published : point.published) {
        if (published.metric == except) {
            continue;
        }
        const Estimate* measured = find_estimate(point, published.metric);
        rows += fmt::format(
            "  {:<32}{:>16}{:>11.1f}{:>10}  {}\n", spaced(published.metric),
            measured != nullptr ? with_half_width(*measured) : "not measured", published.value,
            measured != nullptr ? fmt::format("{:+.1f}", measured->mean - published.value) : "",
            published.source);
    }
    if (!rows.empty()) {
        page +=
            fmt::format("  {:<32}{:>15} {:>11}{:>10}\n", "", "measured   ", "published", "apart");
        page += rows + "\n";
    }
}

void other_metrics(const PointResult& point, const std::string& except, std::string& page) {
    std::string rows;
    for (const Estimate& measured : point.measured) {
        const bool shown = measured.name == except ||
                           std::any_of(point.published.begin(), point.published.end(),
                                       [&](const auto& p) { return p.metric == measured.name; });
        if (!shown) {
            rows +=
                fmt::format("  {:<32}{:>16}\n", spaced(measured.name), with_half_width(measured));
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

void sweep_table(const ExperimentResult& result, const std::string& metric, std::string& page) {
    const std::vector<Prediction>& columns = result.points.front().predictions;
    page += fmt::format("{:<16}{:>17}", spaced(metric), "measured    ");
    for (const Prediction& prediction : columns) {
        page += fmt::format("{:>16}", prediction.model);
    }
    page += "\n";
    for (const PointResult& point : result.points) {
        const Estimate* measured = find_estimate(point, metric);
        page += fmt::format("  {:<14}{:>17}", point.label,
                            measured != nullptr ? with_half_width(*measured) : "");
        for (const Prediction& prediction : point.predictions) {
            const auto value = find_metric(prediction.metrics, metric);
            page += value && measured != nullptr
                        ? fmt::format("{:>16}", number(*value) + " " +
                                                    percent_against(*value, measured->mean))
                        : fmt::format("{:>16}", "none");
        }
        page += "\n";
    }
    page += "\n";
    for (const PointResult& point : result.points) {
        for (const config::Published& published : point.published) {
            const Estimate* measured = find_estimate(point, published.metric);
            page += wrapped(fmt::format(
                "{}: {} is {}, published {} ({})", point.label, spaced(published.metric),
                measured != nullptr ? number(measured->mean) : "not measured",
                number(published.value), published.source));
        }
    }
    page += "\n";
}

void sensitivity_table(const ExperimentResult& result, const std::string& metric,
                       std::string& page) {
    if (result.sensitivity.empty() || metric.empty()) {
        return;
    }
    const Estimate& base = *find_estimate(result.points.front(), metric);
    page += fmt::format("{:<44}{:>17} {:>10}\n", "sensitivity to what is not published",
                        spaced(metric), "change");
    for (const SensitivityResult& sensitivity : result.sensitivity) {
        page += "  " + sensitivity.what + "\n";
        for (const PointResult& variant : sensitivity.variants) {
            const Estimate* value = find_estimate(variant, metric);
            page += fmt::format("    {:<40}{:>17} {:>10}\n", variant.label,
                                value != nullptr ? with_half_width(*value) : "",
                                value != nullptr ? percent_against(value->mean, base.mean) : "");
        }
    }
    page += "\n";
}

}  // namespace

std::string report(const ExperimentResult& result) {
    const PointResult& first = result.points.front();
    std::string page = (result.title.empty() ? result.file : result.title) + "\n";
    page += wrapped(result.description);
    std::int64_t cycles = 0;
    for (const PointResult& point : result.points) {
        for (const std::int64_t of_seed : point.cycles) {
            cycles += of_seed;
        }
    }
    page +=
        fmt::format("kernel {}, {} seed{}, {:.1f} M cycles, measured from cycle {}; {:.1f} s\n\n",
                    result.kernel, first.seeds.size(), first.seeds.size() == 1 ? "" : "s",
                    static_cast<double>(cycles) / 1e6, result.warmup_cycles, result.wall_seconds);
    const std::string metric = main_metric(first);
    if (result.points.size() > 1 && !metric.empty()) {
        sweep_table(result, metric, page);
    } else {
        for (const PointResult& point : result.points) {
            if (result.points.size() > 1) {
                page += point.label + "\n";
            }
            if (!metric.empty()) {
                predictions_table(point, metric, page);
            }
            published_table(point, metric, page);
            round_trip_table(point, page);
            other_metrics(point, metric, page);
        }
    }
    sensitivity_table(result, metric, page);
    page += "everything is in " + result.folder + "\n";
    return page;
}

}  // namespace weir::experiments::run
