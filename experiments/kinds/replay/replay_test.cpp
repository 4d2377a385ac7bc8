#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::Names;

constexpr const char* kEightNodes =
    "extends = \"alewife\"\n[machine]\nnodes = 8\n[network]\ndimensions = [4, 2]\n[workload]\n";

class ReplayTest : public ProgramTest {
  protected:
    ReplayTest() {
        write("replay.toml",
              std::string(kEightNodes) + "kernel = \"replay\"\ntrace = \"" + kRecorded + "\"\n");
    }

    /// Measurements of a kernel's run whose trace replay.toml names afterwards.
    [[nodiscard]] json record(const std::string& workload) const {
        std::filesystem::remove_all(file("recorded"));
        write("recorded.toml", kEightNodes + workload);
        return result_of("recorded.toml", {"--out", "recorded"}).at("measured");
    }
    [[nodiscard]] json replay(Arguments options) const {
        std::filesystem::remove_all(file("replayed"));
        options.insert(options.end(), {"--out", "replayed"});
        return result_of("replay.toml", options).at("measured");
    }
    /// A text for each message with its identifier and a column's value, in the order of
    /// identifiers.
    [[nodiscard]] std::vector<std::string> messages_of(const std::string& trace_file,
                                                       const std::string& column) const {
        const trace::TraceDatabase trace = trace::TraceDatabase::open(file(trace_file));
        trace::Statement rows(trace, "SELECT message_id || ' ' || coalesce(" + column +
                                         ", '-') FROM messages ORDER BY message_id");
        std::vector<std::string> lines;
        while (rows.step()) {
            lines.emplace_back(rows.text(0));
        }
        return lines;
    }

    static constexpr const char* kRecorded = "recorded/point-01-seed-1/trace.weir";
    static constexpr const char* kReplayed = "replayed/point-01-seed-1/trace.weir";
    static constexpr const char* kOpen = "workload.mode=\"open\"";
};

// Recordings with one message in flight, with a queue that fills and blocks the network, with
// crossing requests, and with bodies.
constexpr std::array kRecordings{
    "kernel = \"ping\"\n",
    "kernel = \"flood\"\nmessages = 20\n",
    "kernel = \"flood\"\nmessages = 20\npattern = \"fan_in\"\n",
    "kernel = \"remap\"\niterations = 40\nwork_cycles = 50\n",
    "kernel = \"remap\"\nstyle = \"asynchronous\"\niterations = 10\nbody_bytes = 512\n",
};

TEST_F(ReplayTest, OnTheSameMachineEveryMessageArrivesInItsRecordedCycle) {
    for (const std::string workload : kRecordings) {
        const json recorded = record(workload);
        const json replayed = replay({"--set", kOpen});
        for (const char* column : {"destination_node", "message_bytes", "launch_cycle",
                                   "network_entry_cycle", "first_arrival_cycle",
                                   "header_arrival_cycle", "tail_arrival_cycle", "notify_cycle"}) {
            EXPECT_EQ(messages_of(kReplayed, column), messages_of(kRecorded, column))
                << column << " of " << workload;
        }
        EXPECT_EQ(replayed.at("recorded_cycles"), replayed.at("replay_cycles")) << workload;
        EXPECT_EQ(replayed.at("slowdown"), 1.0) << workload;
        if (replayed.contains("latency_cycles")) {
            EXPECT_EQ(replayed.at("latency_cycles"), replayed.at("recorded_latency_cycles"));
            EXPECT_GE(replayed.at("latency_p99_cycles"), replayed.at("latency_p50_cycles"));
        }
    }
}

// Two round trips of node 0, a hop each way, which end in cycle 400. In dependent mode the second
// request follows the reply to the first. In open mode it is launched in its recorded cycle.
TEST_F(ReplayTest, ASlowerNetworkDelaysWhatDependsOnIt) {
    trace::run_sql_on(file("trips.sqlite"), trace::kForeignTrace);
    const auto replay_trips = [this](const std::string& mode, const std::string& hop_cycles) {
        return replay({"--set", "workload.trace=\"trips.sqlite\"", "--set", mode, "--set",
                       "network.hop_cycles=" + hop_cycles});
    };
    const std::string dependent = "workload.mode=\"dependent\"";
    EXPECT_EQ(replay_trips(dependent, "1").at("replay_cycles"), 400);
    EXPECT_EQ(replay_trips(kOpen, "1").at("replay_cycles"), 400);

    const json slower = replay_trips(dependent, "11");
    EXPECT_EQ(slower.at("replay_cycles"), 400 + 4 * 10);
    EXPECT_EQ(slower.at("slowdown"), 1.1);
    EXPECT_EQ(slower.at("latency_cycles"), 18 + 10);
    EXPECT_EQ(slower.at("recorded_latency_cycles"), 18);

    const json open = replay_trips(kOpen, "11");
    EXPECT_EQ(open.at("replay_cycles"), 400 + 10);
    EXPECT_EQ(open.at("latency_p50_cycles"), 18 + 10);
    EXPECT_THAT(messages_of(kReplayed, "launch_cycle"),
                ElementsAre("0 60", "1 260", "1099511627776 122", "1099511627777 322"));
}

