#include "experiments/pages/topology/topology_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "experiments/pages/topology/topology_page.h"
#include "experiments/setup/text/xml_text.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::pages {

namespace {

using network::Layout;
using network::Topology;

// All lengths of the picture are in pixels.
constexpr double kRadius = 13.0;
constexpr double kMargin = 50.0;
constexpr double kCaption = 48.0;
constexpr double kNarrowest = 820.0;  // least width that holds the caption

// Light colours of Wong's palette, so that a number is readable on top; the channels' colours are
// of this palette, too.
constexpr std::array<std::string_view, 2> kHalfColours = {"#a8d8f0", "#f7d08a"};
constexpr std::string_view kSwitchColour = "#ffffff";
constexpr std::array<std::string_view, 8> kChannelColours = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C8C"};
constexpr std::string_view kPlainChannel = "#5a6470";

std::string_view colour_of(std::size_t number) {
    return kChannelColours[number % kChannelColours.size()];
}

// SVG of a line. An arrow ends at the mark's edge. A bent line leaves and arrives at a right angle,
// on the right-hand side of its direction.
std::string svg_of(const Layout::Line& line) {
    const std::string_view colour = line.colour ? colour_of(*line.colour) : kPlainChannel;
    const double dx = line.to.x - line.from.x;
    const double dy = line.to.y - line.from.y;
    const double length = std::hypot(dx, dy);
    if (line.bend > 0.0) {
        const double bend_x = -dy / length * line.bend;
        const double bend_y = dx / length * line.bend;
        return fmt::format(
            "<path class=\"c\" stroke=\"{}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} "
            "{:.1f}\"/>\n",
            colour, line.from.x, line.from.y, line.from.x + bend_x, line.from.y + bend_y,
            line.to.x + bend_x, line.to.y + bend_y, line.to.x, line.to.y);
    }
    const double kept = line.has_arrow ? std::max(0.0, 1.0 - kRadius / length) : 1.0;
    return fmt::format("<path class=\"c\" stroke=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"{}/>\n",
                       colour, line.from.x, line.from.y, line.from.x + kept * dx,
                       line.from.y + kept * dy,
                       line.has_arrow ? " marker-end=\"url(#arrow)\"" : "");
}

// SVG of a mark: a circle with a node's number in the colour of its half, or a box for a switch.
std::string svg_of(const Layout::Mark& mark, const network::Bisection& bisection) {
    const std::string title = "<title>" + setup::xml_escaped(mark.title) + "</title>";
    if (!mark.node) {
        return fmt::format(
            "<rect class=\"v\" fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\">{}"
            "</rect>\n",
            kSwitchColour, mark.at.x - 7.0, mark.at.y - 7.0, title);
    }
    const std::string number = std::to_string(*mark.node);
    const double radius = number.size() > 3 ? kRadius + 1.0 : kRadius - 1.0;
    return fmt::format(
        "<g><circle class=\"v\" fill=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\">{}</circle>"
        "<text class=\"n\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
        kHalfColours[bisection.in_first_half[*mark.node] ? 0 : 1], mark.at.x, mark.at.y, radius,
        title, mark.at.x, mark.at.y + 3.5, number);
}

struct Frame {
    double left = 0.0;
    double top = 0.0;
    double width = 0.0;
    double height = 0.0;
};

Frame frame_of(const std::vector<Layout::Mark>& marks) {
    Layout::Place least = marks.front().at;
    Layout::Place most = least;
    for (const Layout::Mark& mark : marks) {
        least = {std::min(least.x, mark.at.x), std::min(least.y, mark.at.y)};
        most = {std::max(most.x, mark.at.x), std::max(most.y, mark.at.y)};
    }
    const double width = std::max(most.x - least.x + 2.0 * kMargin, kNarrowest);
    return {(least.x + most.x - width) / 2.0, least.y - kMargin - kCaption, width,
            most.y - least.y + 2.0 * kMargin + kCaption};
}

}  // namespace

std::string topology_picture(const Topology& topology, const network::Bisection& bisection) {
    const Layout layout = topology.family().layout(topology);
    const Frame frame = frame_of(layout.marks);
    const double left = frame.left + 20.0;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1f} {:.1f} {:.1f} {:.1f}\" "
        "width=\"{:.0f}\" height=\"{:.0f}\">\n"
        "<style>.c{{fill:none;stroke-width:1.4}}.v{{stroke:#333;stroke-width:1}}"
        "text{{font-family:sans-serif;font-size:13px;fill:#222}}"
        ".n{{font-size:10px;text-anchor:middle}}</style>\n"
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
        "fill=\"{}\"/></marker></defs>\n"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"white\"/>\n",
        frame.left, frame.top, frame.width, frame.height, frame.width, frame.height, kPlainChannel,
        frame.left, frame.top, frame.width, frame.height);
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        left, frame.top + 26.0, setup::xml_escaped(topology.title()), left, frame.top + 46.0,
        setup::xml_escaped("Between the two colours: " + bisection_text(bisection)));
    double x = left;
    for (const auto& [name, colour] : layout.legend) {
        svg += fmt::format(
            "<path class=\"c\" stroke=\"{}\" d=\"M{:.1f} {:.1f}h18\"/>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
            colour_of(colour), x, frame.top + 62.0, x + 22.0, frame.top + 66.0,
            setup::xml_escaped(name));
        x += 34.0 + 8.0 * static_cast<double>(name.size());
    }
    for (const Layout::Line& line : layout.lines) {
        svg += svg_of(line);
    }
    for (const Layout::Mark& mark : layout.marks) {
        svg += svg_of(mark, bisection);
    }
    return svg + "</svg>\n";
}

}  // namespace weir::experiments::pages
