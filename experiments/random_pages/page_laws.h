#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"

namespace weir::experiments::random_pages {

/// A law that a page has broken, and where.
struct PageViolation {
    std::string law;  ///< "parts sum"
    std::string what;
};

/// A law that holds for every page, whatever it is of. It looks at the document, which declares
/// what is part of what (records::TableSum, StackedBar::whole), what is ranked (records::Ranking)
/// and which cells say how runs ended (TableColumn::is_status).
struct PageLaw {
    std::string name;
    std::string sentence;
    /// How the page breaks it, or nothing.
    std::optional<std::string> (*broken)(const records::Document& page);
};

/// In the order in which they are asked.
[[nodiscard]] const std::vector<PageLaw>& page_laws();
/// Every law that the page breaks, with its first place each.
[[nodiscard]] std::vector<PageViolation> broken_laws(const records::Document& page);

/// How well the law of numbers in sentences sees: of each number of three digits or more in a
/// page's sentences one digit is changed, and the law is asked again. Shorter ones are somewhere on
/// any page.
struct ChangedDigits {
    std::size_t changed = 0;
    std::size_t seen = 0;
};
[[nodiscard]] ChangedDigits change_digits(const records::Document& page);

}  // namespace weir::experiments::random_pages
