#include "experiments/models/lopc/lopc_mva.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

LopcGeneralInputs exponential(LopcVisits visits, std::vector<double> work, double network,
                              double handler) {
    return {.visits = std::move(visits),
            .work_cycles = std::move(work),
            .network_cycles = network,
            .handler_cycles = handler,
            .handler_squared_cv = 1.0,
            .protocol_processor = true};
}

// Buzen's convolution for a client-server program. The convolution's normalisation constants come
// from the delays' Z^n/n! and a factor for each server; no mean value is used. Times are in units
// of the handler time.
double throughput_by_convolution(int clients, int servers, double delay, double handler) {
    std::vector<double> g = {1.0};
    for (int n = 1; n <= clients; ++n) {
        g.push_back(g.back() * (delay / handler) / n);
    }
    for (int server = 0; server < servers; ++server) {
        for (std::size_t n = 1; n < g.size(); ++n) {
            g[n] += g[n - 1] / servers;
        }
    }
    return g[g.size() - 2] / g.back() / handler;
}

TEST(LopcExactMva, OfClientsAndServersIsBuzensConvolution) {
    for (const int servers : {1, 2, 7, 20}) {
        for (const double work : {0.0, 131.0, 2000.0}) {
            const LopcClientServerInputs in = {32, work, 6.0, 131.0, 1.0};
            const double exact = solve_lopc_exact_mva_client_server(in, servers).requests_per_cycle;
            EXPECT_NEAR(exact / throughput_by_convolution(32 - servers, servers,
                                                          work + 12.0 + 131.0, 131.0),
                        1.0, 1e-11);
        }
    }
}

// Markov chain of the abstract machine for a few threads: work and trips are one exponential delay,
// and queues are in order. Iterated until the probabilities are stationary. The chain assumes
// neither product form nor the arrival theorem.
class Chain {
  public:
    explicit Chain(const LopcGeneralInputs& in) : in_(in), processors_(in.visits.processors()) {
        number({std::vector<std::vector<int>>(processors_)});
        for (std::size_t state = 0; state < states_.size(); ++state) {
            expand(state);
        }
    }

    double requests_per_cycle() {
        double fastest = 0.0;
        std::vector<double> out(states_.size(), 0.0);
        for (const Flow& flow : flows_) {
            out[flow.from] += flow.rate;
        }
        for (const double rate : out) {
            fastest = std::max(fastest, rate);
        }
        std::vector<double> chance(states_.size(), 1.0 / static_cast<double>(states_.size()));
        for (int step = 0; step < 20000; ++step) {
            std::vector<double> next = chance;
            for (const Flow& flow : flows_) {
                const double moved = chance[flow.from] * flow.rate / (1.1 * fastest);
                next[flow.from] -= moved;
                next[flow.to] += moved;
            }
            chance = next;
        }
        double rate = 0.0;
        for (const Flow& flow : flows_) {
            rate += flow.ends_turn ? chance[flow.from] * flow.rate : 0.0;
        }
        return rate;
    }

    [[nodiscard]] std::size_t states() const { return states_.size(); }

  private:
    /// Messages at each node, first the one in service: thread i's request is 2i, its reply 2i + 1.
    using State = std::vector<std::vector<int>>;
    struct Flow {
        std::size_t from;
        std::size_t to;
        double rate;
        bool ends_turn;
    };

    std::size_t number(const State& state) {
        const auto [found, added] = numbers_.emplace(state, states_.size());
        if (added) {
            states_.push_back(state);
        }
        return found->second;
    }

    void expand(std::size_t from) {
        const State state = states_[from];
        std::vector<bool> away(processors_, false);
        for (std::size_t k = 0; k < processors_; ++k) {
            for (const int message : state[k]) {
                away[static_cast<std::size_t>(message / 2)] = true;
            }
            if (state[k].empty()) {
                continue;
            }
            State next = state;
            const int message = next[k].front();
            next[k].erase(next[k].begin());
            const bool is_reply = message % 2 == 1;
            if (!is_reply) {
                next[static_cast<std::size_t>(message / 2)].push_back(message + 1);
            }
            flows_.push_back({from, number(next), 1.0 / in_.handler_cycles, is_reply});
        }
        for (std::size_t i = 0; i < processors_; ++i) {
            if (away[i]) {
                continue;
            }
            const double delay = in_.work_of(i) + 2.0 * in_.network_cycles;
            for (std::size_t k = 0; k < processors_; ++k) {
                if (in_.visits.row(i)[k] > 0.0) {
                    State next = state;
                    next[k].push_back(static_cast<int>(2 * i));
                    flows_.push_back({from, number(next), in_.visits.row(i)[k] / delay, false});
                }
            }
        }
    }

