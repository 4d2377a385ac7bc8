#include "experiments/run/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/config/xml_text.h"

namespace weir::experiments::run {

namespace {

constexpr double kKeyWidth = 260.0;

using Colour = std::array<double, 3>;

constexpr std::array<Colour, 6> kPalette{{{0xe8, 0xe8, 0xe8},
                                          {0xfc, 0xc5, 0x45},
                                          {0xf3, 0x78, 0x19},
                                          {0xbb, 0x37, 0x54},
                                          {0x6a, 0x17, 0x6e},
                                          {0x16, 0x0b, 0x39}}};

}  // namespace

std::string picture_begin(double width, double height, const std::string& title,
                          const std::string& style) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\">\n"
        "<style>{3}text{{font-family:sans-serif;font-size:13px;"
        "fill:#222}}.k{{font-size:11px;text-anchor:middle}}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"20\" y=\"26\" font-weight=\"bold\">{2}</text>\n",
        width, height, config::xml_escaped(title), style);
}

std::string heat_colour(double share) {
    const double at = std::clamp(share, 0.0, 1.0) * (kPalette.size() - 1);
    const auto lower = std::min(static_cast<std::size_t>(at), kPalette.size() - 2);
    const double beyond = at - static_cast<double>(lower);
    const auto part = [&](std::size_t i) {
        return static_cast<int>(
            std::lround(kPalette[lower][i] * (1.0 - beyond) + kPalette[lower + 1][i] * beyond));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

std::string colour_key(double left, double top, const std::vector<std::string>& what) {
    std::string svg = R"(<defs><linearGradient id="use">)";
    for (std::size_t step = 0; step < kPalette.size(); ++step) {
        const double share = static_cast<double>(step) / (kPalette.size() - 1);
        svg += fmt::format(R"(<stop offset="{:.1f}" stop-color="{}"/>)", share, heat_colour(share));
    }
    svg += fmt::format("</linearGradient></defs>\n<rect x=\"{:.1f}\" y=\"{:.1f}\"", left, top);
    svg += fmt::format(" width=\"{:.1f}\" height=\"10\" fill=\"url(#use)\"/>\n", kKeyWidth);
    for (std::size_t i = 0; i < what.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(what.size() - 1);
        svg += fmt::format("<text class=\"k\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                           left + kKeyWidth * share, top + 23.0, what[i]);
    }
    return svg;
}

}  // namespace weir::experiments::run
