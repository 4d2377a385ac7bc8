#include "experiments/models/logpc/em3d_communication.h"

#include <cmath>
#include <string>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {

Em3dCommunication solve_em3d_communication(const Em3dInputs& inputs) {
    require_count("processors (P)", inputs.processors, 2, "nodes");
    require_quantity("graph_nodes", inputs.graph_nodes, 2.0, "nodes of the graph");
    require_quantity("degree", inputs.degree, 1.0, "edges");
    require_quantity("values_per_message", inputs.values_per_message, 1.0, "values");
    require_count("destinations", inputs.destinations, 1, "processors");
    require_count("iterations", inputs.iterations, 1, "iterations");
    require_quantity("work_cycles (W)", inputs.work_cycles, 0.0, "cycles");
    require_quantity("send_overhead_cycles (o_s)", inputs.send_overhead_cycles, 0.0, "cycles");
    require_quantity("receive_overhead_cycles (o_r)", inputs.receive_overhead_cycles, 0.0,
                     "cycles");
    require_quantity("nonlocal_share", inputs.nonlocal_share, 0.0, "of all edges, at most 1");
    if (inputs.nonlocal_share > 1.0) {
        throw ModelError("nonlocal_share is " + shortest_text(inputs.nonlocal_share),
                         "0 to 1 of all edges");
    }
    if (inputs.destinations >= inputs.processors) {
        throw ModelError(
            "destinations is " + std::to_string(inputs.destinations),
            "1 to " + std::to_string(inputs.processors - 1) + " processors, the others");
    }
    constexpr double kHalves = 2.0;  // E nodes, H nodes
    Em3dCommunication em3d;
    em3d.values_per_iteration =
        inputs.graph_nodes * inputs.degree * inputs.nonlocal_share / inputs.processors;
    const double values_for_one = em3d.values_per_iteration / kHalves / inputs.destinations;
    em3d.messages_per_iteration =
        kHalves * inputs.destinations * std::ceil(values_for_one / inputs.values_per_message);
    em3d.communication_cycles = em3d.messages_per_iteration *
                                (inputs.send_overhead_cycles + inputs.receive_overhead_cycles);
    em3d.iteration_cycles = inputs.work_cycles + em3d.communication_cycles;
    em3d.runtime_cycles = inputs.iterations * em3d.iteration_cycles;
    em3d.communication_share =
        em3d.iteration_cycles > 0.0 ? em3d.communication_cycles / em3d.iteration_cycles : 0.0;
    return em3d;
}

}  // namespace weir::experiments::models
