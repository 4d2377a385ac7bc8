#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments {

/// A block of code on a page.
struct PageBlock {
    std::string language;  ///< "console" for commands and their output
    std::string file;      ///< name in backticks in the line before the block; may be empty
    std::vector<std::string> lines;

    [[nodiscard]] std::string text() const;
};

/// A page as its reader sees it: blocks of code, and the text between them.
struct ReaderPage {
    std::vector<PageBlock> blocks;
    std::string prose;  ///< text without code
};

/// Reads a Markdown file.
[[nodiscard]] ReaderPage reader_page(const std::filesystem::path& file);

/// A command of a page.
struct PageCommand {
    std::string text;         ///< command on one line, without its comment
    std::string shown_error;  ///< error "weir: ..." shown on the page below the command, if any
};

/// Commands of the block that begin with `./weir`.
[[nodiscard]] std::vector<PageCommand> weir_commands(const PageBlock& block);

}  // namespace weir::experiments
