#include "experiments/commands/trace/trace_sqlite.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <vector>

#include "experiments/commands/new_file.h"
#include "experiments/commands/trace/trace_files.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/log/read_log.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;

void write_database(const fs::path& log, const fs::path& file) {
    if (!trace::is_log(log)) {
        throw setup::UserFault({log.string()}, "this is no log of a run",
                               fmt::format("a run's {}, or its folder", trace::kTraceFile));
    }
    if (trace::is_log(file)) {
        throw setup::UserFault({file.string()}, "this is the log of a run, which stays",
                               "another name for the database");
    }
    const trace::Trace trace = trace::read_log(log);
    NewFile unfinished(file.string(), file.string());
    fs::remove(unfinished.unfinished_path());
    trace::write_trace(trace, unfinished.unfinished_path());
    unfinished.finish();
    std::cout << fmt::format("{}: {} messages, {} core intervals\n", file.string(),
                             trace.messages.size(), trace.core_intervals.size());
}

}  // namespace

void TraceSqlite::declare(CLI::App& command) {
    command.add_option("RUN", run_, fmt::format("A {}, or a run's folder", trace::kTraceFile))
        ->required();
    command
        .add_option("-o,--out", file_, "The file, of one trace\n[trace.sqlite beside each trace]")
        ->type_name("FILE");
}

int TraceSqlite::execute() const {
    const fs::path run(run_);
    if (!file_.empty()) {
        write_database(the_trace_of(run), file_);
        return running::kSuccess;
    }
    const std::vector<fs::path> logs =
        fs::is_directory(run) ? traces_in(run) : std::vector<fs::path>{run};
    for (const fs::path& log : logs) {
        write_database(log, log.parent_path() / "trace.sqlite");
    }
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
