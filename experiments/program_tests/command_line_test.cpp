#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "experiments/kinds/kind.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/version.h"
#include "firmware/kernels/registry.h"
#include "hw/testing/names.h"
#include "network/network_parameters.h"

namespace weir::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::weir::testing::Names;

class CommandLineTest : public ProgramTest {
  protected:
    CommandLineTest() { write("remap.toml", kSmallRemap); }
};

TEST_F(CommandLineTest, RunLeavesAFolder) {
    const std::string output = output_of({"run", "remap.toml"});
    EXPECT_THAT(names_in("."), ElementsAre("remap.toml", "runs"));
    EXPECT_THAT(names_in("runs"), ElementsAre("remap-001"));
    EXPECT_THAT(names_in("runs/remap-001"),
                ElementsAre("point-01-seed-1", "report.txt", "result.json"));
    EXPECT_THAT(names_in("runs/remap-001/point-01-seed-1"),
                ElementsAre("channels.csv", "configuration.toml", "queues.csv", "result.json",
                            "statistics.csv", "statistics.json", "trace.weir"));
    EXPECT_EQ(read("runs/remap-001/report.txt"), output);
    EXPECT_THAT(output, HasSubstr(" runs/remap-001\n"));
}

TEST_F(CommandLineTest, RunFoldersAreNumbered) {
    static_cast<void>(output_of({"run", "remap.toml"}));
    static_cast<void>(output_of({"run", "remap.toml"}));
    EXPECT_THAT(names_in("runs"), ElementsAre("remap-001", "remap-002"));
}

TEST_F(CommandLineTest, OutNamesTheFolder) {
    EXPECT_THAT(output_of({"run", "remap.toml", "--out", "new/mine"}), HasSubstr(" new/mine\n"));
    EXPECT_THAT(names_in("."), ElementsAre("new", "remap.toml"));
    EXPECT_THAT(names_in("new/mine"), ElementsAre("point-01-seed-1", "report.txt", "result.json"));
}

TEST_F(CommandLineTest, JsonIsTheResultFile) {
    const nlohmann::json printed = result_of("remap.toml");
    EXPECT_EQ(printed, nlohmann::json::parse(read("runs/remap-001/result.json")));
    EXPECT_THAT(read("runs/remap-001/report.txt"),
                HasSubstr(printed.at("title").get<std::string>() + "\n"));
}

TEST_F(CommandLineTest, ResolvedConfigurationRepeatsTheRun) {
    static_cast<void>(output_of({"run", "remap.toml", "--set", "run.seeds=[7]", "--set",
                                 "network.hop_cycles=3", "--out", "first"}));
    const std::string resolved = "first/point-01-seed-7/configuration.toml";
    EXPECT_THAT(read(resolved), HasSubstr(std::string("# weir ") + setup::kVersion +
                                          "\n# seed 7\n\n[machine]\nnodes = 8\n"));
    static_cast<void>(output_of({"run", resolved, "--out", "second"}));
    EXPECT_EQ(digests_of("second"), digests_of("first"));
    EXPECT_EQ(read("second/point-01-seed-7/configuration.toml"), read(resolved));
}

TEST_F(CommandLineTest, EachSeedOfAnExperimentIsRepeatedByItsOwnConfiguration) {
    static_cast<void>(
        output_of({"run", "remap.toml", "--set", "run.seeds=[1, 2]", "--out", "both"}));
    static_cast<void>(output_of({"run", "remap.toml", "--set", "run.seeds=[2]", "--out", "one"}));
    EXPECT_EQ(digests_of("both/point-01-seed-2"), digests_of("one"));
    EXPECT_NE(digests_of("both/point-01-seed-1"), digests_of("one"));
}

TEST_F(CommandLineTest, StatisticsAreTheSameInBothFiles) {
    static_cast<void>(output_of({"run", "remap.toml", "--out", "run"}));
    const auto json = nlohmann::json::parse(read("run/point-01-seed-1/statistics.json"));
    std::istringstream lines(read("run/point-01-seed-1/statistics.csv"));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "part,statistic,value,description");
    std::size_t rows = 0;
    for (; std::getline(lines, line); ++rows) {
        std::istringstream fields(line);
        std::string part;
        std::string statistic;
        std::string value;
        std::getline(fields, part, ',');
        std::getline(fields, statistic, ',');
        std::getline(fields, value, ',');
        EXPECT_EQ(std::to_string(json.at(part).at(statistic).get<std::int64_t>()), value) << line;
    }
    std::size_t counters = 0;
    for (const auto& part : json) {
        counters += part.size();
    }
    EXPECT_EQ(rows, counters);
    // 8 nodes of 40 requests, and a reply to each, sent by the controllers.
    std::int64_t launched = 0;
    for (int node = 0; node < 8; ++node) {
        const std::string controller = "machine.node_" + std::to_string(node) + ".controller";
        launched += json.at(controller).at("messages_launched").get<std::int64_t>();
    }
    EXPECT_EQ(launched, 8 * 40 * 2);
}

TEST_F(CommandLineTest, TraceDigestOfAFileAndOfAFolder) {
    static_cast<void>(
        output_of({"run", "remap.toml", "--set", "run.seeds=[1, 2]", "--out", "run"}));
    const std::string first = "run/point-01-seed-1/trace.weir";
    const std::string second = "run/point-01-seed-2/trace.weir";
    const std::string one = output_of({"trace", "digest", first});
    const std::string other = output_of({"trace", "digest", second});
    EXPECT_THAT(one, MatchesRegex("[0-9a-f]+\n"));
    EXPECT_EQ(one.size(), 33U);
    EXPECT_EQ(output_of({"trace", "digest", "run"}),
              one.substr(0, 32) + "  " + first + "\n" + other.substr(0, 32) + "  " + second + "\n");
}

