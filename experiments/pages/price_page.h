#pragma once

#include "experiments/records/document.h"
#include "experiments/records/machine_price.h"

namespace weir::experiments::pages {

/// Page of a machine's price in gates: parts, and their sum.
[[nodiscard]] records::Document price_document(const records::MachinePrice& price);

}  // namespace weir::experiments::pages
