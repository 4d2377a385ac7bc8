#include "experiments/setup/import/booksim_experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/testing/setup_fixture.h"
#include "hw/input_limits.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;

constexpr const char* kMesh = "topology = mesh;\nrouting_function = dor;\n";

BooksimConfiguration configuration(const std::string& text) {
    hw::testing::note_seed("booksim", text);
    return {text, "a.cfg"};
}

std::string refusal(const std::string& text) {
    return fault_of([&text] { static_cast<void>(configuration(text)); });
}

/// Values of network.topology and network.routing before any were added for BookSim's sake.
bool is_old(std::string_view /*key*/, std::string_view value) {
    for (const std::string_view name : {"mesh", "torus", "butterfly", "fat_tree", "graph",
                                        "dragonfly", "default", "minimal_adaptive", "up_down"}) {
        if (name == value) {
            return true;
        }
    }
    return false;
}

std::string import(const std::string& text) {
    return booksim_experiment(configuration(text), "net.dot", is_old).toml;
}

std::string import_refusal(const std::string& text) {
    return fault_of([&text] { static_cast<void>(import(text)); });
}

/// The value of "table.key" as TOML; empty if the experiment does not have it.
std::string value_in(const std::string& toml, const std::string& table, const std::string& key) {
    const TomlEntry whole = parse_toml(toml, "made.toml");
    const TomlEntry* entry = whole.as_table()->find(table)->as_table()->find(key);
    return entry == nullptr ? "" : toml_text(*entry);
}

TEST(BooksimConfigurationTest, SettingsOfEveryKind) {
    const auto read = configuration(
        "// a comment = 3;\nnum_vcs = 8; vc_buf_size=4 ;\ninjection_rate = .25;watch_out=-;\n"
        "warmup_thres=-1.0; traffic = hotspot({{27,36},{1,3}});packet_size={1,2}; seed = time;\n"
        "network_file = ../a-b/file_1.txt;\nstopping_thres = 1e-3;");
    EXPECT_EQ(read.whole("num_vcs"), 8);
    EXPECT_EQ(read.whole("vc_buf_size"), 4);
    EXPECT_EQ(read.real("injection_rate"), 0.25);
    EXPECT_EQ(read.real("warmup_thres"), -1.0);
    EXPECT_EQ(read.real("stopping_thres"), 0.001);
    EXPECT_EQ(read.text("traffic"), "hotspot({{27,36},{1,3}})");
    EXPECT_EQ(read.text("packet_size"), "{1,2}");
    EXPECT_EQ(read.text("seed"), "time");
    EXPECT_EQ(read.text("network_file"), "../a-b/file_1.txt");
    EXPECT_EQ(read.text("watch_out"), "-");
}

TEST(BooksimConfigurationTest, DefaultsAreBooksims) {
    const auto read = configuration("k = 4;");
    EXPECT_EQ(read.whole("num_vcs"), 16);
    EXPECT_EQ(read.text("topology"), "torus");
    EXPECT_EQ(read.real("injection_rate"), 0.1);
    EXPECT_FALSE(read.is_set("n"));
    EXPECT_EQ(read.place("k").line, 1);
    EXPECT_EQ(read.place("k").column, 5);
}

TEST(BooksimConfigurationTest, TheLastSettingIsValid) {
    EXPECT_EQ(configuration("k = 4;\nk = 6;").whole("k"), 6);
}

// BookSim's words may have // inside, so a comment needs a blank before it.
TEST(BooksimConfigurationTest, AWordMayHaveSlashes) {
    EXPECT_EQ(configuration("topology = mesh//1\n;").text("topology"), "mesh//1");
}

