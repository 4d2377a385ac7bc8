#include "experiments/analyses/compared_models/logpc.h"

#include <utility>

#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/models/logpc/logpc_short_messages.h"
#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

namespace {

// Channel cycles per byte as the paper prints the equations; the alternative is G.
constexpr double kAsPrinted = 1.0;

// Mean distance k_d: equation (11) for random destinations, (12) for random neighbours by number.
double mean_distance_per_dimension(const Question& question) {
    const std::vector<int>& extents = question.machine.mesh_extents;
    const double hops =
        question.pattern.span_nodes == 0.0
            ? models::mean_hops({.extents = extents})
            : models::mean_hops_to_numbered_neighbours(
                  {.extents = extents}, static_cast<int>(question.pattern.span_nodes),
                  models::NumberingEnds::kEndAround);
    return hops / static_cast<double>(extents.size());
}

/// LoGPC in which B bytes hold a channel for B cycles, as printed, or for G B.
ComparedModel logpc_model(std::string name, std::string sentence, bool as_printed) {
    const auto network = [as_printed](Question& question) {
        return logpc_network_inputs(question,
                                    channel_cycles_per_byte(as_printed, question.machine));
    };
    const auto say_network = [](Question& question, const models::LogpcNetworkSolution& solution) {
        add(question.details, iteration_metrics().network_contention_cycles,
            solution.contention_cycles);
    };
    return {.name = std::move(name),
            .sentence = std::move(sentence),
            .round_trip =
                [=](Question& question) {
                    require_all_to_all(question);
                    require_one_visit(question);
                    require_handlers_that_interrupt(question.machine);
                    const models::LogpInputs logp = logp_inputs(question.inputs);
                    const double work = question.inputs.take("work_cycles");
                    const models::LogpcShortMessages solution =
                        models::solve_logpc_synchronous(logp, work, network(question));
                    say_network(question, solution.network);
                    add(question.details, iteration_metrics().processor_contention_cycles,
                        solution.processor_contention_cycles);
                    return solution.iteration_cycles;
                },
            .one_way =
                [=](Question& question) {
                    const models::LogpInputs logp = logp_inputs(question.inputs);
                    const models::LogpcNetworkInputs contended = network(question);
                    say_network(question, models::solve_logpc_asynchronous(
                                              logp, contended, question.inputs.take("work_cycles"))
                                              .network);
                    return logp_one_way(question);
                },
            .long_one_way =
                [=](Question& question) {
                    const models::LogpcRemap remap =
                        long_remap(question, channel_cycles_per_byte(as_printed, question.machine));
                    say_network(question, remap.exact_network);
                    return remap.exact_network.intermessage_cycles;
                },
            .single = [](Question& /*question*/) -> double {
                throw models::ModelError("models contention; here a message is alone");
            },
            .pipeline = [](Question& question) -> double {
                require_blocking_bodies(question.machine);
                not_this_pipeline(question);
            },
            .program =
                [=](Question& question) {
                    return logpc_body_terms(question,
                                            channel_cycles_per_byte(as_printed, question.machine))
                        .cycles();
                },
            .fitted = fitted_logpc(),
            .terms =
                [=](Question& question) {
                    if (question.communication == firmware::Communication::kProgram ||
                        question.pattern.body_bytes > 0.0) {
                        return logpc_body_terms(
                            question, channel_cycles_per_byte(as_printed, question.machine));
                    }
                    const double trips = question.pattern.visits_per_request + 1.0;
                    ExplainedTerms terms = logp_terms(question);
                    if (terms.pattern == ExplainedTerms::Pattern::kRoundTrip) {
                        terms.queueing = ExplainedTerms::Queueing::kOneHandler;
                        terms.network_wait_cycles =
                            trips * models::solve_logpc_synchronous(
                                        logp_inputs(question.inputs),
                                        question.inputs.take("work_cycles"), network(question))
                                        .network.contention_cycles;
                    }
                    return terms;
                }};
}

}  // namespace

double channel_cycles_per_byte(bool as_printed, const MachineView& machine) {
    return as_printed ? kAsPrinted : machine.channel_cycles_per_byte;
}

models::LogpcNetworkInputs logpc_network_inputs(Question& question,
                                                double channel_cycles_per_byte) {
    const MachineView& machine = question.machine;
    if (!machine.network_contends) {
        throw models::ModelError(
            R"(assumes contention in the network; here network.model is "delay" or "logp")");
    }
    if (!machine.is_plain_mesh) {
        throw models::ModelError("assumes a mesh like Alewife's; here the network is another");
    }
    models::LogpcNetworkInputs network;
    network.dimensions = static_cast<int>(machine.mesh_extents.size());
    network.mean_distance_per_dimension = mean_distance_per_dimension(question);
    network.message_bytes = question.inputs.take("message_bytes");
    network.channel_cycles_per_byte = channel_cycles_per_byte;
    network.channels_per_dimension *= machine.network_copies;
    return network;
}

void require_blocking_bodies(const MachineView& machine) {
    require_handlers_that_interrupt(machine);
    require_waits_for_bodies(machine);
}

void require_waits_for_bodies(const MachineView& machine) {
    if (!machine.bodies_block()) {
        throw models::ModelError(
            "assumes that sends and receives of long messages hold the processor; here they do "
            "not");
    }
}

ComparedModel logpc_compared() {
    return logpc_model("logpc",
                       "LoGPC: contention for processors and in the network; channels held for B "
                       "cycles, as printed",
                       true);
}

ComparedModel logpc_cycles_compared() {
    return logpc_model("logpc_cycles", "LoGPC with channels held for G B cycles", false);
}

}  // namespace weir::experiments::analyses
