#pragma once

#include <string>

#include "experiments/report/document.h"

namespace weir::experiments::commands {

/// Writes the page, whole or not at all. Throws config::UserFault.
void write_page(const report::Document& document, const std::string& path);

/// Folders that get each figure as a file of its own; empty: none.
struct FigureFolders {
    std::string pdf;
    std::string png;
    std::string csv;
};

/// Makes folders that are not there. Throws config::UserFault.
void write_figures(const report::Document& document, const FigureFolders& folders);

}  // namespace weir::experiments::commands
