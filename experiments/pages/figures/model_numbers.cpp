#include "experiments/pages/figures/model_numbers.h"

#include <algorithm>
#include <vector>

#include "experiments/analyses/compared_models/compared_model.h"

namespace weir::experiments::pages {

void ModelNumbers::add(const std::string& model) {
    if (numbers_.contains(model)) {
        return;
    }
    const std::vector<std::string>& compared = analyses::compared_model_names();
    const auto found = std::find(compared.begin(), compared.end(), model);
    std::size_t number = found - compared.begin();
    const auto is_taken = [this](std::size_t wanted) {
        return std::any_of(numbers_.begin(), numbers_.end(),
                           [wanted](const auto& entry) { return entry.second == wanted; });
    };
    if (found == compared.end()) {
        for (number = 0; is_taken(number);) {
            ++number;
        }
    }
    numbers_.emplace(model, number);
}

}  // namespace weir::experiments::pages
