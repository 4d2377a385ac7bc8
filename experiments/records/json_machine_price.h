#pragma once

#include "experiments/records/json_fields.h"
#include "experiments/records/machine_price.h"

namespace weir::experiments::records {

WEIR_JSON_FIELDS(PartPrice, kind, name, count, sizes, no_twin, nand2_equivalents, gates, flip_flops,
                 longest_path_levels)
WEIR_JSON_FIELDS(MachinePrice, title, nodes, library, parts)

}  // namespace weir::experiments::records
