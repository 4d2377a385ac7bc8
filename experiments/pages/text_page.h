#pragma once

#include <string>

#include "experiments/records/document.h"

namespace weir::experiments::pages {

/// The document for a terminal of 80 columns: headings, sentences and tables, of which a wide one
/// is split into blocks. Figures and what is_left_out_of_text are not in it.
[[nodiscard]] std::string text_page(const records::Document& document);

/// One of its sections, with an outer heading; nothing where all of it is left out.
[[nodiscard]] std::string text_section(const records::Section& section);
/// One of its tables.
[[nodiscard]] std::string text_table(const records::Table& table);

}  // namespace weir::experiments::pages
