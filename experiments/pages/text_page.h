#pragma once

#include <string>

#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// The document for a terminal of 80 columns: headings, sentences and tables. Wide tables are split
/// into blocks. Figures and parts with is_left_out_of_text are left out.
[[nodiscard]] std::string text_page(const records::Document& document);

/// A section of a document, with an outer heading; nothing if all of it is left out.
[[nodiscard]] std::string text_section(const records::Section& section);
/// A table of a document.
[[nodiscard]] std::string text_table(const records::Table& table);

}  // namespace weir::experiments::pages
