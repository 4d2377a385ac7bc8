#include "experiments/models/lopc/lopc_nonblocking.h"

#include <algorithm>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/lopc/lopc_checks.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

constexpr double kMostOutstanding = 1e6;

double contention_free_cycles(const LopcNonblockingInputs& inputs) {
    return inputs.work_cycles + 2.0 * inputs.network_cycles + inputs.request_handler_cycles +
           inputs.reply_handler_cycles;
}

void check(const LopcNonblockingInputs& inputs) {
    require_count("processors (P)", inputs.processors, 2, "nodes");
    require_quantity("outstanding_requests (k)", inputs.outstanding_requests, 1.0, "requests");
    require_quantity("work_cycles (W)", inputs.work_cycles);
    require_quantity("work_squared_cv (C_w^2)", inputs.work_squared_cv);
    require_quantity("network_cycles (S_l)", inputs.network_cycles);
    require_quantity("request_handler_cycles (S_q)", inputs.request_handler_cycles);
    require_quantity("reply_handler_cycles (S_y)", inputs.reply_handler_cycles);
    require_quantity("handler_squared_cv (C_o^2)", inputs.handler_squared_cv);
    if (contention_free_cycles(inputs) < kLopcShortestRoundTrip) {
        throw ModelError(
            "W + 2 S_l + S_q + S_y is " + shortest_text(contention_free_cycles(inputs)),
            shortest_text(kLopcShortestRoundTrip) + " cycles or more");
    }
}

/// State of the substitution: the three response times.
class Nonblocking {
  public:
    explicit Nonblocking(const LopcNonblockingInputs& inputs)
        : in_(inputs),
          others_((inputs.outstanding_requests - 1.0) / inputs.outstanding_requests),
          thread_(inputs.work_cycles),
          request_(inputs.request_handler_cycles),
          reply_(inputs.reply_handler_cycles) {}

    double substitute(double part) {
        const double per_cycle =  // X/P, Little's law
            in_.outstanding_requests / (thread_ + elsewhere());
        const double c = (in_.handler_squared_cv - 1.0) / 2.0;
        const double c_work = (in_.work_squared_cv - 1.0) / 2.0;
        const double uq = per_cycle * in_.request_handler_cycles;
        const double uy = per_cycle * in_.reply_handler_cycles;
        // Work of handlers that an arrival finds, those in service with their residual times.
        const double requests = in_.request_handler_cycles * (per_cycle * request_ + c * uq);
        const double replies = in_.reply_handler_cycles * (per_cycle * reply_ + c * uy);
        const double own_work =
            in_.work_cycles * others_ *
            std::max(0.0, per_cycle * thread_ + c_work * per_cycle * in_.work_cycles);
        const double request = in_.request_handler_cycles + requests + replies;        // (5')
        const double reply = in_.reply_handler_cycles + requests + others_ * replies;  // (6')
        double thread = in_.work_cycles + own_work;
        if (!in_.protocol_processor) {  // (7), which leaves the residual times out
            const double queued = in_.request_handler_cycles * per_cycle * request_ +
                                  others_ * in_.reply_handler_cycles * per_cycle * reply_;
            const double busy = std::min(uq + others_ * uy, kLopcMostUtilization);
            thread = (thread + queued) / (1.0 - busy);
        }
        return std::max({lopc_move(request_, request, part), lopc_move(reply_, reply, part),
                         lopc_move(thread_, thread, part)});
    }

    [[nodiscard]] LopcNonblockingSolution solution() const {
        // (1). With constant work, the residual times may leave a thread idle that is always busy.
        // All of a node's time is then used, and the rest of the response is waiting.
        const double response = std::max(thread_ + elsewhere(),
                                         in_.outstanding_requests * lopc_asynchronous_cycles(in_));
        const double cycles = response / in_.outstanding_requests;
        return {.cycles_per_request = cycles,
                .response_cycles = response,
                .thread_response_cycles = response - elsewhere(),
                .request_response_cycles = request_,
                .reply_response_cycles = reply_,
                .thread_utilization = in_.work_cycles / cycles,
                .request_utilization = in_.request_handler_cycles / cycles,
                .reply_utilization = in_.reply_handler_cycles / cycles};
    }

  private:
    [[nodiscard]] double elsewhere() const { return request_ + reply_ + 2.0 * in_.network_cycles; }

    const LopcNonblockingInputs& in_;
    double others_;   // Schweitzer's share of a node's customers that one of them finds
    double thread_;   // R_w
    double request_;  // R_q
    double reply_;    // R_y
};

}  // namespace

