#pragma once

#include <string>
#include <vector>

#include "experiments/commands/model_inputs.h"
#include "experiments/commands/model_sweep.h"

namespace weir::experiments::commands {

/// The picture of a sweep: the first axis runs to the right, each output is a line for every
/// combination of the other axes, and outputs of one unit share a panel.
class ModelPlot {
  public:
    /// Checks what the picture will be of before anything is solved: a file name that ends in .svg,
    /// .png or .pdf, and an axis. `shown` are the outputs that --show named; when it named none,
    /// those with the first output's unit are drawn. Throws config::UserFault.
    ModelPlot(const std::string& path, const std::vector<SweepAxis>& axes,
              const std::vector<const models::Output*>& outputs, bool shown);

    /// The gnuplot script that draws the sweep into `file`. Below the title stand the inputs that
    /// stay the same: all that were given, then those that have their defaults, as far as two lines
    /// hold them.
    [[nodiscard]] std::string script(const ModelSweep& sweep, const ModelInputs& inputs,
                                     const std::string& file) const;
    /// Draws it; the file is there whole or not at all. Throws config::UserFault.
    void draw(const ModelSweep& sweep, const ModelInputs& inputs) const;

    /// Which outputs are in the picture, as a sentence.
    [[nodiscard]] std::string summary() const;

  private:
    std::string path_;
    std::string option_;
    std::string terminal_;
    std::vector<const models::Output*> drawn_;
    bool draws_all_ = true;
};

}  // namespace weir::experiments::commands
