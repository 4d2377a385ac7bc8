#include "experiments/models/catalogue/catalogue.h"

#include <iterator>

#include "experiments/models/logp/logp_models.h"
#include "experiments/models/logpc/logpc_models.h"
#include "experiments/models/lopc/lopc_models.h"
#include "experiments/models/memory_logp/memory_logp_models.h"
#include "experiments/models/queueing/queueing_models.h"

namespace weir::experiments::models {

Models all_models() {
    Models all;
    for (const auto family :
         {logp_models, lopc_models, queueing_models, logpc_models, memory_logp_models}) {
        Models models = family();
        all.insert(all.end(), std::make_move_iterator(models.begin()),
                   std::make_move_iterator(models.end()));
    }
    return all;
}

}  // namespace weir::experiments::models
