#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::pages {

/// Colour of a series, from a palette for colour-blind readers (Wong, Nature Methods 8, 2011);
/// repeats after kSeriesColours.
[[nodiscard]] std::string_view series_colour(std::size_t series);
/// Number of colours of the palette.
inline constexpr std::size_t kSeriesColours = 7;

/// Colours of measured and of published values in charts whose series have no colours of their own.
inline constexpr std::string_view kMeasuredColour = "#000000";
inline constexpr std::string_view kPublishedColour = "#C22E1F";
/// Grey of curves in the background.
inline constexpr std::string_view kOthersColour = "#8A8A8A";

/// gnuplot's pointtype of published values.
inline constexpr int kOpenDiamond = 12;

/// Appended to the label of a logarithmic axis: without it evenly spaced ticks look linear.
inline constexpr const char* kLogarithmicNote = " (logarithmic)";

/// gnuplot settings at the begin of every chart: axes at the left and below, a light grid, the key
/// above the plot.
[[nodiscard]] std::string chart_settings();

/// Command for an axis's label: `set xlabel "..."` for axis "x". The text is shown literally.
[[nodiscard]] std::string axis_label(std::string_view axis, const std::string& text);

/// Command for the label of the axis of values, which is broken into lines that fit an axis of
/// `axis_pixels`. The label says so if the axis does not start at 0.
[[nodiscard]] std::string value_label(const std::string& label, bool starts_at_zero,
                                      int axis_pixels);

/// True if an axis for values from `least` to `most` starts at 0; false if the values would then
/// share a narrow strip.
[[nodiscard]] bool starts_at_zero(double least, double most);

/// Tick at a measured value.
struct MeasuredTick {
    double at = 0.0;
    std::string text;
};

/// `set xtics (...)`: a tick at each value on an axis of `axis_pixels`, from left to right. Texts
/// that would overlap are left out, except those at both ends.
[[nodiscard]] std::string measured_ticks(const std::vector<MeasuredTick>& ticks,
                                         bool is_logarithmic, int axis_pixels);

/// gnuplot data block with this name.
[[nodiscard]] std::string data_block(const std::string& name, const std::string& rows);

/// Palette of heat maps: the least value has the lightest colour.
[[nodiscard]] std::string heat_palette();

/// Colour of a part of a round trip ("request_send") on all pages: full colours for requests, light
/// colours for replies. Returns an empty text for other names.
[[nodiscard]] std::string part_colour(std::string_view part);

/// Numbers that select each model's colour and mark. A model that results are compared with has the
/// same number in every chart. Models of other names take the numbers that are free in their chart.
class ModelNumbers {
  public:
    void add(const std::string& model);
    /// Number of a model that was added before.
    [[nodiscard]] std::size_t number_of(const std::string& model) const {
        return numbers_.at(model);
    }
    [[nodiscard]] bool is_empty() const { return numbers_.empty(); }

  private:
    std::map<std::string, std::size_t> numbers_;
};

}  // namespace weir::experiments::pages
