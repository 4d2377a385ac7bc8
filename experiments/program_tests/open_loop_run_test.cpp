#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::weir::testing::Names;

// Open-loop traffic from the command line.
class OpenLoopRunTest : public ProgramTest {
  protected:
    static constexpr const char* kUniform = R"(title = "Uniform traffic"
[network]
dimensions = [4, 4]
[workload]
kernel = "open-loop"
[traffic]
packet_flits = 4
load = 0.2
warm_up_cycles = 500
measurement_cycles = 2000
drain_cycles = 300
)";
    static constexpr const char* kThreeLoads = R"([models]
compare = ["agarwal"]
[[point]]
label = "low"
traffic.load = 0.02
[[point]]
label = "beyond"
traffic.load = 1.0
[[point]]
label = "middle"
traffic.load = 0.3
)";
    OpenLoopRunTest() {
        write("uniform.toml", kUniform);
        write("curve.toml", std::string(kUniform) + kThreeLoads);
    }

    [[nodiscard]] std::string refused_with(const Arguments& options) const {
        Arguments arguments{"run", "uniform.toml"};
        for (const std::string& option : options) {
            arguments.insert(arguments.end(), {"--set", option});
        }
        return refused(arguments);
    }
    /// All measurements and predictions, point by point.
    [[nodiscard]] json facts(const Arguments& options) const {
        json result = result_of("curve.toml", options);
        for (json& point : result.at("points")) {
            point.erase("wall_seconds");
            point.erase("configuration");
        }
        return result.at("points");
    }
};

TEST_F(OpenLoopRunTest, ALoadCurve) {
    const json result = result_of("curve.toml", {"--out", "curve"});
    const json& low = result.at("points").at(0).at("measured");
    const json& beyond = result.at("points").at(1).at("measured");
    EXPECT_EQ(low.at("saturated"), 0);
    EXPECT_NEAR(low.at("accepted_load").get<double>(), 0.02, 0.004);
    // Mean of 2.5 hops, 4 cycles of edges, 3 flits after the header, and little contention.
    EXPECT_NEAR(low.at("packet_latency_cycles").get<double>(), 9.5, 0.6);
    EXPECT_NEAR(low.at("mean_hops").get<double>(), 2.5, 0.25);
    EXPECT_DOUBLE_EQ(low.at("uniform_capacity_load").get<double>(), 1.0);
    EXPECT_EQ(beyond.at("saturated"), 1);
    EXPECT_FALSE(beyond.contains("packet_latency_cycles"));
    EXPECT_LT(beyond.at("accepted_load"), 0.95);

    ASSERT_EQ(result.at("load_curves").size(), 1U);
    const json& curve = result.at("load_curves").at(0);
    EXPECT_EQ(curve.at("points"), json({"low", "middle", "beyond"}));
    EXPECT_EQ(curve.at("saturation_throughput"), beyond.at("accepted_load"));
    EXPECT_EQ(curve.at("is_saturated"), true);
    EXPECT_EQ(curve.at("highest_load_not_saturated"), 0.3);

    const json& predicted = result.at("points").at(0).at("predicted").at("agarwal");
    EXPECT_NEAR(predicted.at("unloaded_latency_cycles").get<double>(), 9.5, 1e-9);

    EXPECT_THAT(names_in("curve/point-01-seed-1"),
                IsSupersetOf({"channels.csv", "configuration.toml", "result.json", "statistics.csv",
                              "statistics.json"}));
    EXPECT_THAT(read("curve/point-01-seed-1/channels.csv"), HasSubstr("\"(0,0) +x\",0.0"));
}

TEST_F(OpenLoopRunTest, ThePageShowsCurveAndModel) {
    const std::string page = output_of({"run", "curve.toml"});
    EXPECT_THAT(page, AllOf(HasSubstr("open-loop"), HasSubstr("saturated"),
                            ContainsRegex("Saturation throughput[^\n]*: 0\\.[0-9]"),
                            ContainsRegex("offered +accepted +mean "), HasSubstr("agarwal")));
}

TEST_F(OpenLoopRunTest, SeveralCurvesAreSummedUp) {
    write("patterns.toml", std::string(kUniform) +
                               "[[point]]\nlabel = \"a\"\ntraffic.pattern = \"neighbour\"\n"
                               "[[point]]\nlabel = \"b\"\ntraffic.pattern = \"transpose\"\n");
    const std::string page = output_of({"run", "patterns.toml"});
    EXPECT_THAT(page, AllOf(HasSubstr("traffic.pattern = \"neighbour\""), HasSubstr("> 0.19"),
                            HasSubstr("throughput")));
}

