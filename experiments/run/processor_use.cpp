#include "experiments/run/processor_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/run/picture.h"

namespace weir::experiments::run {

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

std::string processor_use_picture(const std::vector<ProcessorUse>& uses, const std::string& title) {
    constexpr double kLeft = 60.0;
    constexpr double kTop = 60.0;
    constexpr double kWidth = 620.0;
    constexpr double kHeight = 240.0;
    const ProcessorUse& first = uses.front();
    const double processors = first.computing + first.communicating + first.idle;
    const double cycles = uses.back().end_cycle - first.begin_cycle;
    std::string svg = picture_begin(kLeft + kWidth + 20.0, kTop + kHeight + 50.0, title,
                                    ".e{font-size:11px;text-anchor:end}");
    struct Layer {
        const char* name;
        double ProcessorUse::*share;
        double colour;
    };
    const std::array layers{Layer{"computing", &ProcessorUse::computing, 0.8},
                            Layer{"communicating", &ProcessorUse::communicating, 0.4},
                            Layer{"idle", &ProcessorUse::idle, 0.0}};
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const double left = kLeft + 140.0 * static_cast<double>(l);
        svg += fmt::format(R"(<rect x="{:.1f}" y="38" width="12" height="12" fill="{}"/>)"
                           "<text x=\"{:.1f}\" y=\"49\">{}</text>\n",
                           left, heat_colour(layers[l].colour), left + 18.0, layers[l].name);
    }
    for (const ProcessorUse& use : uses) {
        const double left = kLeft + kWidth * (use.begin_cycle - first.begin_cycle) / cycles;
        const double width = kWidth * (use.end_cycle - use.begin_cycle) / cycles;
        double bottom = kTop + kHeight;
        for (const Layer& layer : layers) {
            const double height = kHeight * use.*layer.share / processors;
            bottom -= height;
            svg += fmt::format(
                R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"/>)", left,
                bottom, width, height, heat_colour(layer.colour));
        }
        svg += '\n';
    }
    svg += fmt::format(
        "<text class=\"e\" x=\"{0:.1f}\" y=\"{1:.1f}\">{2:.0f}</text>"
        "<text class=\"e\" x=\"{0:.1f}\" y=\"{3:.1f}\">0</text>\n"
        "<text class=\"k\" transform=\"translate(18 {4:.1f}) rotate(-90)\">processors</text>\n"
        "<text class=\"k\" x=\"{5:.1f}\" y=\"{6:.1f}\">{7:.0f} cycles</text>\n",
        kLeft - 6.0, kTop + 10.0, processors, kTop + kHeight, kTop + kHeight / 2.0,
        kLeft + kWidth / 2.0, kTop + kHeight + 22.0, cycles);
    return svg + "</svg>\n";
}

}  // namespace weir::experiments::run
