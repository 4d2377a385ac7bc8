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

/// What a curve is of: how it is drawn follows from it, as the papers do.
enum class CurveKind {
    kMeasured,   ///< points with their intervals, joined by a thin line
    kModel,      ///< a curve without points
    kPublished,  ///< open diamonds, not joined
    kOthers,     ///< small grey dots, not joined: what a curve stands out from
    kFront,      ///< points with their intervals on a staircase: each value stays until the next
    kEqual,      ///< open circles with their intervals, not joined: not told from a front's points
};

struct CurvePoint {
    double x = 0.0;
    double y = 0.0;
    std::optional<double> half_width;  ///< of the 95 % confidence interval
};

struct Curve {
    CurveKind kind = CurveKind::kMeasured;
    std::string who;     ///< "measured", a model, "published"
    std::string series;  ///< what else tells it from others; empty where it is the only one
    std::vector<CurvePoint> points;  ///< by x
    bool is_steps = false;           ///< a value that stays until the next
};

/// From a least to a greatest value.
struct ValueRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    [[nodiscard]] bool is_empty() const { return least > most; }
};

/// The axis of values of a chart, and which other charts of the document have the same one.
struct ValueAxis {
    /// Whether values below zero exist (changes, differences). Otherwise intervals end at zero.
    bool is_signed = false;
    /// Program or study that the values belong to. Charts of one metric and one subject share the
    /// range of their axes.
    std::string subject;
    /// Range of all charts that share the axis, intervals included; set by share_value_axes().
    std::optional<ValueRange> shared_range;

    /// Lower end of an interval around `value`.
    [[nodiscard]] double lower_end(double value, const std::optional<double>& half_width) const {
        const double end = value - half_width.value_or(0.0);
        return !is_signed && value >= 0.0 ? std::max(0.0, end) : end;
    }
};

/// Numbers over a number.
struct LineChart {
    std::string title;
    std::string caption;
    std::string x_name;  ///< of the column, with its unit
    std::string y_name;
    std::string x_label;
    std::string y_label;
    bool x_is_logarithmic = false;
    bool y_is_logarithmic = false;
    std::vector<Curve> curves;
    ValueAxis axis = {};

    /// Whether anything would be seen.
    [[nodiscard]] bool is_empty() const;
};

/// What one source says of a category.
struct Dot {
    std::size_t category = 0;
    double value = 0.0;
    std::optional<double> half_width;  ///< of the 95 % confidence interval
};

/// A mark for each category: what is measured with its interval, or what one model says.
struct DotSeries {
    CurveKind kind = CurveKind::kMeasured;
    std::string name;
    std::vector<Dot> dots;
};

/// Numbers of things that have no order on a scale: a row each, from the top, or bars side by side,
/// of which every series has a colour.
struct DotChart {
    std::string title;
    std::string caption;
    std::string category_name;  ///< of the column
    std::string value_name;     ///< with its unit
    std::string value_label;
    bool value_is_logarithmic = false;
    std::vector<std::string> categories;
    std::vector<DotSeries> series;
    bool rows_name_series = false;  ///< a category is a series: no key has to say it once more
    bool as_bars = false;
    ValueAxis axis = {};
};

/// One of some bars of parts.
struct StackedBar {
    std::string group;  ///< the bars of a group stand side by side over its name
    std::string who;    ///< in its group; empty where it is alone
    std::vector<std::optional<double>> parts;  ///< of StackedBars::parts, from the bottom
    /// Stated total of the parts, as it was measured or computed by itself; nothing
    /// where nothing but their sum says it.
    std::optional<double> whole = std::nullopt;
};

/// What sums are made of.
struct StackedBars {
    struct Part {
        std::string name;
        std::string colour;  ///< "#0072B2"; empty: the next of the palette
    };
    std::string title;
    std::string caption;
    std::string group_name;  ///< of the column
    std::string unit;        ///< "cycles"
    std::string value_label;
    std::vector<Part> parts;
    std::vector<StackedBar> bars;  ///< those of a group after each other
};

/// What one value of a factor makes of the metric.
struct TornadoValue {
    std::string value;                         ///< "hop_cycles = 4"
    double change_percent = 0.0;               ///< against the base point
    std::optional<double> half_width_percent;  ///< of the change's 95 % confidence interval

    /// Whether the interval does not hold 0.
    [[nodiscard]] bool is_told() const {
        return std::abs(change_percent) > half_width_percent.value_or(0.0);
    }
    /// How far from 0 the interval reaches.
    [[nodiscard]] double farthest_percent() const {
        return std::abs(change_percent) + half_width_percent.value_or(0.0);
    }
};

/// A factor, and what its values make of the metric where all others are as in the base point.
struct TornadoFactor {
    std::string name;
    std::vector<TornadoValue> values;

    /// From the least to the greatest change, the base's 0 included.
    [[nodiscard]] double swing_percent() const;
};

/// Which of some factors matters most: a bar each, the widest on top.
struct TornadoChart {
    std::string title;
    std::string caption;
    std::string value_label;
    std::vector<TornadoFactor> factors;  ///< in any order
};

/// One of some small charts that share the axis of values.
struct Panel {
    struct Place {
        double at = 0.0;
        std::string text;  ///< of the tick there
    };
    std::string title;
    std::string x_label;
    std::vector<Place> places;  ///< what was measured, from left to right
    bool x_is_logarithmic = false;
    bool has_categories = false;  ///< places without an order: points are not joined
    std::vector<CurvePoint> points;
    std::vector<CurvePoint> reference;  ///< what they are to be compared with; may be empty
};

/// Small charts side by side, in rows.
struct PanelChart {
    std::string title;
    std::string caption;
    std::string value_name;  ///< of the column, with its unit
    std::string value_label;
    std::string points_name;     ///< in the key and in the data
    std::string reference_name;  ///< the same; unused without reference
    std::vector<Panel> panels;
    ValueAxis axis = {};
};

/// How busy a network's channels and how full its nodes' input queues were.
struct NetworkUse {
    std::string title;
    std::string caption;
    records::ChannelUses channels;
    QueueUses queues;  ///< empty where nodes have no queues with an end
    /// What the darkest colour stands for, so that maps of one experiment can be compared; 0: the
    /// most of this map.
    double most_utilisation = 0.0;
    double most_bytes = 0.0;
};

using Chart = std::variant<LineChart, DotChart, StackedBars, TornadoChart, PanelChart, NetworkUse>;

/// Whether a point can be seen: logarithmic axes leave out what is not above 0.
[[nodiscard]] bool is_drawn(const LineChart& chart, const CurvePoint& point);

/// Range of the drawn values with their intervals.
[[nodiscard]] ValueRange value_range(const LineChart& chart);
[[nodiscard]] ValueRange value_range(const DotChart& chart);
[[nodiscard]] ValueRange value_range(const PanelChart& chart);

}  // namespace weir::experiments::records
