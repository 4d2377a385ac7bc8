#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/pages/run_page.h"
#include "experiments/pages/sweep_page.h"
#include "experiments/records/document.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

constexpr auto kRead = running::SweepConnection::Access::kRead;

records::Document sweep_document(const std::string& path, const std::string& metric) {
    const auto database = running::SweepDatabase::open(path, kRead);
    if (database.count_of("runs") == 0) {
        throw setup::UserFault(
            {path}, "the sweep has no completed run",
            "a database with results; weir sweep FILE --resume continues the sweep");
    }
    if (metric.empty()) {
        return pages::sweep_document(running::read_sweep(database));
    }
    database.require_metric(metric);
    return pages::sweep_document(running::read_sweep(database, {metric}), {metric});
}

/// `weir report DIR|DB`: writes one page about the results of a run or a sweep.
class ReportCommand final : public Command {
  public:
    ReportCommand() : Command("report", "Write a page of a run's or a sweep's results") {}

  private:
    void declare(CommandSyntax command) override {
        command
            .add_option("DIR|DB", source_,
                        "Folder that weir run made; folder of one run in\n"
                        "it; folder of such folders; or a sweep's database")
            .required();
        command
            .add_option("-o,--out", page_,
                        "Self-contained HTML page\n[DIR/report.html, or DB's name with .html]")
            .type_name("FILE");
        command
            .add_option("--metric", metric_,
                        "Main metric of the page [the kernel's main metric;\n"
                        "run_cycles for a compiled program]")
            .type_name("NAME");
        command
            .add_option("--pdf", pdf_folder_,
                        "FILE.pdf: also print the whole page, by Chromium;\n"
                        "FOLDER: also write each figure as PDF")
            .type_name("FILE|FOLDER");
        command.add_option("--png", png_folder_, "Also write each figure as PNG")
            .type_name("FOLDER");
        command
            .add_option("--csv", csv_folder_,
                        "Folder for each figure's data as CSV\n[the page's name with -csv]")
            .type_name("FOLDER");
        command.add_flag("--watch", watches_,
                         "Follow an ongoing sweep: write the page again\n"
                         "after each run; browsers reload it");
    }

    int execute() override {
        require_page_name(page_, "--out");
        std::error_code unknown;
        if (!fs::exists(source_, unknown)) {
            throw setup::UserFault({source_}, "there is no such folder or file",
                                   "the folder of a run, or a sweep's database");
        }
        const bool is_file = fs::is_regular_file(source_, unknown);
        if (page_.empty()) {
            page_ = is_file ? fs::path(source_).replace_extension(".html").string()
                            : (fs::path(source_) / "report.html").string();
        }
        if (watches_ && is_file) {
            return watch();
        }
        if (watches_) {
            throw setup::UserFault({source_},
                                   "--watch follows a sweep, and this is not its database",
                                   "a sweep's database");
        }
        const records::Document document =
            is_file ? sweep_document(source_, metric_) : pages::stored_document(source_, metric_);
        const bool prints_page = fs::path(pdf_folder_).extension() == ".pdf";
        if (prints_page && !has_browser()) {
            throw setup::UserFault({"--pdf " + pdf_folder_}, "chromium is not installed",
                                   "the Debian package chromium, or a folder for the figures");
        }
        const std::size_t figures = records::figures_of(document).size();
        FigureFolders folders{prints_page ? "" : pdf_folder_, png_folder_, csv_folder_};
        make_folders(folders);  // report unwritable folders before writing any file
        write_page(document, page_);
        if (folders.csv.empty() && figures > 0) {
            folders.csv = fs::path(page_).replace_extension().string() + "-csv";
            make_folders(folders);
        }
        write_figures(document, folders);
        std::cout << fmt::format("{}: {}\n", page_, setup::counted(figures, "figure"));
        if (prints_page) {
            print_page(page_, pdf_folder_);
            std::cout << pdf_folder_ << ": the page\n";
        }
        if (!folders.csv.empty()) {
            std::cout << folders.csv << ": the figures' data as CSV\n";
        }
        return running::kSuccess;
    }

    /// Renews the page of an ongoing sweep until all its runs have ended or a signal arrives.
    [[nodiscard]] int watch() const {
        constexpr std::chrono::milliseconds kPause(500);
        constexpr int kRefreshSeconds = 2;
        const running::InterruptionNoted noted;
        std::int64_t shown = 0;
        while (!running::is_interrupted()) {
            const auto database = running::SweepDatabase::open(source_, kRead);
            const std::int64_t runs = database.count_of("runs");
            if (runs > shown) {
                const std::size_t planned = database.planned_runs();
                const bool goes_on = std::cmp_less(runs, planned);
                records::Document document = sweep_document(source_, metric_);
                document.refresh_seconds = goes_on ? kRefreshSeconds : 0;
                write_page(document, page_);
                shown = runs;
                std::cout << fmt::format("{}: {} of {}\n", page_, runs,
                                         setup::counted(planned, "run"))
                          << std::flush;
                if (!goes_on) {
                    return running::kSuccess;
                }
            }
            std::this_thread::sleep_for(kPause);
        }
        return running::interruption_status();
    }

    std::string source_;
    std::string page_;
    std::string metric_;
    std::string pdf_folder_;
    std::string png_folder_;
    std::string csv_folder_;
    bool watches_ = false;
};

}  // namespace

std::unique_ptr<Command> report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace weir::experiments::commands
