#include "experiments/pages/findings/change_text.h"

#include <fmt/format.h>

namespace weir::experiments::pages {

std::string change_text(const records::TornadoValue& change) {
    return fmt::format(
        "{:+.1f}{} % at {}", change.change_percent,
        change.half_width_percent ? fmt::format(" ± {:.1f}", *change.half_width_percent) : "",
        change.value);
}

}  // namespace weir::experiments::pages
