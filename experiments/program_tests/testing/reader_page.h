#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments {

/// A block of code on a page.
struct PageBlock {
    std::string language;  ///< "console" for commands and what they print
    std::string file;      ///< what the line before it calls it, in backticks; or empty
    std::vector<std::string> lines;

    [[nodiscard]] std::string text() const;
};

/// A page as who reads it does: blocks of code, and the text between them.
struct ReaderPage {
    std::vector<PageBlock> blocks;
    std::string prose;  ///< without code
};

/// A Markdown file.
[[nodiscard]] ReaderPage reader_page(const std::filesystem::path& file);

/// A command of a page.
struct PageCommand {
    std::string text;         ///< in one line, without its comment
    std::string shown_error;  ///< "weir: ..." where that is what the page shows below it
};

/// The block's commands that begin with `./weir`.
[[nodiscard]] std::vector<PageCommand> weir_commands(const PageBlock& block);

}  // namespace weir::experiments