TEST(BooksimConfigurationTest, RefusesWithLineAndColumn) {
    EXPECT_THAT(refusal("k = 4;\nnum_vc = 2;"), Names("a.cfg:2:1", "num_vc", "num_vcs"));
    EXPECT_THAT(refusal("k = 4"), Names("a.cfg:1:6", "end of the file", "semicolon"));
    EXPECT_THAT(refusal("k 4;"), Names("a.cfg:1:3", "\"4\"", "equals"));
    EXPECT_THAT(refusal("k = mesh;"), Names("a.cfg:1:5", "mesh", "whole number"));
    EXPECT_THAT(refusal("injection_rate = 1;"), Names("a.cfg:1:18", "\"1\"", "point"));
    EXPECT_THAT(refusal("topology = 3;"), Names("a.cfg:1:12", "\"3\"", "word"));
    EXPECT_THAT(refusal("topology = \"mesh\";"), Names("a.cfg:1:12", "topology", "word"));
    EXPECT_THAT(refusal("traffic = {uniform, transpose};"), Names("a.cfg:1:11", "traffic", "{"));
    EXPECT_THAT(refusal("k = 99999999999;"), Names("a.cfg:1:5", "99999999999", "32 bits"));
    EXPECT_THAT(refusal("injection_rate = 1e999;"), Names("a.cfg:1:18", "1e999", "double"));
    EXPECT_THAT(refusal("10k = 4;"), Names("a.cfg:1:1", "\"10\"", "setting"));
    EXPECT_THAT(refusal("// nothing\n"), Names("a.cfg", "no settings"));
    EXPECT_THAT(refusal(std::string(hw::kBooksimLimits.bytes + 1, ' ')), Names("a.cfg", "bytes"));
}

// The settings of networks/referee.toml, whose latencies are within 3 % of BookSim's.
TEST(BooksimExperimentTest, TheReferee) {
    const std::string made =
        import(std::string(kMesh) +
               "num_vcs=2; vc_buf_size=8; routing_delay=1; credit_delay=0; packet_size=8;\n"
               "injection_rate_uses_flits=1; injection_rate=0.25; seed=1; sim_count=3;");
    EXPECT_EQ(value_in(made, "network", "dimensions"), "[8, 8]");
    EXPECT_EQ(value_in(made, "network", "virtual_channels"), "2");
    EXPECT_EQ(value_in(made, "network", "buffer_flits"), "6");
    EXPECT_EQ(value_in(made, "network", "hop_cycles"), "2");
    EXPECT_EQ(value_in(made, "network", "routing_cycles"), "1");
    EXPECT_EQ(value_in(made, "network", "vc_allocation_cycles"), "1");
    EXPECT_EQ(value_in(made, "network", "switch_allocation_cycles"), "1");
    EXPECT_EQ(value_in(made, "network", "injection_cycles"), "3");
    EXPECT_EQ(value_in(made, "network", "ejection_cycles"), "1");
    EXPECT_EQ(value_in(made, "network", "credit_cycles"), "2");
    EXPECT_EQ(value_in(made, "network", "vc_reallocation"), "\"tail\"");
    EXPECT_EQ(value_in(made, "network", "allocator"), "\"output_first\"");
    EXPECT_EQ(value_in(made, "traffic", "interleave_packets"), "false");
    EXPECT_EQ(value_in(made, "traffic", "load"), "0.25");
    EXPECT_EQ(value_in(made, "run", "seeds"), "[1, 2, 3]");
}

TEST(BooksimExperimentTest, RatesInPacketsBecomeLoadsInFlits) {
    const std::string made =
        import(std::string(kMesh) + "packet_size = 20; injection_rate = 0.005;");
    EXPECT_EQ(value_in(made, "traffic", "load"), "0.1");
}

TEST(BooksimExperimentTest, ATorusHasLongChannelsAndDrawnTies) {
    const std::string made = import("topology = torus; routing_function = dim_order; num_vcs = 2;");
    EXPECT_EQ(value_in(made, "network", "hop_cycles"), "3");
    EXPECT_EQ(value_in(made, "network", "buffer_flits"), "5");
    EXPECT_EQ(value_in(made, "network", "credit_cycles"), "3");
    EXPECT_EQ(value_in(made, "network", "ring_ties"), "\"lot\"");
    EXPECT_EQ(value_in(import("topology = torus; routing_function = dim_order; num_vcs = 2; "
                              "use_noc_latency = 0;"),
                       "network", "hop_cycles"),
              "2");
}

