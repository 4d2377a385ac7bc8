#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"

namespace weir::experiments::random_pages {

/// Violation of a law by a page, with its place.
struct PageViolation {
    std::string law;  ///< name of the law: "parts sum"
    std::string what;
};

/// A law that holds for every page. A law reads the document, which declares:
/// - parts of totals (records::TableSum, StackedBar::whole);
/// - rankings (records::Ranking);
/// - cells with the status of a run (TableColumn::is_status).
struct PageLaw {
    std::string name;
    std::string sentence;
    /// Description of the page's violation; empty if the page keeps the law.
    std::optional<std::string> (*broken)(const records::Document& page);
};

/// All laws, in the order of their checks.
[[nodiscard]] const std::vector<PageLaw>& page_laws();
/// Every law that the page breaks, each with its first place.
[[nodiscard]] std::vector<PageViolation> broken_laws(const records::Document& page);

/// Sensitivity of the law of numbers in sentences. In each number of three digits or more in a
/// page's sentences, one digit is changed, and the law is checked again. Shorter numbers occur by
/// chance on any page.
struct ChangedDigits {
    std::size_t changed = 0;
    std::size_t seen = 0;
};
[[nodiscard]] ChangedDigits change_digits(const records::Document& page);

}  // namespace weir::experiments::random_pages
