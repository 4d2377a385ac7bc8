#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/records/result.h"
#include "experiments/records/simulation_result.h"

namespace weir::experiments::records {

/// A point that two machines have run, with the same program and the same seeds.
struct ComparedPoint {
    std::string label;  ///< empty where it is the only one
    std::vector<std::uint64_t> seeds;
    std::vector<SimulationResult> first;   ///< by seed
    std::vector<SimulationResult> second;  ///< the same
};

/// Two machines side by side.
struct MachineComparison {
    ExperimentResult first;
    ExperimentResult second;
    std::vector<ComparedPoint> points;
};

}  // namespace weir::experiments::records