TEST(BooksimExperimentTest, OtherTopologies) {
    const std::string dragonfly =
        import("topology=dragonflynew; routing_function=min; k=4; n=1; vc_buf_size=256;");
    EXPECT_EQ(value_in(dragonfly, "network", "dimensions"), "[4, 8, 33]");
    EXPECT_EQ(value_in(dragonfly, "network", "virtual_channels"), "0");
    EXPECT_EQ(value_in(dragonfly, "network", "hop_cycles"), "11");
    EXPECT_EQ(value_in(dragonfly, "network", "global_hop_cycles"), "101");
    const std::string tree = import("topology=fattree; routing_function=nca; k=4; n=3;");
    EXPECT_EQ(value_in(tree, "network", "dimensions"), "[64]");
    EXPECT_EQ(value_in(tree, "network", "arity"), "4");
    EXPECT_EQ(value_in(tree, "network", "routing"), "\"up_down\"");
    EXPECT_EQ(value_in(import("topology=fly; routing_function=dest_tag; k=10; n=1;"), "network",
                       "dimensions"),
              "[10]");
    EXPECT_EQ(value_in(import("topology=anynet; routing_function=min; network_file=a;"), "network",
                       "graph_file"),
              "\"net.dot\"");
}

// Topologies and routings are written as soon as the program has them.
TEST(BooksimExperimentTest, UsesWhatTheProgramAccepts) {
    const auto import_all = [](const std::string& text) {
        return booksim_experiment(configuration(text), "net.dot", [](auto, auto) { return true; })
            .toml;
    };
    const std::string mesh = import_all(
        "topology = cmesh; routing_function = dor_no_express; k = 4; n = 2; c = 4; traffic = "
        "bitcomp;");
    EXPECT_EQ(value_in(mesh, "network", "topology"), "\"concentrated_mesh\"");
    EXPECT_EQ(value_in(mesh, "network", "dimensions"), "[4, 4, 4]");
    EXPECT_THAT(mesh, HasSubstr("BookSim numbers nodes"));
    const std::string turns = import_all("topology = mesh; routing_function = xy_yx;");
    EXPECT_EQ(value_in(turns, "network", "routing"), "\"o1turn\"");
    const std::string tree =
        import_all("topology = fattree; routing_function = nca; k = 2; n = 3;");
    EXPECT_EQ(value_in(tree, "network", "routing"), "\"random_up\"");
}

TEST(BooksimExperimentTest, UgalOfItsDragonfly) {
    const auto import_all = [](const std::string& text) {
        return booksim_experiment(configuration(text), "net.dot", [](auto, auto) { return true; })
            .toml;
    };
    const std::string ugal = import_all(
        "topology = dragonflynew; routing_function = ugal; k = 2; n = 1; num_vcs = 3; "
        "traffic = bad_dragon;");
    EXPECT_EQ(value_in(ugal, "network", "routing"), "\"ugal\"");
    EXPECT_EQ(value_in(ugal, "network", "ugal_threshold_flits"), "30");
    EXPECT_EQ(value_in(ugal, "network", "virtual_channels"), "0");
    EXPECT_EQ(value_in(ugal, "traffic", "pattern"), "\"next_group\"");
    EXPECT_THAT(ugal, HasSubstr("by a random group"));
    EXPECT_THAT(import_refusal(std::string(kMesh) + "traffic = bad_dragon;"),
                Names("a.cfg:3:11", "bad_dragon"));
    EXPECT_THROW(static_cast<void>(import_all(
                     "topology = flatfly; routing_function = ugal; k = 4; n = 2; c = 4;")),
                 UserFault);
}

TEST(BooksimExperimentTest, TrafficOfEveryKind) {
    const std::string hot = import(std::string(kMesh) + "traffic = hotspot({{27,36},{1,3}});");
    EXPECT_EQ(value_in(hot, "traffic", "hot_spot_nodes"), "[27, 36]");
    EXPECT_EQ(value_in(hot, "traffic", "hot_spot_rates"), "[1, 3]");
    EXPECT_EQ(value_in(hot, "traffic", "hot_spot_share"), "1.0");
    const std::string bursts = import(std::string(kMesh) +
                                      "injection_process = on_off; burst_alpha = 0.01; "
                                      "burst_beta = 0.03; injection_rate = 0.1; packet_size = 2;");
    EXPECT_EQ(value_in(bursts, "traffic", "burst_cycles"), "33");
    EXPECT_EQ(value_in(bursts, "traffic", "burst_load"), "0.8");
}

