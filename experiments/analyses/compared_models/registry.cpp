#include "experiments/analyses/compared_models/registry.h"

#include <algorithm>

namespace weir::experiments::analyses {

const std::vector<std::unique_ptr<ComparedModel>>& compared_models() {
    static const std::vector<std::unique_ptr<ComparedModel>> all = [] {
        std::vector<std::unique_ptr<ComparedModel>> models;
        models.push_back(logp_compared());
        models.push_back(lopc_compared());
        models.push_back(lopc_schweitzer_compared());
        models.push_back(lopc_rule_of_thumb_compared());
        models.push_back(md1_compared());
        models.push_back(logpc_compared(true));
        models.push_back(logpc_compared(false));
        models.push_back(loggp_compared(false));
        models.push_back(loggp_compared(true));
        models.push_back(lopc_channels_compared());
        models.push_back(multithreading_compared());
        return models;
    }();
    return all;
}

const ComparedModel& compared_model(std::string_view name) {
    return **std::find_if(compared_models().begin(), compared_models().end(),
                          [name](const auto& model) { return model->name() == name; });
}

const std::vector<std::string>& compared_model_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& model : compared_models()) {
            all.push_back(model->name());
        }
        return all;
    }();
    return names;
}

}  // namespace weir::experiments::analyses
