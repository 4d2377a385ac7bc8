#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/exit_status.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using weir::testing::Names;

class CompletionCommandTest : public ProgramTest {
  protected:
    using Words = std::vector<std::string>;

    /// Completions that bash offers for the last word of a partly typed command line.
    Words offered(Words typed) {
        write("complete.sh",
              "source <(" WEIR_PROGRAM
              " completion bash)\n"
              "compopt() { :; }\n"  // stub: the builtin works only during a completion
              "COMP_WORDS=(weir \"$@\") COMP_CWORD=$#\n"
              "_weir\n"
              "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
        typed.insert(typed.begin(), file("complete.sh").string());
        set_program("/bin/bash");
        std::istringstream lines(output_of(typed));
        Words words;
        for (std::string line; std::getline(lines, line);) {
            if (!line.empty()) {
                words.push_back(line);
            }
        }
        return words;
    }
};

TEST_F(CompletionCommandTest, Commands) {
    EXPECT_THAT(offered({""}), IsSupersetOf({"run", "sweep", "validate", "model", "params", "list",
                                             "kernels", "topology", "trace", "compile", "debug"}));
    EXPECT_THAT(offered({"va"}), ElementsAre("validate"));
    EXPECT_THAT(offered({"sweep", "me"}), ElementsAre("merge"));
    EXPECT_THAT(offered({"trace", "ex"}), ElementsAre("export"));
}

TEST_F(CompletionCommandTest, OptionsAreTheCommandsOwn) {
    EXPECT_THAT(offered({"run", "x.toml", "--sen"}), ElementsAre("--sensitivity"));
    EXPECT_THAT(offered({"run", "-"}),
                AllOf(IsSupersetOf({"--set", "--out", "-j", "--jobs"}), Not(Contains("--shard"))));
    EXPECT_THAT(offered({"sweep", "--re"}), ElementsAre("--resume", "--retry", "--resume-at"));
    EXPECT_THAT(offered({"sweep", "show", "--"}),
                AllOf(IsSupersetOf({"--metric", "--csv"}), Not(Contains("--resume"))));
    EXPECT_THAT(offered({"--vers"}), ElementsAre("--version"));
}

TEST_F(CompletionCommandTest, EveryCommandsEveryOption) {
    for (const Words& command : std::vector<Words>{{"run"}, {"validate"}, {"topology", "show"}}) {
        Words asked = command;
        asked.emplace_back("--help");
        set_program(WEIR_PROGRAM);
        const std::string help = output_of(asked);
        asked.back() = "--";
        for (const std::string& option : offered(asked)) {
            EXPECT_THAT(help, HasSubstr(option));
        }
    }
}

TEST_F(CompletionCommandTest, KeysAndTheirValues) {
    EXPECT_THAT(offered({"run", "--set", "network.hop"}), ElementsAre("network.hop_cycles="));
    EXPECT_THAT(offered({"run", "x.toml", "--set", "workload.ker"}),
                ElementsAre("workload.kernel="));
    // Bash splits --set=network.hop and network.topology=to into words at '='.
    EXPECT_THAT(offered({"run", "--set", "=", "network.hop"}), ElementsAre("network.hop_cycles="));
    EXPECT_THAT(offered({"run", "--set", "network.topology", "=", "to"}), ElementsAre("torus"));
    EXPECT_THAT(offered({"run", "--set", "clock.sleeping", "="}), ElementsAre("true", "false"));
    EXPECT_THAT(offered({"run", "--set", "workload.kernel", "=", "spm"}), ElementsAre("spmv"));
    EXPECT_THAT(offered({"run", "--set", "network.hop_cycles", "=", ""}), IsEmpty());
}

TEST_F(CompletionCommandTest, FilesOfTheUsersAndOfWeirs) {
    write("my remap.toml", kSmallRemap);
    EXPECT_THAT(offered({"run", "my"}), ElementsAre("my remap.toml"));
    EXPECT_THAT(
        offered({"run", "experiments/logpc/table"}),
        ElementsAre("experiments/logpc/table1-ping.toml", "experiments/logpc/table2-body.toml"));
    std::filesystem::create_directory(file("folder"));
    EXPECT_THAT(offered({"run", "x.toml", "--out", ""}), ElementsAre("folder"));
    EXPECT_THAT(offered({"run", "x.toml", "-j", ""}), IsEmpty());
}

TEST_F(CompletionCommandTest, ModelsTablesKindsAndShells) {
    EXPECT_THAT(offered({"model", "lopc-all"}), ElementsAre("lopc-all-to-any"));
    EXPECT_THAT(offered({"params", "memory_p"}), ElementsAre("memory_port"));
    EXPECT_THAT(offered({"list", "ma"}), ElementsAre("machines"));
    EXPECT_THAT(offered({"completion", "z"}), ElementsAre("zsh"));
    EXPECT_THAT(offered({"help", "sw"}), ElementsAre("sweep"));
}

TEST_F(CompletionCommandTest, OtherShells) {
    EXPECT_THAT(output_of({"completion", "zsh"}),
                AllOf(HasSubstr("#compdef"), Names("weir", "sweep", "show"),
                      HasSubstr("network.hop_cycles")));
    EXPECT_THAT(output_of({"completion", "fish"}),
                AllOf(Names("complete", "-c weir", "weir", "sweep", "-a merge", "-d"),
                      Names("complete", "-c weir", "weir", "run", "-l jobs -s j -x -d")));
    const ProgramEnd end = weir({"completion", "bsh"});
    EXPECT_EQ(end.status, running::kBadInput);
    EXPECT_THAT(end.error, Names("weir", "\"bsh\"", "\"bash\"", "\"zsh\"", "\"fish\"", "\"bash\""));
}

}  // namespace
}  // namespace weir::experiments