TEST(BooksimExperimentTest, CommentsSayWhatIsDifferent) {
    const std::string made = import(std::string(kMesh) + "input_speedup = 2;\nsw_allocator = pim;");
    EXPECT_THAT(made, HasSubstr("line 3: input_speedup = 2"));
    EXPECT_THAT(made, HasSubstr("sw_allocator = pim has no counterpart"));
    EXPECT_THAT(made, HasSubstr("# num_vcs = 16 (default)"));
    EXPECT_THAT(import(std::string(kMesh) + "input_speedup = 1;"), HasSubstr("as in Weir"));
}

TEST(BooksimExperimentTest, RefusesAnotherNetworkOrTraffic) {
    EXPECT_THAT(import_refusal("topology = cmesh;"), Names("a.cfg:1:12", "cmesh", "\"mesh\""));
    EXPECT_THAT(import_refusal("topology = mesh; routing_function = romm;"),
                Names("a.cfg:1:37", "romm", "\"dor\""));
    EXPECT_THAT(import_refusal(std::string(kMesh) + "traffic = randperm;"),
                Names("a.cfg:3:11", "randperm", "\"uniform\""));
    EXPECT_THAT(import_refusal(std::string(kMesh) + "sim_type = batch;"),
                Names("a.cfg:3:12", "batch", "latency"));
    EXPECT_THAT(import_refusal(std::string(kMesh) + "use_read_write = 1;"),
                Names("a.cfg:3:18", "use_read_write", "0"));
    EXPECT_THAT(import_refusal(std::string(kMesh) + "packet_size = {{1,2}};"),
                Names("a.cfg:3:15", "packet_size", "one"));
    EXPECT_THAT(import_refusal(std::string(kMesh) + "n = -1;"), Names("a.cfg:3:5", "n = -1", "1"));
    EXPECT_THAT(import_refusal(std::string(kMesh) + "injection_rate = 1.5;"),
                Names("a.cfg:3:18", "1.5", "1 packet"));
    EXPECT_THAT(import_refusal("routing_function = dor;"), Names("a.cfg:1:20", "dor", "dim_order"));
}

TEST(BooksimNetworkTest, BecomesAGraph) {
    const std::string dot = booksim_network_as_dot(
        "router 0 node 0 node 1 router 1 5\nrouter 1 node 2 3\n", "a.txt", {2, 3, 1});
    EXPECT_THAT(dot, HasSubstr("n0 -> r0 [latency=3]"));
    EXPECT_THAT(dot, HasSubstr("r0 -> n0 [latency=1]"));
    EXPECT_THAT(dot, HasSubstr("r0 -> r1 [latency=6]"));  // only in this direction
    EXPECT_THAT(dot, HasSubstr("r1 -> r0 [latency=2]"));
    EXPECT_THAT(dot, HasSubstr("n2 -> r1 [latency=5]"));
    EXPECT_THAT(dot, HasSubstr("r1 -> n2 [latency=3]"));
    EXPECT_THAT(dot, Not(HasSubstr("n3")));
}

TEST(BooksimNetworkTest, RefusesWithLineAndColumn) {
    const auto refused = [](const std::string& text) {
        hw::testing::note_seed("booksim-network", text);
        return fault_of([&text] { static_cast<void>(booksim_network_as_dot(text, "a.txt", {})); });
    };
    EXPECT_THAT(refused("router 0 nod 1"), Names("a.txt:1:10", "nod", "node"));
    EXPECT_THAT(refused("router 0 node"), Names("a.txt:1:10", "node", "line"));
    EXPECT_THAT(refused("router 0"), Names("a.txt:1:8", "neighbour"));
    EXPECT_THAT(refused("\nrouter x node 1"), Names("a.txt:2:8", "\"x\"", "number"));
    EXPECT_THAT(refused("router 0 node 0 0"), Names("a.txt:1:17", "latency", "1"));
    EXPECT_THAT(refused("node 0 node 1"), Names("a.txt:1:8", "node", "router"));
    EXPECT_THAT(refused("router 0 node 0\nrouter 1 node 0"), Names("a.txt:2:10", "node 0"));
    EXPECT_THAT(refused("router 0 router 0"), Names("a.txt:1:10", "itself"));
    EXPECT_THAT(refused("router 0 node 1"), Names("a.txt", "nodes", "gaps"));
    EXPECT_THAT(refused(""), Names("a.txt", "routers", "gaps"));
}

}  // namespace
}  // namespace weir::experiments::setup
