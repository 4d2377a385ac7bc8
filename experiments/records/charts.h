#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/records/channel_use.h"

namespace weir::experiments::records {

/// Origin of a curve's values, which decides how it is drawn. The styles follow the papers'
/// figures.
enum class CurveKind {
    kMeasured,   ///< points with their intervals, joined by a thin line
    kModel,      ///< line without marks at its points
    kPublished,  ///< open diamonds, not joined
    kOthers,     ///< small grey dots, not joined: background for the other curves
    kFront,  ///< points with their intervals on a staircase: each value holds until the next point
    kEqual,  ///< open circles with their intervals, not joined: not distinguishable from the front
};

struct CurvePoint {
    double x = 0.0;
    double y = 0.0;
    std::optional<double> half_width;  ///< half width of the 95 % confidence interval
};

struct Curve {
    CurveKind kind = CurveKind::kMeasured;
    std::string who;  ///< source of the values: "measured", "published", or a model's name
    /// Name that distinguishes the curve from others of the same kind; may be empty.
    std::string series;
    std::vector<CurvePoint> points;  ///< points of the curve, ordered by x
    /// True: the curve is a staircase, on which each value holds until the next point.
    bool is_steps = false;
};

/// Range from a least to a greatest value.
struct ValueRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    [[nodiscard]] bool is_empty() const { return least > most; }
};

/// Value axis of a chart. Several charts of a document may share its range.
struct ValueAxis {
    /// True if values below zero can occur (changes, differences). If false, confidence intervals
    /// are cut off at zero.
    bool is_signed = false;
    /// Program or study that the values belong to. Charts of one metric and one subject share the
    /// range of their axes.
    std::string subject;
    /// Range of all charts that share the axis, intervals included; set by share_value_axes().
    std::optional<ValueRange> shared_range;

    /// Lower end of a confidence interval around `value`, cut off at 0 unless is_signed or `value`
    /// is negative.
    [[nodiscard]] double lower_end(double value, const std::optional<double>& half_width) const {
        const double end = value - half_width.value_or(0.0);
        return !is_signed && value >= 0.0 ? std::max(0.0, end) : end;
    }
};

/// Chart of numbers over a number.
struct LineChart {
    std::string title;
    std::string caption;
    std::string x_name;  ///< name of the data column, with its unit
    std::string y_name;
    std::string x_label;
    std::string y_label;
    bool x_is_logarithmic = false;
    bool y_is_logarithmic = false;
    std::vector<Curve> curves;
    ValueAxis axis = {};

    /// True if no point can be drawn.
    [[nodiscard]] bool is_empty() const;
};

/// Value of a series in a category.
struct Dot {
    std::size_t category = 0;
    double value = 0.0;
    std::optional<double> half_width;  ///< half width of the 95 % confidence interval
};

/// Values of one source, for example "measured" or a model, at most one per category.
struct DotSeries {
    CurveKind kind = CurveKind::kMeasured;
    std::string name;
    std::vector<Dot> dots;
};

/// Chart over categories without a numeric order. Each category is a row, from the top, or a group
/// of bars side by side. Each series has its own colour.
struct DotChart {
    std::string title;
    std::string caption;
    std::string category_name;  ///< name of the data column
    std::string value_name;     ///< name of the data column, with its unit
    std::string value_label;
    bool value_is_logarithmic = false;
    std::vector<std::string> categories;
    std::vector<DotSeries> series;
    bool rows_name_series = false;  ///< the categories name the series, so the chart needs no key
    bool as_bars = false;
    ValueAxis axis = {};
};

/// Bar that is divided into parts.
struct StackedBar {
    std::string group;  ///< name printed below all bars of the group
    std::string who;    ///< name of the bar in its group; empty if it is alone
    std::vector<std::optional<double>> parts;  ///< values of StackedBars::parts, from the bottom
    /// Total that was measured or computed independently of the parts. It is absent if there is no
    /// total besides the sum of the parts.
    std::optional<double> whole = std::nullopt;
};

/// Chart of bars divided into parts.
struct StackedBars {
    struct Part {
        std::string name;
        /// Colour, for example "#0072B2"; empty: the next colour of the palette.
        std::string colour;
    };
    std::string title;
    std::string caption;
    std::string group_name;  ///< name of the data column
    std::string unit;        ///< unit, for example "cycles"
    std::string value_label;
    std::vector<Part> parts;
    std::vector<StackedBar> bars;  ///< bars of a group are drawn side by side
};

/// Effect of one value of a factor on the metric.
struct TornadoValue {
    std::string value;            ///< value of the factor, for example "hop_cycles = 4"
    double change_percent = 0.0;  ///< change against the base point
    /// Half width of the change's 95 % confidence interval.
    std::optional<double> half_width_percent;

    /// True if the confidence interval of the change does not contain 0.
    [[nodiscard]] bool is_significant() const {
        return std::abs(change_percent) > half_width_percent.value_or(0.0);
    }
    /// Largest distance of the confidence interval's ends from 0.
    [[nodiscard]] double farthest_percent() const {
        return std::abs(change_percent) + half_width_percent.value_or(0.0);
    }
};

/// Factor, with the effects of its values while all other factors keep the base point's values.
struct TornadoFactor {
    std::string name;
    std::vector<TornadoValue> values;

    /// Range from the least to the greatest change, including the base point's 0.
    [[nodiscard]] double swing_percent() const;
};

/// Tornado chart of factors: one bar each, the widest on top.
struct TornadoChart {
    std::string title;
    std::string caption;
    std::string value_label;
    std::vector<TornadoFactor> factors;  ///< factors in any order; the chart sorts them by width
};

/// Small chart that shares its value axis with other panels.
struct Panel {
    struct Place {
        double at = 0.0;
        std::string text;  ///< label of the axis at this position
    };
    std::string title;
    std::string x_label;
    std::vector<Place> places;  ///< positions with measured values, from left to right
    bool x_is_logarithmic = false;
    bool has_categories = false;  ///< positions have no order: points are not joined
    std::vector<CurvePoint> points;
    /// Comparison values, drawn beside the points; may be empty.
    std::vector<CurvePoint> reference;
};

/// Small charts side by side, in rows.
struct PanelChart {
    std::string title;
    std::string caption;
    std::string value_name;  ///< name of the data column, with its unit
    std::string value_label;
    std::string points_name;  ///< name of the points in the chart's key and data table
    /// Name of the comparison values in the chart's key and data table; unused without these
    /// values.
    std::string reference_name;
    std::vector<Panel> panels;
    ValueAxis axis = {};
};

/// Map of a network: utilisation of its channels and occupancy of its nodes' input queues.
struct NetworkUse {
    std::string title;
    std::string caption;
    records::ChannelUses channels;
    QueueUses queues;  ///< occupancy of the nodes' queues; empty if the queues have no limit
    /// Values that have the darkest colour, equal in all maps of an experiment. If 0, the greatest
    /// value of this map has it.
    double most_utilisation = 0.0;
    double most_bytes = 0.0;
};

using Chart = std::variant<LineChart, DotChart, StackedBars, TornadoChart, PanelChart, NetworkUse>;

/// True if the point can be drawn: logarithmic axes omit values of 0 and less.
[[nodiscard]] bool is_drawn(const LineChart& chart, const CurvePoint& point);

/// Range of the drawn values with their intervals.
[[nodiscard]] ValueRange value_range(const LineChart& chart);
[[nodiscard]] ValueRange value_range(const DotChart& chart);
[[nodiscard]] ValueRange value_range(const PanelChart& chart);

}  // namespace weir::experiments::records