    const LopcGeneralInputs& in_;
    std::size_t processors_;
    std::map<State, std::size_t> numbers_;
    std::vector<State> states_;
    std::vector<Flow> flows_;
};

TEST(LopcExactMva, IsTheMarkovChainOfThreeNodes) {
    for (const double work : {20.0, 300.0}) {
        const LopcGeneralInputs alike =
            exponential(lopc_all_to_any_visits(3, 1.0), {work}, 10.0, 100.0);
        Chain chain(alike);
        EXPECT_GT(chain.states(), 50U);
        EXPECT_NEAR(solve_lopc_exact_mva(alike).requests_per_cycle / chain.requests_per_cycle(),
                    1.0, 1e-9);
    }
}

TEST(LopcExactMva, IsTheMarkovChainWhereThreadsAndVisitsDiffer) {
    LopcVisits visits(3);
    visits.row(0)[1] = 0.9;
    visits.row(0)[2] = 0.1;
    visits.row(1)[0] = 0.3;
    visits.row(1)[1] = 0.2;
    visits.row(1)[2] = 0.5;
    visits.row(2)[0] = 1.0;
    const LopcGeneralInputs in = exponential(visits, {30.0, 200.0, 5.0}, 10.0, 100.0);
    EXPECT_NEAR(solve_lopc_exact_mva(in).requests_per_cycle / Chain(in).requests_per_cycle(), 1.0,
                1e-9);
}

// The recursion over the number of threads agrees with the recursion over their sets.
TEST(LopcExactMva, OverNumbersIsTheOneOverSets) {
    for (const int processors : {2, 3, 8, 12}) {
        for (const double work : {0.0, 500.0}) {
            const LopcMva sets = solve_lopc_exact_mva(
                exponential(lopc_all_to_any_visits(processors, 1.0), {work}, 6.0, 145.0));
            const LopcMva numbers = solve_lopc_exact_mva_all_to_any(processors, work, 6.0, 145.0);
            EXPECT_NEAR(sets.response_cycles / numbers.response_cycles, 1.0, 1e-12);
            EXPECT_NEAR(sets.request_response_cycles / numbers.request_response_cycles, 1.0, 1e-12);
            EXPECT_NEAR(sets.reply_response_cycles / numbers.reply_response_cycles, 1.0, 1e-12);
            EXPECT_NEAR(sets.requests_per_cycle / numbers.requests_per_cycle, 1.0, 1e-12);
        }
    }
    for (const int servers : {1, 4, 9}) {
        const LopcMva sets = solve_lopc_exact_mva(
            exponential(lopc_client_server_visits(12, servers, 1.0), {500.0}, 6.0, 131.0));
        const LopcMva numbers =
            solve_lopc_exact_mva_client_server({12, 500.0, 6.0, 131.0, 1.0}, servers);
        EXPECT_NEAR(sets.response_cycles / numbers.response_cycles, 1.0, 1e-12);
        EXPECT_NEAR(sets.request_response_cycles / numbers.request_response_cycles, 1.0, 1e-12);
    }
}

struct Errors {
    double bard;
    double schweitzer;
};

Errors errors(const LopcGeneralInputs& in, const LopcMva& exact) {
    return {solve_lopc_general(in).response_cycles / exact.response_cycles - 1.0,
            solve_lopc_bard_schweitzer(in).response_cycles / exact.response_cycles - 1.0};
}

// LoPC, section 3.2: Bard's queues are too long, and less so with more threads. With four clients
// for each server the error falls as 1/P.
TEST(LopcBardsApproximation, OfClientsAndServersGoesToTheExactOneAsThreadsGrow) {
    double previous = 1.0;
    for (const int processors : {5, 20, 80, 320, 1280}) {
        const int servers = processors / 5;
        const LopcMva exact =
            solve_lopc_exact_mva_client_server({processors, 200.0, 6.0, 131.0, 1.0}, servers);
        const double error = solve_lopc_client_server({processors, 200.0, 6.0, 131.0, 1.0}, servers)
                                     .response_cycles /
                                 exact.response_cycles -
                             1.0;
        EXPECT_GT(error, 0.0);
        EXPECT_LT(error, 0.4 * previous);
        previous = error;
    }
    EXPECT_LT(previous, 0.001);
}