TEST_F(CommandLineTest, ParamsListsWhatAnExperimentCanSay) {
    const std::string all = output_of({"params"});
    for (const char* key :
         {"machine.nodes = 32", "clock.tick_order = \"wake\"", "network.dimensions = [8, 4]",
          "controller.input_queue_bytes = 256", "memory.load_cycles = 2",
          "firmware.entry_cycles = 60", "workload.slot_cycles", "workload.pattern",
          "workload.iterations", "workload.matrix", "run.seeds", "trace.queue_levels = false"}) {
        EXPECT_THAT(all, HasSubstr(std::string("\n") + key));
    }
    const network::NetworkParameters network;
    EXPECT_THAT(words_of(output_of({"params", "hop_cycles"})),
                Names("[network]", network.sentence(), "network.hop_cycles = 1",
                      network.hop_cycles.sentence(), "1", "10000", "network.model = \"wormhole\"",
                      "network.model = \"delay\"", "network.delay = \"manhattan\"",
                      network.hop_cycles.source()));
}

TEST_F(CommandLineTest, KernelsAreListed) {
    const auto line = [](const std::string& name, const std::string& sentence) {
        return setup::wrapped(sentence, name + std::string(19 - name.size(), ' '),
                              std::string(19, ' '));
    };
    std::string expected;
    for (const firmware::KernelEntry& entry : firmware::kernels()) {
        expected += line(entry.name, entry.sentence);
    }
    for (const kinds::NamedWorkload& other : kinds::workloads_without_kernel()) {
        expected += line(other.name, other.sentence);
    }
    expected += "\nCompiled kernels, for core.kind = \"sparcle\":\n";
    for (const firmware::CompiledKernelEntry& entry : firmware::compiled_kernels()) {
        expected += line(entry.name, entry.sentence);
    }
    EXPECT_EQ(output_of({"kernels"}), expected);
    EXPECT_THAT(expected, ::testing::StartsWith("ping               "));
}

TEST_F(CommandLineTest, Version) {
    const std::string text = output_of({"--version"});
    EXPECT_EQ(text.substr(0, text.find('\n')), setup::kVersion);
    for (const char* line :
         {"\nsources +(commit [0-9a-f]{12}|no repository, SHA-256 of all [0-9a-f]{16})",
          "\nbuild +[A-Za-z]+, (no optimisation|optimised) at link time\n",
          "\ncompiler +(GNU|Clang) 1", "\nflags +-", "\nSystemC +[23]\\.[0-9.]+\n",
          "\nBoost +1\\.[0-9]+\\.[0-9]+\n", "\nSQLite +3\\.", "\nfmt +[0-9]+\\.[0-9]+\\.",
          "\nCLI11 +[0-9]+\\.", "\ntoml\\+\\+ +[0-9]+\\.", "\nnlohmann json +3\\.", "\nzlib +1\\.",
          "\nMPI +", "\ngnuplot +([0-9]+\\.|not installed)",
          "\nSPARC compiler +([0-9]+\\.|not installed)"}) {
        EXPECT_TRUE(std::regex_search(text, std::regex(line))) << line << "\n" << text;
    }
}

TEST_F(CommandLineTest, HelpNamesEveryCommandAndExitStatus) {
    const std::string help = output_of({"--help"});
    EXPECT_EQ(output_of({}), help);
    for (const char* word :
         {"run", "params", "kernels", "topology", "trace", "./weir test", "  2    bad input",
          "  3    deadlock", "  4    wrong answer", "  130  "}) {
        EXPECT_THAT(help, HasSubstr(word));
    }
    const std::string run_help = output_of({"run", "--help"});
    for (const char* option :
         {"FILE", "--set KEY=VALUE", "--out FOLDER", "--jobs N", "--json", "--sensitivity"}) {
        EXPECT_THAT(run_help, HasSubstr(option));
    }
}

TEST_F(CommandLineTest, HelpIsACommandToo) {
    EXPECT_EQ(output_of({"help"}), output_of({"--help"}));
    EXPECT_EQ(output_of({"help", "run"}), output_of({"run", "--help"}));
    EXPECT_EQ(output_of({"help", "sweep", "show"}), output_of({"sweep", "show", "--help"}));
    EXPECT_EQ(output_of({"help", "help"}), output_of({"help", "--help"}));
}

/// Names of the commands that a help text lists.
std::vector<std::string> subcommands_in(const std::string& help) {
    std::vector<std::string> names;
    std::istringstream lines(help.substr(std::min(help.find("Subcommands:\n"), help.size())));
    std::string line;
    std::getline(lines, line);
    for (std::string name; std::getline(lines, line) && !line.empty();) {
        if (line[2] != ' ' && std::istringstream(line) >> name) {
            names.push_back(name);
        }
    }
    return names;
}

class HelpTest : public CommandLineTest {
  protected:
    void expect_fits(const Arguments& command) {
        Arguments words = command;
        words.emplace_back("--help");
        const std::string help = output_of(words);
        std::istringstream lines(help);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), 80U) << line;
        }
        for (const std::string& name : subcommands_in(help)) {
            Arguments below = command;
            below.push_back(name);
            expect_fits(below);
        }
    }
};

TEST_F(HelpTest, EachCommandsHelpFitsInto80Columns) {
    EXPECT_GT(subcommands_in(output_of({"--help"})).size(), 10U);
    expect_fits({});
}

}  // namespace
}  // namespace weir::experiments
