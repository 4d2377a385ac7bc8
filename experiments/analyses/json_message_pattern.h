#pragma once

#include "experiments/records/json_fields.h"
#include "firmware/kernel.h"

namespace weir::firmware {

WEIR_JSON_FIELDS(MessagePattern, body_bytes, span_nodes, clients, servers, visits_per_request,
                 iterations, has_fixed_order, has_same_order, operations_per_node, phases,
                 outstanding_requests, work_squared_cv)

}  // namespace weir::firmware