// If every node has its own thread, the error shrinks too, but not to 0. While a thread's request
// is under way, its node has no reply of that thread, at any P. In the limit of large P, the exact
// reply finds a queue of requests alone, S_o/(1 - U). LoPC's reply also finds the requests that
// queue behind replies.
TEST(LopcBardsApproximation, OfAllToAnyKeepsTheReplysErrorHoweverManyThreads) {
    double previous = 1.0;
    for (const int processors : {2, 4, 8, 32, 128, 512}) {
        const LopcMva exact = solve_lopc_exact_mva_all_to_any(processors, 0.0, 6.0, 200.0);
        const double error =
            errors(exponential(lopc_all_to_any_visits(processors, 1.0), {0.0}, 6.0, 200.0), exact)
                .bard;
        EXPECT_GT(error, 0.0);
        EXPECT_LT(error, previous);
        previous = error;
    }
    EXPECT_NEAR(previous, 0.042, 0.0005);  // error at P = 512; the limit for large P is 0.0419

    double r = 412.0;  // R in the limit: R_y = S/(1 - U), R_q = S + S (R_q + R_y)/R
    for (int step = 0; step < 1000; ++step) {
        const double u = 200.0 / r;
        const double reply = 200.0 / (1.0 - u);
        const double request = (200.0 + u * reply) / (1.0 - u);
        r = 0.5 * (r + 12.0 + reply + request);
    }
    EXPECT_NEAR(solve_lopc_exact_mva_all_to_any(1000000, 0.0, 6.0, 200.0).response_cycles, r, 0.01);
}

// For few threads, Bard-Schweitzer lies between Bard and the exact analysis. Bard-Schweitzer is
// exact for two threads that only meet each other's replies.
TEST(LopcBardSchweitzer, IsNearerToTheExactAnalysisThanBard) {
    for (const int processors : {2, 4, 8, 16}) {
        for (const double work : {0.0, 200.0, 2000.0}) {
            const Errors all_to_any =
                errors(exponential(lopc_all_to_any_visits(processors, 1.0), {work}, 6.0, 145.0),
                       solve_lopc_exact_mva_all_to_any(processors, work, 6.0, 145.0));
            EXPECT_LT(std::abs(all_to_any.schweitzer), all_to_any.bard);
            const Errors clients = errors(
                exponential(lopc_client_server_visits(processors, 1, 1.0), {work}, 6.0, 131.0),
                solve_lopc_exact_mva_client_server({processors, work, 6.0, 131.0, 1.0}, 1));
            EXPECT_LT(std::abs(clients.schweitzer), clients.bard);
        }
    }
}

// Bard-Schweitzer's equations for identical threads. A request does not find its own thread's share
// of the requests, 1/(P - 1) of them; otherwise (25) to (27) are LoPC's.
TEST(LopcBardSchweitzer, AgreesWithItsEquationsForThreadsThatAreAlike) {
    for (const int processors : {2, 3, 32}) {
        for (const double squared_cv : {0.0, 1.0, 4.0}) {
            for (const bool protocol_processor : {false, true}) {
                const double work = 300.0;
                const double s = 145.0;
                const double c = (squared_cv - 1.0) / 2.0;
                const double others = (processors - 2.0) / (processors - 1.0);
                double r = work + 12.0 + 2.0 * s;
                double rq = s;
                double ry = s;
                for (int step = 0; step < 5000; ++step) {
                    const double qq = rq / r;
                    const double qy = ry / r;
                    const double u = s / r;
                    rq = 0.5 * (rq + s * (1.0 + others * (qq + c * u) + qy + c * u));
                    ry = 0.5 * (ry + s * (1.0 + qq + c * u));
                    const double rw = protocol_processor ? work : (work + s * qq) / (1.0 - u);
                    r = 0.5 * (r + rw + 12.0 + rq + ry);
                }
                const LopcMva solved =
                    solve_lopc_bard_schweitzer({lopc_all_to_any_visits(processors, 1.0),
                                                {work},
                                                6.0,
                                                s,
                                                squared_cv,
                                                protocol_processor});
                EXPECT_NEAR(solved.response_cycles / r, 1.0, 1e-10);
                EXPECT_NEAR(solved.request_response_cycles / rq, 1.0, 1e-10);
                EXPECT_NEAR(solved.reply_response_cycles / ry, 1.0, 1e-10);
            }
        }
    }
}