double lopc_asynchronous_cycles(const LopcNonblockingInputs& inputs) {
    const double handlers = inputs.request_handler_cycles + inputs.reply_handler_cycles;
    return inputs.protocol_processor ? std::max(inputs.work_cycles, handlers)
                                     : inputs.work_cycles + handlers;
}

LopcNonblockingSolution solve_lopc_nonblocking(const LopcNonblockingInputs& inputs) {
    check(inputs);
    Nonblocking iteration(inputs);
    lopc_settle(iteration, "the equations of non-blocking LoPC");
    return iteration.solution();
}

namespace {

class NonblockingModel final : public Model {
  public:
    NonblockingModel()
        : Model("lopc-nonblocking", "Round trips of nodes that have several requests outstanding",
                "LoPC (1997), sections 4 and 7; Heidelberger and Trivedi (1982)") {
        input(WEIR_NAMED(in_, processors), "P", "Number of nodes", {2.0, 1e9});
        input(WEIR_NAMED(in_, outstanding_requests), "k",
              "Greatest number of outstanding requests of a node, or its number of threads",
              {1.0, kMostOutstanding});
        input(WEIR_NAMED(in_, work_cycles), "W", "Work of the thread for each request");
        input(WEIR_NAMED(in_, work_squared_cv), "C_w^2",
              "Squared coefficient of variation of W: 0: constant; 1: exponential");
        declare_lopc_machine(*this, machine_);
        flag(WEIR_NAMED(in_, protocol_processor),
             "true: a protocol processor in each node runs the handlers (section 4.2)");

        output(WEIR_NAMED(out_, cycles_per_request), "R/k",
               "Time of a node for each request, Little's law");
        output(WEIR_NAMED(out_, response_cycles), "R",
               "Time from the end of a reply to that of the next one: work, request and reply",
               "(1)");
        output(WEIR_NAMED(out_, thread_response_cycles), "R_w",
               "Time of a request at its thread: waiting for other requests' work, and its own",
               "(7)");
        output(WEIR_NAMED(out_, request_response_cycles), "R_q",
               "Time of a request at its destination, queueing and service", "(5')");
        output(WEIR_NAMED(out_, reply_response_cycles), "R_y",
               "Time of a reply at its own node, queueing and service", "(6')");
        output(WEIR_NAMED(out_, thread_utilization), "U_w",
               "Share of time in which the thread works");
        output(WEIR_NAMED(out_, request_utilization), "U_q",
               "Share of a processor's time that request handlers take", "(4)");
        output(WEIR_NAMED(out_, reply_utilization), "U_y",
               "Share of a processor's time that reply handlers take", "(4)");
        output([this] { return lopc_asynchronous_cycles(solved_); }, "asynchronous_cycles", "",
               "Time of a node for each request if it never waits for a reply",
               "Heidelberger and Trivedi (1982)");
        output([this] { return contention_free_cycles(solved_) / solved_.outstanding_requests; },
               "contention_free_cycles", "",
               "Time of a node for each request without contention: (W + 2 S_l + S_q + S_y)/k");
        output(
            [this] { return contention_free_cycles(solved_) / lopc_asynchronous_cycles(solved_); },
            "useful_outstanding", "",
            "Number of outstanding requests beyond which the node is always busy without "
            "contention");
    }

  private:
    void evaluate() override {
        solved_ = in_;
        solved_.network_cycles = machine_.network_cycles;
        solved_.handler_squared_cv = machine_.handler_squared_cv;
        solved_.reply_handler_cycles = machine_.handler_cycles;
        solved_.request_handler_cycles = machine_.handler_cycles + machine_.send_overhead_cycles;
        solved_.work_cycles += machine_.send_overhead_cycles;
        out_ = solve_lopc_nonblocking(solved_);
        note("With one outstanding request, these are the equations of lopc-all-to-any.");
    }

    struct MachineInputs {
        double network_cycles = kNotGiven;
        double handler_cycles = kNotGiven;
        double handler_squared_cv = 0.0;
        double send_overhead_cycles = 0.0;
    };
    LopcNonblockingInputs in_;
    MachineInputs machine_;
    LopcNonblockingInputs solved_;
    LopcNonblockingSolution out_;
};

}  // namespace

std::unique_ptr<Model> lopc_nonblocking_model() { return std::make_unique<NonblockingModel>(); }

}  // namespace weir::experiments::models
