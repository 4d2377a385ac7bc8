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
