#include <cstdint>

#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

/// The times of work and handlers do not depend on caches, nor on what handlers do to them (LoGPC
/// Section 5.1.2).
Assumption memory_assumption() {
    return {.name = "memory",
            .label = "caches and their disturbance by handlers",
            .after = {"run_ends"},
            .settings = {{"core.cache_interference_cycles", std::int64_t{0}},
                         {"memory.caches", std::int64_t{0}}},
            .idealisation = "machine without misses"};
}

}  // namespace weir::experiments::analyses
