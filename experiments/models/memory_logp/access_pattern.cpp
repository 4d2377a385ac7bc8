#include "experiments/models/memory_logp/access_pattern.h"

#include <string>

#include "experiments/models/model_error.h"
#include "experiments/models/model_input.h"

namespace weir::experiments::models {

namespace {

// Computed in doubles, so that values out of range do not overflow during the check.
void require_array(const std::string& name, std::int64_t address, const AccessPattern& pattern,
                   std::int64_t stride_bytes) {
    const auto first = static_cast<double>(address);
    require_quantity(name, first, 0.0, "bytes");
    const double end =
        first + static_cast<double>(pattern.elements) * static_cast<double>(stride_bytes);
    if (end > kLargestQuantity) {
        throw ModelError(name + " is " + shortest_text(first) +
                             ", so the array would end at byte " + shortest_text(end),
                         "addresses up to " + shortest_text(kLargestQuantity));
    }
}

}  // namespace

void require_access_pattern(const AccessPattern& pattern) {
    const auto element_bytes = static_cast<double>(pattern.element_bytes);
    require_quantity("element_bytes (w_m)", element_bytes, 1.0);
    require_quantity("stride_bytes (d)", static_cast<double>(pattern.stride_bytes), element_bytes,
                     "bytes, at least one element");
    require_quantity("elements", static_cast<double>(pattern.elements), 1.0, "elements");
    require_quantity("repetitions", static_cast<double>(pattern.repetitions), 1.0, "repetitions");
    require_array("source_address", pattern.source_address, pattern, source_stride_bytes(pattern));
    if (stores_elements(pattern)) {
        require_array("destination_address", pattern.destination_address, pattern,
                      destination_stride_bytes(pattern));
    }
}

std::int64_t source_stride_bytes(const AccessPattern& pattern) {
    return pattern.kind == TransferKind::kUnpack ? pattern.element_bytes : pattern.stride_bytes;
}

std::int64_t destination_stride_bytes(const AccessPattern& pattern) {
    return pattern.kind == TransferKind::kPack ? pattern.element_bytes : pattern.stride_bytes;
}

std::int64_t source_extent_bytes(const AccessPattern& pattern) {
    return (pattern.elements - 1) * source_stride_bytes(pattern) + pattern.element_bytes;
}

AccessPattern contiguous(AccessPattern pattern) {
    pattern.stride_bytes = pattern.element_bytes;
    return pattern;
}

std::vector<MemoryReference> references_of_a_repetition(const AccessPattern& pattern) {
    require_access_pattern(pattern);
    const auto bytes = static_cast<std::uint64_t>(pattern.element_bytes);
    auto load = static_cast<std::uint64_t>(pattern.source_address);
    auto store = static_cast<std::uint64_t>(pattern.destination_address);
    std::vector<MemoryReference> references;
    references.reserve(static_cast<std::size_t>(pattern.elements) *
                       (stores_elements(pattern) ? 2 : 1));
    for (std::int64_t element = 0; element < pattern.elements; ++element) {
        references.push_back({load, bytes, false});
        load += static_cast<std::uint64_t>(source_stride_bytes(pattern));
        if (stores_elements(pattern)) {
            references.push_back({store, bytes, true});
            store += static_cast<std::uint64_t>(destination_stride_bytes(pattern));
        }
    }
    return references;
}

}  // namespace weir::experiments::models
