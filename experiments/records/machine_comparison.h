#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/records/result.h"
#include "experiments/records/simulation_result.h"

namespace weir::experiments::records {

/// Point that two machines ran, with the same program and the same seeds.
struct ComparedPoint {
    std::string label;  ///< label of the point; empty if it is the only point
    std::vector<std::uint64_t> seeds;
    std::vector<SimulationResult> first;   ///< results of the first machine, by seed
    std::vector<SimulationResult> second;  ///< results of the second machine, by seed
};

/// Results of two machines, paired by point and seed.
struct MachineComparison {
    ExperimentResult first;
    ExperimentResult second;
    std::vector<ComparedPoint> points;
};

}  // namespace weir::experiments::records
