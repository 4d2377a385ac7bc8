#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/testing/parameter_lines.h"
#include "network/faults/fault_parameters.h"
#include "network/network_parameters.h"

namespace weir::network {
namespace {

using hw::testing::parameter_lines;
using ::testing::ElementsAre;

// What each parameter is where nobody says otherwise, and what it can be told. Whoever changes one
// changes what experiments mean that do not name it.
TEST(NetworkParameterLinesTest, Network) {
    EXPECT_THAT(
        parameter_lines(NetworkParameters()),
        ElementsAre(
            "model = wormhole; one of \"wormhole\", \"delay\", \"logp\"; with network.model = "
            "\"wormhole\", or a kernel",
            "delay = manhattan; one of \"manhattan\", \"constant\"; with a kernel and "
            "network.model = \"delay\"",
            "delay_cycles = 6; a whole number from 1 to 1000000; with a kernel and network.model = "
            "\"delay\" and network.delay = \"constant\"",
            "logp_latency_cycles = 200; a whole number from 1 to 1000000; with a kernel and "
            "network.model = \"logp\"",
            "logp_least_latency_cycles = 0; a whole number from 0 to 1000000; with a kernel and "
            "network.model = \"logp\"",
            "logp_gap_cycles = 132; a whole number from 1 to 1000000; with a kernel and "
            "network.model = \"logp\"",
            "topology = mesh; one of \"mesh\", \"torus\", \"hypercube\", \"butterfly\", "
            "\"fat_tree\", \"dragonfly\", \"graph\"; with network.model = \"wormhole\"",
            "dimensions = 8 4; a list, each entry a whole number from 1 to 16384; with "
            "network.topology other than \"graph\"",
            "arity = 4; a whole number from 2 to 64; with network.model = \"wormhole\" and "
            "network.topology = \"butterfly\" or \"fat_tree\"",
            "channels_up = 0; a list, each entry a whole number from 0 to 64; with network.model = "
            "\"wormhole\" and network.topology = \"fat_tree\"",
            "graph_file = ; a file's path; with network.model = \"wormhole\" and network.topology "
            "= \"graph\"",
            "routing = default; one of \"default\", \"dimension_order\", \"e_cube\", \"up_down\", "
            "\"destination_tag\", \"minimal_adaptive\"; with network.model = \"wormhole\"",
            "routing_order = 0 1 2 3 4 5 6 7; a list, each entry a whole number from 0 to 7; with "
            "network.model = \"wormhole\" and network.topology = \"mesh\" or \"torus\" and "
            "network.routing other than \"up_down\"",
            "virtual_channels = 0; a whole number from 0 to 16; with network.model = \"wormhole\"",
            "ring_classes = crossing; one of \"dateline\", \"crossing\", \"balanced\"; with "
            "network.topology = \"torus\" and network.model = \"wormhole\" and network.routing = "
            "\"default\" or \"dimension_order\" and several virtual channels",
            "ring_ties = parity; one of \"up\", \"parity\", \"lot\"; with network.topology = "
            "\"torus\" and network.model = \"wormhole\" and network.routing other than \"up_down\"",
            "router = virtual_channel; one of \"virtual_channel\", \"output_queued\"; with "
            "network.model = \"wormhole\"",
            "switching = wormhole; one of \"wormhole\", \"virtual_cut_through\", "
            "\"store_and_forward\"; with network.model = \"wormhole\"",
            "vc_reallocation = default; one of \"default\", \"tail\", \"tail_credit\", "
            "\"whole_message\"; with network.model = \"wormhole\"",
            "escapes_last = true; true or false; with network.model = \"wormhole\" and "
            "network.routing = \"minimal_adaptive\"",
            "leave_escapes = true; true or false; with network.model = \"wormhole\" and "
            "network.routing = \"minimal_adaptive\"",
            "arbitration = round_robin; one of \"round_robin\", \"fixed\", \"oldest\"; with "
            "network.model = \"wormhole\"",
            "copies = 1; a whole number from 1 to 16; with network.model = \"wormhole\"",
            "channel_bits_per_cycle = 0; a whole number from 0 to 512; with network.model = "
            "\"wormhole\"",
            "allow_deadlock = false; true or false; with network.model = \"wormhole\"",
            "flit_bytes = 2; a whole number from 1 to 64; with network.model = \"wormhole\" or "
            "\"delay\"",
            "tag_bytes = 0; a whole number from 0 to 8; with network.model = \"wormhole\" and a "
            "kernel (of traffic traffic.packet_flits says it)",
            "hop_cycles = 1; a whole number from 1 to 10000; with network.model = \"wormhole\", or "
            "network.model = \"delay\" and network.delay = \"manhattan\"",
            "routing_cycles = 0; a whole number from 0 to 1000; with network.model = \"wormhole\"",
            "vc_allocation_cycles = 0; a whole number from 0 to 1000; with network.model = "
            "\"wormhole\"",
            "switch_allocation_cycles = 0; a whole number from 0 to 1000; with network.model = "
            "\"wormhole\"",
            "credit_cycles = 1; a whole number from 1 to 1000; with network.model = \"wormhole\"",
            "buffer_flits = 4; a whole number from 1 to 4096; with network.model = \"wormhole\"",
            "injection_cycles = 2; a whole number from 0 to 10000; with network.model = "
            "\"wormhole\" or \"delay\"",
            "ejection_cycles = 2; a whole number from 0 to 10000; with network.model = "
            "\"wormhole\" or \"delay\"",
            "flit_by_flit = false; true or false; with network.model = \"wormhole\" and virtual "
            "channel routers, round robin, a flit a cycle; no result depends on it",
            "tiles = 0; a whole number from 0 to 256; with a kernel and network.model = "
            "\"wormhole\" "
            "and network.flit_by_flit = false and network.barrier = false and a mesh without "
            "virtual "
            "channels, of one-cycle routers; no result depends on it",
            "barrier = false; true or false; with a kernel",
            "barrier_cycles = 100; a whole number from 2 to 1000000; with a kernel and "
            "network.barrier = true"));
}

TEST(NetworkParameterLinesTest, Faults) {
    EXPECT_THAT(
        parameter_lines(FaultParameters()),
        ElementsAre("dead_channels = ; a string", "dead_link_percent = 0; a number from 0 to 100",
                    "failing_channels = ; a string; with a kernel",
                    "failing_nodes = ; a string; with a kernel",
                    "stuck_credits = ; a string; with a kernel",
                    "lost_flits = ; a string; with a kernel",
                    "flipped_flits = ; a string; with a kernel",
                    "lost_flits_per_million = 0; a number from 0 to 1e+06; with a kernel",
                    "flipped_flits_per_million = 0; a number from 0 to 1e+06; with a kernel"));
}

}  // namespace
}  // namespace weir::network
