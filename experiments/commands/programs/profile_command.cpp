#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

namespace {

/// `weir profile FILE`: profiles the programs of a Sparcle experiment in cycles.
class ProfileCommand final : public Command {
  public:
    ProfileCommand()
        : Command("profile", "Show where compiled programs spend cycles"),
          options_(running::default_run_options()) {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", options_.file, "An experiment with core.kind = \"sparcle\"")
            .required()
            .transform(from_own_experiments());
        add_settings(command, options_.set_options, "Override a key: --set run.seeds=[2]");
        add_permissions(command, options_.permissions);
        command.add_option("--out", folder_, "New folder for the results [runs/NAME-NNN]")
            .type_name("FOLDER");
        command.footer(
            "Each run writes three files: profile.txt, which is printed; listing.txt, with\n"
            "the cycles of every instruction; profile.folded, stacks for a flame graph.");
    }

    int execute() override {
        namespace fs = std::filesystem;
        options_.set_options.emplace_back("trace.profile=true");
        if (!folder_.empty()) {
            options_.folder = folder_;
        }
        const fs::path folder = running::run_experiment(options_).folder;
        std::vector<fs::path> profiles;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.path().filename() == "profile.txt") {
                profiles.push_back(entry.path());
            }
        }
        std::sort(profiles.begin(), profiles.end());
        for (const fs::path& profile : profiles) {
            std::cout << profile.parent_path().string() << "\n\n"
                      << std::ifstream(profile).rdbuf() << '\n';
        }
        return running::kSuccess;
    }

    running::RunOptions options_;
    std::string folder_;
};

}  // namespace

std::unique_ptr<Command> profile_command() { return std::make_unique<ProfileCommand>(); }

}  // namespace weir::experiments::commands
