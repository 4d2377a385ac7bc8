#include "experiments/models/lopc/lopc_mva.h"

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_mva_means.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::size_t kMostThreads = 16;
constexpr std::size_t kMostNodes = 64;

/// A thread's work and its trips, which nothing holds up.
double delay_of(const LopcGeneralInputs& inputs, std::size_t thread) {
    return inputs.work_of(thread) + inputs.send_overhead_cycles +
           (1.0 + inputs.visits.visits_per_request(thread)) * inputs.network_cycles;
}

std::vector<std::size_t> threads_that_ask(const LopcGeneralInputs& inputs) {
    std::vector<std::size_t> asking;
    for (std::size_t i = 0; i < inputs.visits.processors(); ++i) {
        if (inputs.visits.visits_per_request(i) > 0.0) {
            asking.push_back(i);
        }
    }
    return asking;
}

void require_product_form(const LopcGeneralInputs& inputs) {
    if (inputs.handler_squared_cv != 1.0) {
        throw ModelError(
            "handler_squared_cv (C_o^2) is " + shortest_text(inputs.handler_squared_cv),
            "1, only exponential handlers have an exact analysis");
    }
    const std::vector<std::size_t> asking = threads_that_ask(inputs);
    for (const std::size_t visited : asking) {
        for (const std::size_t i : asking) {
            if (inputs.visits.row(i)[visited] == 0.0) {
                continue;
            }
            if (!inputs.protocol_processor) {
                throw ModelError("protocol_processor is false, and requests interrupt thread " +
                                     std::to_string(visited),
                                 "true, interrupted threads have no exact analysis");
            }
            if (inputs.send_overhead_cycles != 0.0) {
                throw ModelError(
                    "send_overhead_cycles (o_s) is " + shortest_text(inputs.send_overhead_cycles),
                    "0, requests and replies that queue together must "
                    "be of one length for an exact analysis");
            }
        }
    }
}

}  // namespace

LopcMva solve_lopc_exact_mva(const LopcGeneralInputs& inputs) {
    check_lopc_general(inputs);
    refuse_lopc_stations(inputs);
    require_product_form(inputs);
    const std::vector<std::size_t> asking = threads_that_ask(inputs);
    const std::size_t nodes = inputs.visits.processors();
    if (asking.size() > kMostThreads || nodes > kMostNodes) {
        throw ModelError("visits (V) has " + std::to_string(asking.size()) +
                             " threads that ask on " + std::to_string(nodes) + " nodes",
                         std::to_string(kMostThreads) + " threads on " +
                             std::to_string(kMostNodes) + " nodes for the exact analysis");
    }
    const double request_handler = inputs.request_handler_cycles();
    const std::size_t everyone = (std::size_t{1} << asking.size()) - 1;
    // Messages at each node when only the threads of a set are there.
    std::vector<double> queued((everyone + 1) * nodes, 0.0);
    LopcMvaMeans means;
    for (std::size_t set = 1; set <= everyone; ++set) {
        double* here = &queued[set * nodes];
        for (std::size_t a = 0; a < asking.size(); ++a) {
            if ((set >> a & 1U) == 0) {
                continue;
            }
            const std::size_t i = asking[a];
            const double* row = inputs.visits.row(i);
            const double* found = &queued[(set ^ (std::size_t{1} << a)) * nodes];
            const double reply = inputs.handler_cycles * (1.0 + found[i]);
            double response = delay_of(inputs, i) + reply;
            for (std::size_t k = 0; k < nodes; ++k) {
                response += row[k] * request_handler * (1.0 + found[k]);
            }
            const double per_cycle = 1.0 / response;
            here[i] += per_cycle * reply;
            for (std::size_t k = 0; k < nodes; ++k) {
                here[k] += per_cycle * row[k] * request_handler * (1.0 + found[k]);
                if (set == everyone) {
                    means.add_visits(per_cycle * row[k], request_handler * (1.0 + found[k]));
                }
            }
            if (set == everyone) {
                means.add_thread(per_cycle, reply);
            }
        }
    }
    return means.means();
}

LopcMva solve_lopc_exact_mva_all_to_any(int processors, double work_cycles, double network_cycles,
                                        double handler_cycles) {
    check_lopc_general({.visits = lopc_all_to_any_visits(2, 1.0),
                        .work_cycles = {work_cycles},
                        .network_cycles = network_cycles,
                        .handler_cycles = handler_cycles,
                        .handler_squared_cv = 1.0});
    require_count("processors (P)", processors, 2, "nodes");
    const double others = processors - 1;
    // With n threads a node is the home of one of them or of none.
    double queued_home = 0.0;
    double queued_other = 0.0;
    LopcMva result;
    for (int n = 1; n <= processors; ++n) {
        // Once its own thread is away, the thread's home is a node like those of no thread.
        const double reply = handler_cycles * (1.0 + queued_other);
        const double to_home = handler_cycles * (1.0 + queued_home);
        const double to_other = handler_cycles * (1.0 + queued_other);
        const double request = ((n - 1) * to_home + (processors - n) * to_other) / others;
        const double response = work_cycles + 2.0 * network_cycles + request + reply;
        queued_home = (reply + (n - 1) / others * to_home) / response;
        queued_other = n / others * to_other / response;
        result = {.response_cycles = response,
                  .request_response_cycles = request,
                  .reply_response_cycles = reply,
                  .requests_per_cycle = n / response};
    }
    return result;
}

LopcMva solve_lopc_exact_mva_client_server(const LopcClientServerInputs& inputs, int servers) {
    solve_lopc_client_server(inputs, servers);  // refuses what is out of range
    if (inputs.handler_squared_cv != 1.0) {
        throw ModelError(
            "handler_squared_cv (C_o^2) is " + shortest_text(inputs.handler_squared_cv),
            "1, only exponential handlers have an exact analysis");
    }
    const double service = inputs.handler_cycles + inputs.send_overhead_cycles;
    const double elsewhere = inputs.work_cycles + inputs.send_overhead_cycles +
                             2.0 * inputs.network_cycles + inputs.handler_cycles;
    double queued = 0.0;
    LopcMva result;
    for (int n = 1; n <= inputs.processors - servers; ++n) {
        const double request = service * (1.0 + queued);
        const double response = elsewhere + request;
        queued = n / response * request / servers;
        result = {.response_cycles = response,
                  .request_response_cycles = request,
                  .reply_response_cycles = inputs.handler_cycles,
                  .requests_per_cycle = n / response};
    }
    return result;
}

}  // namespace weir::experiments::models
