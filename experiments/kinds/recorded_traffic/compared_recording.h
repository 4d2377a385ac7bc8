#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/json_fields.h"

namespace weir::experiments::kinds {

/// A router on the route of a packet, with the times of the packet's header there.
struct RouterOfRoute {
    std::string name;
    std::int64_t cycle = 0;   ///< cycle in which the header was granted its output
    std::int64_t waited = 0;  ///< cycles of contention since the previous router's grant
};

/// A packet whose arrival cycle differs from the recorded one. Times are cycles of the run, except
/// `recorded`, the recorded arrival.
struct DifferentPacket {
    std::int64_t source = 0;
    std::int64_t destination = 0;
    std::int64_t flits = 0;
    std::int64_t generated = 0;
    std::int64_t injected = 0;
    std::int64_t arrived = 0;
    std::int64_t recorded = 0;
    std::vector<RouterOfRoute> way;
};

/// Comparison of a run with its recording, as written to result.json.
struct ComparedRecording {
    std::string file;
    std::int64_t packets = 0;
    std::int64_t in_the_same_cycle = 0;
    /// Mean of arrival in the run minus recorded arrival.
    double mean_difference_cycles = 0.0;
    std::int64_t largest_difference_cycles = 0;    ///< largest absolute value of this difference
    std::vector<DifferentPacket> first_different;  ///< first packet that differs, if any
};

WEIR_JSON_FIELDS(RouterOfRoute, name, cycle, waited)
WEIR_JSON_FIELDS(DifferentPacket, source, destination, flits, generated, injected, arrived,
                 recorded, way)
WEIR_JSON_FIELDS(ComparedRecording, file, packets, in_the_same_cycle, mean_difference_cycles,
                 largest_difference_cycles, first_different)

/// Key of the ComparedRecording in PointResult::particulars.
inline constexpr const char* kComparedRecording = "recording";

}  // namespace weir::experiments::kinds
