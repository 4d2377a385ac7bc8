#include "hw/tracing/trace_probe.h"

#include "hw/per_enumerator.h"

namespace weir::hw {

std::string_view core_state_name(CoreState state) {
    constexpr PerEnumerator<CoreState, std::string_view, kCoreStates> names{
        "compute", "send", "blocked", "dma",         "wait",       "handler",
        "trap",    "done", "switch",  "memory_wait", "synchronize"};
    return names[state];
}

std::string_view dma_name(DmaKind engine) { return engine == DmaKind::kSend ? "send" : "receive"; }

std::string_view stall_place_name(StallPlace place) {
    return place == StallPlace::kLaunch ? "launch" : "input queue";
}

std::string_view shared_request_name(SharedRequest request) {
    constexpr PerEnumerator<SharedRequest, std::string_view, 5> names{"read", "write", "modify",
                                                                      "replace", "acknowledge"};
    return names[request];
}

}  // namespace weir::hw
