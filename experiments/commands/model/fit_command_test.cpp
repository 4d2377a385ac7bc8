#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/pages/testing/page_width.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::commands {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using weir::testing::Names;

class FitCommandTest : public ProgramTest {
  protected:
    void run(const std::string& experiment, const std::string& folder = "run") const {
        write("run.toml", experiment);
        static_cast<void>(output_of({"run", "run.toml", "--out", folder}));
    }
    [[nodiscard]] json fit(const std::string& model, Arguments runs = {"run"}) const {
        runs.insert(runs.begin(), {"fit", model, "--json"});
        return json::parse(output_of(runs));
    }
    static json value_of(const json& fit, const std::string& name) {
        for (const json& value : fit.at("values")) {
            if (value.at("name") == name) {
                return value;
            }
        }
        return {};
    }
    static void expect_in_interval(const json& fit, const std::string& name, double truth) {
        const json value = value_of(fit, name);
        ASSERT_TRUE(value.at("half_width").is_number()) << name << value;
        EXPECT_LE(std::abs(value.at("value").get<double>() - truth),
                  value.at("half_width").get<double>() + 1e-9)
            << name << value;
    }
};

constexpr const char* kLogpMachine = R"(extends = "logp"
machine.nodes = 4
network = { dimensions = [2, 2], logp_latency_cycles = 150, logp_gap_cycles = 120 }
controller.launch_cycles = 40
firmware.entry_cycles = 55
[workload]
)";
constexpr const char* kRemap =
    "kernel = \"remap\"\nstyle = \"asynchronous\"\ndestinations = \"cyclic\"\niterations = 60\n";

// LogP's parameters are inputs of this machine, and its nodes contend for the network.
TEST_F(FitCommandTest, TheInputsOfALogpMachineAreFound) {
    run(std::string(kLogpMachine) + kRemap);
    run(std::string(kLogpMachine) + "kernel = \"flood\"\nmessages = 20\n", "flood");
    const json fitted = fit("logp", {"run", "flood"});
    expect_in_interval(fitted, "latency_cycles", 150.0);
    expect_in_interval(fitted, "send_overhead_cycles", 40.0);
    expect_in_interval(fitted, "receive_overhead_cycles", 55.0);
    expect_in_interval(fitted, "gap_cycles", 120.0);
    EXPECT_GE(fitted.at("residuals").at("load").size(), 1U);
}

// An interval over two machines would hold neither machine's parameter.
TEST_F(FitCommandTest, RunsOfDifferentMachinesAreRefused) {
    run(std::string(kSmallRemap) +
        "[[point]]\nlabel = \"near\"\n[[point]]\nlabel = \"far\"\nnetwork.hop_cycles = 5\n");
    EXPECT_THAT(refused({"fit", "logp", "run"}),
                Names("point-02", "network.hop_cycles", "5", "1", "point-01"));
    EXPECT_EQ(fit("logp", {"run/point-02-seed-1"}).at("traces").size(), 1U);
    // Another workload is another view of the same machine.
    run(std::string(kSmallRemap) +
            "[[point]]\nlabel = \"a\"\n[[point]]\nlabel = \"b\"\n"
            "workload.work_cycles = 50\n",
        "works");
    EXPECT_EQ(fit("logp", {"works"}).at("traces").size(), 2U);
}

// Only times of programs are used: the hardware's stages may be unknown.
TEST_F(FitCommandTest, StagesOfTheHardwareAreNotUsed) {
    run(std::string(kLogpMachine) + kRemap);
    const json before = fit("logp");
    static_cast<void>(output_of({"trace", "sqlite", "run", "--out", "times.sqlite"}));
    trace::run_sql_on(file("times.sqlite"),
                      "UPDATE messages SET network_entry_cycle = NULL, tail_entry_cycle = NULL, "
                      "first_arrival_cycle = NULL, header_arrival_cycle = NULL, "
                      "tail_arrival_cycle = NULL, notify_cycle = NULL, code_begin_cycle = NULL, "
                      "code_end_cycle = NULL, dispose_cycle = NULL, unloaded_latency_cycles = 0, "
                      "launch_blocked_cycles = 0;");
    const json after = fit("logp", {"times.sqlite"});
    EXPECT_EQ(after.at("values"), before.at("values"));
}

