#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::pages {

/// Colours that colour-blind readers can tell apart (Wong, Nature Methods 8, 2011), over and over.
[[nodiscard]] std::string_view series_colour(std::size_t series);
/// The palette has so many.
inline constexpr std::size_t kSeriesColours = 7;

/// What is measured, and what is published, where colours don't tell series apart.
inline constexpr std::string_view kMeasuredColour = "#000000";
inline constexpr std::string_view kPublishedColour = "#C22E1F";
/// What others stand out from.
inline constexpr std::string_view kOthersColour = "#8A8A8A";

/// gnuplot's pointtype of published values.
inline constexpr int kOpenDiamond = 12;

/// Behind the label of a logarithmic axis, whose ticks may look evenly spaced.
inline constexpr const char* kLogarithmic = " (logarithmic)";

/// gnuplot's settings that all charts begin with: axes at the left and below, a light grid, the key
/// above the plot.
[[nodiscard]] std::string chart_settings();

/// `set xlabel "..."` for axis "x"; the text as it is.
[[nodiscard]] std::string axis_label(std::string_view axis, const std::string& text);

/// `set ylabel` beside an axis of so many pixels, in lines that are no longer; it says so where the
/// axis does not start at 0.
[[nodiscard]] std::string value_label(const std::string& label, bool starts_at_zero,
                                      int axis_pixels);

/// Whether an axis of values from `least` to `most` starts at 0: unless that would leave no more
/// than a strip for what is drawn.
[[nodiscard]] bool starts_at_zero(double least, double most);

/// A tick where something was measured.
struct MeasuredTick {
    double at = 0.0;
    std::string text;
};

/// `set xtics (...)`: a tick at each value, from left to right on an axis of so many pixels. Words
/// that would run into others are left out, but for those at both ends.
[[nodiscard]] std::string measured_ticks(const std::vector<MeasuredTick>& ticks,
                                         bool is_logarithmic, int axis_pixels);

/// A gnuplot data block of that name.
[[nodiscard]] std::string data_block(const std::string& name, const std::string& rows);

/// The palette of heat maps, light at the least value.
[[nodiscard]] std::string heat_palette();

/// Colour of a part of a round trip ("request_send") on all pages: requests in full colours,
/// replies in light ones. Empty for other names.
[[nodiscard]] std::string part_colour(std::string_view part);

/// Numbers that give each model its colour and mark. A model that results are compared with has the
/// same number in every chart; other names take the numbers that are free in their chart.
class ModelNumbers {
  public:
    void add(const std::string& model);
    /// Number of a model that was added.
    [[nodiscard]] std::size_t number_of(const std::string& model) const {
        return numbers_.at(model);
    }
    [[nodiscard]] bool is_empty() const { return numbers_.empty(); }

  private:
    std::map<std::string, std::size_t> numbers_;
};

}  // namespace weir::experiments::pages
