#pragma once

#include "hw/tracing/trace_probe.h"
#include "memory/coherence/line_states.h"

namespace weir::experiments::trace {

/// Two nodes that share memory at home node 1. Node 0 loads a line, then stores to it while a
/// prefetch of another line is in flight. The home's software helps with the store.
struct HandMadeSharing {
    static hw::SharedTransaction load() {
        return {.node = hw::NodeId(0),
                .begin = hw::Cycles(10),
                .line = 0x1000,
                .home = hw::NodeId(1),
                .busy_replies = 1,
                .first_asked = hw::Cycles(14),
                .asked = hw::Cycles(40),
                .home_arrival = hw::Cycles(51),
                .home_begin = hw::Cycles(53),
                .reply = hw::Cycles(58),
                .fill = hw::Cycles(77),
                .use = hw::Cycles(80)};
    }
    static hw::SharedTransaction store() {
        return {.node = hw::NodeId(0),
                .begin = hw::Cycles(100),
                .line = 0x1000,
                .home = hw::NodeId(1),
                .request = hw::SharedRequest::kModify,
                .invalidations = 2,
                .is_trapped = true,
                .first_asked = hw::Cycles(104),
                .asked = hw::Cycles(104),
                .home_arrival = hw::Cycles(115),
                .home_begin = hw::Cycles(116),
                .first_invalidation = hw::Cycles(216),
                .last_acknowledgement = hw::Cycles(250),
                .reply = hw::Cycles(252),
                .fill = hw::Cycles(263),
                .use = hw::Cycles(263)};
    }
    static hw::SharedTransaction unused_prefetch() {
        return {.node = hw::NodeId(0),
                .begin = hw::Cycles(101),
                .line = 0x1010,
                .home = hw::NodeId(1),
                .is_prefetch = true,
                .first_asked = hw::Cycles(105),
                .asked = hw::Cycles(105)};
    }
    static hw::CoherenceTrap trap() {
        return {.node = hw::NodeId(1),
                .raised = hw::Cycles(116),
                .line = 0x1000,
                .requester = hw::NodeId(0),
                .request = hw::SharedRequest::kModify,
                .begin = hw::Cycles(177),
                .end = hw::Cycles(230),
                .packets = 2};
    }

    void report_to(hw::TraceSink& sink) const {
        sink.core_interval(hw::NodeId(0), hw::CoreState::kMemoryWait, hw::Cycles(10),
                           hw::Cycles(300), {});
        sink.transaction(load());
        sink.coherence_trap(trap());
        sink.transaction(store());
        sink.transaction(unused_prefetch());
        sink.shared_access({.node = hw::NodeId(0),
                            .cycle = hw::Cycles(80),
                            .address = 0x1004,
                            .loaded = 0xffff'ffff});
        sink.shared_access({.node = hw::NodeId(0),
                            .sequence = 1,
                            .cycle = hw::Cycles(263),
                            .address = 0x1004,
                            .stored = 7});
        const auto in_cache = [&sink](std::int64_t sequence, std::int64_t cycle,
                                      memory::CacheState state) {
            sink.line_state({.node = hw::NodeId(0),
                             .sequence = sequence,
                             .cycle = hw::Cycles(cycle),
                             .line = 0x1000,
                             .state = memory::number_of(state)});
        };
        in_cache(0, 10, memory::CacheState::kReadAsked);
        in_cache(1, 77, memory::CacheState::kReadOnly);
        in_cache(2, 290, memory::CacheState::kInvalid);
        sink.line_state({.node = hw::NodeId(1),
                         .cycle = hw::Cycles(53),
                         .line = 0x1000,
                         .state = memory::number_of(memory::HomeState::kReadOnly),
                         .pointers = 1});
    }
};

}  // namespace weir::experiments::trace
