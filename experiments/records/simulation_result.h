#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/records/measured.h"
#include "nodes/run_end.h"

namespace weir::experiments::records {

/// How far a run has come.
struct Progress {
    double simulated_cycles = 0.0;
    double share_done = 0.0;
};

/// What one run leaves besides the files in its folder.
struct SimulationResult {
    nodes::RunEnd end = nodes::RunEnd::kFinished;
    std::uint64_t seed = 0;
    std::int64_t cycles = 0;
    std::int64_t messages = 0;       ///< sent; 0 where none but packets are
    double wall_seconds = 0.0;       ///< of the host, with data, check and measurement
    double processor_seconds = 0.0;  ///< of the host's processors, for all of it
    double machine_seconds = 0.0;    ///< of these, what the machine's cycles and their trace took
    Measured measured;
    /// What models need to know of the run's data; who writes it reads it.
    nlohmann::ordered_json facts = nlohmann::ordered_json::object();
    /// Who waits for whom after a deadlock; who starves; what is wrong with the answer; empty
    /// otherwise.
    std::string explanation;
    bool wrong_answer = false;
    /// Name of what ended a run that threw instead of coming to one of nodes::RunEnd: "fault of the
    /// program". Empty for all others; `end` then says nothing, nor `cycles`.
    std::string failure;
    int exit_status = 0;  ///< of a `weir run` of this run alone
};

/// "deadlock", "wrong answer", "fault of the program": how a run ended that gives no result. Empty
/// for a run that ended well.
[[nodiscard]] std::string bad_end_name(const SimulationResult& result);

/// A simulation's result as a file between the process that ran it and the one that reports.
nlohmann::ordered_json to_json(const SimulationResult& result);
SimulationResult simulation_result_from(const nlohmann::ordered_json& json);

}  // namespace weir::experiments::records
