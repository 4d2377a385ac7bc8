#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/program_tests/testing/reader_page.h"
#include "hw/testing/test_cost.h"

/// Runs every `./weir` command of every page, in the order of its page and in one folder, with the
/// files that the page shows. Commands that are not run are listed below with the reason.
namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

struct Exception {
    const char* commands;  ///< regular expression for the commands
    const char* reason;
};

// Commands that are not run.
constexpr Exception kLeftOut[] = {
    {"^./weir test", "it runs this test itself"},
    {"^./weir package", "the program has no such command, but the launcher; .ci/package runs it"},
    {"^./weir bench", "it measures for minutes; BenchCommandTest runs parts of it"},
    {"^./weir paper [a-z-]+( --again| --check)?$", "it takes minutes"},
    {"^./weir paper .* --markdown$",
     "it takes up to minutes; PaperPageTest compares its quick rows"},
    {"^./weir validate experiments/claims.toml",
     "it takes minutes; ClaimsCommandTest runs parts of it"},
    {"^./weir validate experiments/networks/referee(-networks)?.toml",
     "RefereeTest runs parts of it"},
    {"^./weir debug", "it waits for a debugger; DebugTest provides one"},
    {"^./weir sweep submit", "it needs Slurm; SlurmJobTest starts one"},
    {"float-costs-soft-float.elf", "its program lies in the folder of the release build"},
    {"^./weir run experiments/lopc/figure8-spmv.toml", "it takes minutes"},
    {"experiments/lopc/pointer-chase.toml|experiments/networks/replay.toml",
     "ten seconds; PointerChaseTest and ReplayTest run smaller ones"},
    {"--dry-run", "it tries each point for a second; DryRunTest does so with less"},
    {"run.relative_precision", "ten seconds; PreciseRunTest asks for less"},
    {"^./weir run experiments/networks/load-curve.toml",
     "ten seconds; OpenLoopRunTest has such curves"},
    {"^./weir run experiments/networks/tori.toml", "ten seconds; RefereeTest runs two such points"},
    {"^./weir search experiments/sweeps/links-and-queues.toml",
     "ten seconds; SearchRunTest searches smaller spaces"},
    {"experiments/sparcle/(async-remap|spmv).toml",
     "three seconds each; SparcleRunTest runs others"},
    {"shared-memory/(hot-homes|trapping-lines|pointers).toml|(homes|traps|pointers).db",
     "it takes up to a minute; SharedReadsRunTest and SharedLinesTest run smaller ones"},
    {"shared-memory/mechanisms-(radix-sort|lu).toml",
     "it takes minutes; SharedRadixSortTest and SharedLuTest run smaller ones"},
    {"what-matters", "it takes half a minute; TutorialTest runs a smaller one"},
    {"^./weir (run experiments/lopc/figure6-7.toml --out|report runs/figure6-7)",
     "it takes half a minute; ReportPageTest makes pages of shorter runs"},
    {"^./weir run experiments/memory-logp/", "ten seconds; MemoryKernelsRunTest copies less"},
    {"^./weir explain runs/stencil", "the run before it is left out"},
    {"^./weir fit memory_logp runs/copies",
     "the run before it is left out; FitCommandTest fits one"},
    {"before.db after.db", "the page does not show how these two are made"},
    {"runs/study.db", "the name stands for any sweep's database"},
    {"--shard|100.db",
     "it shows how a hundred hosts share a sweep; SweepRunTest does so with three"},
    {"token[-_]ring", "ReadmeKernelTest builds and runs the page's kernel"},
};

// Commands that the page describes as failing.
struct Failure {
    const char* commands;
    int status;
};

constexpr Failure kFailures[] = {{"controller.overflow_trap=false", 3},
                                 {"faults.lost_flits=", 3},
                                 {"^./weir check mine.toml", 2}};

int status_of(const PageCommand& command) {
    for (const Failure& failure : kFailures) {
        if (std::regex_search(command.text, std::regex(failure.commands))) {
            return failure.status;
        }
    }
    return command.shown_error.empty() ? 0 : 2;
}

