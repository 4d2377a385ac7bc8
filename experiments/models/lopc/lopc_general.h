#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/models/model_input.h"

/// LoPC for any pattern of communication: every thread has its own work, and its requests visit the
/// nodes as a matrix says.
///
/// The thread of node i works for W_i cycles, then makes a request that visits node k V_ik times on
/// average, each visit after a trip of S_l through a network without contention, and comes back as
/// a reply after one more. A row of V that adds to more than 1 is a request that is handed on
/// ("multi- hop"), as a coherence request from its home to the owner. Handlers take S_o, are atomic
/// and first come first served, and interrupt the node's thread, unless a protocol processor runs
/// them.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// appendix A, equations (19) to (28), with the residual life of section 4.3 in (25) and (26) for
/// handlers that are not exponential. The paper has one S_o for all nodes, and so has this.
///
/// A row of zeros is a node whose thread never asks, a server: it runs handlers only, and has no
/// cycle of its own. (By (28) as printed it would still get replies that nobody sends.) A row that
/// adds to less than 1 would be requests that are sometimes not made while their replies come, and
/// is refused. A thread may visit its own node; by (27) its own request then counts among those
/// that interrupt it, which is too many.
///
/// With a cost of sending o_s (0 in the paper; see lopc_all_to_any.h) the thread composes its
/// request in o_s, and request handlers, which hand on or reply, take S_o + o_s.
///
/// Beyond the paper nodes may differ (LopcStation): shared memory's directory and processor of one
/// home are two nodes of V, and what a directory takes is not what a processor's trap takes.
///
/// Times are processor cycles, 0 to 1e15. Refused as a ModelError: absent, negative or larger
/// inputs; V not square, empty or with an entry above 1e6; a list of work that fits neither; a V of
/// zeros; a cycle that takes no time (below 1e-9); equations that don't settle.
namespace weir::experiments::models {

/// V by rows: visits a request of thread i (row) makes to node k (column).
class LopcVisits {
  public:
    LopcVisits() = default;
    /// No visits yet.
    explicit LopcVisits(std::size_t processors)
        : processors_(processors), visits_(processors * processors, 0.0) {}

    [[nodiscard]] std::size_t processors() const { return processors_; }
    [[nodiscard]] double* row(std::size_t thread) { return &visits_[thread * processors_]; }
    [[nodiscard]] const double* row(std::size_t thread) const {
        return &visits_[thread * processors_];
    }
    /// Visits of one request; 0 where the thread never asks.
    [[nodiscard]] double visits_per_request(std::size_t thread) const;

  private:
    std::size_t processors_ = 0;
    std::vector<double> visits_;
};

/// Rows of any shape; ModelError unless they are square.
LopcVisits lopc_visits(const std::vector<std::vector<double>>& rows);

/// Every thread asks any other node alike, in `visits_per_request` visits: 1 for a reply at once.
LopcVisits lopc_all_to_any_visits(int processors, double visits_per_request);

/// The first `servers` nodes serve, and each of the others asks any server alike.
LopcVisits lopc_client_server_visits(int processors, int servers, double visits_per_request);

/// What requests meet at one node, where nodes differ. A node of V may then be a part of one: a
/// directory, a processor, a channel.
struct LopcStation {
    double request_cycles = 0.0;      ///< one request handler here; for S_o + o_s
    double after_reply_cycles = 0.0;  ///< of it, what it does after it has handed on or replied
    double trips = 1.0;  ///< through the network, to a visit: 0 where the request is in the node
    /// The thread that handlers here interrupt, if any. Where that is another node's, its reply is
    /// not handled here and may come while a handler runs, which then has its residual life left.
    std::optional<std::size_t> interrupts;
};

struct LopcGeneralInputs {
    LopcVisits visits;                      ///< V
    std::vector<double> work_cycles;        ///< W_i: one for each thread, or one for all
    double network_cycles = kNotGiven;      ///< S_l: one way through the network
    double handler_cycles = kNotGiven;      ///< S_o: one handler, its interrupt included
    double handler_squared_cv = kNotGiven;  ///< C_o^2: 0 constant handlers, 1 exponential ones
    bool protocol_processor = false;        ///< handlers run beside the thread: R_w = W
    double send_overhead_cycles = 0.0;      ///< o_s: composing and launching a message
    /// One for each node, or none where all are alike. S_o is then the reply handlers' alone.
    std::vector<LopcStation> stations = {};

    [[nodiscard]] double work_of(std::size_t thread) const {
        return work_cycles.size() == 1 ? work_cycles.front() : work_cycles[thread];
    }
    /// A request handler hands on or replies.
    [[nodiscard]] double request_handler_cycles() const {
        return handler_cycles + send_overhead_cycles;
    }
    /// The same of one node, and what is said of it.
    [[nodiscard]] LopcStation station_of(std::size_t node) const;
};

/// A node and its thread. Where the thread never asks, what is the thread's is 0.
struct LopcNode {
    bool asks = false;                     ///< the thread makes requests
    double response_cycles = 0.0;          ///< R_i: a turn of the thread, (28)
    double contention_free_cycles = 0.0;   ///< R_i if nothing contended, LogP's time
    double thread_response_cycles = 0.0;   ///< R_wk: the work with its interruptions, (27)
    double request_response_cycles = 0.0;  ///< R_qk: any request here, queueing and service, (25)
    double reply_response_cycles = 0.0;    ///< R_yk: the thread's reply, (26)
    double requests_queued = 0.0;          ///< Q_qk, (23)
    double replies_queued = 0.0;           ///< Q_yk, (24)
    double request_utilization = 0.0;      ///< U_qk, (21)
    double reply_utilization = 0.0;        ///< U_yk, (22)
    double requests_per_cycle = 0.0;       ///< X_i of the thread, (19)
    double arrivals_per_cycle = 0.0;       ///< requests of all threads that come here, sum of (20)
};

struct LopcGeneralSolution {
    std::vector<LopcNode> nodes;
    double requests_per_cycle = 0.0;      ///< X: all threads together
    double response_cycles = 0.0;         ///< R of a request, whoever makes it: threads asking/X
    double contention_free_cycles = 0.0;  ///< the same mean of the contention-free times
    std::size_t busiest_node = 0;         ///< with the most U_qk + U_yk
    int iterations = 0;
};

/// Solves (19) to (28). An iteration takes two products of V with a vector.
LopcGeneralSolution solve_lopc_general(const LopcGeneralInputs& inputs);

/// ModelError unless the inputs are such as solve_lopc_general takes.
void check_lopc_general(const LopcGeneralInputs& inputs);

}  // namespace weir::experiments::models
