#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/records/held_json.h"
#include "experiments/records/measured.h"
#include "nodes/run_end.h"

namespace weir::experiments::records {

/// Progress of a run.
struct Progress {
    double simulated_cycles = 0.0;
    double share_done = 0.0;
};

/// Result of one run, besides the files in its folder.
struct SimulationResult {
    nodes::RunEnd end = nodes::RunEnd::kFinished;
    std::uint64_t seed = 0;
    std::int64_t cycles = 0;
    std::int64_t messages = 0;  ///< messages sent; 0 if the traffic is packets
    double wall_seconds = 0.0;  ///< wall time on the host: data, machine, check and measurement
    /// Processor time on the host: data, machine, check and measurement.
    double processor_seconds = 0.0;
    /// Part of processor_seconds, for simulating the machine and writing its trace.
    double machine_seconds = 0.0;
    Measured measured;
    /// Inputs of models that depend on the run's data. The code that writes an entry also reads it.
    HeldJson facts;
    /// After a deadlock: which parts wait for which. After starvation: the starving parts. After a
    /// wrong answer: the differences. After any other end the text is empty.
    std::string explanation;
    bool wrong_answer = false;
    /// Name of the exception that ended a run, for example "fault of the program". If it is set,
    /// `end` and `cycles` have no meaning. The name is empty for runs that reached a nodes::RunEnd.
    std::string failure;
    int exit_status = 0;  ///< exit status of a `weir run` of this run alone
};

/// How a run without a result ended: for example "deadlock", "wrong answer" or "fault of the
/// program". The text is empty for a run that ended well.
[[nodiscard]] std::string bad_end_name(const SimulationResult& result);

/// JSON of a run's result, for the file that a run's process hands to the reporting process.
nlohmann::ordered_json to_json(const SimulationResult& result);
/// Text of this JSON, with a line end.
[[nodiscard]] std::string json_text_of(const SimulationResult& result);
SimulationResult simulation_result_from(const nlohmann::ordered_json& json);

}  // namespace weir::experiments::records
