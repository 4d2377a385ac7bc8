#pragma once

#include "experiments/records/json_fields.h"
#include "firmware/size_parameter.h"

namespace weir::firmware {

WEIR_JSON_FIELDS(SizeParameter, name, power, is_of_node, multiple_of_nodes)

}  // namespace weir::firmware
