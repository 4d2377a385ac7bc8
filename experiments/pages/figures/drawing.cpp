#include "experiments/pages/figures/drawing.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string_view>

#include "experiments/pages/figures/gnuplot.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/text/xml_text.h"
#include "hw/text_streams.h"

namespace weir::experiments::pages {

namespace {

namespace fs = std::filesystem;

constexpr double kPixelsPerInch = 96.0;

std::string terminal(const Drawing& drawing, PictureFormat format) {
    switch (format) {
        case PictureFormat::kPdf:
            return fmt::format("pdfcairo enhanced font \"sans,10\" size {:.3f}in,{:.3f}in",
                               drawing.width_pixels / kPixelsPerInch,
                               drawing.height_pixels / kPixelsPerInch);
        case PictureFormat::kPng:
            // twice the pixels and twice the letters' size: sharp enough for print
            return fmt::format(
                "pngcairo enhanced background \"white\" font \"sans,10\" fontscale 2 linewidth 2 "
                "pointscale 2 size {},{}",
                2 * drawing.width_pixels, 2 * drawing.height_pixels);
        default:
            return fmt::format(R"(svg enhanced background "white" font "sans-serif,12" size {},{})",
                               drawing.width_pixels, drawing.height_pixels);
    }
}

// Least width of a figure on a narrow page, below which its smallest letters would have under 9
// pixels. The figure scrolls there.
int least_width_pixels(const Drawing& drawing) {
    constexpr double kSmallestFontPixels = 10.0;
    constexpr double kLeastPixels = 9.0;
    return static_cast<int>(std::ceil(drawing.width_pixels * kLeastPixels / kSmallestFontPixels));
}

/// File name in single quotes, in which gnuplot reads every character but a line end literally.
std::string quoted(const std::string& path) {
    if (path.find('\n') != std::string::npos) {
        throw GnuplotError("gnuplot can't write a file whose path has a line end");
    }
    std::string text = "'";
    for (const char letter : path) {
        text += letter == '\'' ? "''" : std::string(1, letter);
    }
    return text + "'";
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

// Names the bands. gnuplot names a plot without a title by its number; in a chart this plot is the
// band before its curve.
void name_bands(std::string& svg) {
    static constexpr std::string_view kBegin = "<title>gnuplot_plot_";
    static constexpr std::string_view kTitle = "<title>";
    static constexpr std::string_view kEnd = "</title>";
    for (std::size_t at = svg.find(kBegin); at != std::string::npos;
         at = svg.find(kBegin, at + 1)) {
        const std::size_t end = svg.find(kEnd, at);
        const std::size_t next = svg.find(kTitle, end);
        const std::size_t next_end = svg.find(kEnd, next);
        const std::size_t group = svg.rfind("<g id=", at);
        if (next_end == std::string::npos || group == std::string::npos) {
            continue;
        }
        const std::size_t name = next + kTitle.size();
        svg.replace(at + kTitle.size(), end - at - kTitle.size(),
                    svg.substr(name, next_end - name) + ", 95 % interval");
        svg.insert(group + 2, " class=\"band\"");
    }
}

// Draws into `path`; gnuplot prints the axes' positions into the file `axes`.
void draw_with_axes(const Drawing& drawing, const std::string& path, const std::string& axes) {
    run_gnuplot(fmt::format("set terminal {}\nset output {}\nset print {}\n{}set output\n",
                            terminal(drawing, PictureFormat::kSvg), quoted(path), quoted(axes),
                            drawing.script));
}

// One function per kind of chart.
Drawing drawn(const records::LineChart& chart) { return line_drawing(chart); }
Drawing drawn(const records::DotChart& chart) { return dot_drawing(chart); }
Drawing drawn(const records::StackedBars& chart) { return stacked_drawing(chart); }
Drawing drawn(const records::TornadoChart& chart) { return tornado_drawing(chart); }
Drawing drawn(const records::PanelChart& chart) { return panel_drawing(chart); }
Drawing drawn(const records::NetworkUse& use) { return network_drawing(use); }

}  // namespace

Drawing drawing_of(const records::Figure& figure) {
    return std::visit([](const auto& chart) { return drawn(chart); }, figure.chart);
}

void draw(const Drawing& drawing, PictureFormat format, const std::string& path) {
    // A PDF has the figure's title as its own; other pictures get theirs from the page or the
    // paper's caption.
    run_gnuplot(fmt::format("set terminal {}\nset output {}\n{}set output\n",
                            terminal(drawing, format), quoted(path), drawing.script));
}

std::string svg_element(const records::Figure& figure, const Drawing& drawing) {
    const setup::TemporaryFolder folder("weir-figure");
    const std::string file = (folder.path() / "figure.svg").string();
    const std::string axes = (folder.path() / "axes").string();
    draw_with_axes(drawing, file, axes);
    std::string svg = records::text_of_file(file);
    const std::size_t begin = svg.find("<svg");
    const std::size_t last = svg.rfind("</svg>");
    if (begin == std::string::npos || last == std::string::npos) {
        throw setup::SurroundingsFault(file, "gnuplot could not write its whole drawing there");
    }
    if (!drawing.hints.empty()) {
        svg.insert(last,
                   hint_circles(drawing.hints, records::text_of_file(axes), drawing.height_pixels));
    }
    svg.erase(0, begin);
    name_bands(svg);
    for (const char* reference : {"id='", "id=\"", "href='#", "href=\"#", "url(#"}) {
        replace_all(svg, reference, std::string(reference) + figure.name + "-");
    }
    // gnuplot's own title and description go.
    const std::size_t title = svg.find("<title>");
    const std::size_t end = svg.find("</desc>");
    if (title != std::string::npos && end != std::string::npos) {
        svg.erase(title, end + 7 - title);
    }
    svg.insert(4, fmt::format(R"( role="img" aria-label="{}" style="min-width:{}px")",
                              setup::xml_escaped(figure.title()), least_width_pixels(drawing)));
    return svg;
}

namespace {

/// Axis in pixels: two of its values and their positions.
struct PixelAxis {
    double first_pixel = 0.0;
    double last_pixel = 0.0;
    double first = 0.0;
    double last = 0.0;
    bool is_logarithmic = false;

