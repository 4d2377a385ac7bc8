#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments::pages {

/// Page as a browser shows it.
struct BrowsedPage {
    std::string document;              ///< after its scripts have run, as HTML
    std::vector<std::string> console;  ///< errors and messages of its scripts
};

/// Loads a page in headless Chromium; returns nothing if Chromium is not installed. The address may
/// end with a fragment. The browser's profile is in `folder`. The window's width is in pixels.
[[nodiscard]] std::optional<BrowsedPage> browse(const std::string& address,
                                                const std::filesystem::path& folder,
                                                int width = 1200);

/// Cell of a table of a page.
struct BrowsedCell {
    std::string text;
    std::map<std::string, std::string> attributes;
};
/// Rows of the page's table with this number, from 0.
[[nodiscard]] std::vector<std::vector<BrowsedCell>> table_of(const std::string& document,
                                                             std::size_t number);

/// Number of occurrences of a text in another.
[[nodiscard]] std::size_t count_of(const std::string& text, const std::string& what);

}  // namespace weir::experiments::pages
