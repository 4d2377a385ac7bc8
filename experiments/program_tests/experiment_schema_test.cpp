#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/json_schema.h"
#include "experiments/program_tests/testing/own_experiments.h"
#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

// The schema of `weir params --schema` accepts every experiment file that comes with Weir, and
// rejects files that Weir refuses because of one key.
class ExperimentSchemaTest : public ProgramTest {
  protected:
    ExperimentSchemaTest() { write("remap.toml", kSmallRemap); }

    static nlohmann::json json_of(const toml::table& table) {
        std::ostringstream text;
        text << toml::json_formatter{table};
        return nlohmann::json::parse(text.str());
    }
    [[nodiscard]] std::string faults(const std::string& text) const {
        return schema_.faults(json_of(toml::parse(text)));
    }
    [[nodiscard]] std::string faults_of_file(const fs::path& file) const {
        return schema_.faults(json_of(toml::parse_file(file.string())));
    }

  private:
    const JsonSchema schema_{output_of({"params", "--schema"})};
};

TEST_F(ExperimentSchemaTest, EveryFileThatComesWithWeirFits) {
    const std::vector<fs::path> files = own_experiments();
    for (const fs::path& file : files) {
        EXPECT_EQ(faults_of_file(file), "") << file;
    }
    EXPECT_GT(files.size(), 80U);
}

// File to which .taplo.toml directs editors.
TEST_F(ExperimentSchemaTest, TheBuildWritesItForEditors) {
    const fs::path top = fs::path(WEIR_EXPERIMENTS).parent_path();
    std::ifstream settings(top / ".taplo.toml");
    const std::string text(std::istreambuf_iterator<char>(settings), {});
    const fs::path beside = fs::path(WEIR_PROGRAM).parent_path() / "beside/experiment.schema.json";
    EXPECT_THAT(text,
                HasSubstr("path = \"build/release/experiments/beside/experiment.schema.json\""));
    std::ifstream written(beside);
    const std::string schema(std::istreambuf_iterator<char>(written), {});
    EXPECT_EQ(schema, output_of({"params", "--schema"}));
}

TEST_F(ExperimentSchemaTest, WhatAFileCanSayBesidesParametersFits) {
    EXPECT_EQ(faults(R"(extends = "alewife"
title = "All"
description = "there is"
core.kind = "behavioural"
[workload]
kernel = "remap"
work_cycles = 10
[published.cycles_per_iteration]
value = 300
source = "a paper"
unit = "cycles"
tolerance = 0.1
within = 3
[models]
compare = ["logp"]
[models.inputs]
latency_cycles = 21
source = "a table"
[[point]]
label = "short"
[[point]]
against = "short"
workload.iterations = 20
models.inputs = { latency_cycles = 22 }
published.cycles_per_iteration = { value = 1, source = "a figure" }
[[sensitivity]]
what = "buffers"
points = [{ label = "1 flit", network.buffer_flits = 1 }]
)"),
              "");
    EXPECT_EQ(faults(R"([sweep]
design = "one-at-a-time"
filter = ["a > 1", "b < 2"]
[[sweep.axis]]
name = "hops"
network.hop_cycles = { from = 1, to = 8, count = 4, scale = "logarithmic" }
[[sweep.axis]]
run.seeds = { from = 1, to = 3, step = 1 }
[[sweep.axis]]
network.dimensions = [[4, 2], [2, 4]]
network.topology = ["mesh", "torus"]
[[sweep.figure]]
kind = "bars"
metric = "run_cycles"
x = "hops"
against = { topology = "mesh" }
)"),
              "");
}

// Each option makes one fault in a correct file; both the schema and Weir refuse it.
TEST_F(ExperimentSchemaTest, RefusesWhatWeirRefuses) {
    const std::vector<std::string> options{
        "netwrk.hop_cycles=2",
        "network.hop_cylces=2",
        "workload.matrix=\"a.mtx\"",
        "workload.kernel=\"rmap\"",
        "network.hop_cycles=\"two\"",
        "network.hop_cycles=1.5",
        "clock.sleeping=1",
        "network.dimensions=8",
        "network.dimensions=[\"a\"]",
        "network.dimensions=[]",
        "network.topology=3",
        "network.topology=\"mesch\"",
        "network.graph_file=3",
        "network.flit_bytes=0",
        "machine.nodes=1000000",
        "run.relative_precision=0.9",
        "run.seeds=[-1]",
        "published.cycles={value=1, source=\"a\"}",
        "published.run_cycles={value=1}",
        "published.run_cycles={value=\"1\", source=\"a\"}",
        "published.run_cycles={value=1, source=\"a\", tolerance=-1}",
        "published.run_cycles={valu=1, source=\"a\"}",
        "models.compare=[\"pram\"]",
        "models.inputs.latency=3",
        "models.inputs.latency_cycles=\"3\"",
        "models.compared=[\"logp\"]"};
    const std::string kernel = "workload.kernel = \"remap\"\n";
    ASSERT_EQ(faults(kernel), "");
    for (const std::string& option : options) {
        EXPECT_NE(faults(option.starts_with("workload.kernel") ? option : kernel + option), "")
            << option;
        EXPECT_EQ(weir({"run", "remap.toml", "--dry-run", "--set", option}).status, 2) << option;
    }
}

TEST_F(ExperimentSchemaTest, RefusesFilesThatWeirRefuses) {
    struct Refused {
        std::string command;
        std::string text;
    };
    const std::vector<Refused> files{
        {"run", "title = 3\n"},
        {"run", "point = 3\n"},
        {"run", "[[sensitivity]]\nwhat = \"a\"\npoint = []\n"},
        {"run", "[[sensitivity]]\nwhat = \"a\"\npoints = []\n"},
        {"run", "[[sensitivity]]\nwhat = \"a\"\npoints = [{ against = \"b\" }]\n"},
        {"run", "[[point]]\nsweep = {}\n"},
        {"run", "[[point]]\nworkload.no_such_key = 1\n"},
        {"sweep", "[sweep]\naxes = []\n"},
        {"sweep", "[[sweep.axis]]\nnetwork.hop_cycles = 1\n"},
        {"sweep", "[[sweep.axis]]\nnetwork.hop_cycles = []\n"},
        {"sweep", "[[sweep.axis]]\nnetwork.hop_cycles = { from = 1, to = 2 }\n"},
        {"sweep", "[[sweep.figure]]\nkind = \"pie\"\n"},
        {"run", "parts = [\"remap.toml\"]\nextends = \"alewife\"\n"}};
    for (const auto& [command, text] : files) {
        const std::string file =
            text.starts_with("parts") ? text : text + "[workload]\nkernel = \"remap\"\n";
        EXPECT_NE(faults(file), "") << text;
        write("bad.toml", file);
        EXPECT_EQ(weir({command, "bad.toml", "--dry-run"}).status, 2) << text;
    }
}

}  // namespace
}  // namespace weir::experiments
