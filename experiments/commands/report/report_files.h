#pragma once

#include <string>

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/document.h"

namespace weir::experiments::commands {

/// Throws setup::UserFault for a name that is no page's, so that an option in the wrong place
/// replaces no experiment, database or result; empty: there is no page. Before anything is run.
void require_page_name(const std::string& path, const std::string& option);

/// Writes the page, whole or not at all. Throws setup::UserFault.
void write_page(const records::Document& document, const std::string& path);

/// Draws a picture, whole or not at all; `option` is how the user named the file, for messages.
/// Throws setup::UserFault.
void write_picture(const pages::Drawing& drawing, pages::PictureFormat format,
                   const std::string& path, const std::string& option);

/// Folders that get each figure as a file of its own; empty: none.
struct FigureFolders {
    std::string pdf;
    std::string png;
    std::string csv;
};

/// Makes those that are not there. Throws setup::UserFault.
void make_folders(const FigureFolders& folders);

/// Into folders that are there. Throws setup::UserFault.
void write_figures(const records::Document& document, const FigureFolders& folders);

}  // namespace weir::experiments::commands
