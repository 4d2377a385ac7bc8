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
    /// Pages are written as HTML, too, which takes gnuplot.
    bool as_html = false;
    /// For tests: spoils each page before its laws are looked at.
    std::function<void(records::Document&)> plant = {};
};

/// Result of one draw: the pages of two machines and their comparison, or of a sweep.
struct PageReport {
    std::string end;      ///< "compared", "swept", "failed" where runs gave no result, "refused"
    std::string refusal;  ///< of the last attempt, in words for the user
    std::size_t pages = 0;
    std::size_t sentences = 0;
    ChangedDigits digits;  ///< how well the law of numbers saw
    /// Each with its page's title.
    std::vector<PageViolation> violations;
    /// The experiment files, each under its name as a comment.
    std::string files;

    [[nodiscard]] std::string text() const;
};
[[nodiscard]] PageReport page_report_from(const std::string& text);

/// Draws two machines that run the same program, or a sweep of one, by the numbers of the draw:
/// random_machines::draw_machine() draws the first. Runs them, and holds all laws for every page of
/// theirs. Runs are processes of their own. The folder is for files.
[[nodiscard]] PageReport try_pages(const random_machines::DrawNumber& which,
                                   const std::filesystem::path& folder,
                                   const PageTrialOptions& options = {});

}  // namespace weir::experiments::random_pages
