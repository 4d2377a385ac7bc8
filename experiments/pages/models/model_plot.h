#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/analyses/model_questions/model_sweep.h"
#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// Inputs that the sweep does not vary, as lines below the title. Inputs given by the user come
/// first, since they tell pictures apart. Defaults follow as far as two lines hold them.
[[nodiscard]] std::vector<std::string> fixed_inputs(const analyses::ModelSweep& sweep,
                                                    const analyses::ModelInputs& inputs);

/// Vertical axes of a plot. kChosen: logarithmic where all values are positive and the largest is a
/// hundred times the smallest or more.
enum class YAxis : std::uint8_t { kChosen, kLinear, kLogarithmic };

/// Picture of a sweep. The first axis is horizontal. Each output has a line for every combination
/// of the other axes. Outputs of one kind share a panel: those of one unit, shares of a whole, or
/// numbers of the same things.
class ModelPlot {
  public:
    /// Checks the request before any point is solved: the file name ends in .svg, .png or .pdf, and
    /// the sweep has an axis. With `shown` (outputs were named by --show) all outputs are drawn,
    /// otherwise those of the first one's kind. Throws setup::UserFault for any other request.
    ModelPlot(const std::string& path, const std::vector<analyses::SweepAxis>& axes,
              const std::vector<const models::Output*>& outputs, bool shown,
              YAxis y_axis = YAxis::kChosen);

    /// One chart per kind, with a curve for each output and combination of the other axes. Throws
    /// setup::UserFault if no curve has a point.
    [[nodiscard]] std::vector<records::LineChart> charts(const analyses::ModelSweep& sweep) const;
    /// The charts, below the model's title and the inputs that the sweep does not vary.
    [[nodiscard]] Drawing drawing(const analyses::ModelSweep& sweep,
                                  const analyses::ModelInputs& inputs) const;
    [[nodiscard]] PictureFormat format() const { return format_; }

    /// Sentence that names the outputs in the picture.
    [[nodiscard]] std::string summary() const;

  private:
    std::string path_;
    std::string option_;
    PictureFormat format_;
    YAxis y_axis_;
    std::vector<const models::Output*> drawn_;
    bool draws_all_ = true;
};

}  // namespace weir::experiments::pages