TEST_F(OpenLoopRunTest, PublishedValuesStandBesideTheCurve) {
    const std::string page = output_of(
        {"run", "uniform.toml", "--set", "published.accepted_load={value=0.25, source=\"a book\"}",
         "--set", "published.packet_latency_cycles={value = 10, source = \"another\"}"});
    EXPECT_THAT(words_of(page),
                AllOf(HasSubstr(" load 0.25 "), HasSubstr(" -2"),  // measured: about 0.2
                      HasSubstr(" book "), HasSubstr(" cycles 10 "), HasSubstr(" another ")));
}

TEST_F(OpenLoopRunTest, NeitherOrderNorSleepingNorProcessesChangeAnything) {
    const json as_it_is = facts({"-j", "1"});
    EXPECT_EQ(facts({"-j", "2"}), as_it_is);
    EXPECT_EQ(facts({"--set", "clock.tick_order=shuffled"}), as_it_is);
    EXPECT_EQ(facts({"--set", "network.flit_by_flit=true"}), as_it_is);
    EXPECT_EQ(facts({"--set", "clock.tick_order=reversed", "--set", "clock.sleeping=false"}),
              as_it_is);
    // Planted fault: one more cycle anywhere changes the results.
    EXPECT_NE(facts({"--set", "network.hop_cycles=2"}), as_it_is);
    EXPECT_NE(facts({"--set", "run.seeds=[2]"}), as_it_is);
}

TEST_F(OpenLoopRunTest, TheConfigurationItLeavesRunsAgain) {
    const json first = result_of("uniform.toml", {"--out", "first"});
    const json again = result_of("first/point-01-seed-1/configuration.toml", {"--out", "again"});
    EXPECT_EQ(again.at("measured"), first.at("measured"));
    EXPECT_EQ(again.at("configuration"), first.at("configuration"));
}

TEST_F(OpenLoopRunTest, ConfidenceComesFromSeeds) {
    const json result = result_of("uniform.toml", {"--set", "run.seeds=[1, 2, 3]"});
    EXPECT_TRUE(result.at("confidence_half_width_95").contains("packet_latency_cycles"));
    EXPECT_EQ(result.at("cycles").size(), 3U);
}

TEST_F(OpenLoopRunTest, AgarwalsModelSaysNothingWhereItsAssumptionsFail) {
    const auto why = [this](const std::string& option) {
        const json result =
            result_of("uniform.toml", {"--set", R"(models.compare=["agarwal"])", "--set", option});
        return result.at("predicted").at("agarwal").value("not_applicable", "");
    };
    EXPECT_EQ(why("traffic.packet_flits=8"), "");
    EXPECT_THAT(why("traffic.pattern=neighbour"), HasSubstr("destinations"));
    EXPECT_THAT(why("traffic.pattern=locality"),
                Names("mean_distance_per_dimension", "k_d", "0.5833333333333334", "1", "1e+15", "1",
                      "LoGPC"));
    EXPECT_THAT(why("traffic.source=bursty"), HasSubstr("bursts"));
}

