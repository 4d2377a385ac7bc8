#include "experiments/pages/estimate_text.h"

#include "experiments/records/document.h"

namespace weir::experiments::pages {

std::string estimate_text(const records::Estimate& value) {
    return records::interval_cell(value.mean, value.half_width).text;
}

}  // namespace weir::experiments::pages
