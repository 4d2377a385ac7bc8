#include "experiments/analyses/compared_models/lopc.h"
#include "experiments/analyses/compared_models/registry.h"
#include "experiments/models/queueing/md1_all_to_any.h"

namespace weir::experiments::analyses {

namespace {

class Md1 final : public ComparedModel {
  public:
    Md1() : ComparedModel("md1", "M/D/1: requests come to a node at random, whoever sends them") {}

    [[nodiscard]] double round_trip(Question& question) const override {
        require_all_to_all(question);
        require_one_visit(question);
        const models::LopcInputs lopc = constant_lopc_inputs(question);
        const models::Md1Solution solution =
            models::solve_md1_all_to_any({.work_cycles = lopc.work_cycles,
                                          .network_cycles = lopc.network_cycles,
                                          .handler_cycles = lopc.handler_cycles,
                                          .protocol_processor = lopc.protocol_processor});
        say_contention(question, solution.contention);
        return solution.response_cycles;
    }

    [[nodiscard]] double one_way(Question& /*question*/) const override {
        return only_with_replies();
    }
};

}  // namespace

std::unique_ptr<ComparedModel> md1_compared() { return std::make_unique<Md1>(); }

}  // namespace weir::experiments::analyses
