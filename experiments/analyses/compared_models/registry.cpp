#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"

namespace weir::experiments::analyses {

// Functions that make the models; each is defined in the file of its model.
using MakeModel = ComparedModel();
MakeModel logp_compared, plogp_compared, lopc_compared, lopc_schweitzer_compared,
    lopc_rule_of_thumb_compared, md1_compared, logpc_compared, logpc_cycles_compared,
    loggp_compared, loggp_notify_compared, lopc_nonblocking_compared;

const std::vector<ComparedModel>& compared_models() {
    static const std::vector<ComparedModel> all{
        logp_compared(),
        lopc_compared(),
        lopc_schweitzer_compared(),
        lopc_rule_of_thumb_compared(),
        md1_compared(),
        logpc_compared(),
        logpc_cycles_compared(),
        loggp_compared(),
        loggp_notify_compared(),
        // Only analyses of programs with shared memory answer these two models
        // (kernels/shared_reads.cpp).
        {"lopc_channels",
         "LoPC of shared memory, with replies that queue for the channel out of a home",
         only_shared_reads, only_shared_reads},
        {"multithreading",
         "Multithreading bound: run length, latency and context switch of each read",
         only_shared_reads, only_shared_reads},
        plogp_compared(),
        lopc_nonblocking_compared()};
    return all;
}

const ComparedModel& compared_model(std::string_view name) {
    return *std::find_if(compared_models().begin(), compared_models().end(),
                         [name](const ComparedModel& model) { return model.name == name; });
}

const std::vector<std::string>& compared_model_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const ComparedModel& model : compared_models()) {
            all.push_back(model.name);
        }
        return all;
    }();
    return names;
}

}  // namespace weir::experiments::analyses
