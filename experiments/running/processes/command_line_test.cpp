#include "experiments/running/processes/command_line.h"

#include <gtest/gtest.h>

namespace weir::experiments::running {
namespace {

TEST(CommandLineTest, WordsAreQuotedForTheShell) {
    EXPECT_EQ(shell_text({"a", "b c", "it's", "", "--set=x=1"}), "a 'b c' 'it'\\''s' '' --set=x=1");
}

TEST(CommandLineTest, ACommandHasTheFileOtherWordsAndTheSettingsOfTheOneBefore) {
    const std::vector<std::string> settings{"run.seeds=[1, 2]", "workload.iterations=5"};
    EXPECT_EQ(shell_text(weir_command("run", "my file.toml", {"--resume", "out"}, settings)),
              "weir run 'my file.toml' --resume out --set 'run.seeds=[1, 2]' --set "
              "workload.iterations=5");
}

}  // namespace
}  // namespace weir::experiments::running
