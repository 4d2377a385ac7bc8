#include "experiments/trace/measurements/delivery_breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::trace {

namespace {

std::int64_t single(const TraceDatabase& trace, const std::string& sql) {
    Statement statement(trace, sql);
    return statement.step() ? statement.integer(0) : 0;
}

}  // namespace

hw::Cycles save_cycles(const TraceDatabase& trace, CycleWindow window) {
    return hw::Cycles(single(
        trace,
        "WITH overhead AS (SELECT (handler_end_cycle - handler_begin_cycle) - "
        "(code_end_cycle - code_begin_cycle) AS cycles, restored_words, " +
            inside_window("handler_end_cycle", window) +
            " AS inside FROM messages) SELECT coalesce(sum(cycles - (SELECT min(cycles) FROM "
            "overhead WHERE restored_words = 0)), 0) FROM overhead WHERE restored_words > 0 AND "
            "inside"));
}

std::vector<hw::Cycles> delivery_ends(const TraceDatabase& trace, CycleWindow window) {
    Statement rows(trace, "SELECT handler_end_cycle FROM messages WHERE " +
                              inside_window("handler_end_cycle", window) + " ORDER BY 1");
    std::vector<hw::Cycles> ends;
    while (rows.step()) {
        ends.emplace_back(rows.integer(0));
    }
    return ends;
}

DeliveryBreakdown delivery_breakdown(const TraceDatabase& trace, CycleWindow window) {
    const std::string inside = inside_window("handler_end_cycle", window);
    DeliveryBreakdown breakdown;
    breakdown.messages = single(trace, "SELECT count(*) FROM messages WHERE " + inside);
    if (breakdown.messages == 0) {
        return breakdown;
    }
    const std::int64_t nodes = single(trace, "SELECT count(DISTINCT node) FROM core_intervals");
    breakdown.total = nodes * (window.end - window.begin);
    constexpr std::array<const char*, 9> kParts{"compute", "send",  "blocked", "dma", "wait",
                                                "handler", "saves", "trap",    "done"};
    constexpr const char* kSwitches = "switch";  // a part only where a core has contexts
    for (const char* name : kParts) {
        breakdown.parts.push_back({name, 0.0, hw::Cycles(0)});
    }
    const auto part = [&](std::string_view name) -> DeliveryBreakdown::Part& {
        const auto found = std::find_if(breakdown.parts.begin(), breakdown.parts.end(),
                                        [name](const auto& p) { return p.name == name; });
        if (found == breakdown.parts.end()) {
            throw TraceError(
                fmt::format("{}: no part of a delivery is core state '{}'", trace.path(), name));
        }
        return *found;
    };
    hw::Cycles sum;
    for (const CoreStateShare& share : core_state_share(trace, window)) {
        if (share.state == kSwitches && breakdown.parts.back().name != kSwitches) {
            breakdown.parts.push_back({kSwitches, 0.0, hw::Cycles(0)});
        }
        part(share.state).total += share.total;
        sum += share.total;
    }
    if (sum != breakdown.total) {
        trace.fail("the cores' intervals fill " + std::to_string(sum.count()) + " of " +
                   std::to_string(breakdown.total.count()) + " cycles of the measured window");
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
