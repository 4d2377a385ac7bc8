#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/new_file.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/files/path_text.h"
#include "experiments/setup/import/booksim_configuration.h"
#include "experiments/setup/import/booksim_experiment.h"
#include "experiments/setup/import/booksim_network.h"
#include "experiments/setup/import/goal_experiment.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "firmware/kernels/goal/goal_schedule.h"
#include "hw/input_limits.h"
#include "network/network_parameters.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

std::string text_of_file(const fs::path& file, const setup::Place& asked_at,
                         const hw::InputLimits& limits) {
    std::error_code unknown;
    std::ifstream in(file, std::ios::binary);
    if (!in || fs::is_directory(file, unknown)) {
        const bool is_named = asked_at.source == file.string();
        throw setup::UserFault(asked_at, is_named ? "can't be read" : "can't read " + file.string(),
                               "a file");
    }
    return hw::text_of(in, limits);
}

/// True if the parameter has this value in this program; unknown keys have none.
bool is_accepted(const network::NetworkParameters& parameters, std::string_view key,
                 std::string_view value) {
    const std::size_t dot = key.find('.');
    const hw::ParameterBase* parameter =
        key.substr(0, dot) == parameters.table() ? parameters.find(key.substr(dot + 1)) : nullptr;
    if (parameter == nullptr) {
        return false;
    }
    const std::vector<std::string> names = parameter->accepted_values().names;
    return std::find(names.begin(), names.end(), value) != names.end();
}

/// A path as an experiment names it, relative to the experiment's own folder. `experiment` is a
/// file in this folder, or empty for the working directory.
std::string name_in(const fs::path& experiment, const fs::path& path) {
    const fs::path folder =
        experiment.empty() ? fs::current_path() : fs::absolute(experiment).parent_path();
    return setup::is_utf8(path.string()) ? path.string() : setup::path_as_text(folder / path);
}

void write_file(const fs::path& path, const std::string& text) {
    NewFile file(path.string(), "-o " + path.string());
    std::ofstream out(file.unfinished_path());
    out << text << std::flush;
    if (!out) {
        throw setup::UserFault({"-o " + path.string()}, "can't be written", "a place with room");
    }
    file.finish();
}

/// `weir import booksim FILE`, `weir import goal FILE`: turn files of other programs into
/// experiments.
class ImportCommand final : public Command {
  public:
    ImportCommand() : Command("import", "Turn files of other tools into experiments") {}

  private:
    void declare(CommandSyntax command) override {
        command.require_subcommand(1, 1);
        booksim_ = command.add_subcommand("booksim", "Import a configuration of BookSim 2");
        add_files(booksim_, "BookSim's configuration");
        booksim_.footer(
            "Each value has a comment with BookSim's setting. Settings without counterpart\n"
            "are listed at the file's end. A topology, routing or traffic pattern without\n"
            "counterpart is refused. A network_file (topology = anynet) becomes a graph\n"
            "beside FILE.toml. experiments/networks/booksim.md compares the results.");

        goal_ = command.add_subcommand("goal", "Import a schedule of LogGOPSim");
        add_files(goal_, "GOAL schedule, in its textual form");
        goal_.footer(
            "The experiment replays the schedule on LogP's abstract machine. The kernel goal\n"
            "replays it on any machine: see experiments/networks/goal.md.");
    }

    void add_files(CommandSyntax command, const std::string& imported) {
        command.add_option("FILE", file_, imported).required();
        command.add_option("-o,--output", output_, "Experiment to write [standard output]")
            .type_name("FILE.toml");
    }

    int execute() override {
        if (booksim_.is_named()) {
            import_booksim();
        } else {
            import_goal();
        }
        return running::kSuccess;
    }

    void write_experiment(const std::string& toml) const {
        if (output_.empty()) {
            std::cout << toml;
        } else {
            write_file(output_, toml);
        }
    }

    /// The schedule stays where it is; the experiment names it relative to itself.
    void import_goal() const {
        const std::size_t ranks = firmware::read_goal(file_).size();
        const std::string schedule =
            output_.empty() ? file_
                            : fs::absolute(file_)
                                  .lexically_proximate(fs::absolute(output_).parent_path())
                                  .string();
        write_experiment(setup::goal_experiment(file_, name_in(output_, schedule), ranks));
    }

    void import_booksim() const {
        const setup::BooksimConfiguration booksim(text_of_file(file_, {file_}, hw::kBooksimLimits),
                                                  file_);
        const network::NetworkParameters network;
        fs::path graph_file = output_;
        graph_file.replace_filename(graph_file.stem().string() + "-network.dot");
        const setup::BooksimExperiment made =
            setup::booksim_experiment(booksim, name_in(graph_file, graph_file.filename()),
                                      [&network](std::string_view key, std::string_view value) {
                                          return is_accepted(network, key, value);
                                      });
        if (made.any_network) {
            write_graph(booksim, *made.any_network, graph_file);
        }
        write_experiment(made.toml);
    }

    /// Writes the graph of topology = anynet. As for a path in an experiment, network_file is
    /// relative to the configuration.
    void write_graph(const setup::BooksimConfiguration& booksim,
                     const setup::BooksimChannelCycles& cycles, const fs::path& graph_file) const {
        if (output_.empty()) {
            throw setup::UserFault({file_}, "topology = anynet needs a second file, for its graph",
                                   "-o FILE.toml");
        }
        const fs::path source = fs::path(file_).parent_path() / booksim.text("network_file");
        write_file(graph_file,
                   setup::booksim_network_as_dot(
                       text_of_file(source, booksim.place("network_file"), hw::kBooksimLimits),
                       source.string(), cycles));
    }

    CommandSyntax booksim_;
    CommandSyntax goal_;
    std::string file_;
    std::string output_;
};

}  // namespace

std::unique_ptr<Command> import_command() { return std::make_unique<ImportCommand>(); }

}  // namespace weir::experiments::commands
