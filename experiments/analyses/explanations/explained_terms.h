#pragma once

#include <cstdint>
#include <optional>

#include "experiments/analyses/explanations/explained_bodies.h"
#include "experiments/models/model_input.h"

namespace weir::experiments::analyses {

/// A model of an iteration, as the values that it assumes. A correction replaces values that an
/// assumption fixes by those of a trace. Times are cycles.
///
/// A round trip is the work of a thread, `visits` requests with their handlers, and a reply with
/// its handler. The equations are LoPC's (1) to (7) with (5') and (6'), Schweitzer's correction
/// included, for requests and replies with handlers of their own.
struct ExplainedTerms {
    enum class Pattern : std::uint8_t {
        kRoundTrip,
        kOneWay,      ///< processor time of a message that is sent and one that is received
        kProgram,     ///< processor time of a node in a whole program
        kSingleBody,  ///< one message with a body, from its first store to its last byte's write
    };
    /// Equations for waits at processors.
    enum class Queueing : std::uint8_t {
        kNone,        ///< LogP: no waits, but servers have a greatest rate
        kOneHandler,  ///< LoPC's rule of thumb: a round trip waits for one handler
        kLopc,        ///< LoPC: an arriving message finds the mean queue
        kMd1,         ///< Pollaczek-Khinchine, for requests only
    };

    Pattern pattern = Pattern::kRoundTrip;
    Queueing queueing = Queueing::kNone;

    double work_cycles = models::kNotGiven;     ///< thread's own time, its sends included
    double latency_cycles = models::kNotGiven;  ///< L: one trip without waits
    double visits = 1.0;                        ///< nodes that a request visits
    /// Requests that arrive at a node for each round trip of a thread: visits, or clients per
    /// server.
    double request_load = 1.0;
    double threads = 0.0;           ///< number of threads that send requests to a node
    bool has_servers = false;       ///< servers run no threads, and clients receive no requests
    bool interrupts_thread = true;  ///< false: a protocol processor runs the handlers
    double request_cycles =
        models::kNotGiven;                    ///< handler of a request, with the send of its reply
    double reply_cycles = models::kNotGiven;  ///< handler of a reply
    double request_squared_cv = 0.0;
    double reply_squared_cv = 0.0;
    double after_reply_cycles = 0.0;   ///< part of request handlers after their replies have left
    double network_wait_cycles = 0.0;  ///< waits in the network, sum over a round trip
    /// Part of the requests at a node that an arriving request finds: 1 by Bard's approximation.
    double found_share = 1.0;

    // Values of a trace, in place of the equations.
    std::optional<double> request_queueing_cycles;
    std::optional<double> reply_queueing_cycles;
    std::optional<double> interference_cycles;

    ExplainedBodies bodies;

    // Additional processor time of one-way messages and programs.
    double wait_cycles = 0.0;  ///< waits for messages: L at the end of each phase of a program
    double blocked_cycles = 0.0;
    double saves_cycles = 0.0;
    double idle_cycles = 0.0;

    /// Time of an iteration without waits for processors.
    [[nodiscard]] double contention_free_cycles() const;
    /// Time of an iteration.
    [[nodiscard]] double cycles() const;
};

}  // namespace weir::experiments::analyses
