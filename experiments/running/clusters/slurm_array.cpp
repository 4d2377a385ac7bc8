#include "experiments/running/clusters/slurm_array.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;
using setup::UserFault;

constexpr std::size_t kMostTasksUnasked = 100;

fs::path part_of(const SlurmArray& array, std::size_t task) {
    return array.folder / fmt::format("part-{}of{}.db", task, array.tasks);
}

// Number of parts of an earlier submission, so that each part continues with its own points; 0
// without an earlier submission.
std::size_t tasks_before(const fs::path& folder) {
    std::error_code unknown;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, unknown)) {
        std::size_t task = 0;
        std::size_t tasks = 0;
        if (std::sscanf(entry.path().filename().c_str(), "part-%6zuof%6zu.db", &task, &tasks) ==
            2) {
            return tasks;
        }
    }
    return 0;
}

std::size_t tasks_of(const SlurmOptions& slurm, const fs::path& folder, std::size_t points) {
    const std::size_t before = tasks_before(folder);
    if (before != 0) {
        return before;
    }
    return std::min(points, slurm.tasks != 0 ? slurm.tasks : kMostTasksUnasked);
}

void require_submittable(const SlurmArray& array, bool resume) {
    std::error_code unknown;
    if (resume && !fs::exists(array.folder, unknown)) {
        throw UserFault({array.folder.string()}, "there is no submitted sweep to resume",
                        "the database it was submitted for (--out), or no --resume");
    }
    for (const fs::path& path : {array.folder, array.database}) {
        if (!resume && fs::exists(path, unknown)) {
            throw UserFault({path.string()}, "it exists already",
                            "--resume to continue it, or --out with a new one");
        }
    }
}

// Ranges for sbatch --array, for example "1-3,7".
std::string ranges(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
        text += last == i ? "" : "-" + std::to_string(numbers[last]);
        i = last + 1;
    }
    return text;
}

std::string array_script(const SweepOptions& options, const SlurmArray& array,
                         const std::string& plan_digest) {
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    CommandLine settings = settings_words(options.set_options);
    add_permission_words(options.permissions, settings);
    return fmt::format(
        R"(#!/bin/bash
# A task of the job array runs part $SLURM_ARRAY_TASK_ID of {tasks} of the sweep's points into a
# database of its own. Slurm may restart it: runs that have ended are not repeated.
part={folder}/part-${{SLURM_ARRAY_TASK_ID}}of{tasks}.db
resume=
if [[ -e $part ]]; then resume="--resume{retry}"; fi
exec {program} sweep {file} \
    --shard "$SLURM_ARRAY_TASK_ID/{tasks}" --jobs {workers} --plan {plan} \
    --out "$part" {settings} $resume
)",
        fmt::arg("tasks", array.tasks), fmt::arg("folder", shell_word(array.folder.string())),
        fmt::arg("retry", options.retry ? " --retry" : ""),
        fmt::arg("program", shell_word(program)),
        fmt::arg("file", shell_word(fs::absolute(options.file).string())),
        fmt::arg("workers", options.workers), fmt::arg("plan", plan_digest),
        fmt::arg("settings", shell_text(settings)));
}

std::string merge_script(const SlurmArray& array) {
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    return fmt::format(
        R"(#!/bin/bash
# Merges the existing parts into one database, which replaces an earlier one.
set -e
cd {folder}
rm -f merged.db
{program} sweep merge part-*.db --out merged.db
mv merged.db {database}
)",
        fmt::arg("folder", shell_word(array.folder.string())),
        fmt::arg("program", shell_word(program)),
        fmt::arg("database", shell_word(array.database.string())));
}

CommandLine sbatch(const SlurmArray& array, const SlurmOptions& slurm, const std::string& name,
                   const std::string& output) {
    std::string pattern = array.folder.string();
    for (std::size_t at = pattern.find('%'); at != std::string::npos;
         at = pattern.find('%', at + 2)) {
        pattern.insert(at, 1, '%');
    }
    CommandLine command{"sbatch",
                        "--parsable",
                        "--job-name=" + name,
                        "--output=" + pattern + "/" + output,
                        "--open-mode=append",
                        "--chdir=" + fs::current_path().string()};
    command.insert(command.end(), slurm.sbatch.begin(), slurm.sbatch.end());
    return command;
}

