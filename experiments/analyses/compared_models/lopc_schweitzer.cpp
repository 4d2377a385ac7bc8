#include "experiments/analyses/compared_models/lopc.h"
#include "experiments/analyses/compared_models/registry.h"
#include "experiments/models/lopc/lopc_mva.h"

namespace weir::experiments::analyses {

namespace {

class LopcSchweitzer final : public ComparedModel {
  public:
    LopcSchweitzer()
        : ComparedModel("lopc_schweitzer",
                        "LoPC's network of queues solved as Bard and Schweitzer do") {}

    // Every node asks every other alike.
    [[nodiscard]] double round_trip(Question& question) const override {
        require_all_to_all(question);
        const models::LopcInputs lopc = lopc_inputs(question);
        const auto visits =
            models::lopc_all_to_any_visits(lopc.processors, question.pattern.visits_per_request);
        return models::solve_lopc_bard_schweitzer(lopc_general_inputs(lopc, visits))
            .response_cycles;
    }

    [[nodiscard]] double one_way(Question& /*question*/) const override {
        return only_with_replies();
    }
};

}  // namespace

std::unique_ptr<ComparedModel> lopc_schweitzer_compared() {
    return std::make_unique<LopcSchweitzer>();
}

}  // namespace weir::experiments::analyses
