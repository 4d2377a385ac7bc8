// The virtual channel router in SystemVerilog (virtual_channel_router.sv), beside the model: the
// same outputs in every cycle.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "hw/testing/test_cost.h"
#include "hw/testing/twin/twin.h"
#include "network/routed_network.h"
#include "network/testing/recorded_mesh.h"

namespace weir::network {
namespace {

using hw::twin::compare;
using hw::twin::complaints;
using hw::twin::expect_found;
using testing::Draw;
using testing::List;
using testing::Settings;
using testing::text;
using testing::Traffic;

WEIR_TESTS_COST("^VirtualChannelRouterTwinTest\\.", 14);
WEIR_TESTS_COST("^VirtualChannelRouterTwinTest\\.RandomSizes", 30);
WEIR_TESTS_COST("^VirtualChannelRouterTwinTest\\.PlantedFaults", 60);

using VirtualChannelRouterTwinTest = testing::RouterTwinTest<RoutedNetwork>;

const Traffic kHeavyTraffic{200, 40, 12, 64, 5};

TEST_F(VirtualChannelRouterTwinTest, EqualsTheModelInEveryCycle) {
    WEIR_NEEDS_VERILATOR();
    const Recorded& mesh =
        add({{"dimensions", List{3, 2}}, {"virtual_channels", std::int64_t{2}}}, kHeavyTraffic, 1);
    run();
    EXPECT_GT(mesh.flits(), 3000);
    expect_equal(compare(mesh.twin(), mesh.routers()), 18'000);
    expect_equal(compare(mesh.twin(), mesh.routers(), mesh.wires()), 18'000);
    expect_found(mesh.twin(), mesh.routers(),
                 {{"output kept after the tail",
                   "(sender & has_tail) != '0 ? '0 : holder[o*CHANNELS +: CHANNELS]",
                   "holder[o*CHANNELS +: CHANNELS]"},
                  {"order of the switch's inputs moves without an acceptance",
                   ".accepted(taken[q*PORTS +: PORTS])", ".accepted(granted[q*PORTS +: PORTS])"}});
}

// With one virtual channel both kinds of router are the same hardware.
TEST_F(VirtualChannelRouterTwinTest, TheWormholeRoutersTwinEqualsAModelWithOneVirtualChannel) {
    WEIR_NEEDS_VERILATOR();
    const Recorded& mesh = add({{"dimensions", List{3, 2}}}, kHeavyTraffic, 2);
    run();
    EXPECT_EQ(mesh.twin().module, "wormhole_router");
    expect_equal(compare(mesh.twin(), mesh.routers()), 18'000);
}

TEST_F(VirtualChannelRouterTwinTest, RandomSizes) {
    WEIR_NEEDS_VERILATOR();
    cycles = 5000;
    const std::vector<List> shapes = {{5}, {2, 2}, {3, 2}, {3, 3}, {2, 2, 2}};
    const std::vector<const char*> arbitrations = {"round_robin", "skewed_round_robin", "fixed"};
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
        Draw number(seed);
        const List shape = shapes[static_cast<std::size_t>(number(0, 4))];
        const std::int64_t vcs = number(1, shape.size() > 2 ? 2 : 3);
        const bool keeps_tail = number(0, 1) == 0;
        const Settings settings = {{"dimensions", shape},
                                   {"virtual_channels", vcs},
                                   {"flit_bytes", number(1, 5)},
                                   {"buffer_flits", number(1, 6)},
                                   {"injection_buffer_flits", number(0, 5)},
                                   {"ejection_buffer_flits", number(0, 5)},
                                   {"hop_cycles", number(1, 3)},
                                   {"switch_allocation_cycles", number(0, 1)},
                                   {"credit_cycles", number(2, 4)},
                                   {"injection_cycles", number(1, 3)},
                                   {"ejection_cycles", number(1, 3)},
                                   {"arbitration", text(arbitrations[seed % arbitrations.size()])},
                                   {"vc_reallocation", text(keeps_tail ? "tail_credit" : "tail")}};
        add(settings, Traffic{300, 60, number(2, 20), 100, number(1, 6)}, seed);
    }
    run_and_compare_all();
}

TEST_F(VirtualChannelRouterTwinTest, PlantedFaults) {
    WEIR_NEEDS_VERILATOR();
    cycles = 4000;
    const Recorded& mesh = add({{"dimensions", List{3, 2}},
                                {"virtual_channels", std::int64_t{2}},
                                {"buffer_flits", std::int64_t{3}},
                                {"injection_buffer_flits", std::int64_t{6}},
                                {"ejection_buffer_flits", std::int64_t{2}},
                                {"credit_cycles", std::int64_t{2}},
                                {"vc_reallocation", text("tail_credit")}},
                               kHeavyTraffic, 3);
    // Several virtual channels of an input port ask for the same output port only in longer rows.
    const Recorded& large =
        add({{"dimensions", List{5, 2}}, {"virtual_channels", std::int64_t{3}}}, kHeavyTraffic, 4);
    run();
    expect_equal(compare(mesh.twin(), mesh.routers()), 6 * cycles);
    expect_equal(compare(large.twin(), large.routers()), 10 * cycles);
    expect_found(
        large.twin(), large.routers(),
        {{"order of virtual channels moves without an acceptance", ".accepted(last_moved)",
          ".accepted(chosen[(q*PORTS+p)*VCS +: VCS])"},
         {"order of virtual channels does not move", ".accepted(last_moved)", ".accepted('0)"}});
    expect_found(
        mesh.twin(), mesh.routers(),
        {{"fixed arbiters", "chosen = preferred != '0 ? preferred : requests", "chosen = requests"},
         {"order moves without an acceptance", "else if (accepted != '0)",
          "else if (winner != '0)"},
         {"channel given away before its tail's credit is back",
          "(NEEDS_TAIL_CREDIT == 0 || has_all)", "1'b1"},
         {"flit sent without a credit", "has_credit[o] && has_flit[i]", "has_flit[i]"},
         {"switch requested without a flit", "has_credit[o] && has_flit[i]", "has_credit[o]"},
         {"output kept after the tail",
          "(sender & has_tail) != '0 ? '0 : holder[o*CHANNELS +: CHANNELS]",
          "holder[o*CHANNELS +: CHANNELS]"},
         {"header sent a cycle after its grant", "if (holder[o*CHANNELS+i]",
          "if (owner[o*CHANNELS+i]"},
         {"order of a header's grants does not move",
          ".accepted(accepted_by_input[i*CHANNELS +: CHANNELS])", ".accepted('0)"},
         {"order of an input port's outputs does not move",
          ".accepted(taken_by_input[p*PORTS +: PORTS])", ".accepted('0)"},
         {"order of an output port's inputs moves without an acceptance",
          ".accepted(taken[q*PORTS +: PORTS])", ".accepted(granted[q*PORTS +: PORTS])"},
         {"credit back a cycle early", "comes_back = registers[CREDIT_CYCLES-2]",
          "comes_back = returned"},
         {"last dimension first", "int d = DIMENSIONS - 1; d >= 0; d--",
          "int d = 0; d < DIMENSIONS; d++"},
         {"injection buffer too short", "p == NODE ? INJECTION_BUFFER_FLITS : BUFFER_FLITS",
          "BUFFER_FLITS"},
         {"a credit too few at the ejection", "EJECTION_BUFFER_FLITS + EJECTION_CYCLES - 1",
          "EJECTION_BUFFER_FLITS + EJECTION_CYCLES - 2"}});
}

TEST_F(VirtualChannelRouterTwinTest, IsSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    const Recorded& large =
        add({{"dimensions", List{8, 4}}, {"virtual_channels", std::int64_t{3}}}, {}, 4);
    const Recorded& small = add({{"dimensions", List{2}},
                                 {"buffer_flits", std::int64_t{1}},
                                 {"credit_cycles", std::int64_t{3}},
                                 {"arbitration", text("fixed")},
                                 {"flit_bytes", std::int64_t{1}}},
                                {}, 5);
    EXPECT_EQ(complaints(large.twin()), "");
    EXPECT_EQ(complaints(small.twin()), "");
}

// Sets one parameter of a mesh with virtual channels, and returns the refused one.
std::string refused(const std::string& name, const hw::ParameterValue& value) {
    NetworkParameters parameters;
    testing::set_all(parameters, {{"virtual_channels", std::int64_t{2}}, {name, value}});
    const auto twin = router_twin(parameters);
    return std::holds_alternative<hw::Fault>(twin) ? std::get<hw::Fault>(twin).key : "none";
}

TEST(RouterTwinCoverageTest, EveryParameterThatChangesTheTimingIsCoveredOrRefused) {
    EXPECT_EQ(refused("buffer_flits", std::int64_t{7}), "none");
    EXPECT_EQ(refused("arbitration", text("skewed_round_robin")), "none");
    EXPECT_EQ(refused("vc_reallocation", text("tail_credit")), "none");
    for (const auto& [name, value] : Settings{{"model", text("delay")},
                                              {"topology", text("torus")},
                                              {"routing", text("up_down")},
                                              {"routing_order", List{1, 0}},
                                              {"copies", std::int64_t{2}},
                                              {"tag_bytes", std::int64_t{4}},
                                              {"router", text("output_queued")},
                                              {"allocator", text("input_first")},
                                              {"arbitration", text("oldest")},
                                              {"output_binding", text("first_come")},
                                              {"switching", text("virtual_cut_through")},
                                              {"vc_reallocation", text("whole_message")},
                                              {"routing_cycles", std::int64_t{1}},
                                              {"vc_allocation_cycles", std::int64_t{1}},
                                              {"channel_bits_per_cycle", std::int64_t{8}}}) {
        EXPECT_EQ(refused(name, value), "network." + name);
    }
    NetworkParameters parameters;
    testing::set_all(parameters, {{"dimensions", List{64, 64}}, {"flit_bytes", std::int64_t{1}}});
    EXPECT_EQ(std::get<hw::Fault>(router_twin(parameters)).key, "network.flit_bytes");
}

}  // namespace
}  // namespace weir::network
