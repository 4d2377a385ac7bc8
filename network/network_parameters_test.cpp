#include "network/network_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/testing/names.h"
#include "network/router/router.h"
#include "network/testing/settings.h"
#include "network/topology/topology_family.h"

namespace weir::network {
namespace {

using testing::List;
using testing::set_all;
using testing::Setting;
using testing::Settings;
using testing::text;
using weir::testing::Names;

// True if MeshNetwork can emulate this network.
bool is_plain(const Settings& settings) {
    NetworkParameters parameters;
    set_all(parameters, settings);
    return parameters.is_plain_mesh();
}

// Neighbours in the grid; without a grid all nodes are in one row.
TEST(NeighbourExtentsTest, AreThoseOfTheGridWhereThereIsOne) {
    NetworkParameters parameters;
    ASSERT_TRUE(parameters.find("dimensions")->set(List{4, 3}));
    EXPECT_EQ(parameters.neighbour_extents(12), (std::vector<std::int32_t>{4, 3}));
    ASSERT_TRUE(parameters.find("topology")->set(text("fat_tree")));
    EXPECT_EQ(parameters.neighbour_extents(12), (std::vector<std::int32_t>{12}));
}

TEST(PlainMeshTest, IsWhatThePresetsHave) {
    EXPECT_TRUE(is_plain({}));
    EXPECT_TRUE(is_plain({{"dimensions", List{4, 3, 2}}}));
    EXPECT_TRUE(is_plain({{"routing", text("dimension_order")}}));
    EXPECT_FALSE(is_plain({{"routing", text("west_first")}}));
    EXPECT_TRUE(is_plain({{"routing_order", List{0, 1}}}));
    EXPECT_TRUE(is_plain({{"virtual_channels", std::int64_t{1}}}));
    EXPECT_TRUE(is_plain({{"hop_cycles", std::int64_t{3}}}));
    EXPECT_TRUE(is_plain({{"injection_buffer_flits", std::int64_t{4}}}));
}

TEST(PlainMeshTest, IsNoneThatDiffersInASingleParameter) {
    for (const Setting& setting : Settings{{"topology", text("torus")},
                                           {"topology", text("hypercube")},
                                           {"topology", text("fat_tree")},
                                           {"routing_order", List{1, 0}},
                                           {"routing_cycles", std::int64_t{1}},
                                           {"vc_allocation_cycles", std::int64_t{1}},
                                           {"switch_allocation_cycles", std::int64_t{1}},
                                           {"credit_cycles", std::int64_t{2}},
                                           {"tag_bytes", std::int64_t{8}},
                                           {"router", text("output_queued")},
                                           {"routing", text("up_down")},
                                           {"routing", text("minimal_adaptive")},
                                           {"virtual_channels", std::int64_t{2}},
                                           {"switching", text("store_and_forward")},
                                           {"router", text("dynamic_node")},
                                           {"arbitration", text("oldest")},
                                           {"arbitration", text("skewed_round_robin")},
                                           {"allocator", text("input_first")},
                                           {"allocator", text("wavefront")},
                                           {"output_binding", text("header_sent")},
                                           {"output_binding", text("first_come")},
                                           {"injection_buffer_flits", std::int64_t{8}},
                                           {"ejection_buffer_flits", std::int64_t{2}},
                                           {"injection_credit_cycles", std::int64_t{2}},
                                           {"copies", std::int64_t{2}},
                                           {"channel_bits_per_cycle", std::int64_t{8}}}) {
        EXPECT_FALSE(is_plain({setting})) << setting.first;
    }
}

TEST(NetworkParametersTest, ASentenceNamesEveryRouterAndTopology) {
    const NetworkParameters parameters;
    std::string routers = "The routers' microarchitecture.";
    for (const RouterKind* kind : router_kinds()) {
        routers +=
            (kind == router_kinds().front() ? " " : "; ") + kind->name() + ": " + kind->sentence();
    }
    EXPECT_EQ(parameters.router.sentence(), routers);
    for (const TopologyFamily* family : topology_families()) {
        EXPECT_NE(parameters.topology.sentence().find(family->name() + ": " + family->sentence()),
                  std::string::npos);
    }
}

TEST(NetworkParametersTest, NothingIsAllocatedBeforeAHeaderIsSentThatBindsAnOutput) {
    NetworkParameters parameters;
    set_all(parameters,
            {{"output_binding", text("header_sent")}, {"vc_allocation_cycles", std::int64_t{1}}});
    const auto fault = parameters.check();
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->key, "output_binding");
    EXPECT_THAT(fault->found + fault->accepted, Names("header_sent", "vc_allocation_cycles"));
}

// A flit takes at least a cycle to the next router. A router's stages may take none.
TEST(NetworkParametersTest, AHopTakesACycleAndARoutersStageMayTakeNone) {
    NetworkParameters parameters;
    EXPECT_FALSE(parameters.find("hop_cycles")->set(std::int64_t{0}));
    for (const char* stage :
         {"routing_cycles", "vc_allocation_cycles", "switch_allocation_cycles"}) {
        EXPECT_TRUE(parameters.find(stage)->set(std::int64_t{0})) << stage;
        EXPECT_FALSE(parameters.find(stage)->set(std::int64_t{-1})) << stage;
    }
}

// Circumstances of a run, in which conditions are evaluated: a network with a kernel, or with
// open-loop traffic alone.
class Run final : public hw::Circumstances {
  public:
    Run(const NetworkParameters& network, bool has_kernel)
        : network_(network), has_kernel_(has_kernel) {}
    [[nodiscard]] std::optional<hw::ParameterValue> value_of(std::string_view key) const override {
        return network_.find(key.substr(key.find('.') + 1))->value_as_variant();
    }
    [[nodiscard]] bool is_so(hw::Fact fact) const override {
        return fact == hw::Fact::kKernel && has_kernel_;
    }

