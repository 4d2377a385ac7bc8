#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "experiments/pages/figures/chart_style.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::NetworkUse;

constexpr std::size_t kMostColumnsWithEachTick = 16;
constexpr int kLeastPixelsOfText = 40;  // least size of a node that shows its queue's numbers

// Size of the grid in the channels' names; nothing if the network is not a mesh or torus of two
// dimensions.
struct GridSize {
    std::size_t columns = 0;
    std::size_t rows = 0;
};

std::optional<GridSize> grid_of(const records::ChannelUses& channels) {
    GridSize size;
    for (const records::ChannelUse& use : channels) {
        std::size_t x = 0;
        std::size_t y = 0;
        std::array<char, 3> direction{};
        int read = 0;
        // Names of injection and ejection channels, and of channels in other dimensions, don't
        // match.
        if (std::sscanf(use.channel.c_str(), "(%zu,%zu) %2[+-xy]%n", &x, &y, direction.data(),
                        &read) == 3 &&
            read == std::ssize(use.channel)) {
            size = {std::max(size.columns, x + 1), std::max(size.rows, y + 1)};
        }
    }
    return size.columns > 0 ? std::optional(size) : std::nullopt;
}

// Position and direction of an arrow, on the right-hand side of its direction; y points downwards.
struct Arrow {
    double x;
    double y;
    double dx;
    double dy;
};

std::optional<Arrow> arrow_of(const std::string& channel) {
    std::size_t x = 0;
    std::size_t y = 0;
    std::array<char, 3> direction{};
    int read = 0;
    if (std::sscanf(channel.c_str(), "(%zu,%zu) %2[+-xy]%n", &x, &y, direction.data(), &read) !=
            3 ||
        read != std::ssize(channel)) {
        return std::nullopt;  // injection or ejection channel
    }
    constexpr double kFromNode = 0.2;
    constexpr double kLength = 0.6;
    constexpr double kApart = 0.09;
    const double sign = direction[0] == '+' ? 1.0 : -1.0;
    const double along_x = direction[1] == 'x' ? sign : 0.0;
    const double along_y = direction[1] == 'y' ? sign : 0.0;
    return Arrow{static_cast<double>(x) + kFromNode * along_x - kApart * along_y,
                 static_cast<double>(y) + kFromNode * along_y + kApart * along_x, kLength * along_x,
                 kLength * along_y};
}

double most_of(double given, const std::vector<double>& values) {
    const double most = values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
    return given > 0.0 ? given : std::max(most, 1e-6);
}

std::vector<double> utilisations(const records::ChannelUses& channels) {
    std::vector<double> values;
    for (const records::ChannelUse& use : channels) {
        values.push_back(use.utilisation);
    }
    return values;
}

std::vector<double> mean_bytes(const records::QueueUses& queues) {
    std::vector<double> values;
    for (const records::QueueUse& use : queues) {
        values.push_back(use.mean_input_bytes);
    }
    return values;
}

records::DataTable data_of(const NetworkUse& use) {
    records::DataTable data;
    data.columns = {"part",
                    "name",
                    "utilisation",
                    "mean_input_bytes",
                    "peak_input_bytes",
                    "mean_output_bytes",
                    "peak_output_bytes"};
    for (const records::ChannelUse& channel : use.channels) {
        data.rows.push_back(
            {std::string("channel"), channel.channel, channel.utilisation, {}, {}, {}, {}});
    }
    for (const records::QueueUse& queue : use.queues) {
        data.rows.push_back({std::string("node"),
                             std::to_string(queue.node),
                             {},
                             queue.mean_input_bytes,
                             static_cast<double>(queue.peak_input_bytes),
                             queue.mean_output_bytes,
                             static_cast<double>(queue.peak_output_bytes)});
    }
    return data;
}

std::string map_settings(const GridSize& grid) {
    return fmt::format(
        "unset key\nunset grid\nset border 0\nset tics scale 0\nset size ratio -1\n"
        "set xrange [-0.7:{0}.7]\nset yrange [{1}.7:-0.7]\n"
        "set xtics 0,{2},{0} offset 0, 0.4\nset ytics 0,{3},{1} offset 0.6, 0\n",
        grid.columns - 1, grid.rows - 1, grid.columns > kMostColumnsWithEachTick ? 4 : 1,
        grid.rows > kMostColumnsWithEachTick ? 4 : 1);
}

// Settings of the colour scale from 0 to `most`, with ticks that fit a map of `map_pixels` height.
std::string key_settings(double most, std::string_view unit, int map_pixels) {
    constexpr int kTickPixels = 20;
    constexpr int kMostOwnTicks = 3;
    const int ticks = map_pixels / kTickPixels;
    return fmt::format(
        "set cbrange [0:{0}]\nset format cb \"%.3g{1}\"\nset cbtics {2}\n", most, unit,
        ticks > kMostOwnTicks ? "autofreq" : fmt::format("0, {}", most / std::max(1, ticks - 1)));
}

std::string channel_panel(const NetworkUse& use, const GridSize& grid, int map_pixels) {
    std::string rows;
    std::string nodes;
    for (const records::ChannelUse& channel : use.channels) {
        if (const auto arrow = arrow_of(channel.channel)) {
            rows += fmt::format("{} {} {} {} {}\n", arrow->x, arrow->y, arrow->dx, arrow->dy,
                                100.0 * channel.utilisation);
        }
    }
    for (std::size_t y = 0; y < grid.rows; ++y) {
        for (std::size_t x = 0; x < grid.columns; ++x) {
            nodes += fmt::format("{} {}\n", x, y);
        }
    }
    constexpr double kLargestNode = 1.6;
    const double size = std::min(kLargestNode, 14.0 / static_cast<double>(grid.columns));
    return data_block("$channels", rows) + data_block("$nodes", nodes) +
           "set title \"channels between routers: per cent of the cycles with a flit\" font "
           "\",11\"\n" +
           key_settings(100.0 * most_of(use.most_utilisation, utilisations(use.channels)), " %%",
                        map_pixels) +
           fmt::format(
               "plot $nodes using 1:2 with points pointtype 5 pointsize {0} linecolor rgb "
               "\"#D8D8D8\" title \"nodes\", \\\n     $channels using 1:2:3:4:5 with vectors "
               "filled head size "
               "graph 0.018,25 linewidth {1} linecolor palette title \"channels\"\n",
               size, grid.columns > kMostColumnsWithEachTick ? 1.5 : 3.0);
}