    [[nodiscard]] double pixel_of(double value) const {
        const auto place = [this](double at) { return is_logarithmic ? std::log(at) : at; };
        const double share = (place(value) - place(first)) / (place(last) - place(first));
        return first_pixel + share * (last_pixel - first_pixel);
    }
};

}  // namespace

std::string print_axes() {
    return "print GPVAL_TERM_XMIN, GPVAL_TERM_XMAX, GPVAL_TERM_YMIN, GPVAL_TERM_YMAX, "
           "GPVAL_X_MIN, GPVAL_X_MAX, GPVAL_Y_MIN, GPVAL_Y_MAX\n";
}

std::string hint_circles(const std::vector<PlotHints>& plots, const std::string& axes,
                         int height_pixels) {
    constexpr int kRadiusPixels = 6;
    hw::TextReader numbers(axes);
    std::string circles;
    for (const PlotHints& plot : plots) {
        PixelAxis x{.is_logarithmic = plot.x_is_logarithmic};
        PixelAxis y{.is_logarithmic = plot.y_is_logarithmic};
        if (!(numbers >> x.first_pixel >> x.last_pixel >> y.first_pixel >> y.last_pixel >>
              x.first >> x.last >> y.first >> y.last)) {
            throw GnuplotError("gnuplot does not say where its axes are");
        }
        for (const PointHint& point : plot.points) {
            // gnuplot counts pixels from the bottom.
            circles += fmt::format(
                "<circle class=\"hint\" data-curve=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" "
                "fill=\"transparent\"><title>{}</title></circle>\n",
                point.curve, x.pixel_of(point.x), height_pixels - y.pixel_of(point.y),
                kRadiusPixels, setup::xml_escaped(point.text));
        }
    }
    return circles;
}

Drawing panels(const std::string& title, const std::vector<std::string>& small_lines,
               const std::vector<records::LineChart>& charts) {
    constexpr int kTitleHeight = 60;  // pixels, as for Drawing
    std::string heading = gnuplot_plain(title);
    for (const std::string& line : small_lines) {
        heading += "\\n{/*0.8 " + gnuplot_plain(line) + "}";
    }
    Drawing picture;
    picture.width_pixels = 1100;
    picture.height_pixels = kTitleHeight;
    picture.script = charts.size() == 1 ? "" : "set lmargin 12\nset rmargin 4\n";
    // the blank line at the end separates the title from the first panel's key
    std::string plots =
        fmt::format("set multiplot layout {},1 title \"{}\\n \"\n", charts.size(), heading);
    for (const records::LineChart& chart : charts) {
        const Drawing panel = line_drawing(chart);
        picture.height_pixels += panel.height_pixels;
        // A panel has its own axes, and none of the panel above.
        plots += "unset logscale\nset autoscale\n" + panel.script;
    }
    picture.script += plots + "unset multiplot\n";
    return picture;
}

}  // namespace weir::experiments::pages
