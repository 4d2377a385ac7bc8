#include "experiments/run/channel_heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string_view>

#include "experiments/config/xml_text.h"
#include "experiments/run/picture.h"

namespace weir::experiments::run {

namespace {

using ByName = std::map<std::string, double, std::less<>>;

ByName by_name(const ChannelUses& channels) {
    ByName found;
    for (const ChannelUse& use : channels) {
        found.emplace(use.channel, use.utilisation);
    }
    return found;
}

std::optional<double> use_of(const ByName& channels, std::size_t x, std::size_t y,
                             std::string_view direction) {
    const auto found = channels.find(fmt::format("({},{}) {}", x, y, direction));
    return found == channels.end() ? std::nullopt : std::optional(found->second);
}

// How wide a channel's figure is, and what it is.
std::string tenths_or_percent(std::optional<double> utilisation, bool in_per_cent) {
    const int width = in_per_cent ? 3 : 1;
    if (!utilisation) {
        return fmt::format("{:{}}", "", width);
    }
    const double most = in_per_cent ? 100.0 : 9.0;
    const double parts = in_per_cent ? 100.0 : 10.0;
    return fmt::format("{:>{}.0f}", std::min(most, std::floor(*utilisation * parts + 0.5)), width);
}

constexpr double kPitch = 64.0;  // pixels, as all lengths here
constexpr double kMargin = 60.0;
constexpr double kCaption = 70.0;
constexpr double kNode = 9.0;          // half the side of a node's square
constexpr double kApart = 6.0;         // an arrow from the line between the nodes
constexpr double kLeastWidth = 380.0;  // the colours' key and margins

// An arrow from a node in a direction, to the right of whoever goes it.
std::string arrow(double x, double y, double dx, double dy, double utilisation,
                  const std::string& name) {
    const double from_x = x + dx * kNode - dy * kApart;
    const double from_y = y + dy * kNode + dx * kApart;
    const double length = kPitch - 2.0 * kNode;
    const double head = 9.0;
    const double neck_x = from_x + dx * (length - head);
    const double neck_y = from_y + dy * (length - head);
    const std::string fill = heat_colour(utilisation);
    return fmt::format(
        "<g stroke=\"{0}\" fill=\"{0}\"><title>{1}: {2:.1f} %</title><path class=\"c\" "
        "d=\"M{3:.1f} {4:.1f}L{5:.1f} {6:.1f}\"/><path stroke=\"none\" d=\"M{7:.1f} "
        "{8:.1f}L{9:.1f} "
        "{10:.1f}L{11:.1f} {12:.1f}z\"/></g>\n",
        fill, config::xml_escaped(name), 100.0 * utilisation, from_x, from_y, neck_x, neck_y,
        neck_x - dy * 5.5, neck_y + dx * 5.5, neck_x + dx * head, neck_y + dy * head,
        neck_x + dy * 5.5, neck_y - dx * 5.5);
}

}  // namespace

std::optional<GridSize> grid_of(const ChannelUses& channels) {
    GridSize size;
    for (const ChannelUse& use : channels) {
        std::size_t x = 0;
        std::size_t y = 0;
        std::array<char, 3> direction{};
        int read = 0;
        // Injections and ejections have other names, and so have places of other dimensions.
        if (std::sscanf(use.channel.c_str(), "(%zu,%zu) %2[+-xy]%n", &x, &y, direction.data(),
                        &read) == 3 &&
            static_cast<std::size_t>(read) == use.channel.size()) {
            size = {std::max(size.columns, x + 1), std::max(size.rows, y + 1)};
        }
    }
    return size.columns > 0 ? std::optional(size) : std::nullopt;
}

std::string heat_map_text(const ChannelUses& channels) {
    constexpr std::size_t kMostInPerCent = 9;
    constexpr std::size_t kMostColumns = 19;
    const std::optional<GridSize> grid = grid_of(channels);
    if (!grid || grid->columns > kMostColumns) {
        return "";
    }
    const bool in_per_cent = grid->columns <= kMostInPerCent;
    const std::string gap = in_per_cent ? " " : "";
    const ByName uses = by_name(channels);
    std::string text;
    for (std::size_t y = 0; y < grid->rows; ++y) {
        std::string nodes;
        std::string below;
        for (std::size_t x = 0; x < grid->columns; ++x) {
            const auto next_x = (x + 1) % grid->columns;
            const auto next_y = (y + 1) % grid->rows;
            const auto right = use_of(uses, x, y, "+x");
            const auto down = use_of(uses, x, y, "+y");
            nodes += "o" + tenths_or_percent(right, in_per_cent) +
                     tenths_or_percent(right ? use_of(uses, next_x, y, "-x") : std::nullopt,
                                       in_per_cent) +
                     " ";
            below += tenths_or_percent(down, in_per_cent) +
                     tenths_or_percent(down ? use_of(uses, x, next_y, "-y") : std::nullopt,
                                       in_per_cent) +
                     "  ";
        }
        text +=
            nodes + "\n" + (below.find_first_not_of(' ') == std::string::npos ? "" : below + "\n");
    }
    return text;
}

std::string heat_map_picture(const ChannelUses& channels, const std::string& title) {
    const std::optional<GridSize> grid = grid_of(channels);
    if (!grid) {
        return "";
    }
    const double width =
        std::max(kPitch * static_cast<double>(grid->columns - 1) + 2.0 * kMargin, kLeastWidth);
    const double height = kPitch * static_cast<double>(grid->rows - 1) + 2.0 * kMargin + kCaption;
    std::string svg = picture_begin(width, height, title, ".c{stroke-width:5;fill:none}") +
                      colour_key(30.0, 40.0, {"0 %", "50 %", "100 %"});
    const auto place = [](std::size_t at, double before) {
        return before + kMargin + kPitch * static_cast<double>(at);
    };
    struct Way {
        const char* direction;
        double dx;
        double dy;
    };
    constexpr std::array<Way, 4> kWays{
        {{"+x", 1.0, 0.0}, {"-x", -1.0, 0.0}, {"+y", 0.0, 1.0}, {"-y", 0.0, -1.0}}};
    const ByName uses = by_name(channels);
    for (std::size_t y = 0; y < grid->rows; ++y) {
        for (std::size_t x = 0; x < grid->columns; ++x) {
            for (const Way& way : kWays) {
                if (const auto use = use_of(uses, x, y, way.direction)) {
                    svg += arrow(place(x, 0.0), place(y, kCaption), way.dx, way.dy, *use,
                                 fmt::format("({},{}) {}", x, y, way.direction));
                }
            }
            svg += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"white\" "
                "stroke=\"#555\"><title>({},{})</title></rect>\n",
                place(x, 0.0) - kNode, place(y, kCaption) - kNode, 2.0 * kNode, 2.0 * kNode, x, y);
        }
    }
    return svg + "</svg>\n";
}

}  // namespace weir::experiments::run
