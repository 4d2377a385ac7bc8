#include "network/traffic/traffic_parameters.h"

namespace weir::network {

std::optional<hw::ParameterGroup::Fault> TrafficParameters::check() const {
    const auto flits = static_cast<double>(packet_flits.value().count());
    const bool is_random = pattern.value() != PatternKind::kTrace &&
                           pattern.value() != PatternKind::kRecording &&
                           pattern.value() != PatternKind::kOneAtATime;
    const bool is_bursty = is_random && pattern.value() != PatternKind::kTable &&
                           source.value() == SourceKind::kBursty;
    if (is_random && load.value() > flits) {
        return Fault{"load", "is more than one packet per cycle", "at most packet_flits"};
    }
    if (is_bursty) {
        if (burst_load.value() <= load.value()) {
            return Fault{"burst_load", "is not above traffic.load",
                         "more than traffic.load, up to network.copies"};
        }
        if (burst_load.value() > flits) {
            return Fault{"burst_load", "is more than one packet per cycle", "at most packet_flits"};
        }
        // Silence between bursts lasts at least a cycle.
        const double silent_cycles = static_cast<double>(burst_cycles.value().count()) *
                                     (burst_load.value() / load.value() - 1.0);
        if (silent_cycles < 1.0) {
            return Fault{"burst_cycles", "leaves less than a cycle of silence between bursts",
                         "longer bursts, or a burst_load further above traffic.load"};
        }
        if (static_cast<double>(burst_cycles.value().count()) * burst_load.value() < flits) {
            return Fault{"burst_cycles", "is shorter than a packet takes at traffic.burst_load",
                         "at least traffic.packet_flits / traffic.burst_load"};
        }
    }
    if (pattern.value() == PatternKind::kTrace && trace_file.value().empty()) {
        return Fault{"trace_file", "is empty, and traffic.pattern is \"trace\"", "a file's path"};
    }
    if (pattern.value() == PatternKind::kTable && table_file.value().empty()) {
        return Fault{"table_file", "is empty, and traffic.pattern is \"table\"", "a file's path"};
    }
    if (pattern.value() == PatternKind::kRecording && recording.value().empty()) {
        return Fault{"recording", "is empty, and traffic.pattern is \"recording\"",
                     "a file's path"};
    }
    return std::nullopt;
}

}  // namespace weir::network
