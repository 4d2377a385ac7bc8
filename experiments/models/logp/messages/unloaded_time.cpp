#include "experiments/models/logp/messages/unloaded_time.h"

#include <cmath>
#include <string>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::int64_t kMostMessageBits = std::int64_t{1} << 40;
constexpr double kNarrowestChannel = 1e-3;  // bits a cycle

void check_bits(std::int64_t message_bits) {
    if (message_bits < 1 || message_bits > kMostMessageBits) {
        throw ModelError("message_bits (M) is " + std::to_string(message_bits),
                         "1 to " + std::to_string(kMostMessageBits));
    }
}

}  // namespace

UnloadedMessage solve_unloaded_message(const MessageHardware& hardware, std::int64_t message_bits) {
    check_bits(message_bits);
    require_quantity("cycle_nanoseconds", hardware.cycle_nanoseconds, 0.0, "nanoseconds");
    require_quantity("channel_bits (w)", hardware.channel_bits, kNarrowestChannel,
                     "bits per cycle");
    require_quantity("both_overheads_cycles (T_snd + T_rcv)", hardware.both_overheads_cycles, 0.0,
                     "cycles");
    require_quantity("hop_cycles (r)", hardware.hop_cycles, 0.0, "cycles");
    require_quantity("hops (H)", hardware.hops, 0.0, "hops");
    const double channel = std::ceil(static_cast<double>(message_bits) / hardware.channel_bits);
    const double route = hardware.hops * hardware.hop_cycles;
    const double cycles = hardware.both_overheads_cycles + channel + route;
    return {
        .message_cycles = cycles,
        .message_nanoseconds = cycles * hardware.cycle_nanoseconds,
        .channel_cycles = channel,
        .route_cycles = route,
        .overhead_cycles = hardware.both_overheads_cycles / 2.0,
        .latency_cycles = route + channel,
        .overhead_share = hardware.both_overheads_cycles / cycles,  // channel is at least a cycle
    };
}

double bisection_gap_cycles(std::int64_t message_bits, double bisection_bits_per_cycle) {
    check_bits(message_bits);
    require_quantity("bisection_bits_per_cycle", bisection_bits_per_cycle, kNarrowestChannel,
                     "bits per cycle");
    return static_cast<double>(message_bits) / bisection_bits_per_cycle;
}

}  // namespace weir::experiments::models
