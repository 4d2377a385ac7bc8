#include "experiments/analyses/compared_models/logpc.h"

#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/compared_models/long_remap.h"
#include "experiments/analyses/compared_models/registry.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/models/logpc/logpc_short_messages.h"
#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

namespace {

constexpr double kAsPrinted = 1.0;  // cycles a byte of a channel; G in the others

// Equation (11), and with locality (12).
double mean_distance_per_dimension(const Question& question) {
    const std::vector<int>& extents = question.machine.mesh_extents;
    if (question.pattern.span_nodes == 0.0) {
        return models::mesh_mean_distance_per_dimension(extents);
    }
    const double hops = models::mean_hops_to_numbered_neighbours(
        {.extents = extents}, static_cast<int>(question.pattern.span_nodes),
        models::NumberingEnds::kEndAround);
    return hops / static_cast<double>(extents.size());
}

class Logpc final : public ComparedModel {
  public:
    explicit Logpc(bool as_printed)
        : ComparedModel(as_printed ? "logpc" : "logpc_cycles",
                        as_printed ? "LoGPC: contention of processors and of the network, a "
                                     "channel taken for B cycles, as printed"
                                   : "LoGPC with a channel taken for G B cycles"),
          as_printed_(as_printed) {}

    [[nodiscard]] double round_trip(Question& question) const override {
        require_all_to_all(question);
        require_one_visit(question);
        require_handlers_that_interrupt(question.machine);
        const models::LogpInputs logp = logp_inputs(question.inputs);
        const double work = question.inputs.take("work_cycles");
        const models::LogpcShortMessages solution =
            models::solve_logpc_synchronous(logp, work, network(question));
        const IterationMetrics& m = iteration_metrics();
        add(question.details, m.network_contention_cycles, solution.network.contention_cycles);
        add(question.details, m.processor_contention_cycles, solution.processor_contention_cycles);
        return solution.iteration_cycles;
    }

    [[nodiscard]] double one_way(Question& question) const override {
        const models::LogpInputs logp = logp_inputs(question.inputs);
        const models::LogpcNetworkInputs contended = network(question);
        const models::LogpcShortMessages solution =
            models::solve_logpc_asynchronous(logp, contended, question.inputs.take("work_cycles"));
        add(question.details, iteration_metrics().network_contention_cycles,
            solution.network.contention_cycles);
        return logp_one_way(question);
    }

    [[nodiscard]] double long_one_way(Question& question) const override {
        const models::LogpcRemap remap =
            long_remap(question, channel_cycles_per_byte(as_printed_, question.machine));
        add(question.details, iteration_metrics().network_contention_cycles,
            remap.exact_network.contention_cycles);
        return remap.exact_network.intermessage_cycles;
    }

    [[nodiscard]] double single(Question& /*question*/) const override {
        throw models::ModelError("it speaks of contention, and here is one message alone");
    }

    [[nodiscard]] double pipeline(Question& question) const override {
        require_blocking_bodies(question.machine);
        return not_this_pipeline();
    }

  private:
    [[nodiscard]] models::LogpcNetworkInputs network(Question& question) const {
        return logpc_network_inputs(question,
                                    channel_cycles_per_byte(as_printed_, question.machine));
    }

    bool as_printed_;
};

}  // namespace

double channel_cycles_per_byte(bool as_printed, const MachineView& machine) {
    return as_printed ? kAsPrinted : machine.channel_cycles_per_byte;
}

models::LogpcNetworkInputs logpc_network_inputs(Question& question,
                                                double channel_cycles_per_byte) {
    const MachineView& machine = question.machine;
    if (!machine.network_contends) {
        throw models::ModelError(
            R"(its network contends, and here network.model is "delay" or "logp")");
    }
    if (!machine.is_plain_mesh) {
        throw models::ModelError("its network is a mesh like Alewife's, and here it is another");
    }
    models::LogpcNetworkInputs network;
    network.dimensions = static_cast<int>(machine.mesh_extents.size());
    network.mean_distance_per_dimension = mean_distance_per_dimension(question);
    network.message_bytes = question.inputs.take("message_bytes");
    network.channel_cycles_per_byte = channel_cycles_per_byte;
    return network;
}

void require_blocking_bodies(const MachineView& machine) {
    require_handlers_that_interrupt(machine);
    if (!machine.bodies_block) {
        throw models::ModelError(
            "its sends and receives of long messages hold the processor, and here they do not");
    }
}

std::unique_ptr<ComparedModel> logpc_compared(bool as_printed) {
    return std::make_unique<Logpc>(as_printed);
}

}  // namespace weir::experiments::analyses