TEST_F(FitCommandTest, ThePageFitsATerminalAndNamesTheRunThatTellsMore) {
    run(kSmallRemap);
    const std::string page = output_of({"fit", "logp", "run"});
    pages::expect_fits_the_page(page);
    EXPECT_THAT(words_of(page), Names("o_r", "latency_cycles", "gap_cycles", "flood.toml"));
}

// A fitted value is no prediction of the run to which it was fitted, but of other seeds.
TEST_F(FitCommandTest, FittedInputsPredictOtherRunsOnly) {
    run(kSmallRemap);
    static_cast<void>(output_of({"fit", "logp", "run", "--inputs", "fitted.toml"}));
    write("again.toml",
          std::string(kSmallRemap) + "[models]\ncompare = [\"logp\"]\n" + read("fitted.toml"));
    const json same = result_of("again.toml");
    EXPECT_THAT(same.at("predicted").at("logp_given").dump(), HasSubstr("fitted"));
    const json other = result_of("again.toml", {"--set", "run.seeds=[7]"});
    EXPECT_GT(other.at("predicted").at("logp_given").at("cycles_per_iteration").get<double>(), 0.0);
}

// The machine copies a word of contiguous data in four cycles.
TEST_F(FitCommandTest, MemoryLogpIsFittedToTransfersOfARunOrATable) {
    run("extends = \"alewife\"\n[workload]\nkernel = \"memcpy\"\nelement = \"word\"\n"
        "sizes_bytes = [256, 1024]\nstrides_bytes = [4, 16]\n");
    const json fitted = fit("memory_logp");
    // Alewife has no cache here: a load and a store take 7 cycles for the 4 bytes of a word.
    expect_in_interval(fitted, "overhead_cycles_per_byte", 1.75);
    EXPECT_EQ(fitted.at("transfers"), 4);
    EXPECT_EQ(fitted.at("values").back().at("transfer").at("stride_bytes"), 16);
    write("real.csv",
          "bytes,cycles,kind,stride_bytes,element_bytes\n800,1600,pack,8,8\n"
          "800,4000,pack,64,8\n");
    const json real = fit("memory_logp", {"real.csv"});
    expect_in_interval(real, "overhead_cycles_per_byte", 2.0);
    expect_in_interval(real, "latency_cycles_per_byte", 3.0);
    pages::expect_fits_the_page(output_of({"fit", "memory_logp", "real.csv"}));
    EXPECT_THAT(refused({"fit", "memory_logp", "real.csv", "./real.csv"}),
                Names("real.csv", "twice"));
}

TEST_F(FitCommandTest, BadInputNamesWhatToRunInstead) {
    run(kSmallRemap);
    EXPECT_THAT(refused({"fit", "loggp", "run"}), Names("loggp", "bodies", "table2-body.toml"));
    EXPECT_THAT(refused({"fit", "lpgp", "run"}), Names("lpgp", "logp"));
    EXPECT_THAT(refused({"fit", "logp", "nowhere"}), Names("nowhere", "weir run"));
    EXPECT_THAT(refused({"fit", "memory_logp", "run"}), Names("transfers.csv", "figure5.toml"));
    write("bad.csv", "bytes,cycles,kind,stride_bytes,element_bytes\n800,-1,pack,8,8\n");
    EXPECT_THAT(refused({"fit", "memory_logp", "bad.csv"}), Names("bad.csv:2", "cycles", "-1"));
    EXPECT_THAT(refused({"fit", "logp", "run", "run/point-01-seed-1/trace.weir"}),
                Names("trace.weir", "twice"));
    write("sweep.toml", std::string(kSmallRemap) + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    static_cast<void>(output_of({"sweep", "sweep.toml", "--out", "sweep.db"}));
    EXPECT_THAT(refused({"fit", "logp", "sweep.db"}), Names("sweep.db", "weir run"));
}

}  // namespace
}  // namespace weir::experiments::commands
