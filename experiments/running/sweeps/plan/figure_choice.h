#pragma once

#include <string>
#include <vector>

#include "experiments/records/figure_choice.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

struct SweepPlan;

using records::FigureChoice;

/// The entries of sweep.figure. Throws setup::UserFault for keys and values that are not of a
/// figure; which axes and metrics there are is not known here.
[[nodiscard]] std::vector<FigureChoice> read_figures(const setup::TomlEntry& figures);

/// The same with axes by their columns' names. Throws setup::UserFault for an axis or metric that
/// is not there, a condition that is none, lines over what is no number, a tornado of crossed axes,
/// and a figure in which points would lie on one another.
[[nodiscard]] std::vector<FigureChoice> checked_figures(std::vector<FigureChoice> figures,
                                                        const SweepPlan& plan);

/// As a database keeps them, and back. Throws nlohmann::json::exception or std::invalid_argument
/// where the text is none of these.
[[nodiscard]] std::string figures_text(const std::vector<FigureChoice>& figures);
[[nodiscard]] std::vector<FigureChoice> figures_from(const std::string& text);

}  // namespace weir::experiments::running
