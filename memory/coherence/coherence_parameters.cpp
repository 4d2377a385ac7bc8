#include "memory/coherence/coherence_parameters.h"

#include <string>

namespace weir::memory {

CoherenceParameters::CoherenceParameters()
    : ParameterGroup("coherence", "Coherent shared memory and its protocol",
                     hw::when("memory.caches").at_least(1) &&
                         hw::when("network.model").is("wormhole") && hw::shares_memory()) {}
CoherenceParameters::~CoherenceParameters() = default;

std::optional<CoherenceParameters::Fault> CoherenceParameters::check() const {
    constexpr std::int64_t kPageBytes = 4096;
    if (shared_bytes.value().count() % kPageBytes != 0) {
        return Fault{shared_bytes.name(),
                     "shared_bytes is " + std::to_string(shared_bytes.value().count()),
                     "a multiple of 4096"};
    }
    return std::nullopt;
}

}  // namespace weir::memory
