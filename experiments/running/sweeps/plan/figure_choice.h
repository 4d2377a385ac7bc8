#pragma once

#include <string>
#include <vector>

#include "experiments/records/figure_choice.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {

struct SweepPlan;

using records::FigureChoice;

/// Entries of sweep.figure. Throws setup::UserFault for unknown keys and invalid values. Names of
/// axes and metrics are checked later.
[[nodiscard]] std::vector<FigureChoice> read_figures(const setup::TomlEntry& figures);

/// Figures with the columns of their axes. Throws setup::UserFault for:
/// - an unknown axis or metric, or an invalid condition
/// - lines over an axis without numbers
/// - a tornado of crossed axes
/// - a figure in which several points would coincide
[[nodiscard]] std::vector<FigureChoice> checked_figures(std::vector<FigureChoice> figures,
                                                        const SweepPlan& plan);

/// Text of figures for a database, and back. Throws nlohmann::json::exception or
/// std::invalid_argument for an invalid text.
[[nodiscard]] std::string figures_text(const std::vector<FigureChoice>& figures);
[[nodiscard]] std::vector<FigureChoice> figures_from(const std::string& text);

}  // namespace weir::experiments::running
