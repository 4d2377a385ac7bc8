#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/analyses/fits/model_fit.h"
#include "experiments/analyses/fits/timed_transfers.h"
#include "experiments/analyses/fits/transfer_fit.h"
#include "experiments/commands/all_commands.h"
#include "experiments/commands/model/one_machine.h"
#include "experiments/commands/new_file.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/commands/trace/trace_files.h"
#include "experiments/pages/model_fit_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/database/foreign_trace.h"
#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/database/trace_digest.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/measurements/program_times.h"
#include "experiments/trace/rows/trace_error.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;

// All traces below folders, and files of traces.
std::vector<fs::path> all_traces(const std::vector<std::string>& runs) {
    std::vector<fs::path> traces;
    for (const std::string& run : runs) {
        if (fs::is_directory(run)) {
            const std::vector<fs::path> own = traces_in(run);
            traces.insert(traces.end(), own.begin(), own.end());
        } else {
            traces.emplace_back(run);
        }
    }
    return traces;
}

// A file that is named twice would count as two independent runs.
void require_each_once(const std::vector<fs::path>& files) {
    std::set<fs::path> seen;
    for (const fs::path& file : files) {
        std::error_code unknown;
        if (!seen.insert(fs::weakly_canonical(file, unknown)).second) {
            throw setup::UserFault({file.string()}, "named twice", "each run once");
        }
    }
}

std::int64_t node_count_of(const fs::path& path) {
    try {
        return trace::stored_node_count(path);
    } catch (const trace::TraceError& fault) {
        throw setup::UserFault(
            fmt::format("{}; accepted: the folder of a weir run, or a trace; sweeps keep no traces",
                        fault.what()));
    }
}

trace::ProgramTimes times_of(const fs::path& path) {
    const std::int64_t nodes = node_count_of(path);
    const trace::Trace trace = trace::is_log(path)
                                   ? trace::read_log(path)
                                   : trace::load_trace(trace::open_foreign_trace(path));
    return trace::program_times(trace, nodes);
}

/// `weir fit MODEL RUN...`: parameters of a model, estimated from the traces of runs.
class FitCommand final : public Command {
  public:
    FitCommand() : Command("fit", "Estimate parameters of a model from traces") {}

  private:
    void declare(CommandSyntax command) override {
        command
            .add_option("MODEL", model_,
                        "Model, as in models.compare; another name lists\n"
                        "the models that can be fitted")
            .required();
        command
            .add_option("RUN", runs_,
                        "Folders of runs of one machine, or their traces;\n"
                        "all points and seeds in a folder are used. For\n"
                        "memory_logp: folders, or CSV tables of transfers")
            .required();
        command.add_flag("--json", json_, "Print the fit as one JSON object");
        command.add_option("--html", page_, "Also write the fit as an HTML page").type_name("FILE");
        command
            .add_option("--inputs", inputs_,
                        "Also write the parameters as [models.inputs]; they\n"
                        "predict no run to which they were fitted")
            .type_name("FILE");
        command.footer(
            "Only times that a program can take are used: begin and end of sends and\n"
            "handlers, at the clock of each node. Sweeps keep no traces; weir run does.");
    }

    int execute() override {
        require_page_name(page_, "--html");
        const std::vector<std::string>& names = analyses::fitted_model_names();
        if (std::find(names.begin(), names.end(), model_) == names.end()) {
            throw setup::unknown_name({"weir fit"}, "model to fit", model_, names);
        }
        records::ModelFit fit = model_ == analyses::kMemoryLogp ? fit_transfers() : fit_messages();
        const records::Document document = pages::model_fit_document(fit);
        if (!inputs_.empty()) {
            write_inputs(fit);
        }
        if (!page_.empty()) {
            write_page(document, page_);
        }
        std::cout << (json_ ? records::json_text(pages::model_fit_json(fit), 1) + "\n"
                            : pages::text_page(document));
        return running::kSuccess;
    }

    [[nodiscard]] records::ModelFit fit_messages() const {
        const std::vector<fs::path> paths = all_traces(runs_);
        require_each_once(paths);
        require_one_machine(paths);
        std::vector<trace::ProgramTimes> runs;
        for (const fs::path& path : paths) {
            runs.push_back(times_of(path));
            if (runs.back().node_count != runs.front().node_count) {
                throw setup::UserFault(
                    {path.string()},
                    fmt::format("{} nodes, and {} has {}", runs.back().node_count,
                                paths.front().string(), runs.front().node_count),
                    "runs of one machine");
            }
        }
        records::ModelFit fit = analyses::fit_model(model_, runs);
        for (const fs::path& path : paths) {
            fit.traces.push_back(path.string());
        }
        return fit;
    }

    [[nodiscard]] records::ModelFit fit_transfers() const {
        std::vector<analyses::TimedTransfer> transfers;
        std::vector<fs::path> tables;
        for (const std::string& run : runs_) {
            for (const fs::path& table : analyses::transfer_tables(run)) {
                const std::vector<analyses::TimedTransfer> read = analyses::timed_transfers(table);
                transfers.insert(transfers.end(), read.begin(), read.end());
                tables.push_back(table);
            }
        }
        require_each_once(tables);
        require_one_machine(tables);
        records::ModelFit fit = analyses::fit_memory_logp(transfers);
        std::transform(tables.begin(), tables.end(), std::back_inserter(fit.traces),
                       [](const fs::path& table) { return table.string(); });
        return fit;
    }

    /// Writes the values as [models.inputs]. Their source names the digests of the traces.
    void write_inputs(const records::ModelFit& fit) const {
        if (std::ranges::none_of(fit.values, &records::FittedValue::is_model_input)) {
            throw setup::UserFault(
                {"--inputs " + inputs_},
                fmt::format("[models.inputs] accepts no parameter of {}", model_),
                "--json, or another model");
        }
        std::string text =
            fmt::format("[models.inputs]\nsource = \"{}{}:", trace::kSourceOfFit, fit.model);
        for (const std::string& path : fit.traces) {
            text += " " + trace::trace_digest(path);
        }
        text += "\"\n";
        for (const records::FittedValue& value : fit.values) {
            if (value.is_model_input && value.value && !value.is_upper_bound) {
                text += fmt::format("{} = {}\n", value.name, *value.value);
            }
        }
        NewFile file(inputs_, "--inputs " + inputs_);
        std::ofstream out(file.unfinished_path(), std::ios::binary);
        out << text;
        out.close();
        if (!out) {
            throw setup::UserFault({"--inputs " + inputs_}, "the file can't be written",
                                   "a file on a disk with enough space");
        }
        file.finish();
    }

    std::string model_;
    std::vector<std::string> runs_;
    std::string page_;
    std::string inputs_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> fit_command() { return std::make_unique<FitCommand>(); }

}  // namespace weir::experiments::commands
