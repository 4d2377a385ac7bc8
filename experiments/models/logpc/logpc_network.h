#pragma once

#include <span>

#include "experiments/models/model_input.h"

/// LoGPC's network: how long messages hold each other up in a wormhole k-ary n-cube or mesh.
///
/// Agarwal's open model gives the waiting of a message's head from the rate at which nodes inject;
/// LoGPC closes it, for a node that waits sends less often. Destinations are random, routes go
/// through one dimension after the other, and neighbours are joined by two physical channels, one
/// each way.
///
/// Source: Moritz and Frank, "LoGPC: Modeling Network Contention in Message-Passing Programs"
/// (2001), section 3: equations (3) to (7), the mean distance (11), the upper bound (13) and (14).
///
/// Times are processor cycles. In (4) a channel is taken for B cycles by a message of B bytes: the
/// equations count one byte a cycle, though Alewife's channels carry two. That is the paper's, and
/// is left so; a channel of another width is modelled by giving B in what it carries in a cycle.
///
/// Whatever is absent, out of range or not a number is a ModelError. A mean distance below one hop
/// a dimension is out of range: (3) has the factor k_d - 1, and would give messages that gain time
/// by contention. To small meshes (3 x 3, k_d = 0.89) the model does not apply.
namespace weir::experiments::models {

struct LogpcNetworkInputs {
    int dimensions = 0;                              ///< n, 1 or more
    double mean_distance_per_dimension = kNotGiven;  ///< k_d in hops, 1 or more
    double message_bytes = kNotGiven;                ///< B, 1 or more
};

struct LogpcNetworkSolution {
    double contention_cycles = 0.0;            ///< C_n: added to a message's latency by others
    double contention_per_hop_cycles = 0.0;    ///< w_b
    double messages_per_cycle_per_node = 0.0;  ///< m_c: injection rate, contention included
    double intermessage_cycles = 0.0;          ///< T_c = 1/m_c = T + C_n
    double channel_utilization = 0.0;          ///< rho, up to 1
};

/// The closed model, (3) to (7): each node would inject a message every T cycles if there were no
/// contention (0 or more: at 0 a message is always waiting). It has no solution for k_d = 1, where
/// heads never wait, if T is not above B k_d / 2, where the channels saturate.
LogpcNetworkSolution solve_logpc_network(const LogpcNetworkInputs& inputs,
                                         double contention_free_intermessage_cycles);

/// The open model, C_n(m) by (3) to (6): each node injects m messages a cycle whatever happens to
/// them. It has no solution where the channels saturate, at m = 2/(B k_d).
double logpc_open_contention_cycles(const LogpcNetworkInputs& inputs,
                                    double messages_per_cycle_per_node);

struct LogpcMaximalInjection {
    double cycles_per_byte = 0.0;  ///< F: nodes that only send inject a message every F B cycles
    double inflation = 0.0;        ///< T_c/T = F/(2G): the most that contention can cost
};

/// The upper bound (13), (14): nodes do nothing but send and receive long messages at G cycles a
/// byte each (G from 1e-9).
LogpcMaximalInjection max_injection_inflation(int dimensions, double mean_distance_per_dimension,
                                              double gap_cycles_per_byte);

/// Mean hops between two random nodes of a mesh without end-around channels, (11); a node may be
/// its own destination. The mesh has any number of dimensions, each of 1 node or more.
double mesh_mean_hops(std::span<const int> extents);

/// The same where a node never sends to itself; a mesh of one node is a ModelError.
double mesh_mean_hops_to_others(std::span<const int> extents);

/// k_d as (11) has it: mesh_mean_hops by the number of dimensions.
double mesh_mean_distance_per_dimension(std::span<const int> extents);

}  // namespace weir::experiments::models
