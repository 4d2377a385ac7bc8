#pragma once

#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_input.h"

/// LoGPC's network: how long messages hold each other up in a wormhole k-ary n-cube or mesh.
///
/// Agarwal's open model gives the waiting of a message's head from the rate at which nodes inject;
/// LoGPC closes it, for a node that waits sends less often. Destinations are random, routes go
/// through one dimension after the other, and neighbours are joined by two physical channels, one
/// each way.
///
/// Source: Moritz and Frank, "LoGPC: Modeling Network Contention in Message-Passing Programs"
/// (2001), section 3: equations (3) to (7), the upper bound (13) and (14).
///
/// Times are processor cycles. The equations take a message of B bytes to hold a channel for B
/// cycles, one cycle a byte, though Alewife's channels carry two bytes a cycle (G = 0.5) and its
/// nodes inject a message every 2 G B cycles in (13). That is the paper's, and is what is computed
/// unless `channel_cycles_per_byte` says otherwise; with G there, a message holds a channel for G B
/// cycles, wherever the paper has B.
///
/// Whatever is absent, out of range or not a number is a ModelError. A mean distance below one hop
/// a dimension is out of range: (3) has the factor k_d - 1, and would give messages that gain time
/// by contention. To small meshes (3 x 3, k_d = 0.89) the model does not apply.
namespace weir::experiments::models {

struct LogpcNetworkInputs {
    int dimensions = 0;                              ///< n, 1 or more
    double mean_distance_per_dimension = kNotGiven;  ///< k_d in hops, 1 or more
    double message_bytes = kNotGiven;                ///< B, 1 or more
    double channel_cycles_per_byte = 1.0;            ///< 1 as the paper prints it, or G
    int channels_per_dimension = 2;  ///< that leave a node: 2 as in (4), 1 if unidirectional
};

struct LogpcNetworkSolution {
    double contention_cycles = 0.0;            ///< C_n: added to a message's latency by others
    double contention_per_hop_cycles = 0.0;    ///< w_b
    double messages_per_cycle_per_node = 0.0;  ///< m_c: injection rate, contention included
    double intermessage_cycles = 0.0;          ///< T_c = 1/m_c = T + C_n
    double channel_utilization = 0.0;          ///< rho, up to 1
};

/// The closed model, (3) to (7): each node would inject a message every T cycles if there were no
/// contention (0 or more: at 0 a message is always waiting). Contention delays a node's next
/// message by `waits_per_message` C_n, once in (7) and twice where it sends and receives in turn
/// (section 5.2.1). It has no solution for k_d = 1, where heads never wait, if channels saturate at
/// T.
LogpcNetworkSolution solve_logpc_network(const LogpcNetworkInputs& inputs,
                                         double contention_free_intermessage_cycles,
                                         double waits_per_message = 1.0);

struct AgarwalNetworkSolution {
    double contention_cycles = 0.0;          ///< C_n
    double contention_per_hop_cycles = 0.0;  ///< w_b
    double channel_utilization = 0.0;        ///< rho, below 1
};

/// Agarwal's open model, (3) to (6): each node injects m messages a cycle whatever happens to them.
/// It has no solution at logpc_saturation_rate(inputs) or above.
AgarwalNetworkSolution solve_agarwal_network(const LogpcNetworkInputs& inputs,
                                             double messages_per_cycle_per_node);

/// The messages a cycle of each node at which rho is 1: 2/(B k_d) by (4).
double logpc_saturation_rate(const LogpcNetworkInputs& inputs);

struct LogpcMaximalInjection {
    double cycles_per_byte = 0.0;  ///< F: nodes that only send inject a message every F B cycles
    double inflation = 0.0;        ///< T_c/T = F/(2G): the most that contention can cost
};

/// The upper bound (13), (14): nodes do nothing but send and receive long messages at G cycles a
/// byte each (G from 1e-9). How long messages are cancels out: message_bytes is not read.
LogpcMaximalInjection max_injection_inflation(LogpcNetworkInputs network,
                                              double gap_cycles_per_byte);

}  // namespace weir::experiments::models
