#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/random_machines/machine_draw.h"
#include "experiments/random_pages/page_laws.h"

namespace weir::experiments::random_pages {

struct PageTrialOptions {
    /// Also write the pages as HTML, which needs gnuplot.
    bool as_html = false;
    /// For tests: plants a fault in each page before its laws are checked.
    std::function<void(records::Document&)> plant = {};
};

/// Result of one draw: the pages of two machines and their comparison, or of a sweep.
struct PageReport {
    std::string end;      ///< "compared", "swept", "failed" (runs without a result) or "refused"
    std::string refusal;  ///< message of the last attempt to draw a machine
    std::size_t pages = 0;
    std::size_t sentences = 0;
    ChangedDigits digits;  ///< sensitivity of the law of numbers
    /// Violations, each with its page's title.
    std::vector<PageViolation> violations;
    /// Experiment files, each with its name as a comment before it.
    std::string files;

    [[nodiscard]] std::string text() const;
};
[[nodiscard]] PageReport page_report_from(const std::string& text);

/// Draws two machines that run the same program, or a sweep of one machine, from the numbers of the
/// draw. random_machines::draw_machine() draws the first machine. Runs them in processes of their
/// own, and checks all laws on all their pages. All files are written to `folder`.
[[nodiscard]] PageReport try_pages(const random_machines::DrawNumber& which,
                                   const std::filesystem::path& folder,
                                   const PageTrialOptions& options = {});

}  // namespace weir::experiments::random_pages
