#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/models/catalogue/model.h"

namespace weir::experiments::analyses {
class ModelInputs;
}

namespace weir::experiments::commands {

/// `weir model [NAME]`: asks an analytic model, without running a machine.
class ModelCommand final : public Command {
  public:
    ModelCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    void list(const models::Models& models) const;
    void help(const models::Models& models) const;
    [[nodiscard]] int ask(models::Model& model) const;
    void solve(models::Model& model, const analyses::ModelInputs& inputs) const;
    [[nodiscard]] int sweep(models::Model& model, const analyses::ModelInputs& inputs) const;

    std::function<std::string()> options_text_;
    std::string name_;
    std::string file_;
    std::vector<std::string> set_options_;
    std::vector<std::string> sweep_options_;
    std::vector<std::string> shown_;
    std::string plot_file_;
    bool json_ = false;
    bool csv_ = false;
    bool help_ = false;
};

}  // namespace weir::experiments::commands
