#include "experiments/program_tests/testing/reader_page.h"

#include <algorithm>
#include <fstream>
#include <regex>

namespace weir::experiments {

namespace {

// A command continues after a backslash, and within quotes.
bool goes_on(const std::string& command) {
    return command.ends_with('\\') || std::count(command.begin(), command.end(), '"') % 2 == 1;
}

std::string without_comment(const std::string& command) {
    return std::regex_replace(command, std::regex("\\s+# .*$"), "");
}

}  // namespace

std::string PageBlock::text() const {
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

ReaderPage reader_page(const std::filesystem::path& file) {
    std::ifstream in(file);
    ReaderPage page;
    std::string before;
    bool inside = false;
    const std::regex named("`([^`/]+\\.[a-z]+)`:$");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) {
                std::smatch name;
                page.blocks.push_back({line.substr(3),
                                       std::regex_search(before, name, named) ? name.str(1) : "",
                                       {}});
            }
            before.clear();
        } else if (inside) {
            page.blocks.back().lines.push_back(line);
        } else {
            page.prose += std::regex_replace(line, std::regex("`[^`]*`|\\]\\([^)]*\\)"), "") + "\n";
            before = line.empty() ? before : line;
        }
    }
    return page;
}

std::vector<PageCommand> weir_commands(const PageBlock& block) {
    std::vector<PageCommand> commands;
    for (std::size_t i = 0; i < block.lines.size(); ++i) {
        std::string line = block.lines[i];
        if (line.starts_with("$ ")) {
            line.erase(0, 2);
        }
        if (line.starts_with("./weir ")) {
            while (goes_on(line) && i + 1 < block.lines.size()) {
                if (line.ends_with('\\')) {
                    line.pop_back();
                }
                line += " " + block.lines[++i];
            }
            commands.push_back({without_comment(line), ""});
        } else if (line.starts_with("weir: ") && !commands.empty()) {
            commands.back().shown_error = line;
        }
    }
    return commands;
}

}  // namespace weir::experiments
