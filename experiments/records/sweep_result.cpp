#include "experiments/records/sweep_result.h"

#include <fmt/format.h>

namespace weir::experiments::records {

const char* design_name(SweepDesign design) {
    return design == SweepDesign::kCrossed ? "crossed" : "one-at-a-time";
}

std::string point_description(const std::string& label, SweepDesign design,
                              std::optional<std::size_t> varied_axis,
                              const std::vector<SweptName>& names,
                              const std::vector<std::string>& values) {
    std::string text = label;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (design == SweepDesign::kCrossed || names[i].axis == varied_axis) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", names[i].column, values[i]);
        }
    }
    return text;
}

std::string description_of(const StoredPoint& point, SweepDesign design,
                           const std::vector<SweptName>& names) {
    return point_description(point.label, design, point.varied_axis, names, point.values);
}

}  // namespace weir::experiments::records
