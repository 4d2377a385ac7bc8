#include "experiments/records/charts.h"

#include <algorithm>
#include <cmath>

namespace weir::experiments::records {

bool is_drawn(const LineChart& chart, const CurvePoint& point) {
    return std::isfinite(point.x) && std::isfinite(point.y) &&
           (!chart.x_is_logarithmic || point.x > 0.0) && (!chart.y_is_logarithmic || point.y > 0.0);
}

bool LineChart::is_empty() const {
    return std::none_of(curves.begin(), curves.end(), [this](const Curve& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(),
                           [this](const CurvePoint& point) { return is_drawn(*this, point); });
    });
}

ValueRange value_range(const LineChart& chart) {
    ValueRange range;
    for (const Curve& curve : chart.curves) {
        for (const CurvePoint& point : curve.points) {
            if (!is_drawn(chart, point)) {
                continue;
            }
            const double end = chart.axis.lower_end(point.y, point.half_width);
            range.add(chart.y_is_logarithmic && end <= 0.0 ? point.y : end);
            range.add(point.y + point.half_width.value_or(0.0));
        }
    }
    return range;
}

ValueRange value_range(const DotChart& chart) {
    ValueRange range;
    for (const DotSeries& series : chart.series) {
        for (const Dot& dot : series.dots) {
            if (!std::isfinite(dot.value) || (chart.value_is_logarithmic && dot.value <= 0.0)) {
                continue;
            }
            const double end = chart.axis.lower_end(dot.value, dot.half_width);
            range.add(chart.value_is_logarithmic && end <= 0.0 ? dot.value : end);
            range.add(dot.value + dot.half_width.value_or(0.0));
        }
    }
    return range;
}

ValueRange value_range(const PanelChart& chart) {
    ValueRange range;
    for (const Panel& panel : chart.panels) {
        for (const std::vector<CurvePoint>* points : {&panel.points, &panel.reference}) {
            for (const CurvePoint& point : *points) {
                range.add(chart.axis.lower_end(point.y, point.half_width));
                range.add(point.y + point.half_width.value_or(0.0));
            }
        }
    }
    return range;
}

double TornadoFactor::swing_percent() const {
    double least = 0.0;
    double greatest = 0.0;
    for (const TornadoValue& value : values) {
        least = std::min(least, value.change_percent);
        greatest = std::max(greatest, value.change_percent);
    }
    return greatest - least;
}

}  // namespace weir::experiments::records
