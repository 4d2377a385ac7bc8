#include "experiments/statistics/steady_state.h"

#include "experiments/statistics/warm_up_detection.h"

namespace weir::experiments::statistics {

std::string SteadyState::doubt() const {
    if (!is_warm_up_found) {
        return "no steady state was found";
    }
    if (!mean) {
        return "there are too few observations";
    }
    return mean->is_correlated ? "batches depend on each other" : "";
}

SteadyState steady_state(std::span<const double> series, std::size_t batches, bool detect_warm_up) {
    SteadyState state;
    if (detect_warm_up) {
        const std::optional<std::size_t> found = warm_up_observations(series);
        state.is_warm_up_found = found.has_value();
        state.warm_up = found.value_or(0);
    }
    state.mean = batch_means(series.subspan(state.warm_up), batches);
    return state;
}

}  // namespace weir::experiments::statistics