  private:
    const NetworkParameters& network_;
    bool has_kernel_;
};

using Keys = std::vector<std::string>;
enum class Sends : std::uint8_t { kKernel, kPacketsAlone };

/// Those of the keys that have an effect with the settings.
Keys effective(const Keys& keys, const Settings& settings, Sends sends = Sends::kKernel) {
    NetworkParameters parameters;
    set_all(parameters, settings);
    const Run run(parameters, sends == Sends::kKernel);
    Keys found;
    for (const std::string& key : keys) {
        if (parameters.find(key)->effective_when().holds(run)) {
            found.push_back(key);
        }
    }
    return found;
}

TEST(EffectTest, RoutersAreOfTheWormholeModelAlone) {
    const Keys of_routers{"routing", "virtual_channels", "router", "buffer_flits"};
    EXPECT_EQ(effective(of_routers, {}), of_routers);
    EXPECT_EQ(effective(of_routers, {{"model", text("logp")}}), Keys{});
    EXPECT_EQ(effective(of_routers, {{"model", text("delay")}}), Keys{});
    EXPECT_EQ(effective({"routing_order"}, {{"routing", text("up_down")}}), Keys{});
}

TEST(EffectTest, KernelsHaveMoreThanPacketsAlone) {
    const Keys of_kernels{"tag_bytes", "barrier", "tiles"};
    EXPECT_EQ(effective(of_kernels, {}), of_kernels);
    EXPECT_EQ(effective(of_kernels, {}, Sends::kPacketsAlone), Keys{});
    EXPECT_EQ(effective({"tiles"}, {{"virtual_channels", std::int64_t{2}}}), Keys{});
    EXPECT_EQ(effective({"flit_by_flit"}, {{"arbitration", text("fixed")}}), Keys{})
        << "there are no faster ways";
}

TEST(EffectTest, OtherModelsHaveDelaysOrLogpsParameters) {
    const Keys keys{"delay", "delay_cycles", "hop_cycles", "logp_gap_cycles", "barrier_cycles"};
    const Setting logp{"model", text("logp")};
    const Setting delay{"model", text("delay")};
    EXPECT_EQ(effective(keys, {logp}), Keys{"logp_gap_cycles"});
    EXPECT_EQ(effective(keys, {logp}, Sends::kPacketsAlone), Keys{});
    EXPECT_EQ(effective(keys, {logp, {"barrier", true}}),
              (Keys{"logp_gap_cycles", "barrier_cycles"}));
    EXPECT_EQ(effective(keys, {delay}), (Keys{"delay", "hop_cycles"}));
    EXPECT_EQ(effective(keys, {delay, {"delay", text("constant")}}),
              (Keys{"delay", "delay_cycles"}));
}

TEST(EffectTest, EachTopologyReadsItsOwn) {
    const auto of = [](const char* topology, Settings more = {}) {
        more.emplace_back("topology", text(topology));
        return effective({"dimensions", "arity", "channels_up", "graph_file", "routing_order",
                          "ring_classes", "ring_ties", "escapes_last"},
                         more, Sends::kPacketsAlone);
    };
    EXPECT_EQ(of("torus"), (Keys{"dimensions", "routing_order", "ring_classes", "ring_ties"}));
    EXPECT_EQ(of("torus", {{"virtual_channels", std::int64_t{1}}}),
              (Keys{"dimensions", "routing_order", "ring_ties"}));
    EXPECT_EQ(of("torus", {{"routing", text("minimal_adaptive")}}),
              (Keys{"dimensions", "routing_order", "ring_ties", "escapes_last"}));
    EXPECT_EQ(of("torus", {{"routing", text("up_down")}}), Keys{"dimensions"});
    EXPECT_EQ(of("butterfly"), (Keys{"dimensions", "arity"}));
    EXPECT_EQ(of("fat_tree"), (Keys{"dimensions", "arity", "channels_up"}));
    EXPECT_EQ(of("graph"), Keys{"graph_file"});
}

std::string fault_of(const Settings& settings) {
    NetworkParameters parameters;
    set_all(parameters, settings);
    const auto fault = parameters.check();
    return fault ? fault->key + " " + fault->found : "";
}

TEST(NetworkParametersTest, AChannelIsNoWiderThanAFlit) {
    const auto flit_cycles = [](std::int64_t bits) {
        NetworkParameters parameters;
        EXPECT_TRUE(parameters.find("channel_bits_per_cycle")->set(bits));
        return parameters.flit_cycles().count();
    };
    EXPECT_EQ(flit_cycles(0), 1);
    EXPECT_EQ(flit_cycles(16), 1);
    EXPECT_EQ(flit_cycles(8), 2);
    EXPECT_EQ(flit_cycles(1), 16);
    EXPECT_EQ(fault_of({{"channel_bits_per_cycle", std::int64_t{16}}}), "");
    EXPECT_EQ(fault_of({{"channel_bits_per_cycle", std::int64_t{17}}}),
              "channel_bits_per_cycle is wider than a flit of 16 bits");
}

// A flit takes whole cycles; otherwise the rest of the last cycle would be idle.
TEST(NetworkParametersTest, AChannelsWidthDividesAFlit) {
    const auto accepted = [](std::int64_t flit_bytes) {
        List widths;
        for (std::int64_t bits = 1; bits <= 8 * flit_bytes + 8; ++bits) {
            const Settings settings{{"flit_bytes", flit_bytes}, {"channel_bits_per_cycle", bits}};
            if (fault_of(settings).empty()) {
                widths.push_back(bits);
            }
        }
        return widths;
    };
    EXPECT_EQ(accepted(1), (List{1, 2, 4, 8}));
    EXPECT_EQ(accepted(2), (List{1, 2, 4, 8, 16}));
    EXPECT_EQ(accepted(3), (List{1, 2, 3, 4, 6, 8, 12, 24}));
    EXPECT_EQ(
        fault_of({{"channel_bits_per_cycle", std::int64_t{15}}}),
        "channel_bits_per_cycle is 15, which does not move a flit of 16 bits in whole cycles");
    NetworkParameters parameters;
    set_all(parameters, {{"channel_bits_per_cycle", std::int64_t{5}}});
    EXPECT_EQ(parameters.check()->accepted, "1, 2, 4, 8, 16, or 0 for one flit per cycle");
}

TEST(NetworkParametersTest, AWormsFirstAndLastChannelTakeACycle) {
    for (const char* edge : {"injection_cycles", "ejection_cycles"}) {
        EXPECT_EQ(fault_of({{edge, std::int64_t{1}}}), "");
        EXPECT_EQ(fault_of({{edge, std::int64_t{0}}}),
                  std::string(edge) + " is 0, which only network.model = \"delay\" can do");
        EXPECT_EQ(fault_of({{edge, std::int64_t{0}}, {"model", text("delay")}}), "");
    }
}

TEST(NetworkParametersTest, ARoutingThatATopologyHasNotIsRefused) {
    const auto with_routing = [](const char* topology, const char* routing) {
        return fault_of(
            {{"topology", text(topology)}, {"dimensions", List{4, 4}}, {"routing", text(routing)}});
    };
    EXPECT_THAT(with_routing("mesh", "e_cube"), Names("routing", "hypercube"));
    EXPECT_THAT(with_routing("fat_tree", "dimension_order"), Names("routing", "mesh", "torus"));
    EXPECT_THAT(with_routing("butterfly", "up_down"), Names("routing", "butterfly"));
    EXPECT_EQ(with_routing("mesh", "up_down"), "");
    EXPECT_EQ(with_routing("mesh", "odd_even"), "");
    EXPECT_THAT(with_routing("torus", "odd_even"), Names("routing", "mesh"));
    EXPECT_THAT(fault_of({{"dimensions", List{2, 2, 2}}, {"routing", text("o1turn")}}),
                Names("routing", "o1turn", "two dimensions"));
    for (const std::int64_t channels : {0, 4, 8}) {
        EXPECT_EQ(fault_of({{"topology", text("torus")},
                            {"routing", text("valiant")},
                            {"virtual_channels", channels}}),
                  "");
    }
    for (const std::int64_t channels : {1, 2, 6}) {
        EXPECT_THAT(fault_of({{"topology", text("torus")},
                              {"routing", text("valiant")},
                              {"virtual_channels", channels}}),
                    Names("virtual_channels", "multiple", "4", "two phases"));
    }
    EXPECT_EQ(with_routing("hypercube", "e_cube"), "");
}

}  // namespace
}  // namespace weir::network
