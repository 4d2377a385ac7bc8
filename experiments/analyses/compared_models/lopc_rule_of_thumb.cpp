#include "experiments/analyses/compared_models/registry.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/models/lopc/lopc_all_to_any.h"

namespace weir::experiments::analyses {

namespace {

class LopcRuleOfThumb final : public ComparedModel {
  public:
    LopcRuleOfThumb()
        : ComparedModel("lopc_rule_of_thumb", "LogP and a handler more for each round trip") {}

    [[nodiscard]] double round_trip(Question& question) const override {
        require_all_to_all(question);
        require_one_visit(question);
        require_handlers_that_interrupt(question.machine);
        const models::LogpInputs logp = logp_inputs(question.inputs);
        add(question.details, iteration_metrics().processor_contention_cycles,
            models::lopc_rule_of_thumb_contention_cycles(logp));
        return models::lopc_rule_of_thumb_round_trip_cycles(logp,
                                                            question.inputs.take("work_cycles"));
    }

    [[nodiscard]] double one_way(Question& /*question*/) const override {
        return only_with_replies();
    }
};

}  // namespace

std::unique_ptr<ComparedModel> lopc_rule_of_thumb_compared() {
    return std::make_unique<LopcRuleOfThumb>();
}

}  // namespace weir::experiments::analyses
