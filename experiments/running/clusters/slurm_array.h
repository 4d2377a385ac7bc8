#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/running/processes/command_line.h"
#include "experiments/running/sweeps/run_sweep.h"

namespace weir::experiments::running {

struct SlurmOptions {
    /// Tasks of the job array, a part of the points each; 0: one a point, but at most 100. A sweep
    /// that is resumed keeps its own.
    std::size_t tasks = 0;
    /// Further options of sbatch, for both jobs: "--partition=long".
    std::vector<std::string> sbatch;
};

/// A sweep as Slurm gets it: a job array, whose tasks run a part of the points each into a database
/// of its own, and a job that merges these when all tasks have ended. Scripts, parts and what tasks
/// print are in one folder, `NAME.slurm` beside the database, which every host has to see.
struct SlurmArray {
    std::filesystem::path folder;
    std::filesystem::path database;
    std::size_t tasks = 0;            ///< parts of the sweep
    std::vector<std::size_t> to_run;  ///< those that have runs to do
    std::size_t points = 0;           ///< of the whole sweep
    std::size_t runs = 0;             ///< to do
    std::string array_script;
    std::string merge_script;
    CommandLine array_command;
    /// Without the dependency on the array, whose number is not known before.
    CommandLine merge_command;
};

/// What submitting would do, and with which scripts. With options.resume: the parts that are not
/// done. Throws setup::UserFault.
[[nodiscard]] SlurmArray slurm_array(const SweepOptions& options, const SlurmOptions& slurm);

/// Numbers of Slurm's jobs.
struct SlurmJobs {
    std::string array;
    std::string merge;
};

/// Writes the scripts and submits them with sbatch. Throws setup::UserFault where sbatch is not
/// there or refuses.
[[nodiscard]] SlurmJobs submit(const SlurmArray& array);

}  // namespace weir::experiments::running
