#include "experiments/run/cost_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/config/xml_text.h"
#include "experiments/run/picture.h"

namespace weir::experiments::run {

namespace {

constexpr std::array kColours{"#3b6ea5", "#7fb2d9", "#b9d7a8", "#f2b866", "#c0504d", "#d9d9d9"};
static_assert(kColours.size() == kCostParts.size());

CostBar measured_bar(double gets, double cycles, const Metrics& round_trip) {
    const auto sum = [&](std::initializer_list<const char*> names) {
        double total = 0.0;
        for (const char* name : names) {
            total += gets * find_metric(round_trip, name).value_or(0.0);
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

// R = W + 2 S_l + 2 S_o and contention.
std::optional<CostBar> model_bar(double gets, const Prediction& prediction) {
    const auto cycles = find_metric(prediction.metrics, "cycles_per_nonzero");
    const auto thread = find_metric(prediction.inputs, "thread_cycles");
    const auto work = thread ? thread : find_metric(prediction.inputs, "work_cycles");
    const auto latency = find_metric(prediction.inputs, "latency_cycles");
    const auto handler = find_metric(prediction.inputs, "handler_cycles");
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

// What an axis is divided by: about five steps of 1, 2 or 5 times a power of ten.
double axis_step(double most) {
    const double rough = most / 5.0;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (rough <= step * power) {
            return step * power;
        }
    }
    return 10.0 * power;
}

double height_of(const CostBar& bar) {
    double height = 0.0;
    for (const auto& [name, cycles] : bar.parts) {
        height += std::max(0.0, cycles);
    }
    return height;
}

}  // namespace

CostBars cost_bars(const Metrics& measured, const Metrics& round_trip,
                   const std::vector<Prediction>& predictions) {
    const auto gets = find_metric(measured, "gets_per_nonzero");
    const auto cycles = find_metric(measured, "cycles_per_nonzero");
    if (!gets || !cycles || !find_metric(round_trip, "request_send")) {
        return {};
    }
    CostBars bars{measured_bar(*gets, *cycles, round_trip)};
    for (const char* model : {"lopc_given", "lopc"}) {
        for (const Prediction& prediction : predictions) {
            const auto bar =
                prediction.model == model ? model_bar(*gets, prediction) : std::optional<CostBar>();
            if (bar && bars.size() == 1) {
                bars.push_back(*bar);
            }
        }
    }
    return bars;
}

std::string cost_bars_picture(const std::vector<LabelledBars>& points, const std::string& title) {
    constexpr double kLeft = 60.0;
    constexpr double kTop = 70.0;
    constexpr double kHeight = 320.0;
    constexpr double kGroup = 84.0;
    constexpr double kBar = 28.0;
    constexpr double kKey = 105.0;
    double most = 0.0;
    std::size_t groups = 0;
    for (const LabelledBars& point : points) {
        groups += point.bars.empty() ? 0 : 1;
        for (const CostBar& bar : point.bars) {
            most = std::max(most, height_of(bar));
        }
    }
    if (groups == 0 || most <= 0.0) {
        return {};
    }
    const double step = axis_step(most);
    const double top = step * std::ceil(most / step);
    const double width = std::max(kLeft + kGroup * static_cast<double>(groups) + 20.0,
                                  kLeft + kKey * static_cast<double>(kCostParts.size()) + 20.0);
    const double bottom = kTop + kHeight;
    const auto y_of = [&](double cycles) { return bottom - kHeight * cycles / top; };
    std::string svg = picture_begin(width, bottom + 62.0, title, "");
    for (std::size_t part = 0; part < kCostParts.size(); ++part) {
        const double x = kLeft + kKey * static_cast<double>(part);
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"40\" width=\"12\" height=\"12\" fill=\"{}\"/>"
            "<text x=\"{:.1f}\" y=\"51\">{}</text>\n",
            x, kColours[part], x + 17.0, kCostParts[part]);
    }
    for (int i = 0; step * i <= top; ++i) {
        svg += fmt::format(
            "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" "
            "stroke=\"#ddd\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.0f}"
            "</text>\n",
            kLeft, y_of(step * i), width - 20.0, kLeft - 8.0, y_of(step * i) + 4.0, step * i);
    }
    double left = kLeft + (kGroup - 2.0 * kBar - 4.0) / 2.0;
    for (const LabelledBars& point : points) {
        if (point.bars.empty()) {
            continue;
        }
        double x = left;
        for (const CostBar& bar : point.bars) {
            double below = 0.0;
            for (std::size_t part = 0; part < kCostParts.size(); ++part) {
                const double cycles =
                    std::max(0.0, find_metric(bar.parts, kCostParts[part]).value_or(0.0));
                svg += fmt::format(
                    "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                    "fill=\"{}\"><title>{} {}: {:.1f}</title></rect>\n",
                    x, y_of(below + cycles), kBar, y_of(below) - y_of(below + cycles),
                    kColours[part], config::xml_escaped(bar.who), kCostParts[part], cycles);
                below += cycles;
            }
            svg += fmt::format("<text class=\"k\" x=\"{:.1f}\" y=\"{:.1f}\">{:.0f}</text>\n",
                               x + kBar / 2.0, y_of(below) - 4.0, below);
            x += kBar + 4.0;
        }
        svg += fmt::format("<text class=\"k\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                           left + kBar + 2.0, bottom + 18.0, config::xml_escaped(point.label));
        left += kGroup;
    }
    const auto with_model = std::find_if(points.begin(), points.end(),
                                         [](const auto& point) { return point.bars.size() > 1; });
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">left bars: measured{}</text>\n</svg>\n",
                       kLeft, bottom + 44.0,
                       with_model == points.end()
                           ? std::string()
                           : "; right bars: " + config::xml_escaped(with_model->bars[1].who));
    return svg;
}

}  // namespace weir::experiments::run
