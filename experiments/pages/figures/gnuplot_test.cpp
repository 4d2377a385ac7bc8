#include "experiments/pages/figures/gnuplot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using weir::testing::Names;

std::string error_of(const std::string& script) {
    try {
        run_gnuplot(script);
    } catch (const GnuplotError& error) {
        return error.what();
    }
    return "none";
}

TEST(Gnuplot, RunsAScript) { EXPECT_EQ(error_of("x = 1\n"), "none"); }

TEST(Gnuplot, SaysWhatGnuplotSaid) {
    const std::string error = error_of("plot nothing\n");
    EXPECT_THAT(error, Names("gnuplot", "failed"));
    EXPECT_THAT(error, Names("variable", "nothing"));
    EXPECT_EQ(error.find('\n'), std::string::npos);
}

TEST(Gnuplot, MayEndBeforeItHasReadItsScript) {
    const std::string more_than_a_pipe_holds(1'000'000, '#');
    EXPECT_THAT(error_of("exit status 3\n" + more_than_a_pipe_holds), Names("gnuplot", "failed"));
}

TEST(Gnuplot, SaysWhenItIsNotInstalled) {
    const std::string path = getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    const std::string error = error_of("x = 1\n");
    setenv("PATH", path.c_str(), 1);
    EXPECT_THAT(error, Names("gnuplot", "apt-get", "gnuplot-nox"));
}

TEST(Gnuplot, ShowsNamesAsTheyAre) {
    EXPECT_EQ(gnuplot_plain("work_cycles"), R"(work\\_cycles)");
    EXPECT_EQ(gnuplot_plain(R"(a "b" \ {c})"), R"(a \"b\" \\ \\{c\\})");
}

// A text of several lines, as in a database that somebody has edited, must not become a command.
TEST(Gnuplot, NamesAreNoCommands) {
    EXPECT_EQ(gnuplot_plain("a\nsystem 'b'\r\x1b`c`"), R"(a system 'b'\\x0d\\x1b'c')");
    EXPECT_EQ(error_of("set terminal dumb\nset output '/dev/null'\nset title \"" +
                       gnuplot_plain("a\nno command") + "\"\nplot x\n"),
              "none");
}

// A per cent sign in a tick's label would begin a format.
TEST(Gnuplot, LabelsOfTicsMayHavePerCentSigns) {
    const auto drawn = [](const std::string& label) {
        return error_of("set terminal dumb\nset output '/dev/null'\nset xtics (\"" + label +
                        "\" 1)\nplot x\n");
    };
    EXPECT_NE(drawn("20 %, sync"), "none");
    EXPECT_EQ(drawn(gnuplot_tic("20 %, sync")), "none");
}

}  // namespace
}  // namespace weir::experiments::pages
