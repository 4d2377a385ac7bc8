#include "experiments/kinds/metric_label.h"

#include <string_view>

#include "experiments/kinds/kind.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::kinds {

std::string metric_label(const std::string& metric) {
    constexpr std::string_view kAboveMeasured = "_over_measured_percent";
    if (metric.ends_with(kAboveMeasured)) {
        return setup::spaced_name(metric.substr(0, metric.size() - kAboveMeasured.size())) +
               " above the measurement, %";
    }
    std::string name = setup::spaced_name(metric);
    const std::string unit = unit_of(metric);
    if (unit != "1" && name.size() > unit.size() && name.ends_with(" " + unit)) {
        name.erase(name.size() - unit.size() - 1);
        return name + ", " + unit;
    }
    return name;
}

}  // namespace weir::experiments::kinds
