#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/models/model_input.h"

/// LoPC for any pattern of communication: every thread has its own work, and a matrix gives the
/// nodes that its requests visit.
///
/// The thread of node i works for W_i cycles, then makes a request that visits node k V_ik times on
/// average. Each visit follows a trip of S_l through a network without contention; the reply takes
/// one more trip. A row of V that adds to more than 1 is a request that nodes forward
/// ("multi-hop"). For instance, a home forwards a coherence request to the line's owner. Handlers
/// take S_o, are atomic and first come first served. Handlers interrupt the node's thread, unless a
/// protocol processor runs them.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// appendix A, equations (19) to (28). Equations (25) and (26) include the residual life of section
/// 4.3, for handlers that are not exponential. Like the paper, this model has one S_o for all
/// nodes.
///
/// A row of zeros is a server, a node whose thread makes no requests. A server only runs handlers,
/// and has no round trip of its own. (By (28) as printed it would still receive replies, which do
/// not exist.) A row that adds to less than 1 is refused: some requests would not be made while
/// their replies come. A thread may visit its own node. By (27) its own request then counts among
/// those that interrupt it, which overestimates interruptions.
///
/// With a cost of sending o_s (0 in the paper; see lopc_all_to_any.h) the thread composes its
/// request in o_s. Request handlers, which forward or reply, take S_o + o_s.
///
/// As an extension of the paper, nodes may differ (LopcStation). For shared memory, the directory
/// and the processor of one home are two nodes of V with different handler times.
///
/// Times are processor cycles, 0 to 1e15. Inputs that are absent, negative or larger are a
/// ModelError. A list of work must have the length 1 or the number of threads. A V
/// that is empty, not square, all zeros, or has an entry above 1e6 is a ModelError, too. Further
/// ModelErrors are a round trip that takes no time (below 1e-9), and equations that do not
/// converge.
namespace weir::experiments::models {

/// V by rows: visits per request of thread i (row) to node k (column).
class LopcVisits {
  public:
    LopcVisits() = default;
    /// Matrix with all entries 0.
    explicit LopcVisits(std::size_t processors)
        : processors_(processors), visits_(processors * processors, 0.0) {}

    [[nodiscard]] std::size_t processors() const { return processors_; }
    [[nodiscard]] double* row(std::size_t thread) { return &visits_[thread * processors_]; }
    [[nodiscard]] const double* row(std::size_t thread) const {
        return &visits_[thread * processors_];
    }
    /// Sum of a row: visits of one request; 0 if the thread makes no requests.
    [[nodiscard]] double visits_per_request(std::size_t thread) const;

  private:
    std::size_t processors_ = 0;
    std::vector<double> visits_;
};

/// V from rows; ModelError unless they are square.
LopcVisits lopc_visits(const std::vector<std::vector<double>>& rows);

/// V of threads that ask all other nodes equally, with `visits_per_request`: 1 for a reply at once.
LopcVisits lopc_all_to_any_visits(int processors, double visits_per_request);

/// V in which the first `servers` nodes serve, and each other thread asks all servers equally.
LopcVisits lopc_client_server_visits(int processors, int servers, double visits_per_request);

/// Service at one node, if nodes differ. A node of V may then be a part of a real node: a
/// directory, a processor, or a channel.
struct LopcStation {
    double request_cycles = 0.0;      ///< time of a request handler, in place of S_o + o_s
    double after_reply_cycles = 0.0;  ///< part of request_cycles after the handler's reply
    double trips = 1.0;  ///< network trips to a visit; 0 if the request is already in the node
    /// The thread that this node's handlers interrupt, if any. If it is another node's thread, its
    /// reply is not handled at this node, and may come during a handler. The thread then waits for
    /// that handler's residual life.
    std::optional<std::size_t> interrupts;
};

struct LopcGeneralInputs {
    LopcVisits visits;  ///< V
    /// W_i: work of each thread between two requests, or one value for all threads.
    std::vector<double> work_cycles;
    double network_cycles = kNotGiven;      ///< S_l: network latency one way
    double handler_cycles = kNotGiven;      ///< S_o: one handler, its interrupt included
    double handler_squared_cv = kNotGiven;  ///< C_o^2: 0 constant handlers, 1 exponential ones
    bool protocol_processor = false;        ///< handlers run beside the thread: R_w = W
    double send_overhead_cycles = 0.0;      ///< o_s: composing and launching a message
    /// One station for each node, or empty if all nodes are alike. With stations, S_o is that of
    /// reply handlers.
    std::vector<LopcStation> stations = {};

    [[nodiscard]] double work_of(std::size_t thread) const {
        return work_cycles.size() == 1 ? work_cycles.front() : work_cycles[thread];
    }
    /// S_o + o_s: a request handler also sends, to forward the request or to reply.
    [[nodiscard]] double request_handler_cycles() const {
        return handler_cycles + send_overhead_cycles;
    }
    /// The station of one node, taken from the other inputs if `stations` is empty.
    [[nodiscard]] LopcStation station_of(std::size_t node) const;
};

/// Results of a node and its thread. If the thread makes no requests, its own results are 0.
struct LopcNode {
    bool asks = false;                    ///< whether the thread makes requests
    double response_cycles = 0.0;         ///< R_i: round trip of the thread, (28)
    double contention_free_cycles = 0.0;  ///< R_i without contention, LogP's time
    double thread_response_cycles =
        0.0;  ///< R_wk: work of the thread, interruptions included, (27)
    /// R_qk: any request at this node, queueing and service, (25).
    double request_response_cycles = 0.0;
    double reply_response_cycles = 0.0;  ///< R_yk: reply to the thread, (26)
    /// Q_qk: requests at the node, waiting or in service, (23).
    double requests_queued = 0.0;
    /// Q_yk: replies at the node, waiting or in service, (24).
    double replies_queued = 0.0;
    /// U_qk: share of the node's time for request handlers, (21).
    double request_utilization = 0.0;
    /// U_yk: share of the node's time for reply handlers, (22).
    double reply_utilization = 0.0;
    double requests_per_cycle = 0.0;  ///< X_i: throughput of the thread, (19)
    double arrivals_per_cycle = 0.0;  ///< arrival rate of all threads' requests, sum of (20)
};

struct LopcGeneralSolution {
    std::vector<LopcNode> nodes;
    double requests_per_cycle = 0.0;      ///< X: throughput of all threads together
    double response_cycles = 0.0;         ///< R: mean round trip, number of asking threads over X
    double contention_free_cycles = 0.0;  ///< mean round trip without contention
    std::size_t busiest_node = 0;         ///< node with the largest U_qk + U_yk
    int iterations = 0;
};

/// Solves equations (19) to (28). An iteration computes two products of V with a vector.
LopcGeneralSolution solve_lopc_general(const LopcGeneralInputs& inputs);

/// Throws ModelError unless solve_lopc_general accepts the inputs.
void check_lopc_general(const LopcGeneralInputs& inputs);

}  // namespace weir::experiments::models
