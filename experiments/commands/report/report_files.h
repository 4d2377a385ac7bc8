#pragma once

#include <string>

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/document.h"

namespace weir::experiments::commands {

/// Throws setup::UserFault unless the name is an HTML file's or empty (no page). Call it before a
/// run, so that a misplaced option cannot overwrite an experiment, database or result.
void require_page_name(const std::string& path, const std::string& option);

/// Writes the page atomically (NewFile). Throws setup::UserFault if it cannot be written or gnuplot
/// fails.
void write_page(const records::Document& document, const std::string& path);

/// Draws a picture and writes it atomically (NewFile). `option` is the option that names the file,
/// for messages. Throws setup::UserFault if the picture cannot be written or gnuplot fails.
void write_picture(const pages::Drawing& drawing, pages::PictureFormat format,
                   const std::string& path, const std::string& option);

/// Prints a written HTML page into the PDF file `path` by Chromium, with all sections open. Throws
/// setup::UserFault if Chromium fails, and running::RunFailure if it is not installed.
void print_page(const std::string& page, const std::string& path);
/// True if Chromium is installed.
[[nodiscard]] bool has_browser();

/// Folders for the figures, one file per figure; an empty name writes none.
struct FigureFolders {
    std::string pdf;
    std::string png;
    std::string csv;
};

/// Creates missing folders. Throws setup::UserFault if a folder cannot be created.
void make_folders(const FigureFolders& folders);

/// Writes the figures into existing folders. Throws setup::UserFault if a figure cannot be written
/// or gnuplot fails.
void write_figures(const records::Document& document, const FigureFolders& folders);

}  // namespace weir::experiments::commands