std::string queue_panel(const NetworkUse& use, const GridSize& grid, bool has_numbers,
                        int map_pixels) {
    std::string rows;
    std::string labels;
    const double most = most_of(use.most_bytes, mean_bytes(use.queues));
    for (const records::QueueUse& queue : use.queues) {
        const std::size_t node = queue.node;
        const auto x = static_cast<double>(node % grid.columns);
        const std::size_t row = node / grid.columns;
        const auto y = static_cast<double>(row);
        rows += fmt::format("{} {} {} {} {} {} {}\n", x, y, x - 0.44, x + 0.44, y - 0.44, y + 0.44,
                            queue.mean_input_bytes);
        const char* colour = queue.mean_input_bytes > 0.5 * most ? "#FFFFFF" : "#222222";
        labels += fmt::format(
            "set label \"{}\\n{}\" at {}, {} center offset 0, 0.35 font \",10\" textcolor "
            "rgb \"{}\" front\n",
            setup::shown_number(queue.mean_input_bytes), queue.peak_input_bytes, x, y, colour);
    }
    return data_block("$queues", rows) + (has_numbers ? labels : "") +
           fmt::format("set title \"input queues: mean bytes{}\" font \",11\"\n",
                       has_numbers ? ", below them the most" : "") +
           key_settings(most, " B", map_pixels) +
           "plot $queues using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid 1 noborder linecolor "
           "palette title \"input queues\"\nunset label\n";
}

Drawing grid_map(const NetworkUse& use, const GridSize& grid) {
    Drawing drawing;
    const bool has_queues = use.queues.size() == grid.columns * grid.rows;
    constexpr int kNodePixels = 56;
    constexpr int kAroundPixels = 130;
    constexpr int kWidestPanel = 640;
    const int panel =
        std::clamp(kAroundPixels + kNodePixels * static_cast<int>(grid.columns), 380, kWidestPanel);
    const int node = (panel - kAroundPixels) / static_cast<int>(grid.columns);
    drawing.width_pixels = has_queues ? 2 * panel : panel;
    drawing.height_pixels = 90 + node * static_cast<int>(grid.rows);
    const int map_pixels = node * static_cast<int>(grid.rows);
    drawing.script =
        chart_settings() + heat_palette() + map_settings(grid) +
        "set cbtics scale 0\nset colorbox user origin graph 1.04, graph 0.05 size char "
        "1.6, graph 0.9\nset rmargin 12\nset lmargin 4\nset tmargin 3\nset bmargin 2\n" +
        fmt::format("set multiplot layout 1,{}\n", has_queues ? 2 : 1) +
        channel_panel(use, grid, map_pixels) +
        (has_queues ? queue_panel(use, grid, node >= kLeastPixelsOfText, map_pixels) : "") +
        "unset multiplot\n";
    return drawing;
}

std::string ranked(std::vector<double> values) {
    std::sort(values.begin(), values.end(), std::greater<>());
    std::string rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
        rows += fmt::format("{} {}\n", i + 1, values[i]);
    }
    return rows;
}

// Chart of channels and nodes in a row, for networks without positions in a plane.
Drawing ranked_map(const NetworkUse& use) {
    Drawing drawing;
    const bool has_queues = !use.queues.empty();
    std::vector<double> percent = utilisations(use.channels);
    for (double& each : percent) {
        each *= 100.0;
    }
    drawing.height_pixels = 300;
    drawing.script =
        data_block("$channels", ranked(percent)) +
        data_block("$queues", ranked(mean_bytes(use.queues))) + chart_settings() +
        "unset key\nset yrange [0:*]\nset style fill solid 0.8 noborder\nset boxwidth 0.9\n" +
        fmt::format("set multiplot layout 1,{}\n", has_queues ? 2 : 1) +
        axis_label("x", records::are_between_routers(use.channels)
                            ? "channels between routers, the busiest first"
                            : "channels, to and from the nodes too, the busiest first") +
        axis_label("y", "% of the cycles with a flit") +
        fmt::format("set xrange [0.4:{}.6]\n", percent.size()) +
        fmt::format("plot $channels using 1:2 with boxes linecolor rgb \"{}\" title \"channels\"\n",
                    series_colour(0));
    if (has_queues) {
        drawing.script +=
            axis_label("x", "nodes, the fullest first") +
            axis_label("y", "mean bytes in the input queue") +
            fmt::format("set xrange [0.4:{}.6]\n", use.queues.size()) +
            fmt::format(
                "plot $queues using 1:2 with boxes linecolor rgb \"{}\" title \"input queues\"\n",
                series_colour(1));
    }
    drawing.script += "unset multiplot\n";
    return drawing;
}

}  // namespace

Drawing network_drawing(const NetworkUse& use) {
    const std::optional<GridSize> grid = grid_of(use.channels);
    Drawing drawing = grid ? grid_map(use, *grid) : ranked_map(use);
    drawing.data = data_of(use);
    return drawing;
}

}  // namespace weir::experiments::pages
