#include "experiments/commands/report_files.h"

#include <filesystem>
#include <fstream>
#include <functional>

#include "experiments/commands/new_file.h"
#include "experiments/config/user_fault.h"
#include "experiments/report/drawing.h"
#include "experiments/report/gnuplot.h"
#include "experiments/report/html_page.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;

void write_text(const std::string& text, const std::string& path) {
    NewFile file(path, path);
    std::ofstream out(file.unfinished_path(), std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw config::UserFault({path}, "the file can't be written",
                                "a place on a disk with room for it");
    }
    file.finish();
}

void make_folder(const std::string& folder, const char* option) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
        throw config::UserFault({option + (" " + folder)},
                                "the folder can't be made: " +
                                    (error ? error.message() : std::string("a file is there")),
                                "a folder in a place that can be written");
    }
}

// What gnuplot has against a figure is the user's to know: it is not installed, or too old.
void drawn(const std::string& what, const std::function<void()>& draw) {
    try {
        draw();
    } catch (const report::GnuplotError& fault) {
        throw config::UserFault({what}, fault.what());
    }
}

void draw_all(const report::Document& document, const std::string& folder, const char* option,
              report::PictureFormat format, const char* ending) {
    if (folder.empty()) {
        return;
    }
    make_folder(folder, option);
    for (const report::Figure* figure : report::figures_of(document)) {
        const std::string path = (fs::path(folder) / (figure->name + ending)).string();
        drawn(path, [&] {
            NewFile file(path, path);
            report::draw(*figure, format, file.unfinished_path());
            file.finish();
        });
    }
}

}  // namespace

void write_page(const report::Document& document, const std::string& path) {
    drawn(path, [&] { write_text(report::html_page(document), path); });
}

void write_figures(const report::Document& document, const FigureFolders& folders) {
    draw_all(document, folders.pdf, "--pdf", report::PictureFormat::kPdf, ".pdf");
    draw_all(document, folders.png, "--png", report::PictureFormat::kPng, ".png");
    if (!folders.csv.empty()) {
        make_folder(folders.csv, "--csv");
        for (const report::Figure* figure : report::figures_of(document)) {
            write_text(report::csv_text(figure->data),
                       (fs::path(folders.csv) / (figure->name + ".csv")).string());
        }
    }
}

}  // namespace weir::experiments::commands
