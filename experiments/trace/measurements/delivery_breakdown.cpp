#include "experiments/trace/measurements/delivery_breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::trace {

namespace {

// Cycles of a message's interrupt outside the handler's own code.
MaybeCycles overhead_of(const MessageRow& message) {
    const hw::MessageTimes& times = message.times;
    return between(times.handler_begin, times.handler_end) -
           between(times.code_begin, times.code_end);
}

std::int64_t nodes_with_intervals(const Trace& trace) {
    std::set<hw::NodeId> nodes;
    for (const CoreIntervalRow& interval : trace.core_intervals) {
        nodes.insert(interval.node);
    }
    return static_cast<std::int64_t>(nodes.size());
}

}  // namespace

hw::Cycles save_cycles(const Trace& trace, CycleWindow window) {
    Summarized without_saves;
    for (const MessageRow& message : trace.messages) {
        if (message.restored_words == 0) {
            without_saves.add(overhead_of(message));
        }
    }
    if (without_saves.summary().count == 0) {
        return hw::Cycles(0);
    }
    const std::int64_t cheapest = without_saves.summary().minimum.count();
    CycleTotal saves;
    for (const MessageRow& message : trace.messages) {
        const MaybeCycles overhead = overhead_of(message);
        if (message.restored_words > 0 && lies_in(window, message.times.handler_end) &&
            overhead.is_known()) {
            saves.add(overhead.count() - cheapest);
        }
    }
    return hw::Cycles(saves.count());
}

std::vector<hw::Cycles> delivery_ends(const Trace& trace, CycleWindow window) {
    std::vector<hw::Cycles> ends;
    for (const MessageRow& message : trace.messages) {
        if (lies_in(window, message.times.handler_end)) {
            ends.push_back(message.times.handler_end);
        }
    }
    std::sort(ends.begin(), ends.end());
    return ends;
}

DeliveryBreakdown delivery_breakdown(const Trace& trace, CycleWindow window) {
    DeliveryBreakdown breakdown;
    breakdown.messages = static_cast<std::int64_t>(delivery_ends(trace, window).size());
    if (breakdown.messages == 0) {
        return breakdown;
    }
    breakdown.total = nodes_with_intervals(trace) * (window.end - window.begin);
    constexpr std::array<const char*, 9> kParts{"compute", "send",  "blocked", "dma", "wait",
                                                "handler", "saves", "trap",    "done"};
    for (const char* name : kParts) {
        breakdown.parts.push_back({name, 0.0, hw::Cycles(0)});
    }
    const auto part = [&](std::string_view name) -> DeliveryBreakdown::Part& {
        const auto known = std::find_if(breakdown.parts.begin(), breakdown.parts.end(),
                                        [name](const auto& p) { return p.name == name; });
        // Other states, which only some machines' cores have, become parts only if a core was in
        // them.
        return known != breakdown.parts.end()
                   ? *known
                   : breakdown.parts.emplace_back(
                         DeliveryBreakdown::Part{std::string(name), 0.0, hw::Cycles(0)});
    };
    CycleTotal sum;
    for (const CoreStateShare& share : core_state_share(trace, window)) {
        part(share.state).total += share.total;
        sum.add(share.total.count());
    }
    if (hw::Cycles(sum.count()) != breakdown.total) {
        throw TraceError(
            fmt::format("{}: the cores' intervals fill {} of {} cycles of the measured window",
                        trace.path(), sum.count(), breakdown.total.count()));
    }
    part("saves").total = save_cycles(trace, window);
    part("handler").total -= part("saves").total;
    const auto messages = static_cast<double>(breakdown.messages);
    for (DeliveryBreakdown::Part& p : breakdown.parts) {
        p.mean_cycles = static_cast<double>(p.total.count()) / messages;
    }
    breakdown.cycles_per_message = static_cast<double>(breakdown.total.count()) / messages;
    return breakdown;
}

}  // namespace weir::experiments::trace