void write_script(const fs::path& file, const std::string& text) {
    std::error_code absent;
    fs::remove(file, absent);  // an earlier script, or a link to a file elsewhere
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw UserFault({file.string()}, "it can't be written",
                        "a folder on a disk with enough space");
    }
}

std::string text_of(int pipe) {
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = read(pipe, part.data(), part.size())) > 0;) {
        text.append(part.data(), got);
    }
    return text;
}

// Output of a command as one line. The command's error messages go to the user.
std::string printed_by(const CommandLine& command) {
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    std::array<int, 2> output{};
    if (pipe2(output.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, arguments.front(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    close(output[1]);
    std::string text = error == 0 ? text_of(output[0]) : "";
    close(output[0]);
    if (error != 0) {
        throw UserFault({command.front()}, std::string("it can't be started: ") + strerror(error),
                        "a host that submits jobs to Slurm (Debian's slurm-client), or --dry-run");
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) {
        throw UserFault({shell_text(command)}, "Slurm has not taken the job",
                        "a job that sbatch takes; its message is above");
    }
    return text.substr(0, text.find_first_of(";\n"));
}

}  // namespace

SlurmArray slurm_array(const SweepOptions& options, const SlurmOptions& slurm) {
    const SweepPlan plan =
        make_plan(options.file, options.presets, options.set_options, options.permissions);
    require_permitted(plan.wants);
    SlurmArray array;
    array.database = fs::absolute(database_of(options));
    array.folder = fs::path(array.database).replace_extension(".slurm");
    require_submittable(array, options.resume);
    array.tasks = tasks_of(slurm, array.folder, plan.points.size());
    for (std::size_t task = 1; task <= array.tasks; ++task) {
        const fs::path part = part_of(array, task);
        std::error_code unknown;
        std::set<std::pair<std::string, std::uint64_t>> done;
        if (fs::exists(part, unknown)) {
            done = SweepDatabase::open(part, SweepConnection::Access::kRead).done(options.retry);
        }
        const std::size_t runs = requests_of(plan, {task, array.tasks}, done).size();
        array.runs += runs;
        if (runs > 0) {
            array.to_run.push_back(task);
        }
    }
    array.points = plan.points.size();
    const std::string name = options.file.stem().string();
    array.array_script = array_script(options, array, plan.digest());
    array.merge_script = merge_script(array);
    array.array_command = sbatch(array, slurm, name, "task-%a.out");
    array.array_command.push_back("--array=" + ranges(array.to_run));
    array.array_command.push_back("--cpus-per-task=" + std::to_string(options.workers));
    array.array_command.push_back((array.folder / "array.sh").string());
    array.merge_command = sbatch(array, slurm, name + "-merge", "merge.out");
    array.merge_command.push_back((array.folder / "merge.sh").string());
    return array;
}

SlurmJobs submit(const SlurmArray& array) {
    fs::create_directories(array.folder);
    write_script(array.folder / "array.sh", array.array_script);
    write_script(array.folder / "merge.sh", array.merge_script);
    SlurmJobs jobs;
    jobs.array = printed_by(array.array_command);
    CommandLine merge = array.merge_command;
    merge.insert(merge.end() - 1, "--dependency=afterany:" + jobs.array);
    jobs.merge = printed_by(merge);
    return jobs;
}

std::string slurm_scripts_page(const SlurmArray& array) {
    return fmt::format("== {}/array.sh\n{}\n== {}/merge.sh\n{}\n== submitted by\n{}\n{}\n",
                       array.folder.string(), array.array_script, array.folder.string(),
                       array.merge_script, shell_text(array.array_command),
                       shell_text(array.merge_command));
}

std::string slurm_page(const SlurmArray& array, const SlurmJobs& jobs) {
    return fmt::format(
        "job {}: {} of {} in {}\njob {}: merges them into {}\n"
        "scripts, parts and what tasks print: {}\nfollow them: squeue --jobs {},{}\n",
        jobs.array, setup::counted(array.runs, "run"), setup::counted(array.points, "point"),
        setup::counted(array.to_run.size(), "task"), jobs.merge, array.database.string(),
        array.folder.string(), jobs.array, jobs.merge);
}

}  // namespace weir::experiments::running
