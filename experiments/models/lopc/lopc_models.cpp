#include "experiments/models/lopc/lopc_models.h"

#include <iterator>

namespace weir::experiments::models {

Models lopc_models() {
    Models all;
    for (const auto group : {lopc_all_to_any_models, lopc_client_server_models, lopc_general_models,
                             lopc_shared_memory_models}) {
        Models models = group();
        all.insert(all.end(), std::make_move_iterator(models.begin()),
                   std::make_move_iterator(models.end()));
    }
    return all;
}

}  // namespace weir::experiments::models
