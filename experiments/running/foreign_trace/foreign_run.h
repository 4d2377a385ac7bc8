#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// What traces say that Weir need not have written, and what they can't say.
struct ForeignResult {
    records::ExperimentResult result;  ///< of one point
    struct Trace {
        std::string file;
        std::vector<std::string> absent_tables;
    };
    std::vector<Trace> traces;
};

/// Measures traces as those of an experiment's runs, a trace a seed, and asks the models: the
/// experiment says which machine and which program they are of, and what is published. Nothing is
/// run. Throws setup::UserFault when the file has several points, is one of open-loop traffic, or
/// does not fit the traces; trace::TraceError when a trace is not as trace_schema() says.
ForeignResult measure_traces(const RunOptions& options,
                             std::span<const std::filesystem::path> traces);

/// What a trace without those tables can't say, a sentence each.
std::vector<std::string> what_is_not_said(const std::vector<std::string>& absent_tables);

}  // namespace weir::experiments::running
