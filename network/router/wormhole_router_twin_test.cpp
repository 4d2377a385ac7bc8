// The wormhole router in SystemVerilog (wormhole_router.sv), beside the model: the same outputs in
// every cycle.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "hw/testing/test_cost.h"
#include "hw/testing/twin/twin.h"
#include "network/mesh_network.h"
#include "network/testing/recorded_mesh.h"

namespace weir::network {
namespace {

using hw::twin::compare;
using hw::twin::complaints;
using hw::twin::expect_found;
using testing::Draw;
using testing::List;
using testing::mesh_of;
using testing::Settings;
using testing::Traffic;

WEIR_TESTS_COST("^WormholeRouterTwinTest\\.", 12);
WEIR_TESTS_COST("^WormholeRouterTwinTest\\.RandomSizes", 20);
WEIR_TESTS_COST("^WormholeRouterTwinTest\\.PlantedFaults", 20);

using WormholeRouterTwinTest = testing::RouterTwinTest<MeshNetwork>;

TEST_F(WormholeRouterTwinTest, EqualsTheModelInEveryCycle) {
    WEIR_NEEDS_VERILATOR();
    const Recorded& mesh = add(mesh_of({3, 2}), {}, 1);
    run();
    EXPECT_GT(mesh.flits(), 3000);
    expect_equal(compare(mesh.twin(), mesh.routers()), 18'000);
    expect_found(mesh.twin(), mesh.routers(),
                 {{"a fixed arbiter", "preferred != '0 ? preferred : requests", "requests"},
                  {"a credit too many", "count <= COUNT_BITS'(CREDITS)",
                   "count <= COUNT_BITS'(CREDITS + 1)"}});
}

TEST_F(WormholeRouterTwinTest, AMeshOfTwinsEqualsTheMeshOfTheModel) {
    WEIR_NEEDS_VERILATOR();
    cycles = 5000;
    const Recorded& mesh = add(mesh_of({4, 4}), {120, 24, 40, 64, 3}, 2);
    run();
    EXPECT_GT(mesh.flits(), 20'000);
    expect_equal(compare(mesh.twin(), mesh.routers(), mesh.wires()), 80'000);
    // planted fault: two wires are exchanged
    std::vector<hw::twin::Wire> crossed = mesh.wires();
    std::swap(crossed[0].to, crossed[3].to);
    EXPECT_GT(compare(mesh.twin(), mesh.routers(), crossed).differing, 0);
}

TEST_F(WormholeRouterTwinTest, RandomSizes) {
    WEIR_NEEDS_VERILATOR();
    cycles = 4000;
    const std::vector<List> shapes = {{2}, {7}, {2, 2}, {3, 3}, {5, 2}, {2, 3, 2}, {4, 4}};
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Draw number(seed);
        const List shape = shapes[static_cast<std::size_t>(number(0, 6))];
        const std::int64_t flit_bytes = number(1, 12);
        const std::int64_t buffer = number(1, 9);
        const std::int64_t hop = number(0, 1) == 0 ? 1 : number(2, 5);
        const Settings settings = {{"dimensions", shape},
                                   {"flit_bytes", flit_bytes},
                                   {"buffer_flits", buffer},
                                   {"hop_cycles", hop},
                                   {"injection_cycles", number(1, 4)},
                                   {"ejection_cycles", number(1, 4)}};
        add(settings, Traffic{number(40, 200), 80, number(5, 60), 100, number(1, 9)}, seed);
    }
    run_and_compare_all();
}

TEST_F(WormholeRouterTwinTest, PlantedFaults) {
    WEIR_NEEDS_VERILATOR();
    const Recorded& mesh = add({{"dimensions", List{3, 3}},
                                {"buffer_flits", std::int64_t{3}},
                                {"hop_cycles", std::int64_t{3}},
                                {"injection_cycles", std::int64_t{3}}},
                               {100, 40, 30, 64, 5}, 3);
    run();
    EXPECT_GT(mesh.flits(), 10'000);
    expect_equal(compare(mesh.twin(), mesh.routers()), 9 * cycles);
    expect_found(
        mesh.twin(), mesh.routers(),
        {{"fixed arbiter", "preferred != '0 ? preferred : requests", "requests"},
         {"last winner preferred", "~(last | (last - ONE))", "~(last - ONE)"},
         {"last winner moves without a grant", "granted = is_free ? winner : '0",
          "granted = winner"},
         {"output kept after the tail", "(sender & has_tail) != '0 ? '0 : holder", "holder"},
         {"output freed by every flit", "(sender & has_tail)", "sender"},
         {"flit sent a cycle after the grant", "has_credit ? holder & has_flit",
          "has_credit ? owner[o*PORTS +: PORTS] & has_flit"},
         {"flit sent without a credit", "has_credit ? holder & has_flit : '0", "holder & has_flit"},
         {"last dimension first", "int d = DIMENSIONS - 1; d >= 0; d--",
          "int d = 0; d < DIMENSIONS; d++"},
         {"header passes its column", "destination[d*COORDINATE_BITS +: COORDINATE_BITS] < place",
          "destination[d*COORDINATE_BITS +: COORDINATE_BITS] <= place"},
         {"a credit too many", "count <= COUNT_BITS'(CREDITS)",
          "count <= COUNT_BITS'(CREDITS + 1)"},
         {"credit gained while a flit is sent", "comes_back && !send", "comes_back"},
         {"a slot too few", "held != ALL_SLOTS ||", "held != ALL_SLOTS - 1'b1 ||"},
         {"ring without an end", "front == LAST_SLOT ? '0 : front + 1'b1", "front + 1'b1"},
         {"link a cycle shorter", "REGISTERS = LINK_CYCLES - 1", "REGISTERS = LINK_CYCLES - 2"},
         {"link that does not close up", "next_is_free || !is_full[i]", "next_is_free"},
         {"link that repeats a flit's data", "<= flits[(i-1)*FLIT_BITS +: FLIT_BITS]",
          "<= flits[i*FLIT_BITS +: FLIT_BITS]"}});
}

TEST_F(WormholeRouterTwinTest, IsSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    const Recorded& mesh = add(mesh_of({8, 4}), {}, 4);
    const Recorded& small = add({{"dimensions", List{2}},
                                 {"buffer_flits", std::int64_t{1}},
                                 {"hop_cycles", std::int64_t{1}},
                                 {"flit_bytes", std::int64_t{1}}},
                                {}, 5);
    EXPECT_EQ(complaints(mesh.twin()), "");
    EXPECT_EQ(complaints(small.twin()), "");
}

}  // namespace
}  // namespace weir::network