TEST(LopcBardSchweitzer, OfThreadsThatAreAlikeEqualsThatOfEachThread) {
    for (const int processors : {2, 3, 32}) {
        for (const double visits : {1.0, 2.5}) {
            for (const double squared_cv : {0.0, 1.0, 30.0}) {
                for (const bool protocol_processor : {false, true}) {
                    for (const double send_overhead : {0.0, 20.0}) {
                        const LopcMva each = solve_lopc_bard_schweitzer(
                            {.visits = lopc_all_to_any_visits(processors, visits),
                             .work_cycles = {700.0},
                             .network_cycles = 6.0,
                             .handler_cycles = 131.0,
                             .handler_squared_cv = squared_cv,
                             .protocol_processor = protocol_processor,
                             .send_overhead_cycles = send_overhead});
                        const LopcMva alike = solve_lopc_bard_schweitzer_all_to_any(
                            {processors, 700.0, 6.0, 131.0, squared_cv, protocol_processor,
                             send_overhead},
                            visits);
                        EXPECT_NEAR(alike.response_cycles / each.response_cycles, 1.0, 1e-10);
                        EXPECT_NEAR(alike.request_response_cycles / each.request_response_cycles,
                                    1.0, 1e-10);
                        EXPECT_NEAR(alike.reply_response_cycles / each.reply_response_cycles, 1.0,
                                    1e-10);
                        EXPECT_NEAR(alike.requests_per_cycle / each.requests_per_cycle, 1.0, 1e-10);
                    }
                }
            }
        }
    }
}

TEST(LopcBardSchweitzer, SettlesOnHotSpotsAndWildHandlers) {
    LopcVisits visits(64);
    visits.row(0)[1] = 1.0;
    for (std::size_t i = 1; i < 64; ++i) {
        visits.row(i)[0] = 1.0;
    }
    for (const double squared_cv : {0.0, 1.0, 1e4}) {
        const LopcGeneralInputs in = {visits, {1000.0}, 6.0, 100.0, squared_cv};
        EXPECT_LT(solve_lopc_bard_schweitzer(in).response_cycles,
                  solve_lopc_general(in).response_cycles);
    }
}

std::string exact_mva_refusal(const LopcGeneralInputs& in) {
    try {
        solve_lopc_exact_mva(in);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LopcExactMva, RefusesWhatIsNotOfProductForm) {
    LopcGeneralInputs in = exponential(lopc_all_to_any_visits(4, 1.0), {100.0}, 6.0, 145.0);
    EXPECT_EQ(exact_mva_refusal(in), "accepted");
    in.handler_squared_cv = 0.0;
    EXPECT_THAT(exact_mva_refusal(in), Names("handler_squared_cv (C_o^2)", "0", "accepted", "1"));
    in.handler_squared_cv = 1.0;
    in.protocol_processor = false;
    EXPECT_THAT(exact_mva_refusal(in),
                Names("protocol_processor", "false", "0", "accepted", "true"));
    in.protocol_processor = true;
    in.send_overhead_cycles = 15.0;
    EXPECT_THAT(exact_mva_refusal(in), Names("send_overhead_cycles (o_s)", "15", "accepted", "0"));
    // Client-server: no handler interrupts a client.
    in.visits = lopc_client_server_visits(4, 2, 1.0);
    in.protocol_processor = false;
    EXPECT_EQ(exact_mva_refusal(in), "accepted");
    in = exponential(lopc_all_to_any_visits(17, 1.0), {100.0}, 6.0, 145.0);
    EXPECT_THAT(exact_mva_refusal(in), Names("visits (V)", "17", "17", "accepted", "16", "64"));
    EXPECT_THROW(solve_lopc_exact_mva_client_server({32, 100.0, 6.0, 131.0, 0.0}, 4), ModelError);
    EXPECT_THROW(solve_lopc_exact_mva_all_to_any(1, 100.0, 6.0, 131.0), ModelError);
    EXPECT_THROW(solve_lopc_exact_mva_all_to_any(4, -100.0, 6.0, 131.0), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
