#pragma once

#include <string>
#include <vector>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/analyses/model_questions/model_sweep.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// The inputs that stay the same, in lines for below the title: those that were given, for they
/// tell this picture from others, then those that have their defaults while two lines hold them.
[[nodiscard]] std::vector<std::string> fixed_inputs(const analyses::ModelSweep& sweep,
                                                    const analyses::ModelInputs& inputs);

/// The picture of a sweep: the first axis runs to the right, each output is a line for every
/// combination of the other axes, and outputs of one unit share a panel.
class ModelPlot {
  public:
    /// Checks what the picture will be of before anything is solved: a file name that ends in .svg,
    /// .png or .pdf, and an axis. `shown` are the outputs that --show named; when it named none,
    /// those with the first output's unit are drawn. Throws setup::UserFault.
    ModelPlot(const std::string& path, const std::vector<analyses::SweepAxis>& axes,
              const std::vector<const models::Output*>& outputs, bool shown);

    /// A chart for each unit, with a curve for each output and combination of the other axes.
    /// Throws setup::UserFault when there is nothing to see.
    [[nodiscard]] std::vector<records::LineChart> charts(const analyses::ModelSweep& sweep) const;
    /// The charts, below the model's title and the inputs that stay the same.
    [[nodiscard]] Drawing drawing(const analyses::ModelSweep& sweep,
                                  const analyses::ModelInputs& inputs) const;
    [[nodiscard]] PictureFormat format() const { return format_; }

    /// Which outputs are in the picture, as a sentence.
    [[nodiscard]] std::string summary() const;

  private:
    std::string path_;
    std::string option_;
    PictureFormat format_;
    std::vector<const models::Output*> drawn_;
    bool draws_all_ = true;
};

}  // namespace weir::experiments::pages
