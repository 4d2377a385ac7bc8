#include "experiments/analyses/explanations/explained_terms.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace weir::experiments::analyses {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

// Waits of a round trip for processors.
struct Waits {
    double request = 0.0;
    double reply = 0.0;
    double interference = 0.0;

    [[nodiscard]] double sum() const { return request + reply + interference; }
};

// Correction of (5') and (6') for the residual life of the handler in service, with 1 added.
double residual(double squared_cv) { return (squared_cv + 1.0) / 2.0; }

// Waits in queues if a round trip takes R: the linear equations (3), (4), (5') and (6').
Waits lopc_queueing(const ExplainedTerms& terms, double response) {
    const double uq = terms.request_load * terms.request_cycles / response;
    const double uy = terms.has_servers ? 0.0 : terms.reply_cycles / response;
    const double found = terms.found_share;
    const double replies_alone = terms.reply_cycles * uy * residual(terms.reply_squared_cv);
    const double free = 1.0 - found * uq - uy * uq;
    if (free <= 0.0) {
        return {kEndless, kEndless, kEndless};
    }
    const double behind_requests =
        (terms.request_cycles * uq * residual(terms.request_squared_cv) + uq * replies_alone) /
        free;
    return {.request = found * behind_requests + replies_alone + uy * behind_requests,
            .reply = terms.has_servers ? 0.0 : behind_requests};
}

// Wait in an M/G/1 queue of requests, for requests and replies.
Waits md1_queueing(const ExplainedTerms& terms, double response) {
    const double utilization = terms.request_load * terms.request_cycles / response;
    if (utilization >= 1.0) {
        return {kEndless, kEndless, kEndless};
    }
    const double wait = utilization * terms.request_cycles * residual(terms.request_squared_cv) /
                        (1.0 - utilization);
    return {.request = wait, .reply = wait};
}

// (7): request handlers interrupt the thread.
double interference(const ExplainedTerms& terms, double response, double request_wait) {
    if (!terms.interrupts_thread || terms.has_servers) {
        return 0.0;
    }
    const double utilization = terms.request_load * terms.request_cycles / response;
    if (utilization >= 1.0) {
        return kEndless;
    }
    const double queued = terms.request_load * (terms.request_cycles + request_wait) / response;
    return (terms.request_cycles * queued + terms.work_cycles * utilization) / (1.0 - utilization);
}

// Waits by the equations, or those of the trace where it replaces them.
Waits waits_at(const ExplainedTerms& terms, double response) {
    Waits waits = terms.queueing == ExplainedTerms::Queueing::kMd1 ? md1_queueing(terms, response)
                                                                   : lopc_queueing(terms, response);
    waits.request = terms.request_queueing_cycles.value_or(terms.visits * waits.request);
    waits.reply = terms.reply_queueing_cycles.value_or(waits.reply);
    waits.interference = terms.interference_cycles.value_or(
        interference(terms, response, waits.request / terms.visits));
    return waits;
}

// Root of c = waits(free + c). The waits fall as c grows, and are infinite where a processor is
// overloaded, so the root is bracketed and bisected.
double solve_waits(double free, const std::function<double(double)>& waits_at) {
    constexpr int kBisections = 64;
    double high = std::max(1.0, free);
    while (waits_at(free + high) > high) {
        high *= 2.0;
    }
    double low = 0.0;
    for (int i = 0; i < kBisections && low < high; ++i) {
        const double middle = (low + high) / 2.0;
        (waits_at(free + middle) > middle ? low : high) = middle;
    }
    return (low + high) / 2.0;
}

// Sum of the waits that the trace gives; the others are 0.
double known_waits(const ExplainedTerms& terms) {
    return terms.request_queueing_cycles.value_or(0.0) + terms.reply_queueing_cycles.value_or(0.0) +
           terms.interference_cycles.value_or(0.0);
}

// LogP has no waits, but servers have a greatest rate.
double waits_for_servers(const ExplainedTerms& terms, double free) {
    const bool is_bound = terms.has_servers && !terms.request_queueing_cycles;
    return is_bound ? std::max(0.0, terms.request_load * terms.request_cycles - free) : 0.0;
}

}  // namespace

double ExplainedTerms::contention_free_cycles() const {
    switch (pattern) {
        case Pattern::kOneWay:
        case Pattern::kProgram:
            return work_cycles + request_cycles + reply_cycles + bodies.processor_cycles() +
                   network_wait_cycles;
        case Pattern::kSingleBody:
            return request_cycles + latency_cycles + bodies.single_cycles(reply_cycles);
        case Pattern::kRoundTrip:
            break;
    }
    return work_cycles + (visits + 1.0) * latency_cycles + visits * request_cycles + reply_cycles -
           after_reply_cycles + network_wait_cycles;
}

double ExplainedTerms::cycles() const {
    const double free = contention_free_cycles();
    if (pattern != Pattern::kRoundTrip) {
        return free + wait_cycles + blocked_cycles + saves_cycles + idle_cycles;
    }
    switch (queueing) {
        case Queueing::kNone:
            return free + known_waits(*this) + waits_for_servers(*this, free);
        case Queueing::kOneHandler:
            return free + (request_queueing_cycles ? known_waits(*this) : request_cycles);
        case Queueing::kLopc:
        case Queueing::kMd1:
            break;
    }
    return free +
           solve_waits(free, [this](double response) { return waits_at(*this, response).sum(); });
}

}  // namespace weir::experiments::analyses
