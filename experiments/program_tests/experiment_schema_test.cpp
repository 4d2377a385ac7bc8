#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/program_tests/testing/json_schema.h"
#include "experiments/program_tests/testing/own_experiments.h"
#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

// What `weir params --schema` prints fits every experiment file that comes with Weir, and refuses
// what Weir refuses in one key.
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

// What .taplo.toml leads editors to.
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

// Each is one change of a file that is right, and Weir refuses it too.
TEST_F(ExperimentSchemaTest, RefusesWhatWeirRefuses) {
    const std::vector<std::pair<std::string, std::string>> options{
        {"a misspelt table", "netwrk.hop_cycles=2"},
        {"a misspelt key", "network.hop_cylces=2"},
        {"a key of another kernel", "workload.matrix=\"a.mtx\""},
        {"no such kernel", "workload.kernel=\"rmap\""},
        {"a text for a whole number", "network.hop_cycles=\"two\""},
        {"a fraction for a whole number", "network.hop_cycles=1.5"},
        {"a number for a flag", "clock.sleeping=1"},
        {"a number for a list", "network.dimensions=8"},
        {"a text in a list", "network.dimensions=[\"a\"]"},
        {"an empty list", "network.dimensions=[]"},
        {"a number for a name", "network.topology=3"},
        {"no such name", "network.topology=\"mesch\""},
        {"a number for a path", "network.graph_file=3"},
        {"below the range", "network.flit_bytes=0"},
        {"above the range", "machine.nodes=1000000"},
        {"a number out of range", "run.relative_precision=0.9"},
        {"an entry out of range", "run.seeds=[-1]"},
        {"no such metric", "published.cycles={value=1, source=\"a\"}"},
        {"a published value without a source", "published.run_cycles={value=1}"},
        {"a published value that is a text", "published.run_cycles={value=\"1\", source=\"a\"}"},
        {"a negative tolerance", "published.run_cycles={value=1, source=\"a\", tolerance=-1}"},
        {"an unknown key of a published value", "published.run_cycles={valu=1, source=\"a\"}"},
        {"no such model", "models.compare=[\"pram\"]"},
        {"no such input", "models.inputs.latency=3"},
        {"an input that is a text", "models.inputs.latency_cycles=\"3\""},
        {"an unknown key of models", "models.compared=[\"logp\"]"}};
    const std::string kernel = "workload.kernel = \"remap\"\n";
    ASSERT_EQ(faults(kernel), "");
    for (const auto& [what, option] : options) {
        EXPECT_NE(faults(option.starts_with("workload.kernel") ? option : kernel + option), "")
            << what;
        EXPECT_EQ(weir({"run", "remap.toml", "--dry-run", "--set", option}).status, 2) << what;
    }
}

TEST_F(ExperimentSchemaTest, RefusesFilesThatWeirRefuses) {
    struct Refused {
        std::string what;
        std::string command;
        std::string text;
    };
    const std::vector<Refused> files{
        {"a number for the title", "run", "title = 3\n"},
        {"points that are no list", "run", "point = 3\n"},
        {"an unknown key of a row", "run", "[[sensitivity]]\nwhat = \"a\"\npoint = []\n"},
        {"a row of nothing", "run", "[[sensitivity]]\nwhat = \"a\"\npoints = []\n"},
        {"a key of a point in a variant", "run",
         "[[sensitivity]]\nwhat = \"a\"\npoints = [{ against = \"b\" }]\n"},
        {"a sweep in a point", "run", "[[point]]\nsweep = {}\n"},
        {"a key for another kernel in a point", "run", "[[point]]\nworkload.no_such_key = 1\n"},
        {"an unknown key of a sweep", "sweep", "[sweep]\naxes = []\n"},
        {"an axis of one number", "sweep", "[[sweep.axis]]\nnetwork.hop_cycles = 1\n"},
        {"an axis without values", "sweep", "[[sweep.axis]]\nnetwork.hop_cycles = []\n"},
        {"a range without a step", "sweep",
         "[[sweep.axis]]\nnetwork.hop_cycles = { from = 1, to = 2 }\n"},
        {"no such kind of figure", "sweep", "[[sweep.figure]]\nkind = \"pie\"\n"},
        {"a study with a key of an experiment", "run",
         "parts = [\"remap.toml\"]\nextends = \"alewife\"\n"}};
    for (const auto& [what, command, text] : files) {
        const std::string file =
            text.starts_with("parts") ? text : text + "[workload]\nkernel = \"remap\"\n";
        EXPECT_NE(faults(file), "") << what;
        write("bad.toml", file);
        EXPECT_EQ(weir({command, "bad.toml", "--dry-run"}).status, 2) << what;
    }
}

}  // namespace
}  // namespace weir::experiments
