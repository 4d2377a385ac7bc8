#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/program_tests/testing/reader_page.h"

/// Follows the tutorial's pages as a reader would. Saves files, runs commands and compares their
/// output with the page's. Then looks up the numbers of the text in the outputs.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

class TutorialTest : public ProgramTest, public ::testing::WithParamInterface<const char*> {
  protected:
    TutorialTest() {
        write("weir", std::string("#!/bin/sh\nexec \"") + WEIR_PROGRAM + "\" \"$@\"\n");
        fs::permissions(file("weir"), fs::perms::owner_all);
    }

    /// Standard output and errors of a command.
    [[nodiscard]] std::string typed(const std::string& command) const {
        RunningProgram shell("/bin/sh", {"-c", "{ " + command + "\n} 2>&1"}, folder(), folder());
        const ProgramEnd end = shell.wait();
        EXPECT_EQ(end.status, 0) << command << "\n" << end.output;
        return end.output;
    }

    void do_console(const std::vector<std::string>& lines) {
        std::istringstream shown;
        for (const std::string& line : lines) {
            if (line.starts_with("$ ")) {
                const std::string output = typed(line.substr(2));
                outputs_ += output;
                shown = std::istringstream(output);
                command_ = line;
            } else if (line != "...") {
                expect_next(line, shown);
            }
        }
    }

    /// Expects the numbers of the text that a reader could look up: those with a decimal point, and
    /// large ones.
    void expect_numbers(const std::string& prose) const {
        const std::regex number("[0-9][0-9,]*(\\.[0-9]+)?");
        for (std::sregex_iterator i(prose.begin(), prose.end(), number), end; i != end; ++i) {
            std::string text = i->str();
            text.erase(std::remove(text.begin(), text.end(), ','), text.end());
            if (text.find('.') != std::string::npos || text.size() > 2) {
                EXPECT_NE(outputs_.find(text), std::string::npos)
                    << text << " is on the page, and no command has printed it";
            }
        }
    }

  private:
    void expect_next(const std::string& line, std::istringstream& shown) const {
        for (std::string each; std::getline(shown, each);) {
            each.erase(each.find_last_not_of(' ') + 1);
            if (each == line) {
                return;
            }
        }
        ADD_FAILURE() << command_ << " does not print, or not in this order:\n" << line;
    }

    std::string command_;
    std::string outputs_;
};

TEST_P(TutorialTest, EveryCommandPrintsWhatThePageShows) {
    const ReaderPage page = reader_page(fs::path(WEIR_EXPERIMENTS) / "tutorial" / GetParam());
    ASSERT_FALSE(page.blocks.empty());
    for (const PageBlock& block : page.blocks) {
        if (block.language == "console") {
            do_console(block.lines);
        } else {
            ASSERT_NE(block.file, "") << "no name before a block of " << block.language;
            write(block.file, block.text());
        }
    }
    expect_numbers(page.prose);
}

INSTANTIATE_TEST_SUITE_P(Pages, TutorialTest,
                         ::testing::Values("first-run.md", "vary-the-hardware.md",
                                           "own-program.md"),
                         [](const auto& page) {
                             std::string name = page.param;
                             name.erase(std::remove_if(name.begin(), name.end(),
                                                       [](char c) { return std::isalnum(c) == 0; }),
                                        name.end());
                             return name;
                         });

}  // namespace
}  // namespace weir::experiments
