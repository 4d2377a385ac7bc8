#pragma once

#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_input.h"

/// LoGPC's network: waiting of messages in a wormhole k-ary n-cube or mesh.
///
/// Agarwal's open model gives the waiting of a message's head from the rate at which nodes inject.
/// LoGPC closes the model, since a node that waits sends less often. Destinations are random, and
/// routing is in dimension order. Neighbours are joined by two physical channels, one in each
/// direction.
///
/// Source: Moritz and Frank, "LoGPC: Modeling Network Contention in Message-Passing Programs"
/// (2001), section 3: equations (3) to (7), the upper bound (13) and (14).
///
/// Times are processor cycles. In the equations a message of B bytes holds a channel for B cycles,
/// one cycle per byte. Alewife's channels carry two bytes per cycle (G = 0.5), and in (13) its
/// nodes inject a message every 2 G B cycles. By default the equations are computed as printed. If
/// `channel_cycles_per_byte` is G, a message holds a channel for G B cycles, wherever the paper has
/// B.
///
/// Inputs that are absent, out of range or not a number are a ModelError. A mean distance below one
/// hop per dimension is out of range: (3) has the factor k_d - 1, and messages would gain time by
/// contention. The model does not apply to small meshes (3 x 3, k_d = 0.89).
namespace weir::experiments::models {

struct LogpcNetworkInputs {
    int dimensions = 0;                              ///< n: number of dimensions, 1 or more
    double mean_distance_per_dimension = kNotGiven;  ///< k_d in hops, 1 or more
    double message_bytes = kNotGiven;                ///< B: message length in bytes, 1 or more
    /// Cycles for which a byte holds a channel: 1 as the paper prints it, or G.
    double channel_cycles_per_byte = 1.0;
    /// Channels leaving a node: 2 as in (4), 1 if unidirectional, twice as many as copies of a
    /// network that share the messages.
    int channels_per_dimension = 2;
};

struct LogpcNetworkSolution {
    double contention_cycles = 0.0;            ///< C_n: added to a message's latency by contention
    double contention_per_hop_cycles = 0.0;    ///< w_b
    double messages_per_cycle_per_node = 0.0;  ///< m_c: injection rate, contention included
    double intermessage_cycles = 0.0;          ///< T_c = 1/m_c = T + C_n
    /// rho: share of time in which a channel is busy, up to 1.
    double channel_utilization = 0.0;
};

/// Solves the closed model, (3) to (7). Without contention each node would inject a message every T
/// cycles, 0 or more; at T = 0 a message is always waiting. Contention delays a node's next message
/// by waits_per_message times C_n: once in (7), twice if the node sends and receives in turn
/// (section 5.2.1). No solution exists for k_d = 1, where heads never wait, if channels saturate at
/// T.
LogpcNetworkSolution solve_logpc_network(const LogpcNetworkInputs& inputs,
                                         double contention_free_intermessage_cycles,
                                         double waits_per_message = 1.0);

struct AgarwalNetworkSolution {
    double contention_cycles = 0.0;          ///< C_n
    double contention_per_hop_cycles = 0.0;  ///< w_b
    /// rho: share of time in which a channel is busy, below 1.
    double channel_utilization = 0.0;
};

/// Solves Agarwal's open model, (3) to (6): each node injects m messages per cycle, independent of
/// contention. No solution exists at logpc_saturation_rate(inputs) or above.
AgarwalNetworkSolution solve_agarwal_network(const LogpcNetworkInputs& inputs,
                                             double messages_per_cycle_per_node);

/// Injection rate in messages per cycle and node at which rho is 1: 2/(B k_d) by (4).
double logpc_saturation_rate(const LogpcNetworkInputs& inputs);

struct LogpcMaximalInjection {
    double cycles_per_byte = 0.0;  ///< F: nodes that only send inject a message every F B cycles
    double inflation = 0.0;        ///< T_c/T = F/(2G): the largest slowdown by contention
};

/// Upper bound (13), (14): nodes only send and receive long messages, at G cycles per byte each (G
/// from 1e-9). The length of messages cancels out, and message_bytes is not read.
LogpcMaximalInjection max_injection_inflation(LogpcNetworkInputs network,
                                              double gap_cycles_per_byte);

}  // namespace weir::experiments::models
