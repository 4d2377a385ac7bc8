#include "experiments/commands/report/report_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "experiments/commands/report/report_files.h"
#include "experiments/pages/run_page.h"
#include "experiments/pages/sweep_page.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

ReportCommand::ReportCommand() : Command("report", "A page of what a run or a sweep found") {}

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

namespace {

records::Document sweep_document(const std::string& path) {
    const auto database =
        running::SweepDatabase::open(path, running::SweepConnection::Access::kRead);
    if (database.count_of("runs") == 0) {
        throw setup::UserFault({path}, "no run of the sweep has ended",
                               "a database with results; weir sweep FILE --resume goes on");
    }
    return pages::sweep_document(running::read_sweep(database));
}

}  // namespace

int ReportCommand::execute() {
    std::error_code unknown;
    const bool is_file = fs::is_regular_file(source_, unknown);
    const records::Document document =
        is_file ? sweep_document(source_) : pages::stored_document(source_);
    if (page_.empty()) {
        page_ = is_file ? fs::path(source_).replace_extension(".html").string()
                        : (fs::path(source_) / "report.html").string();
    }
    const FigureFolders folders{pdf_folder_, png_folder_, csv_folder_};
    make_folders(folders);  // what can't be written is told before anything is
    write_page(document, page_);
    write_figures(document, folders);
    const std::size_t figures = records::figures_of(document).size();
    std::cout << fmt::format("{}: {}\n", page_, setup::counted(figures, "figure"));
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
