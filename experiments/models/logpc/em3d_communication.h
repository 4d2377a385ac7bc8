#pragma once

#include "experiments/models/model_input.h"

/// What EM3D's core phase sends, and what that costs: every node of its graph needs the values of
/// its neighbours, which come in blocks, as short messages, before each half of an iteration (first
/// the E nodes, then the H nodes).
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 5.3: o_s + o_r per message, whatever the
/// network does, since nothing waits. The papers do not say how edges spread over processors; here
/// all processors have as many, and as many to each processor they send to.
///
/// Times are processor cycles. What is absent or out of range is a ModelError.
namespace weir::experiments::models {

struct Em3dInputs {
    int processors = 0;                       ///< P, 2 or more
    double graph_nodes = kNotGiven;           ///< E and H nodes of the graph together, 2 or more
    double degree = kNotGiven;                ///< edges of each node, 1 or more
    double nonlocal_share = kNotGiven;        ///< of the edges that leave their processor, 0 to 1
    double values_per_message = kNotGiven;    ///< a block, 1 or more
    int destinations = 1;                     ///< processors to which one sends, 1 to P - 1
    int iterations = 1;                       ///< 1 or more
    double work_cycles = 0.0;                 ///< W: a processor's computation in an iteration
    double send_overhead_cycles = kNotGiven;  ///< o_s
    double receive_overhead_cycles = kNotGiven;  ///< o_r
};

struct Em3dCommunication {
    double values_per_iteration = 0.0;    ///< each processor sends, and receives
    double messages_per_iteration = 0.0;  ///< each processor sends, and receives; blocks rounded up
    double communication_cycles = 0.0;    ///< of a processor in an iteration: messages (o_s + o_r)
    double iteration_cycles = 0.0;        ///< with the work
    double runtime_cycles = 0.0;          ///< of all iterations
    double communication_share = 0.0;
};

Em3dCommunication solve_em3d_communication(const Em3dInputs& inputs);

}  // namespace weir::experiments::models
