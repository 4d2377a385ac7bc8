#include "experiments/pages/findings/better_value.h"

#include "experiments/kinds/kind.h"

namespace weir::experiments::pages {

Better better_of(const std::string& metric) {
    const std::string unit = kinds::unit_of(metric);
    if (unit.ends_with("/cycle") || unit.ends_with("/s")) {
        return Better::kMore;
    }
    return unit.starts_with("cycles") || unit == "s" ? Better::kLess : Better::kUnknown;
}

}  // namespace weir::experiments::pages
