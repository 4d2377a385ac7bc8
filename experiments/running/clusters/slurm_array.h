#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/running/processes/command_line.h"
#include "experiments/running/sweeps/run_sweep.h"

namespace weir::experiments::running {

struct SlurmOptions {
    /// Number of tasks of the job array, each for a part of the points; 0: one per point, at most
    /// 100. A resumed sweep keeps its number.
    std::size_t tasks = 0;
    /// Further options of sbatch for both jobs, for example "--partition=long".
    std::vector<std::string> sbatch;
};

/// Sweep as two Slurm jobs. Each task of a job array runs a part of the points into its own
/// database. A second job merges these when all tasks have ended. Scripts, parts and outputs are in
/// the folder `NAME.slurm` beside the database, which every host must see.
struct SlurmArray {
    std::filesystem::path folder;
    std::filesystem::path database;
    std::size_t tasks = 0;            ///< number of parts of the sweep
    std::vector<std::size_t> to_run;  ///< parts with runs to do
    std::size_t points = 0;           ///< points of the whole sweep
    std::size_t runs = 0;             ///< number of runs to do
    std::string array_script;
    std::string merge_script;
    CommandLine array_command;
    /// Command that submits the merge, without its dependency on the array job: that job's number
    /// is known only after its submission.
    CommandLine merge_command;
};

/// Scripts and commands for a submission. With options.resume only unfinished parts run. Throws
/// setup::UserFault for a faulty sweep, and if there is none to resume.
[[nodiscard]] SlurmArray slurm_array(const SweepOptions& options, const SlurmOptions& slurm);

/// Job numbers of Slurm.
struct SlurmJobs {
    std::string array;
    std::string merge;
};

/// Writes the scripts and submits them with sbatch. Throws setup::UserFault if sbatch is missing or
/// refuses.
[[nodiscard]] SlurmJobs submit(const SlurmArray& array);

/// Scripts and commands, before anything is submitted.
[[nodiscard]] std::string slurm_scripts_page(const SlurmArray& array);
/// The jobs, and where their results come.
[[nodiscard]] std::string slurm_page(const SlurmArray& array, const SlurmJobs& jobs);

}  // namespace weir::experiments::running
