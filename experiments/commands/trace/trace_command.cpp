#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/new_file.h"
#include "experiments/commands/trace/trace_export.h"
#include "experiments/commands/trace/trace_files.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/database/trace_digest.h"
#include "experiments/trace/log/log_format.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/rows/trace_schema.h"
#include "memory/coherence/sequential_consistency.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

/// `weir trace sqlite RUN`: converts traces to SQLite files, for SQL and Python.
class TraceSqlite {
  public:
    /// Declares options and arguments.
    void declare(CommandSyntax command);
    /// Writes a file for each trace and returns the exit status. Replaces an existing file only
    /// when the new one is complete. Throws setup::UserFault and trace::TraceError.
    int execute() const;

  private:
    std::string run_;
    std::string file_;
};

void write_database(const fs::path& log, const fs::path& file) {
    if (!trace::is_log(log)) {
        throw setup::UserFault({log.string()}, "this file is not the log of a run",
                               fmt::format("a run's {}, or its folder", trace::kTraceFile));
    }
    if (trace::is_log(file)) {
        throw setup::UserFault({file.string()}, "this is the log of a run, which is never replaced",
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

void TraceSqlite::declare(CommandSyntax command) {
    command.add_option("RUN", run_, fmt::format("A {} file, or a run's folder", trace::kTraceFile))
        .required();
    command
        .add_option("-o,--out", file_,
                    "Database to write, for a single trace\n[trace.sqlite beside each trace]")
        .type_name("FILE");
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

/// `weir trace`, with these subcommands:
/// - `digest RUN`: prints the hash of a cycle trace.
/// - `schema`: prints the trace's tables as SQL with comments.
/// - `consistency RUN`: checks that accesses to shared memory are sequentially consistent.
/// - `export RUN` and `sqlite RUN`: see TraceExport and TraceSqlite.
class TraceCommand final : public Command {
  public:
    TraceCommand() : Command("trace", "Examine or convert the cycle trace of a run") {}

  private:
    void declare(CommandSyntax command) override {
        CommandSyntax digest =
            command.add_subcommand("digest", "Print a trace's hash: equal hashes, equal traces");
        digest
            .add_option("RUN", digested_,
                        fmt::format("A {} file, or a run's folder", trace::kTraceFile))
            .required();
        export_command_ =
            command.add_subcommand("export", "Export a timeline for Perfetto or VCD for GTKWave");
        export_.declare(export_command_);
        sqlite_command_ =
            command.add_subcommand("sqlite", "Convert a trace into SQLite, for SQL and Python");
        sqlite_.declare(sqlite_command_);
        consistency_command_ =
            command.add_subcommand("consistency", "Check shared memory for sequential consistency");
        consistency_command_
            .add_option("RUN", checked_,
                        fmt::format("A {} file, or a run's folder", trace::kTraceFile))
            .required();
        schema_command_ =
            command.add_subcommand("schema", "Print the SQL schema of traces, with comments");
        command.require_subcommand(1, 1);
    }

    int execute() override {
        if (schema_command_.is_named()) {
            std::cout << trace::trace_schema();
            return running::kSuccess;
        }
        if (sqlite_command_.is_named()) {
            return sqlite_.execute();
        }
        if (consistency_command_.is_named()) {
            return check_consistency();
        }
        return export_command_.is_named() ? export_.execute() : print_digest();
    }

    [[nodiscard]] int print_digest() const {
        const fs::path given(digested_);
        if (!fs::is_directory(given)) {
            std::cout << trace::trace_digest(given) << "\n";
            return running::kSuccess;
        }
        for (const fs::path& file : traces_in(given)) {
            std::cout << fmt::format("{}  {}\n", trace::trace_digest(file), file.string());
        }
        return running::kSuccess;
    }

    [[nodiscard]] int check_consistency() const {
        const fs::path given(checked_);
        bool is_consistent = true;
        for (const fs::path& file :
             fs::is_directory(given) ? traces_in(given) : std::vector<fs::path>{given}) {
            const trace::Trace trace = trace::read_trace(file);
            if (trace.shared_accesses.empty()) {
                throw setup::UserFault({file.string()},
                                       "the trace has no accesses to shared memory",
                                       "the trace of a run with trace.shared_accesses = true");
            }
            const memory::OrderCheck check = memory::check_order(trace.shared_accesses);
            is_consistent = is_consistent && check.fault.empty();
            std::cout << fmt::format(
                "{}: {} accesses to {} words by {} programs are {}\n", file.string(),
                trace.shared_accesses.size(), check.words, check.programs,
                check.fault.empty() ? "sequentially consistent"
                                    : "not sequentially consistent: " + check.fault);
        }
        return is_consistent ? running::kSuccess : running::kBug;
    }

    std::string digested_;
    std::string checked_;
    TraceExport export_;
    TraceSqlite sqlite_;
    CommandSyntax export_command_;
    CommandSyntax sqlite_command_;
    CommandSyntax consistency_command_;
    CommandSyntax schema_command_;
};

}  // namespace

std::unique_ptr<Command> trace_command() { return std::make_unique<TraceCommand>(); }

}  // namespace weir::experiments::commands
