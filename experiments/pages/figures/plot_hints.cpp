#include <fmt/format.h>

#include <cmath>

#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/setup/text/xml_text.h"
#include "hw/text_streams.h"

namespace weir::experiments::pages {

namespace {

/// An axis: two of its values, and the pixels where they are.
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
            // gnuplot counts from below.
            circles += fmt::format(
                "<circle class=\"hint\" data-curve=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" "
                "fill=\"transparent\"><title>{}</title></circle>\n",
                point.curve, x.pixel_of(point.x), height_pixels - y.pixel_of(point.y),
                kRadiusPixels, setup::xml_escaped(point.text));
        }
    }
    return circles;
}

}  // namespace weir::experiments::pages
