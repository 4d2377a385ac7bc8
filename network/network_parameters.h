#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/controller/controller_registers.h"
#include "hw/parameter.h"
#include "hw/units.h"
#include "network/router/flow_control.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_size.h"

namespace weir::network {

class AllocatorKind;
class RouterKind;
class TopologyFamily;

enum class NetworkModel : std::uint8_t { kWormhole, kDelay, kLogp };
enum class DelayKind : std::uint8_t { kManhattan, kConstant };

struct NetworkParameters : hw::ParameterGroup {
    NetworkParameters();
    ~NetworkParameters() override;

    hw::Choice<NetworkModel> model{
        *this,
        "model",
        NetworkModel::kWormhole,
        {{NetworkModel::kWormhole, "wormhole"},
         {NetworkModel::kDelay, "delay"},
         {NetworkModel::kLogp, "logp"}},
        "Routers and worms; or delays only: no contention, unlimited queues (LoPC Section 2); or "
        "latency, gap and finite capacity (LogP Section 3)",
        hw::when("network.model").is("wormhole") || hw::a_kernel_runs()};
    hw::Choice<DelayKind> delay{
        *this,
        "delay",
        DelayKind::kManhattan,
        {{DelayKind::kManhattan, "manhattan"}, {DelayKind::kConstant, "constant"}},
        "Of the delay network: hop_cycles a hop, or delay_cycles between any two nodes",
        hw::a_kernel_runs() && hw::when("network.model").is("delay")};
    hw::Parameter<hw::Cycles> delay_cycles{*this,
                                           "delay_cycles",
                                           6,
                                           {1, 1'000'000},
                                           "Of the delay network when its delay is constant",
                                           "LoPC Section 4.5: about 6 on 32 nodes",
                                           hw::a_kernel_runs() &&
                                               hw::when("network.model").is("delay") &&
                                               hw::when("network.delay").is("constant")};
    hw::Parameter<hw::Cycles> logp_latency_cycles{
        *this,
        "logp_latency_cycles",
        200,
        {1, 1'000'000},
        "Of the logp network: from the end of a launch to the message's arrival (L)",
        "LogP Section 4.1.4: about 6 us on the CM-5, 200 ticks of 33 MHz",
        hw::a_kernel_runs() && hw::when("network.model").is("logp")};
    hw::Parameter<hw::Cycles> logp_least_latency_cycles{
        *this,
        "logp_least_latency_cycles",
        0,
        {0, 1'000'000},
        "Of the logp network: each latency is drawn uniformly from this to logp_latency_cycles, so "
        "that messages may overtake one another; 0: every latency is logp_latency_cycles",
        "LogP Section 3: latency is unpredictable, but at most L",
        hw::a_kernel_runs() && hw::when("network.model").is("logp")};
    hw::Parameter<hw::Cycles> logp_gap_cycles{
        *this,
        "logp_gap_cycles",
        132,
        {1, 1'000'000},
        "Of the logp network: least time between two launches of a node, and between two "
        "receptions "
        "at a node (g); at most ceil(L/g) messages are in transit from a node, and to a node",
        "LogP Section 4.1.4: 4 us on the CM-5, 132 ticks of 33 MHz",
        hw::a_kernel_runs() && hw::when("network.model").is("logp")};
    hw::Choice<const TopologyFamily*> topology{*this,
                                               "topology",
                                               default_topology(),
                                               topology_options(),
                                               topology_sentence(),
                                               "Alewife: a mesh (LoGPC Section 2)",
                                               has_routers()};
    hw::Parameter<std::vector<std::int64_t>> dimensions{
        *this,
        "dimensions",
        {8, 4},
        {1, kMostTopologyNodes},
        "Extent of each dimension of a mesh or torus, x first; of any other topology, their "
        "product "
        "is the number of nodes",
        "LoGPC Section 3.3: 4 x 8, x is long and lower",
        topology_reads("dimensions")};
    hw::Parameter<std::int64_t> arity{
        *this,
        "arity",
        4,
        {2, 64},
        "Of a butterfly or fat tree: channels up, and down, of each switch",
        "the CM-5's fat tree (LogP Section 5.1: a 4-ary one)",
        has_routers() && topology_reads("arity")};
    hw::Parameter<std::vector<std::int64_t>> channels_up{
        *this,
        "channels_up",
        {0},
        {0, 64},
        "Of a fat tree that is thinner than its arity: channels up of each switch, by level from "
        "the leaves on, the last also of all above; 0: as many as down",
        "LogP Section 4.1.3: the CM-5's trees are incomplete",
        has_routers() && topology_reads("channels_up")};
    hw::Parameter<hw::FilePath> graph_file{*this,
                                           "graph_file",
                                           "",
                                           {},
                                           "Of topology = \"graph\": a .graphml, .dot or .gv file",
                                           has_routers() && topology_reads("graph_file")};
    hw::Choice<RoutingKind> routing{
        *this,
        "routing",
        RoutingKind::kDefault,
        {{RoutingKind::kDefault, "default"},
         {RoutingKind::kDimensionOrder, "dimension_order"},
         {RoutingKind::kECube, "e_cube"},
         {RoutingKind::kUpDown, "up_down"},
         {RoutingKind::kDestinationTag, "destination_tag"},
         {RoutingKind::kMinimalAdaptive, "minimal_adaptive"}},
        "Which way messages go; by default the topology's own: dimension order, e-cube, "
        "destination tag, minimal, or up and down",
        has_routers()};
    hw::Parameter<std::vector<std::int64_t>> routing_order{
        *this,
        "routing_order",
        {0, 1, 2, 3, 4, 5, 6, 7},
        {0, 7},
        "Dimensions in the order in which dimension order takes them, 0 is x; those that the "
        "network has not don't matter",
        "Alewife: x first",
        has_routers() && topology_reads("routing_order") &&
            hw::when("network.routing").is_not("up_down")};
    hw::Parameter<std::int64_t> virtual_channels{
        *this,
        "virtual_channels",
        0,
        {0, 16},
        "Of each channel between routers, with a buffer each; 0: as few as the routing needs",
        "Alewife: one",
        has_routers()};
    hw::Choice<RingClasses> ring_classes{
        *this,
        "ring_classes",
        RingClasses::kCrossing,
        {{RingClasses::kDateline, "dateline"},
         {RingClasses::kCrossing, "crossing"},
         {RingClasses::kBalanced, "balanced"}},
        "Which half of a ring's virtual channels a message takes. dateline: the first until it is "
        "over the ring's end, then the second, also where it need not go over the end; crossing: "
        "the second all the way when it goes over the end, else the first; balanced: also the "
        "first when it goes over the ring's middle, else any that is free where it comes into the "
        "ring",
        "dateline: Dally and Seitz 1987; crossing: BookSim 2; balanced: Scott and Thorson 1994, of "
        "the Cray T3D",
        topology_reads("ring_classes") && has_routers() &&
            hw::when("network.routing").is("default", "dimension_order") &&
            hw::Condition::that("several virtual channels",
                                [this] { return virtual_channels.value() != 1; })};
    hw::Choice<RingTies> ring_ties{
        *this,
        "ring_ties",
        RingTies::kParity,
        {{RingTies::kUp, "up"}, {RingTies::kParity, "parity"}, {RingTies::kLot, "lot"}},
        "Which way a message goes around a ring where both are as long. up: to higher coordinates; "
        "parity: up from even coordinates, down from odd ones; lot: as it draws once, when it is "
        "sent",
        "lot: BookSim 2",
        topology_reads("ring_ties") && has_routers() &&
            hw::when("network.routing").is_not("up_down")};
    hw::Choice<const RouterKind*> router{*this,
                                         "router",
                                         default_router(),
                                         router_options(),
                                         router_sentence(),
                                         "Alewife: wormhole routers (LoGPC Section 2)",
                                         has_routers()};
    hw::Choice<Switching> switching{
        *this,
        "switching",
        Switching::kWormhole,
        {{Switching::kWormhole, "wormhole"},
         {Switching::kVirtualCutThrough, "virtual_cut_through"},
         {Switching::kStoreAndForward, "store_and_forward"}},
        "A header goes on when the next buffer has room for a flit; for all of its message; for "
        "that, and all of it has arrived",
        has_free_routers()};
    hw::Choice<std::optional<Reallocation>> vc_reallocation{
        *this,
        "vc_reallocation",
        std::nullopt,
        {{std::nullopt, "default"},
         {Reallocation::kTail, "tail"},
         {Reallocation::kTailCredit, "tail_credit"},
         {Reallocation::kWholeMessage, "whole_message"}},
        "When a router gives a virtual channel to the next message. tail: once the tail of the "
        "last one has been sent; tail_credit: once that tail's credit has come back; "
        "whole_message: then, or once the buffer has room for all of the next message; default: "
        "tail_credit for the worms of adaptive routing, else tail",
        "tail_credit: Duato 1993; whole_message: Ma, Enright Jerger and Wang 2012",
        has_free_routers()};
    hw::Parameter<bool> escapes_last{
        *this,
        "escapes_last",
        true,
        {},
        "Of adaptive routing: a header asks for an escape only where no other of its ways is free, "
        "not for all of them at once",
        "false: BookSim 2",
        is_adaptive()};
    hw::Parameter<bool> leave_escapes{
        *this,
        "leave_escapes",
        true,
        {},
        "Of adaptive routing: a message that has taken an escape may take other ways again",
        "true: Duato 1993; false: BookSim 2",
        is_adaptive()};
    hw::Choice<Arbitration> arbitration{
        *this,
        "arbitration",
        Arbitration::kRoundRobin,
        {{Arbitration::kRoundRobin, "round_robin"},
         {Arbitration::kSkewedRoundRobin, "skewed_round_robin"},
         {Arbitration::kFixed, "fixed"},
         {Arbitration::kOldest, "oldest"},
         {Arbitration::kOldestGenerated, "oldest_generated"},
         {Arbitration::kOldestHere, "oldest_here"}},
        "Who comes first: in turn; in turn, but from the next but one on; the lowest port and "
        "virtual channel; the message that has been in the network longest; the one that was "
        "generated first; the one whose header came to this router first",
        "skewed_round_robin: the RTL of Becker's router; oldest, oldest_generated, oldest_here: "
        "network_age, age and local_age of BookSim 2",
        has_free_routers()};
    hw::Choice<const AllocatorKind*> allocator{
        *this,
        "allocator",
        default_allocator(),
        allocator_options(),
        allocator_sentence(),
        "input_first: the RTL of Becker's router",
        has_routers() && hw::when("network.router").is("virtual_channel")};
    hw::Choice<OutputBinding> output_binding{
        *this,
        "output_binding",
        OutputBinding::kGranted,
        {{OutputBinding::kGranted, "granted"},
         {OutputBinding::kHeaderSent, "header_sent"},
         {OutputBinding::kFirstCome, "first_come"}},
        "When a message holds the virtual channel that it leaves a router by. granted: from the "
        "allocator's grant on, whether its header can move or not; header_sent: once its header is "
        "sent, and until then it asks again in each cycle; first_come: from the grant on, which "
        "goes to the header that began to ask first, and arbitration decides between equals",
        "header_sent: bsg_wormhole_router of BaseJump STL",
        has_routers() && hw::when("network.router").is("virtual_channel")};
    hw::Parameter<std::int64_t> copies{
        *this,
        "copies",
        1,
        {1, 16},
        "Copies of the whole network; each node's messages take them in turn",
        "LogP Section 4.1.4: the CM-5 has two",
        has_routers()};
    hw::Parameter<std::int64_t> channel_bits_per_cycle{
        *this,
        "channel_bits_per_cycle",
        0,
        {0, 512},
        "Width of every channel, to and from the nodes too; divides a flit's 8 * flit_bytes bits, "
        "so that a flit takes whole cycles; 0: a flit a cycle",
        "LogP Table 1: nCUBE/2 1, CM-5 4",
        has_free_routers()};
    hw::Parameter<bool> allow_deadlock{
        *this,        "allow_deadlock", false, {}, "Run though the routing is not free of deadlock",
        has_routers()};
    hw::Parameter<hw::Bytes> flit_bytes{*this,
                                        "flit_bytes",
                                        2,
                                        {1, 64},
                                        "Bytes a channel moves in a cycle",
                                        "LoGPC Table 2: 2 bytes/cycle, G = 0.5",
                                        hw::when("network.model").is("wormhole", "delay")};
    hw::Parameter<hw::Bytes> tag_bytes{
        *this,
        "tag_bytes",
        0,
        {0, WEIR_HEADER_BYTES},
        "Of a message's header, what travels beside its first flit and takes no time on channels",
        "the CM-5's packets of 20 bytes: route and kind stand in a tag",
        has_routers() && hw::a_kernel_runs("traffic.packet_flits")};
    hw::Parameter<hw::Cycles> hop_cycles{
        *this,
        "hop_cycles",
        1,
        {1, 10'000},
        "From one router's input buffer to the next one's",
        "one whole cycle; 40 ns = 0.8 cycles is recalled of the machine",
        has_routers() ||
            (hw::when("network.model").is("delay") && hw::when("network.delay").is("manhattan"))};
    hw::Parameter<hw::Cycles> global_hop_cycles{
        *this,
        "global_hop_cycles",
        0,
        {0, 10'000},
        "The same over a channel between two groups of a dragonfly, which is longer; 0: hop_cycles",
        has_routers() && topology_reads("global_hop_cycles")};
    hw::Parameter<hw::Cycles> routing_cycles{*this,
                                             "routing_cycles",
                                             0,
                                             {0, 1000},
                                             "Until a header that has come to the front of its "
                                             "buffer asks for a virtual channel",
                                             "0: all of a hop is hop_cycles",
                                             has_free_routers()};
    hw::Parameter<hw::Cycles> vc_allocation_cycles{
        *this,
        "vc_allocation_cycles",
        0,
        {0, 1000},
        "From then, if it gets one, until it asks for the switch",
        "0: all of a hop is hop_cycles",
        has_free_routers()};
    hw::Parameter<hw::Cycles> switch_allocation_cycles{
        *this,
        "switch_allocation_cycles",
        0,
        {0, 1000},
        "From winning the switch until a flit is on the link, crossing included",
        "0: all of a hop is hop_cycles",
        has_routers()};
    hw::Parameter<hw::Cycles> credit_cycles{*this,
                                            "credit_cycles",
                                            1,
                                            {1, 1000},
                                            "From a flit's leaving of a buffer until the sender "
                                            "can use its place",
                                            "assumed; not published",
                                            has_routers()};
    hw::Parameter<hw::Flits> buffer_flits{*this,
                                          "buffer_flits",
                                          4,
                                          {1, 4096},
                                          "Places in each input buffer of a router; a link of d "
                                          "cycles holds d - 1 flits more",
                                          "assumed; not published",
                                          has_routers()};
    hw::Parameter<hw::Flits> injection_buffer_flits{
        *this,
        "injection_buffer_flits",
        0,
        {0, 4096},
        "Places in the router's buffer for what comes from the node; 0: buffer_flits",
        has_routers()};
    hw::Parameter<hw::Cycles> injection_credit_cycles{
        *this,
        "injection_credit_cycles",
        0,
        {0, 1000},
        "From a flit's leaving of that buffer until the node can use its place; 0: credit_cycles",
        has_routers()};
    hw::Parameter<hw::Flits> ejection_buffer_flits{
        *this,
        "ejection_buffer_flits",
        0,
        {0, 4096},
        "Places in the node's buffer for what comes from the router; 0: buffer_flits",
        has_routers()};
    hw::Parameter<hw::Cycles> injection_cycles{
        *this,
        "injection_cycles",
        2,
        {0, 10'000},
        "From the output queue to the router's input buffer",
        "calibrated: the first byte takes 4 + hops, 8 in the mean (LoGPC Table 2)",
        hw::when("network.model").is("wormhole", "delay")};
    hw::Parameter<hw::Cycles> ejection_cycles{*this,
                                              "ejection_cycles",
                                              2,
                                              {0, 10'000},
                                              "From the last router to the input queue",
                                              "calibrated, with injection_cycles",
                                              hw::when("network.model").is("wormhole", "delay")};

    hw::Parameter<bool> flit_by_flit{
        *this,
        "flit_by_flit",
        false,
        {},
        "Each router and channel is a part of its own, through which flits move one by one",
        hw::changes_speed_alone() && has_routers() &&
            hw::Condition::that("virtual channel routers, round robin, a flit a cycle",
                                [this] { return has_faster_ways(); })};

    hw::Parameter<std::int64_t> tiles{
        *this,
        "tiles",
        0,
        {0, 256},
        "Parts of the mesh that are emulated at a time, each with its nodes on a core of the "
        "host's; 0: from 1,024 nodes on as many as the run has cores (-j), otherwise 1",
        hw::changes_speed_alone() && hw::a_kernel_runs() && has_routers() &&
            hw::when("network.flit_by_flit").is(false) && hw::when("network.barrier").is(false) &&
            hw::Condition::that("a mesh without virtual channels, of one-cycle routers",
                                [this] { return is_plain_mesh(); })};

    hw::Parameter<bool> barrier{*this,
                                "barrier",
                                false,
                                {},
                                "A hardware barrier beside the network: each node has registers to "
                                "arrive at it and to wait for all others",
                                "LogP Section 4.1.4: the CM-5 has one",
                                hw::a_kernel_runs()};
    hw::Parameter<hw::Cycles> barrier_cycles{
        *this,
        "barrier_cycles",
        100,
        {2, 1'000'000},
        "From the arrival of the last node at the hardware barrier to the release of all",
        "assumed: the papers give no figure",
        hw::a_kernel_runs() && hw::when("network.barrier").is(true)};

    [[nodiscard]] std::optional<Fault> check() const override;
    /// The product of the dimensions; of topology = "graph" the file says it.
    [[nodiscard]] std::int64_t node_count() const;
    [[nodiscard]] std::vector<std::int32_t> extents() const;
    /// Extents in whose mixed radix nodes that differ by one in one digit are neighbours, as far as
    /// the topology has such: a hypercube's are twos, and without any there is one, of all nodes.
    [[nodiscard]] std::vector<std::int32_t> neighbour_extents(std::int64_t nodes) const;
    /// The cycles that a flit takes on a channel.
    [[nodiscard]] hw::Cycles flit_cycles() const;
    /// Whether MeshNetwork is this network: a mesh like Alewife's. All others are RoutedNetworks.
    [[nodiscard]] bool is_plain_mesh() const;
    /// Whether its routers may be emulated otherwise than each by itself.
    [[nodiscard]] bool has_faster_ways() const;
    /// The smallest of all buffers.
    [[nodiscard]] hw::Flits least_buffer() const;
    /// vc_reallocation, or what it is by default.
    [[nodiscard]] Reallocation reallocation() const;
    /// What messages do with the escapes of minimal adaptive routing.
    [[nodiscard]] EscapeRules escape_rules() const;
    /// routing_order without what the network has not.
    [[nodiscard]] std::vector<std::size_t> order() const;

  private:
    static const TopologyFamily* default_topology();
    static std::vector<hw::Choice<const TopologyFamily*>::Option> topology_options();
    static std::string topology_sentence();
    static const RouterKind* default_router();
    static std::vector<hw::Choice<const RouterKind*>::Option> router_options();
    static std::string router_sentence();
    static const AllocatorKind* default_allocator();
    static std::vector<hw::Choice<const AllocatorKind*>::Option> allocator_options();
    static std::string allocator_sentence();
    /// It is one for which the parameter says something.
    static hw::Condition topology_reads(std::string_view parameter);
    static hw::Condition has_routers() { return hw::when("network.model").is("wormhole"); }
    /// Routers whose stages and arbiters can be chosen.
    static hw::Condition has_free_routers() {
        return has_routers() && hw::when("network.router").is_not("dynamic_node");
    }
    static hw::Condition is_adaptive() {
        return has_routers() && hw::when("network.routing").is("minimal_adaptive");
    }
    [[nodiscard]] std::optional<Fault> shape_fault() const;
    [[nodiscard]] std::optional<Fault> width_fault() const;
    [[nodiscard]] std::optional<Fault> routing_fault() const;
    [[nodiscard]] bool has_like_buffers() const;
};

}  // namespace weir::network