bool is_of(const Exception& exception, const std::string& command) {
    return std::regex_search(command, std::regex(exception.commands));
}

bool is_left_out(const std::string& command) {
    return std::any_of(std::begin(kLeftOut), std::end(kLeftOut),
                       [&](const Exception& exception) { return is_of(exception, command); });
}

const fs::path& checkout() {
    static const fs::path path = fs::path(WEIR_EXPERIMENTS).parent_path();
    return path;
}

// Names of pages, relative to the checkout.
std::vector<std::string> pages() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(checkout())) {
        if (entry.path().extension() == ".md") {
            names.push_back(entry.path().filename());
        }
    }
    for (const char* folder : {"hw", "memory", "network", "nodes", "firmware", "experiments"}) {
        for (const auto& entry : fs::recursive_directory_iterator(checkout() / folder)) {
            // Tested by TutorialTest.
            const std::string name = entry.path().lexically_relative(checkout());
            if (name.ends_with(".md") && !name.starts_with("experiments/tutorial/")) {
                names.push_back(name);
            }
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

class PageCommandsTest : public ProgramTest, public ::testing::WithParamInterface<std::string> {
  protected:
    PageCommandsTest() {
        write("weir", std::string("#!/bin/sh\nexec \"") + WEIR_PROGRAM + "\" \"$@\"\n");
        fs::permissions(file("weir"), fs::perms::owner_all);
        fs::create_directory_symlink(checkout() / "experiments", file("experiments"));
    }

    void type(const PageCommand& command) const {
        RunningProgram shell("/bin/sh", {"-c", command.text}, folder(), folder());
        const ProgramEnd end = shell.wait();
        EXPECT_EQ(end.status, status_of(command)) << command.text << "\n" << end.error;
        EXPECT_THAT(words_of(end.error),
                    ::testing::HasSubstr(words_of(until_dots(command.shown_error))))
            << command.text;
    }

  private:
    static std::string until_dots(const std::string& text) {
        return text.substr(0, text.find("…"));
    }
};

TEST_P(PageCommandsTest, EndWell) {
    for (const PageBlock& block : reader_page(checkout() / GetParam()).blocks) {
        if (!block.file.empty()) {
            write(block.file, block.text());
        }
        for (const PageCommand& command : weir_commands(block)) {
            if (!is_left_out(command.text)) {
                type(command);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Pages, PageCommandsTest, ::testing::ValuesIn(pages()),
                         [](const auto& page) {
                             return std::regex_replace(page.param, std::regex("[^A-Za-z0-9]"), "");
                         });

TEST(PageCommandsTest, EveryExceptionIsOfSomeCommand) {
    std::vector<std::string> commands;
    for (const std::string& page : pages()) {
        for (const PageBlock& block : reader_page(checkout() / page).blocks) {
            for (const PageCommand& command : weir_commands(block)) {
                commands.push_back(command.text);
            }
        }
    }
    EXPECT_GT(commands.size(), 80U);
    for (const Exception& exception : kLeftOut) {
        EXPECT_TRUE(std::any_of(commands.begin(), commands.end(), [&](const std::string& command) {
            return is_of(exception, command);
        })) << exception.commands;
    }
}

// Checks all commands of pages, including those that no test runs.
TEST(PageCommandsTest, EveryExperimentThatIsNamedIsThere) {
    const std::regex named("experiments/[^ ]*\\.toml");
    for (const std::string& page : pages()) {
        for (const PageBlock& block : reader_page(checkout() / page).blocks) {
            for (const PageCommand& command : weir_commands(block)) {
                std::smatch file;
                if (std::regex_search(command.text, file, named)) {
                    EXPECT_TRUE(fs::exists(checkout() / file.str()))
                        << page << ": " << command.text;
                }
            }
        }
    }
}

WEIR_TESTS_COST("PageCommandsTest.EndWell/experimentssharedmemory", 288);
WEIR_TESTS_COST("PageCommandsTest.EndWell/experimentspages", 118);

}  // namespace
}  // namespace weir::experiments
