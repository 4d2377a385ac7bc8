#include "experiments/bench/windows.h"

#include "experiments/bench/fixed_parameter.h"
#include "experiments/bench/timed_pair.h"

namespace weir::experiments::bench {

namespace {

Speed speed_of(const Subject& subject, double seconds, int windows) {
    const auto a_window = [windows](std::int64_t all) {
        return static_cast<double>(all) / static_cast<double>(windows);
    };
    return {.seconds = seconds,
            .flit_hops = a_window(subject.flit_hops()),
            .messages = a_window(subject.messages())};
}

}  // namespace

std::function<void()> windows_of(const Subject& subject, std::int64_t window_cycles,
                                 std::int64_t begin) {
    return [&subject, window_cycles, reached = begin]() mutable {
        reached += window_cycles;
        subject.run_through(reached - 1);
    };
}

Json Speed::json(std::int64_t window_cycles) const {
    Json json{{"cycles_per_second", static_cast<double>(window_cycles) / seconds},
              {"flit_hops_per_second", flit_hops / seconds},
              {"messages_per_second", messages / seconds}};
    if (active_router_cycles > 0.0) {
        json["ns_per_active_router_cycle"] = 1e9 * seconds / active_router_cycles;
    }
    return json;
}

PairOfSpeeds time_windows(const Subject& weir, PlainNetwork& plain, std::int64_t window_cycles,
                          int repetitions) {
    const Subject loop{[&plain](std::int64_t last) { plain.run_through(last); },
                       [&plain] { return plain.flit_hops(); },
                       [&plain] { return plain.deliveries().count(); }};
    const auto weir_window = windows_of(weir, window_cycles);
    const auto plain_window = windows_of(loop, window_cycles);
    weir_window();  // Warm-up.
    plain_window();
    const PairOfTimes times = time_pair(weir_window, plain_window, repetitions);
    const int windows = 1 + repetitions;
    PairOfSpeeds speeds{speed_of(weir, times.first_seconds, windows),
                        speed_of(loop, times.second_seconds, windows)};
    speeds.weir.active_router_cycles = speeds.plain_loop.active_router_cycles =
        static_cast<double>(plain.active_router_cycles()) / static_cast<double>(windows);
    return speeds;
}

NetworkOf::NetworkOf(const std::vector<std::int64_t>& extents) { fix(dimensions, extents); }

PlainNetworkTiming timing_of(const network::NetworkParameters& parameters) {
    return {.injection_cycles = parameters.injection_cycles.value().count(),
            .ejection_cycles = parameters.ejection_cycles.value().count(),
            .hop_cycles = parameters.hop_cycles.value().count(),
            .buffer_flits = static_cast<std::int32_t>(parameters.buffer_flits.value().count())};
}

}  // namespace weir::experiments::bench
