#include "experiments/commands/report_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "experiments/commands/report_files.h"
#include "experiments/report/run_report.h"
#include "experiments/report/sweep_report.h"
#include "experiments/run/run_experiment.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

ReportCommand::ReportCommand() : Command("report", "Tables and figures of a run or a sweep") {}

void ReportCommand::declare(CLI::App& command) {
    command
        .add_option("DIR|DB", source_,
                    "A run's folder, a folder of such folders, or a\n"
                    "sweep's database")
        ->required();
    command
        .add_option("-o,--out", page_,
                    "The page, which needs no other file\n[DIR/report.html, "
                    "or DB's name with .html]")
        ->type_name("FILE");
    command.add_option("--pdf", pdf_folder_, "Each figure as PDF")->type_name("FOLDER");
    command.add_option("--png", png_folder_, "Each figure as PNG")->type_name("FOLDER");
    command.add_option("--csv", csv_folder_, "The numbers behind each figure")->type_name("FOLDER");
}

int ReportCommand::execute() {
    std::error_code unknown;
    const bool is_file = fs::is_regular_file(source_, unknown);
    const report::Document document =
        is_file ? report::sweep_document(source_) : report::run_document(source_);
    if (page_.empty()) {
        page_ = is_file ? fs::path(source_).replace_extension(".html").string()
                        : (fs::path(source_) / "report.html").string();
    }
    write_figures(document, {pdf_folder_, png_folder_, csv_folder_});
    write_page(document, page_);
    const std::size_t figures = report::figures_of(document).size();
    std::cout << fmt::format("{}: {} figure{}\n", page_, figures, figures == 1 ? "" : "s");
    return run::kSuccess;
}

}  // namespace weir::experiments::commands
