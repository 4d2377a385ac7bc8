#include "experiments/pages/findings/change_text.h"

#include <fmt/format.h>

#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

std::string change_text(const records::TornadoValue& change) {
    return fmt::format(
        "{}{} % at {}", setup::signed_number(change.change_percent),
        change.half_width_percent ? " ± " + setup::percent_number(*change.half_width_percent) : "",
        change.value);
}

}  // namespace weir::experiments::pages
