#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/json_fields.h"

namespace weir::experiments::kinds {

/// A router on a packet's way.
struct RouterOnWay {
    std::string name;
    std::int64_t cycle = 0;   ///< in which the header was given its output
    std::int64_t waited = 0;  ///< cycles longer than without contention, from the router before on
};

/// A packet that arrives in another cycle than in the recording.
struct DifferentPacket {
    std::int64_t source = 0;
    std::int64_t destination = 0;
    std::int64_t flits = 0;
    std::int64_t generated = 0;
    std::int64_t injected = 0;
    std::int64_t arrived = 0;
    std::int64_t recorded = 0;
    std::vector<RouterOnWay> way;
};

/// A run beside its recording, as results have it.
struct ComparedRecording {
    std::string file;
    std::int64_t packets = 0;
    std::int64_t in_the_same_cycle = 0;
    double mean_difference_cycles = 0.0;           ///< arrivals here less those recorded
    std::int64_t largest_difference_cycles = 0;    ///< of any packet, without its sign
    std::vector<DifferentPacket> first_different;  ///< at most one
};

WEIR_JSON_FIELDS(RouterOnWay, name, cycle, waited)
WEIR_JSON_FIELDS(DifferentPacket, source, destination, flits, generated, injected, arrived,
                 recorded, way)
WEIR_JSON_FIELDS(ComparedRecording, file, packets, in_the_same_cycle, mean_difference_cycles,
                 largest_difference_cycles, first_different)

/// Among a point's particulars: a ComparedRecording.
inline constexpr const char* kComparedRecording = "recording";

}  // namespace weir::experiments::kinds
