#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/kinds/experiment_schema.h"
#include "experiments/kinds/parameter_document.h"
#include "experiments/kinds/setup.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/parameters/parameter_listing.h"

namespace weir::experiments::commands {

namespace {

/// `weir params [PATTERN]`: lists the parameters of experiment files.
class ParamsCommand final : public Command {
  public:
    ParamsCommand() : Command("params", "List the parameters of experiment files") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("PATTERN", pattern_, "Table, or part of a key; wildcards * and ?");
        Option schema =
            command.add_flag("--schema", schema_, "Print the JSON schema of experiment files");
        command.add_flag("--json", json_, "Print the parameters as one JSON array")
            .excludes(schema);
    }

    int execute() override {
        if (schema_) {
            std::ifstream outline(running::data_folder() /
                                  "experiments/setup/files/experiment_outline.json");
            std::cout << kinds::experiment_schema(nlohmann::ordered_json::parse(outline)).dump(1)
                      << "\n";
            return running::kSuccess;
        }
        if (json_) {
            std::cout << kinds::parameter_document(pattern_).dump(1) << "\n";
            return running::kSuccess;
        }
        const std::vector<std::unique_ptr<kinds::Setup>> setups = kinds::default_setups();
        std::cout << setup::parameter_listing(kinds::listed_groups(setups), pattern_);
        return running::kSuccess;
    }

    std::string pattern_;
    bool schema_ = false;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> params_command() { return std::make_unique<ParamsCommand>(); }

}  // namespace weir::experiments::commands
