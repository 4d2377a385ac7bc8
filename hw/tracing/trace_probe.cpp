#include "hw/tracing/trace_probe.h"

#include <array>

namespace weir::hw {

std::string_view core_state_name(CoreState state) {
    constexpr std::array<std::string_view, kCoreStates> names{
        "compute", "send", "blocked", "dma",    "wait",
        "handler", "trap", "done",    "switch", "memory_wait"};
    return names[static_cast<std::size_t>(state)];
}

std::string_view dma_name(DmaKind engine) { return engine == DmaKind::kSend ? "send" : "receive"; }

std::string_view stall_place_name(StallPlace place) {
    return place == StallPlace::kLaunch ? "launch" : "input queue";
}

std::string_view shared_request_name(SharedRequest request) {
    constexpr std::array<std::string_view, 5> names{"read", "write", "modify", "replace",
                                                    "acknowledge"};
    return names[static_cast<std::size_t>(request)];
}

}  // namespace weir::hw
