#include "experiments/commands/report/report_files.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <system_error>
#include <utility>

#include "experiments/commands/new_file.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/pages/html_page.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/setup/user_fault.h"
#include "hw/text_streams.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;

constexpr const char* kBrowser = "chromium";

void write_text(const std::string& text, const std::string& path) {
    NewFile file(path, path);
    std::ofstream out(file.unfinished_path(), std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw setup::UserFault({path}, "the file can't be written",
                               "a file on a disk with enough space");
    }
    file.finish();
}

void make_folder(const std::string& folder, const char* option) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
        throw setup::UserFault({option + (" " + folder)},
                               "the folder can't be created: " +
                                   (error ? error.message() : std::string("a file has this name")),
                               "a folder whose parent can be written");
    }
}

// Gnuplot's errors are for the user to solve: it is missing or too old.
void drawn(const std::string& what, const std::function<void()>& draw) {
    try {
        draw();
    } catch (const pages::GnuplotError& fault) {
        throw setup::UserFault({what}, fault.what());
    }
}

void draw_all(const records::Document& document, const std::string& folder,
              pages::PictureFormat format, const char* ending) {
    if (folder.empty()) {
        return;
    }
    for (const records::Figure* figure : records::figures_of(document)) {
        const std::string path = (fs::path(folder) / (figure->name + ending)).string();
        write_picture(pages::drawing_of(*figure), format, path, path);
    }
}

}  // namespace

void require_page_name(const std::string& path, const std::string& option) {
    const std::string ending = fs::path(path).extension().string();
    if (!path.empty() && ending != ".html" && ending != ".htm") {
        throw setup::UserFault({option + " " + path}, "not the name of an HTML page",
                               "a file name that ends in .html");
    }
}

void write_page(const records::Document& document, const std::string& path) {
    drawn(path, [&] { write_text(pages::html_page(document), path); });
}

void write_picture(const pages::Drawing& drawing, pages::PictureFormat format,
                   const std::string& path, const std::string& option) {
    drawn(option, [&] {
        NewFile file(path, option);
        pages::draw(drawing, format, file.unfinished_path());
        file.finish();
    });
}

bool has_browser() {
    const char* path = std::getenv("PATH");
    hw::TextReader folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code absent;
        if (fs::is_regular_file(fs::path(folder) / kBrowser, absent)) {
            return true;
        }
    }
    return false;
}

void print_page(const std::string& page, const std::string& path) {
    NewFile file(path, "--pdf " + path);
    const fs::path folder = fs::absolute(path).parent_path();
    // The browser's profile, removed afterwards; its name is new, as that of the unfinished file.
    const fs::path profile =
        folder / (fs::path(file.unfinished_path()).filename().string() + ".profile");
    const fs::path log = profile / "messages";
    fs::create_directories(profile);
    const int status = running::run_tool(
        {kBrowser, "--headless", "--disable-gpu", "--disable-dev-shm-usage",
         geteuid() == 0 ? "--no-sandbox" : "--no-first-run",  // root has no sandbox
         "--no-pdf-header-footer", "--virtual-time-budget=10000",
         "--user-data-dir=" + profile.string(), "--print-to-pdf=" + file.unfinished_path(),
         "file://" + fs::absolute(page).string()},
        log, "chromium", log);
    std::error_code ignored;
    fs::remove_all(profile, ignored);
    if (status != 0 || fs::file_size(file.unfinished_path(), ignored) == 0) {
        throw setup::UserFault({"--pdf " + path}, "chromium could not print the page",
                               "a working chromium");
    }
    file.finish();
}

void make_folders(const FigureFolders& folders) {
    for (const auto& [folder, option] :
         {std::pair{&folders.pdf, "--pdf"}, std::pair{&folders.png, "--png"},
          std::pair{&folders.csv, "--csv"}}) {
        if (!folder->empty()) {
            make_folder(*folder, option);
        }
    }
}

void write_figures(const records::Document& document, const FigureFolders& folders) {
    draw_all(document, folders.pdf, pages::PictureFormat::kPdf, ".pdf");
    draw_all(document, folders.png, pages::PictureFormat::kPng, ".png");
    if (!folders.csv.empty()) {
        for (const records::Figure* figure : records::figures_of(document)) {
            write_text(records::csv_text(pages::drawing_of(*figure).data),
                       (fs::path(folders.csv) / (figure->name + ".csv")).string());
        }
    }
}

}  // namespace weir::experiments::commands