TEST_F(ReplayTest, OnTheSameMachineDependentMessagesAreLaunchedInTheirRecordedCycles) {
    for (const std::string workload : kRecordings) {
        static_cast<void>(record(workload));
        EXPECT_EQ(replay({}).at("slowdown"), 1.0) << workload;
        EXPECT_EQ(messages_of(kReplayed, "launch_cycle"), messages_of(kRecorded, "launch_cycle"))
            << workload;
    }
}

// Queues of 64 bytes: launches wait for room, and no message is lost.
TEST_F(ReplayTest, LaunchesWaitForRoomInTheOutputQueue) {
    static_cast<void>(record("kernel = \"flood\"\nmessages = 20\npattern = \"fan_in\"\n"));
    static_cast<void>(replay({"--set", kOpen, "--set", "controller.output_queue_bytes=64", "--set",
                              "controller.input_queue_bytes=64"}));
    std::int64_t late = 0;
    const auto replayed = messages_of(kReplayed, "launch_cycle");
    const auto recorded = messages_of(kRecorded, "launch_cycle");
    ASSERT_EQ(replayed.size(), recorded.size());
    for (std::size_t i = 0; i < replayed.size(); ++i) {
        const auto cycle = [](const std::string& line) {
            return std::stoll(line.substr(line.find(' ')));
        };
        EXPECT_GE(cycle(replayed[i]), cycle(recorded[i]));
        late += cycle(replayed[i]) > cycle(recorded[i]) ? 1 : 0;
    }
    EXPECT_GT(late, 0);
}

TEST_F(ReplayTest, IsTheSameTwice) {
    static_cast<void>(record("kernel = \"remap\"\niterations = 20\n"));
    static_cast<void>(replay({}));
    const std::string once = digests_of("replayed");
    static_cast<void>(replay({}));
    EXPECT_EQ(digests_of("replayed"), once);
}

TEST_F(ReplayTest, RunsOnIdealNetworks) {
    static_cast<void>(record("kernel = \"remap\"\niterations = 20\n"));
    for (const char* model : {"delay", "logp"}) {
        const json replayed = replay({"--set", std::string("network.model=\"") + model + "\""});
        EXPECT_EQ(replayed.at("messages_measured"), 8 * 20 * 2) << model;
    }
}

TEST_F(ReplayTest, WhatCanNotBeReplayedIsRefused) {
    const auto refusal = [this](const Arguments& options) {
        Arguments arguments{"run", "replay.toml"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 2) << end.error;
        return end.error;
    };
    EXPECT_THAT(refusal({}), HasSubstr("replay.toml:8:"));
    EXPECT_THAT(refusal({}), Names("trace", "run"));
    write("text.sqlite", "no trace\n");
    EXPECT_THAT(refusal({"--set", "workload.trace=\"text.sqlite\""}),
                Names("text.sqlite", "trace"));
    static_cast<void>(record(kRecordings.back()));
    EXPECT_THAT(refusal({"--set", "machine.nodes=4", "--set", "network.dimensions=[2, 2]"}),
                Names("8 nodes", "4", "4 nodes", "8"));
    EXPECT_THAT(refusal({"--set", "network.model=\"delay\""}), Names("bodies", "DMA"));
    EXPECT_THAT(refusal({"--set", "firmware.entry_cycles=1"}),
                Names("firmware.entry_cycles", "replay"));
    EXPECT_THAT(refusal({"--set", "workload.mode=\"closed\""}), HasSubstr("\"dependent\""));
    static_cast<void>(output_of({"trace", "sqlite", "recorded"}));
    trace::run_sql_on(file("recorded/point-01-seed-1/trace.sqlite"), "DELETE FROM messages");
    EXPECT_THAT(refusal({"--set", "workload.trace=\"recorded/point-01-seed-1/trace.sqlite\""}),
                Names("trace.sqlite", "message"));
}

// The two commands in the description of networks/replay.toml, with a shorter run.
TEST_F(ReplayTest, TheStoredExperimentReplaysARecordedRun) {
    const std::string experiments = std::filesystem::current_path() / "experiments";
    static_cast<void>(
        output_of({"run", experiments + "/lopc/pointer-chase.toml", "--set", "workload.requests=4",
                   "--set", "run.warmup_cycles=0", "--set", "run.seeds=[1]", "--out", "recorded"}));
    const std::string trace = "workload.trace=\"" + file(kRecorded).string() + "\"";
    const json points = json::parse(output_of({"run", experiments + "/networks/replay.toml",
                                               "--set", trace, "--out", "replayed", "--json"}))
                            .at("points");
    EXPECT_THAT(points.at(0).at("label").get<std::string>(), HasSubstr("recorded"));
    EXPECT_EQ(points.at(0).at("measured").at("slowdown"), 1.0);
    EXPECT_GT(points.at(1).at("measured").at("latency_cycles"),
              points.at(0).at("measured").at("latency_cycles"));
}

}  // namespace
}  // namespace weir::experiments