TEST_F(OpenLoopRunTest, PacketsOfATraceFile) {
    write("packets.csv", "cycle,source,destination,bytes\n600,0,5,16\n700,5,0,2\n5000,1,2,4\n");
    const json result =
        result_of("uniform.toml",
                  {"--set", "traffic.pattern=trace", "--set", "traffic.trace_file=packets.csv",
                   "--set", "traffic.load=0.1", "--set", "traffic.packet_flits=8"});
    const json& measured = result.at("measured");
    EXPECT_EQ(measured.at("packets_measured"), 2);
    // Edges take 4 cycles and hops 2; packets have 8 flits and 1 flit.
    EXPECT_EQ(measured.at("packet_latency_longest_cycles"), 4 + 2 + 7);
    EXPECT_EQ(measured.at("packet_latency_p50_cycles"), 4 + 2);
    EXPECT_EQ(measured.at("mean_hops"), 2.0);
    // The offered load is the file's; traffic.load has no effect.
    EXPECT_DOUBLE_EQ(measured.at("offered_load").get<double>(), 9.0 / 16.0 / 2'000.0);
    EXPECT_EQ(result.at("load_curves").at(0).at("highest_load_not_saturated"),
              measured.at("offered_load"));
}

TEST_F(OpenLoopRunTest, APresetOfAMachineGivesItsNetwork) {
    write("alewife.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"open-loop\"\n[traffic]\n"
          "warm_up_cycles = 100\nmeasurement_cycles = 500\n");
    const json result = result_of("alewife.toml");
    EXPECT_EQ(result.at("configuration").at("network.dimensions"), json({8, 4}));
    EXPECT_FALSE(result.at("configuration").contains("core.receive_mode"));
    EXPECT_EQ(weir({"run", "alewife.toml", "--set", "network.dimensions=[4, 4]", "--set",
                    "machine.nodes=16"})
                  .status,
              0);
}

// Two copies of a network accept twice the load.
TEST_F(OpenLoopRunTest, SeveralCopies) {
    const json one = result_of("uniform.toml", {"--set", "traffic.load=1.0"}).at("measured");
    const json two =
        result_of("uniform.toml", {"--set", "traffic.load=2.0", "--set", "network.copies=2"})
            .at("measured");
    EXPECT_NEAR(two.at("accepted_load").get<double>() / one.at("accepted_load").get<double>(), 2.0,
                0.06);
    EXPECT_DOUBLE_EQ(two.at("uniform_capacity_load").get<double>(), 2.0);
    EXPECT_EQ(two.at("saturated"), 1);
    write("cm5.toml", R"(extends = "cm5"
title = "A part of a CM-5, loaded"
machine.nodes = 16
network.dimensions = [16]
workload.kernel = "open-loop"
[traffic]
packet_flits = 20
load = 0.4
warm_up_cycles = 500
measurement_cycles = 2000
drain_cycles = 1000
)");
    const json cm5 = result_of("cm5.toml").at("measured");
    EXPECT_EQ(cm5.at("saturated"), 0);
    EXPECT_NEAR(cm5.at("accepted_load").get<double>(), 0.4, 0.06);
    // Two copies of a channel that takes a flit every other cycle. The tree's bisection is twice
    // what its nodes can send.
    EXPECT_DOUBLE_EQ(cm5.at("uniform_capacity_load").get<double>(), 1.0);
    EXPECT_DOUBLE_EQ(cm5.at("bisection_capacity_load").get<double>(), 2.0);
    EXPECT_THAT(output_of({"run", "cm5.toml"}), HasSubstr("nodes'"));
}

// Packets are generated independently of the network's speed, so the same packets are measured. On
// a mesh all routes between two nodes have the same length. Hops take a fifth of the measurement,
// and there is no warm-up.
TEST_F(OpenLoopRunTest, MeanHopsAreOfTheMeasuredPackets) {
    write("quiet.toml", R"([network]
dimensions = [4, 4]
buffer_flits = 64
[workload]
kernel = "open-loop"
[traffic]
packet_flits = 4
load = 0.02
warm_up_cycles = 0
measurement_cycles = 5000
drain_cycles = 100000
)");
    const json quick = result_of("quiet.toml").at("measured");
    EXPECT_NEAR(quick.at("mean_hops").get<double>(), 2.5, 0.2);
    for (const Arguments& changes :
         {Arguments{}, Arguments{"network.flit_by_flit=true"},
          Arguments{"network.virtual_channels=2"}, Arguments{"network.routing=minimal_adaptive"},
          Arguments{"network.router=output_queued"}, Arguments{"network.copies=2"}}) {
        Arguments options{"--set", "network.hop_cycles=1000"};
        for (const std::string& change : changes) {
            options.insert(options.end(), {"--set", change});
        }
        const json slow = result_of("quiet.toml", options).at("measured");
        EXPECT_EQ(slow.at("saturated"), 0);
        EXPECT_EQ(slow.at("packets_measured"), quick.at("packets_measured"));
        EXPECT_EQ(slow.at("mean_hops"), quick.at("mean_hops")) << options.back();
    }
}

// Hops take 10,000 cycles: few packets arrive, and these have the shortest routes.
TEST_F(OpenLoopRunTest, ASaturatedNetworkHasNoMeanHops) {
    const Arguments slow{"--set", "network.hop_cycles=10000", "--set", "network.buffer_flits=1"};
    const json result = result_of("uniform.toml", slow);
    EXPECT_EQ(result.at("measured").at("saturated"), 1);
    EXPECT_EQ(result.at("saturated_runs"), 1);
    EXPECT_FALSE(result.at("measured").contains("mean_hops"));
    Arguments run{"run", "uniform.toml"};
    run.insert(run.end(), slow.begin(), slow.end());
    const std::string page = words_of(output_of(run));
    EXPECT_THAT(page, AllOf(HasSubstr(" Saturated (1 of 1 runs): "),
                            ContainsRegex(" measured {1}saturated "),
                            HasSubstr(" saturated – – – – saturated ")));
}

// A row of 8 nodes whose packets all go to node 0: its ejection channel is the limit.
TEST_F(OpenLoopRunTest, TheBusiestChannelMayBeANodes) {
    const Arguments hot{"--set", "network.dimensions=[8, 1]", "--set", "traffic.pattern=hot_spot",
                        "--set", "traffic.hot_spot_share=1",  "--set", "traffic.load=1"};
    const json result = result_of("uniform.toml", hot);
    EXPECT_DOUBLE_EQ(result.at("measured").at("busiest_channel_utilisation").get<double>(), 1.0);
    EXPECT_EQ(result.at("busiest_channels"), json({"(0,0) ejection"}));
    EXPECT_LT(result.at("measured").at("mean_channel_utilisation"), 1.0);
    Arguments run{"run", "uniform.toml"};
    run.insert(run.end(), hot.begin(), hot.end());
    EXPECT_THAT(words_of(output_of(run)),
                AllOf(HasSubstr(" Busiest channel"), HasSubstr(" 1.000 1 (0,0) ejection ")));
    // A single switch has no channels between routers.
    const json one =
        result_of("uniform.toml", {"--set", "network.topology=butterfly", "--set",
                                   "network.dimensions=[8]", "--set", "network.arity=8"});
    EXPECT_GT(one.at("measured").at("busiest_channel_utilisation"), 0.2);
}

// A channel moves as many bits as its width says, or the width is refused.
TEST_F(OpenLoopRunTest, ChannelsAreAsWideAsTheyAreSaidToBe) {
    const auto accepted = [this](const std::string& bits) {
        return result_of("uniform.toml",
                         {"--set", "network.dimensions=[2, 1]", "--set",
                          "traffic.pattern=bit_complement", "--set", "traffic.load=0.99", "--set",
                          "network.channel_bits_per_cycle=" + bits})
            .at("measured")
            .at("accepted_load")
            .get<double>();
    };
    for (const int bits : {1, 2, 4, 8}) {
        EXPECT_NEAR(accepted(std::to_string(bits)), bits / 16.0, 1e-3) << bits;
    }
    EXPECT_GT(accepted("16"), 0.93);
    for (const std::string bits : {"15", "5"}) {
        EXPECT_THAT(
            refused_with({"network.channel_bits_per_cycle=" + bits}),
            Names("--set network.channel_bits_per_cycle=" + bits, "network.channel_bits_per_cycle",
                  bits, "16", "1", "2", "4", "8", "16", "0"));
    }
}

// In a sweep with saturation of all, none, or some of a point's seeds.
TEST_F(OpenLoopRunTest, ASaturatedPointIsNeverOk) {
    write("sweep.toml", std::string(kUniform) + "[[sweep.axis]]\ntraffic.load = [0.1, 1.0]\n");
    const Arguments seeds{"--set", "run.seeds=[1, 2]"};
    const ProgramEnd end = weir({"sweep", "sweep.toml", seeds[0], seeds[1], "--out", "it.db"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.output, Names("4 runs", "2 points", "2 ok", "2 saturated"));
    const std::string shown = words_of(output_of({"sweep", "show", "it.db"}));
    EXPECT_THAT(shown, AllOf(ContainsRegex(" ok 2 1\\.0 0( saturated){2} "),
                             Names("Saturated", "2 of 4 runs", "1 point", "load = 1"),
                             Not(ContainsRegex("of 4 runs.* of 4 runs"))));
    const std::string csv = output_of({"sweep", "show", "it.db", "--csv"});
    EXPECT_THAT(csv, AllOf(HasSubstr("1,,0.1,1,ok,"), HasSubstr("2,,1.0,2,saturated,")));
    // No runs are left to do or to repeat.
    EXPECT_THAT(weir({"sweep", "sweep.toml", seeds[0], seeds[1], "--out", "it.db", "--resume",
                      "--retry", "--dry-run"})
                    .output,
                HasSubstr("0 runs"));
    EXPECT_THAT(words_of(output_of({"run", "curve.toml"})),
                ContainsRegex(" Saturated, [^.]*: beyond"));
    EXPECT_THAT(words_of(output_of(
                    {"compare", "uniform.toml", "uniform.toml", "--set", "traffic.load=1.0"})),
                HasSubstr(" Saturated: "));
}

// At this load the packets of one seed arrive in time, but not those of the other. A mean latency
// would represent the luckier seed only.
TEST_F(OpenLoopRunTest, APointWithASaturatedSeedHasNoLatency) {
    const Arguments seeds{"--set", "run.seeds=[1, 2]", "--set", "traffic.load=0.54"};
    const json result = result_of("uniform.toml", seeds);
    EXPECT_EQ(result.at("measured").at("saturated"), 0.5);
    EXPECT_EQ(result.at("saturated_runs"), 1);
    EXPECT_FALSE(result.at("measured").contains("packet_latency_cycles"));
    EXPECT_FALSE(result.at("measured").contains("mean_hops"));
    Arguments run{"run", "uniform.toml"};
    run.insert(run.end(), seeds.begin(), seeds.end());
    EXPECT_THAT(words_of(output_of(run)), AllOf(HasSubstr(" Saturated (1 of 2 runs): no "),
                                                HasSubstr(" measured 1 of 2 saturated ")));
    write("sweep.toml", std::string(kUniform) + "[[sweep.axis]]\ntraffic.load = [0.1, 0.54]\n");
    ASSERT_EQ(weir({"sweep", "sweep.toml", seeds[0], seeds[1], "--out", "it.db"}).status, 0);
    EXPECT_THAT(words_of(output_of({"sweep", "show", "it.db"})),
                HasSubstr(" 0.54 0 1 of 2 saturated 1 of 2 ok, 1 saturated "));
}

// A load whose first four digits are zeros is not printed as 0.
TEST_F(OpenLoopRunTest, ASmallLoadIsNotPrintedAsNone) {
    const std::string page =
        words_of(output_of({"run", "uniform.toml", "--set", "traffic.load=0.000002", "--set",
                            "traffic.measurement_cycles=1000000"}));
    EXPECT_THAT(page,
                AllOf(HasSubstr(" 2e-06 "), Not(HasSubstr(" 0.000 ")), Not(HasSubstr(" 0 % "))));
}

// One line changes the network.
TEST_F(OpenLoopRunTest, AnyNetwork) {
    const auto on = [this](const Arguments& changes) {
        Arguments options;
        for (const std::string& change : changes) {
            options.insert(options.end(), {"--set", change});
        }
        return result_of("uniform.toml", options).at("measured");
    };
    // Edges take 4 cycles; 3 flits follow the header.
    const auto least = [](const json& measured) {
        return 4.0 + 3.0 + measured.at("mean_hops").get<double>();
    };
    for (const Arguments& changes :
         {Arguments{"network.topology=torus"}, Arguments{"network.topology=hypercube"},
          Arguments{"network.virtual_channels=2"}, Arguments{"network.routing=minimal_adaptive"}}) {
        const json measured = on(changes);
        EXPECT_EQ(measured.at("saturated"), 0) << changes.front();
        EXPECT_GT(measured.at("packet_latency_cycles"), least(measured)) << changes.front();
        EXPECT_LT(measured.at("packet_latency_cycles"), least(measured) + 8.0) << changes.front();
    }
    for (const char* topology : {"butterfly", "fat_tree"}) {
        const json measured = on({std::string("network.topology=") + topology});
        EXPECT_EQ(measured.at("saturated"), 0) << topology;
    }
    EXPECT_EQ(on({"network.channel_bits_per_cycle=4", "traffic.load=0.05"}).at("saturated"), 0);
    EXPECT_NEAR(on({"network.topology=torus"}).at("mean_hops").get<double>(), 2.0, 0.2);
}

TEST_F(OpenLoopRunTest, RefusesNetworksThatCanDeadlock) {
    // A ring of four nodes has no cycle of dependent channels: with ties broken by parity, no route
    // continues beyond a second node.
    EXPECT_THAT(
        refused_with(
            {"network.topology=torus", "network.dimensions=[8]", "network.virtual_channels=1"}),
        Names("--set network.virtual_channels=1", "routing", "deadlock", "network.allow_deadlock"));
    EXPECT_THAT(refused_with({"network.arity=2"}),
                Names("--set network.arity=2", "network.arity", "effect"));
    EXPECT_THAT(refused_with({"network.switching=store_and_forward", "traffic.packet_flits=8"}),
                Names("8 flits", "buffer", "4"));
    // Longest possible packets, and the largest buffers.
    EXPECT_THAT(refused_with({"network.switching=virtual_cut_through", "network.buffer_flits=4096",
                              "traffic.packet_flits=65535"}),
                Names("65535 flits", "buffer", "4096"));
}

// A ring in which every packet goes three channels further.
TEST_F(OpenLoopRunTest, ADeadlockIsExplained) {
    const ProgramEnd end =
        weir({"run", "uniform.toml", "--set", "network.topology=torus", "--set",
              "network.dimensions=[8]", "--set", "network.virtual_channels=1", "--set",
              "network.allow_deadlock=true", "--set", "traffic.pattern=tornado", "--set",
              "traffic.load=1.0", "--set", "traffic.packet_flits=16"});
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.error, Names("deadlock", "8 packets"));
    EXPECT_THAT(end.error, ContainsRegex("\\(7\\) \\+x [a-z ]+ \\(0\\) \\+x"));
    EXPECT_THAT(end.error, HasSubstr(" proof "));
}

TEST_F(OpenLoopRunTest, ValidateComparesWithPublishedValues) {
    const ProgramEnd end =
        weir({"validate", "uniform.toml", "--set",
              "published.accepted_load={value = 0.2, tolerance = 0.1, source = \"a book\"}"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.output, HasSubstr("holds"));
}

TEST_F(OpenLoopRunTest, RefusesPatternsWithoutMeaning) {
    EXPECT_THAT(refused_with({"traffic.pattern=transpose", "network.dimensions=[4, 2]"}),
                AllOf(HasSubstr("--set traffic.pattern=transpose: "), HasSubstr("a mesh 4 x 2"),
                      HasSubstr("square")));
    EXPECT_THAT(refused_with({"traffic.pattern=shuffle", "network.dimensions=[3, 3]"}),
                HasSubstr("accepted: 2, 4, 8 ... nodes"));
    EXPECT_THAT(refused_with({"traffic.pattern=hot_spot", "traffic.hot_spot_nodes=[3, 16]"}),
                Names("traffic.hot_spot_nodes", "16", "16"));
    EXPECT_THAT(refused_with({"traffic.pattern=hot_spot", "traffic.hot_spot_rates=[3, 1]"}),
                Names("traffic.hot_spot_rates", "2", "1"));
    EXPECT_THAT(refused_with({"traffic.pattern=unifrom"}), HasSubstr("\"uniform\""));
    EXPECT_THAT(refused_with({"traffic.load=1.5"}),
                Names("traffic.load", "1.5", "network.copies = 1", "network.copies"));
    EXPECT_THAT(refused_with({"traffic.load=1.5", "network.copies=2", "traffic.packet_flits=1"}),
                Names("--set traffic.load=1.5", "traffic.load", "packet", "cycle", "at most"));
    EXPECT_THAT(refused_with({"traffic.source=bursty", "traffic.burst_load=1.5"}),
                HasSubstr("traffic.burst_load is 1.5 flits per cycle"));
}

TEST_F(OpenLoopRunTest, RefusesKeysWithoutEffect) {
    EXPECT_THAT(refused_with({"core.receive_mode=polling"}),
                Names("--set core.receive_mode=polling", "core.receive_mode", "effect"));
    EXPECT_THAT(refused_with({"machine.nodes=64", "network.dimensions=[5, 5]"}),
                HasSubstr("machine.nodes is 64"));
    EXPECT_THAT(refused_with({"traffic.burst_cycles=50"}),
                Names("--set traffic.burst_cycles=50", "traffic.source = \"bursty\"",
                      "traffic.burst_cycles"));
    EXPECT_THAT(refused_with({"run.warmup_cycles=50"}), HasSubstr("traffic.warm_up_cycles"));
    EXPECT_THAT(refused_with({"network.model=delay"}),
                Names("--set network.model=delay", "network.model", "effect"));
    EXPECT_THAT(refused_with({"traffic.locality_hops=2"}), HasSubstr("\"locality\""));
}

// Keys of other network models, and of parts that only machines have.
TEST_F(OpenLoopRunTest, RefusesKeysOfNetworksThatTrafficHasNot) {
    const std::string logp = "network.model = \"logp\"";
    const std::string delay = "network.model = \"delay\"";
    for (const auto& [option, besides] : std::vector<std::pair<std::string, std::string>>{
             {"network.logp_latency_cycles=9", logp},
             {"network.logp_least_latency_cycles=9", logp},
             {"network.logp_gap_cycles=9", logp},
             {"network.barrier=true", ""},
             {"network.barrier_cycles=9", "network.barrier = true"},
             {"network.delay=constant", delay},
             {"network.delay_cycles=9", "network.delay = \"constant\""}}) {
        const std::string key = option.substr(0, option.find('='));
        EXPECT_THAT(refused_with({option}),
                    Names("--set " + option, key, "effect", "kernel", besides, key));
    }
    EXPECT_THAT(refused_with({"network.barrier=true", "network.barrier_cycles=9"}),
                Names("--set network.barrier=true", "network.barrier", "effect"));
    EXPECT_THAT(refused_with({"network.model=logp"}),
                Names("--set network.model=logp", "network.model", "network.model = \"wormhole\""));
    EXPECT_THAT(refused_with({"network.routing_order=[1, 0]", "network.topology=hypercube"}),
                Names("network.routing_order", "network.topology = \"mesh\"", "torus"));
}

TEST_F(OpenLoopRunTest, RefusesTraceFilesThatAreWrong) {
    const Arguments trace{"traffic.pattern=trace", "traffic.load=0.1", "traffic.packet_flits=8"};
    const auto refused_file = [&](const std::string& name) {
        Arguments options = trace;
        options.push_back("traffic.trace_file=" + name);
        return refused_with(options);
    };
    EXPECT_THAT(refused_with(trace), HasSubstr("traffic.trace_file"));
    EXPECT_THAT(refused_file("absent.csv"), Names("traffic.trace_file", "read", "empty"));
    EXPECT_THAT(refused_file("."), Names("traffic.trace_file", "read", "empty"));
    write("packets.csv", "0,0,5,16\n1,0,16,16\n");
    EXPECT_THAT(refused_file("packets.csv"), Names("packets.csv:2", "16", "0", "15"));
    write("whole.csv", "600,0,5,8\n601,0,5,10\n");
    EXPECT_THAT(
        refused_with({"traffic.pattern=trace", "traffic.load=0.1", "traffic.packet_flits=8",
                      "traffic.trace_file=whole.csv", "network.switching=virtual_cut_through"}),
        Names("whole.csv:2", "10", "5", "4", "8", "network.buffer_flits",
              "network.switching = \"wormhole\""));
    write("late.csv", "9000,0,5,16\n");
    EXPECT_THAT(refused_file("late.csv"), Names("packet", "traffic.measurement_cycles"));
}

TEST_F(OpenLoopRunTest, RefusesModelsAndMetricsOfKernels) {
    EXPECT_THAT(refused_with({R"(models.compare=["lopc"])"}), Names("model", "lopc", "agarwal"));
    EXPECT_THAT(refused_with({R"(published.handler_cycles={value = 1, source = "x"})"}),
                Names("metric", "handler_cycles"));
    write("mixed.toml", std::string(kUniform) +
                            "[[point]]\nlabel = \"traffic\"\n[[point]]\nlabel = \"kernel\"\n"
                            "workload.kernel = \"remap\"\n");
    const ProgramEnd mixed = weir({"run", "mixed.toml"});
    EXPECT_EQ(mixed.status, 2);
    write("remap.toml", kSmallRemap);
    EXPECT_THAT(weir({"run", "remap.toml", "--set", R"(models.compare=["agarwal"])"}).error,
                Names("model", "agarwal"));
}

TEST_F(OpenLoopRunTest, ItsParametersAndNameAreListed) {
    EXPECT_THAT(output_of({"params", "traffic"}),
                AllOf(HasSubstr("hot_spot_share"), HasSubstr("LoGPC Section 3.3")));
    EXPECT_THAT(output_of({"kernels"}), HasSubstr("open-loop"));
}

}  // namespace
}  // namespace weir::experiments
