#include "experiments/models/logp/logp_models.h"

#include <iterator>

#include "experiments/models/logp/algorithms/algorithm_models.h"
#include "experiments/models/logp/algorithms/collective_models.h"
#include "experiments/models/logp/messages/message_models.h"

namespace weir::experiments::models {

Models logp_models() {
    Models all;
    for (const auto group : {logp_message_models, logp_collective_models, logp_algorithm_models}) {
        Models models = group();
        all.insert(all.end(), std::make_move_iterator(models.begin()),
                   std::make_move_iterator(models.end()));
    }
    return all;
}

}  // namespace weir::experiments::models
