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
#include "network/routing/routing_rules.h"
#include "network/topology/topology_size.h"

namespace weir::network {

class AllocatorKind;
class RouterKind;
class RoutingKind;
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
        "Model of the network. wormhole: routers and channels. delay: a delay for each message, "
        "without contention, and unlimited queues (LoPC Section 2). logp: latency, gap and finite "
        "capacity (LogP Section 3)",
        hw::when("network.model").is("wormhole") || hw::a_kernel_runs()};
    hw::Choice<DelayKind> delay{
        *this,
        "delay",
        DelayKind::kManhattan,
        {{DelayKind::kManhattan, "manhattan"}, {DelayKind::kConstant, "constant"}},
        "Kind of delay between two nodes with network.model = \"delay\". manhattan: hop_cycles for "
        "each hop. constant: delay_cycles",
        hw::a_kernel_runs() && hw::when("network.model").is("delay")};
    hw::Parameter<hw::Cycles> delay_cycles{
        *this,
        "delay_cycles",
        6,
        {1, 1'000'000},
        "Delay between any two nodes with network.delay = \"constant\"",
        "LoPC Section 4.5: about 6 on 32 nodes",
        hw::a_kernel_runs() && hw::when("network.model").is("delay") &&
            hw::when("network.delay").is("constant")};
    hw::Parameter<hw::Cycles> logp_latency_cycles{
        *this,
        "logp_latency_cycles",
        200,
        {1, 1'000'000},
        "Latency of the logp network, from the end of a launch to the message's "
        "arrival (L)",
        "LogP Section 4.1.4: about 6 us on the CM-5, 200 ticks of 33 MHz",
        hw::a_kernel_runs() && hw::when("network.model").is("logp")};
    hw::Parameter<hw::Cycles> logp_least_latency_cycles{
        *this,
        "logp_least_latency_cycles",
        0,
        {0, 1'000'000},
        "Smallest latency of the logp network. Each message's latency is drawn uniformly from this "
        "value to logp_latency_cycles, so messages may overtake one another. 0: all latencies are "
        "logp_latency_cycles",
        "LogP Section 3: latency is unpredictable, but at most L",
        hw::a_kernel_runs() && hw::when("network.model").is("logp")};
    hw::Parameter<hw::Cycles> logp_gap_cycles{
        *this,
        "logp_gap_cycles",
        132,
        {1, 1'000'000},
        "Gap of the logp network (g): smallest time between two launches by a node, and between "
        "two receptions at a node. At most ceil(L/g) messages are in transit from each node, and "
        "to each node",
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
        "Extent of each dimension of a mesh or torus, x first. For other topologies "
        "the product of the extents is the number of nodes",
        "LoGPC Section 3.3: 4 x 8; x is the longer and lower dimension",
        topology_reads("dimensions")};
    hw::Parameter<std::int64_t> arity{*this,
                                      "arity",
                                      4,
                                      {2, 64},
                                      "Number of inputs, and of outputs, of each switch of a "
                                      "butterfly; number of children of each switch of a fat tree",
                                      "the CM-5's fat tree (LogP Section 5.1: a 4-ary one)",
                                      has_routers() && topology_reads("arity")};
    hw::Parameter<std::vector<std::int64_t>> channels_up{
        *this,
        "channels_up",
        {0},
        {0, 64},
        "Number of up channels of each switch of a fat tree, by level from the leaves on. The last "
        "value also holds for all higher levels. 0: as many as down channels",
        "LogP Section 4.1.3: the CM-5's trees are incomplete",
        has_routers() && topology_reads("channels_up")};
    hw::Parameter<hw::FilePath> graph_file{*this,
                                           "graph_file",
                                           "",
                                           {},
                                           "File with the network's graph: .graphml, .dot or .gv",
                                           has_routers() && topology_reads("graph_file")};
    hw::Choice<const RoutingKind*> routing{
        *this, "routing", default_routing(), routing_options(), routing_sentence(), has_routers()};
    hw::Parameter<std::vector<std::int64_t>> routing_order{
        *this,
        "routing_order",
        {0, 1, 2, 3, 4, 5, 6, 7},
        {0, 7},
        "Order of the dimensions in dimension-order routing; 0 is x. Dimensions that "
        "the network does not have are ignored",
        "Alewife: x first",
        has_routers() && topology_reads("routing_order") && routing_reads("routing_order")};
    hw::Parameter<std::int64_t> virtual_channels{
        *this,
        "virtual_channels",
        0,
        {0, 16},
        "Number of virtual channels of each channel between routers, each with a "
        "buffer; 0: the fewest that the routing needs",
        "Alewife: one",
        has_routers()};
    hw::Choice<RingClasses> ring_classes{
        *this,
        "ring_classes",
        RingClasses::kCrossing,
        {{RingClasses::kDateline, "dateline"},
         {RingClasses::kCrossing, "crossing"},
         {RingClasses::kBalanced, "balanced"}},
        "Half of a ring's virtual channels that a message uses. dateline: the first while the "
        "ring's end is still ahead on its route, otherwise the second. crossing: the second for "
        "routes that cross the end, otherwise the first. balanced: the second for routes that "
        "cross the end, the first for routes that cross the ring's middle. With balanced, all "
        "other routes take a free half at the entry into the ring",
        "dateline: Dally and Seitz 1987; crossing: BookSim 2; balanced: Scott and Thorson 1994 "
        "(Cray T3D)",
        topology_reads("ring_classes") && has_routers() && routing_reads("ring_classes") &&
            hw::Condition::that("network.virtual_channels other than 1",
                                [this] { return virtual_channels.value() != 1; })};
    hw::Choice<RingTies> ring_ties{
        *this,
        "ring_ties",
        RingTies::kParity,
        {{RingTies::kUp, "up"}, {RingTies::kParity, "parity"}, {RingTies::kLot, "lot"}},
        "Direction around a ring if both directions are equally long. up: to higher coordinates. "
        "parity: up from even coordinates, down from odd coordinates. lot: a random direction, "
        "drawn for each message when it is sent",
        "lot: BookSim 2",
        topology_reads("ring_ties") && has_routers() && routing_reads("ring_ties")};
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
        "Switching: condition for a header to move on. wormhole: a free slot in the next buffer. "
        "virtual_cut_through: free slots for the whole message. store_and_forward: free slots for "
        "the whole message, which has arrived up to its tail",
        has_free_routers()};
    hw::Choice<std::optional<Reallocation>> vc_reallocation{
        *this,
        "vc_reallocation",
        std::nullopt,
        {{std::nullopt, "default"},
         {Reallocation::kTail, "tail"},
         {Reallocation::kTailCredit, "tail_credit"},
         {Reallocation::kWholeMessage, "whole_message"}},
        "Time at which a router gives a virtual channel to the next message. tail: when the "
        "previous message's tail has been sent. tail_credit: when the credit of that tail has "
        "returned. whole_message: as tail_credit, or earlier if the buffer has room for the whole "
        "next message. default: tail_credit for adaptive routing with wormhole switching, "
        "otherwise tail",
        "tail_credit: Duato 1993; whole_message: Ma, Enright Jerger and Wang 2012",
        has_free_routers()};
    hw::Parameter<bool> escapes_last{
        *this,
        "escapes_last",
        true,
        {},
        "Whether a header requests escape channels only if no other output is free. false: it "
        "requests them together with the other outputs",
        "false: BookSim 2",
        has_routers() && routing_reads("escapes_last")};
    hw::Parameter<bool> leave_escapes{
        *this,
        "leave_escapes",
        true,
        {},
        "Whether a message that has taken an escape channel may take other channels again",
        "true: Duato 1993; false: BookSim 2",
        has_routers() && routing_reads("leave_escapes")};
    hw::Parameter<hw::Flits> ugal_threshold_flits{
        *this,
        "ugal_threshold_flits",
        0,
        {0, 100'000},
        "Number of flits by which the queue of the minimal route may be longer before a message "
        "takes another route. 0: only the products of queue and hops count",
        "0: Kim et al. 2008; 30: BookSim 2",
        has_routers() && routing_reads("ugal_threshold_flits")};
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
        "Winner of competing requests. round_robin: in the order of ports and virtual channels, "
        "starting one after the last winner. skewed_round_robin: in the same order, starting two "
        "after the last winner. fixed: the lowest port and virtual channel. oldest: the message "
        "that has been in the network longest. oldest_generated: the message that was generated "
        "first. oldest_here: the message whose header came to this router first",
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
        "Time from which a message holds its output virtual channel. granted: from the allocator's "
        "grant on, even if its header can't move. header_sent: when its header is sent; until then "
        "it requests the output in each cycle. first_come: as granted, but the earliest request is "
        "granted; arbitration decides between requests of the same cycle",
        "header_sent: bsg_wormhole_router of BaseJump STL",
        has_routers() && hw::when("network.router").is("virtual_channel")};
    hw::Parameter<std::int64_t> copies{*this,
                                       "copies",
                                       1,
                                       {1, 16},
                                       "Number of copies of the whole network. Each node "
                                       "distributes its messages over the copies in turn",
                                       "LogP Section 4.1.4: the CM-5 has two",
                                       has_routers()};
    hw::Parameter<std::int64_t> channel_bits_per_cycle{
        *this,
        "channel_bits_per_cycle",
        0,
        {0, 512},
        "Width of each channel, also of those between nodes and routers. It must divide a flit's 8 "
        "* flit_bytes bits, so that a flit takes whole cycles. 0: one flit per cycle",
        "LogP Table 1: nCUBE/2 1, CM-5 4",
        has_free_routers()};
    hw::Parameter<bool> allow_deadlock{
        *this,
        "allow_deadlock",
        false,
        {},
        "Whether a run is allowed if the routing is not deadlock-free; otherwise it is refused",
        has_routers()};
    hw::Parameter<hw::Bytes> flit_bytes{*this,
                                        "flit_bytes",
                                        2,
                                        {1, 64},
                                        "Flit size: bytes that a channel transfers per cycle",
                                        "LoGPC Table 2: 2 bytes/cycle, G = 0.5",
                                        hw::when("network.model").is("wormhole", "delay")};
    hw::Parameter<hw::Bytes> tag_bytes{
        *this,
        "tag_bytes",
        0,
        {0, WEIR_HEADER_BYTES},
        "Bytes of a message's header that travel beside its first flit and take no "
        "time on channels",
        "the CM-5's packets of 20 bytes, with a tag for route and kind",
        has_routers() && hw::a_kernel_runs("traffic.packet_flits")};
    hw::Parameter<hw::Cycles> hop_cycles{
        *this,
        "hop_cycles",
        1,
        {1, 10'000},
        "Hop time, from one router's input buffer to the next router's",
        "Alewife's 40 ns = 0.8 cycles (recalled), rounded up",
        has_routers() ||
            (hw::when("network.model").is("delay") && hw::when("network.delay").is("manhattan"))};
    hw::Parameter<hw::Cycles> global_hop_cycles{
        *this,
        "global_hop_cycles",
        0,
        {0, 10'000},
        "Hop time over a channel between two groups of a dragonfly; 0: hop_cycles",
        has_routers() && topology_reads("global_hop_cycles")};
    hw::Parameter<hw::Cycles> routing_cycles{
        *this,
        "routing_cycles",
        0,
        {0, 1000},
        "Routing time, from a header's arrival at the front of its buffer to its "
        "request for a virtual channel",
        "0: all of a hop is hop_cycles",
        has_free_routers()};
    hw::Parameter<hw::Cycles> vc_allocation_cycles{
        *this,
        "vc_allocation_cycles",
        0,
        {0, 1000},
        "Virtual channel allocation time, from a header's granted request to its "
        "request for the switch",
        "0: all of a hop is hop_cycles",
        has_free_routers()};
    hw::Parameter<hw::Cycles> switch_allocation_cycles{
        *this,
        "switch_allocation_cycles",
        0,
        {0, 1000},
        "Switch allocation and traversal time, from winning the switch until the flit "
        "is on the link",
        "0: all of a hop is hop_cycles",
        has_routers()};
    hw::Parameter<hw::Cycles> credit_cycles{*this,
                                            "credit_cycles",
                                            1,
                                            {1, 1000},
                                            "Credit delay, from a flit's departure from a buffer "
                                            "slot until the sender can use the slot again",
                                            "assumed; not published",
                                            has_routers()};
    hw::Parameter<hw::Flits> buffer_flits{
        *this,
        "buffer_flits",
        4,
        {1, 4096},
        "Slots in each input buffer of a router; each virtual channel has a buffer. A link of d "
        "cycles holds up to d - 1 more flits",
        "assumed; not published",
        has_routers()};
    hw::Parameter<hw::Flits> injection_buffer_flits{
        *this,
        "injection_buffer_flits",
        0,
        {0, 4096},
        "Slots in a router's input buffer for flits from the node; 0: buffer_flits",
        has_routers()};
    hw::Parameter<hw::Cycles> injection_credit_cycles{
        *this,
        "injection_credit_cycles",
        0,
        {0, 1000},
        "Credit delay of the injection buffer, until the node can use a slot again; 0: "
        "credit_cycles",
        has_routers()};
    hw::Parameter<hw::Flits> ejection_buffer_flits{
        *this,
        "ejection_buffer_flits",
        0,
        {0, 4096},
        "Slots in a node's buffer for flits from the router; 0: buffer_flits",
        has_routers()};
    hw::Parameter<hw::Cycles> injection_cycles{
        *this,
        "injection_cycles",
        2,
        {0, 10'000},
        "Injection time, from the output queue to the router's input buffer",
        "calibrated: the first byte takes 4 cycles and one for each hop, 8 in the mean (LoGPC "
        "Table 2)",
        hw::when("network.model").is("wormhole", "delay")};
    hw::Parameter<hw::Cycles> ejection_cycles{
        *this,
        "ejection_cycles",
        2,
        {0, 10'000},
        "Ejection time, from the last router to the input queue",
        "calibrated, with injection_cycles",
        hw::when("network.model").is("wormhole", "delay")};

    hw::Parameter<bool> flit_by_flit{
        *this,
        "flit_by_flit",
        false,
        {},
        "Whether each router and channel is emulated as a separate part, and flits move one by one",
        hw::changes_speed_alone() && has_routers() &&
            hw::Condition::that("virtual channel routers with the default arbitration, allocator "
                                "and output binding, equal buffers, one flit per cycle, and a "
                                "routing that reads no queues",
                                [this] { return has_faster_ways(); })};

    hw::Parameter<std::int64_t> tiles{
        *this,
        "tiles",
        0,
        {0, 256},
        "Number of tiles of the mesh. Tiles are emulated in parallel, each on a core of the host. "
        "0: the run's number of cores (-j) from 1,024 nodes on, otherwise 1",
        hw::changes_speed_alone() && hw::a_kernel_runs() && has_routers() &&
            hw::when("network.flit_by_flit").is(false) && hw::when("network.barrier").is(false) &&
            hw::Condition::that("a mesh of one-cycle routers with dimension-order routing, x "
                                "first, and one virtual channel",
                                [this] { return is_plain_mesh(); })};

    hw::Parameter<bool> barrier{
        *this,
        "barrier",
        false,
        {},
        "Whether the machine has a hardware barrier beside the network. Each node has registers to "
        "arrive at the barrier and to wait for all others",
        "LogP Section 4.1.4: the CM-5 has one",
        hw::a_kernel_runs()};
    hw::Parameter<hw::Cycles> barrier_cycles{
        *this,
        "barrier_cycles",
        100,
        {2, 1'000'000},
        "Time from the arrival of the last node at the hardware barrier to the release "
        "of all nodes",
        "assumed: the papers give no figure",
        hw::a_kernel_runs() && hw::when("network.barrier").is(true)};

    [[nodiscard]] std::optional<Fault> check() const override;
    /// Product of the dimensions, at most one more than the largest accepted number of nodes. A
    /// graph file has its own number of nodes.
    [[nodiscard]] std::int64_t node_count() const;
    [[nodiscard]] std::vector<std::int32_t> extents() const;
    /// Extents of the topology's grid, in which nodes whose coordinates differ by one in one
    /// dimension are neighbours. A hypercube's extents are all 2. A topology without a grid has a
    /// single extent with all nodes.
    [[nodiscard]] std::vector<std::int32_t> neighbour_extents(std::int64_t nodes) const;
    /// Cycles that a flit takes on a channel.
    [[nodiscard]] hw::Cycles flit_cycles() const;
    /// True if MeshNetwork can emulate this network: a mesh like Alewife's. Other networks of
    /// routers need RoutedNetwork.
    [[nodiscard]] bool is_plain_mesh() const;
    /// True if an emulation exists that is faster than one part for each router.
    [[nodiscard]] bool has_faster_ways() const;
    /// Slots of the network's smallest buffer.
    [[nodiscard]] hw::Flits least_buffer() const;
    /// Value of vc_reallocation, with "default" replaced by the value that it stands for.
    [[nodiscard]] Reallocation reallocation() const;
    /// Use of escape channels by minimal adaptive routing.
    [[nodiscard]] EscapeRules escape_rules() const;
    /// routing_order without dimensions that the network does not have.
    [[nodiscard]] std::vector<std::size_t> order() const;

  private:
    static const TopologyFamily* default_topology();
    static std::vector<hw::Choice<const TopologyFamily*>::Option> topology_options();
    static std::string topology_sentence();
    static const RoutingKind* default_routing();
    static std::vector<hw::Choice<const RoutingKind*>::Option> routing_options();
    static std::string routing_sentence();
    static const RouterKind* default_router();
    static std::vector<hw::Choice<const RouterKind*>::Option> router_options();
    static std::string router_sentence();
    static const AllocatorKind* default_allocator();
    static std::vector<hw::Choice<const AllocatorKind*>::Option> allocator_options();
    static std::string allocator_sentence();
    /// Conditions: the parameter applies to the topology, or to the routing.
    static hw::Condition topology_reads(std::string_view parameter);
    static hw::Condition routing_reads(std::string_view parameter);
    static hw::Condition has_routers() { return hw::when("network.model").is("wormhole"); }
    /// Condition: the routers' stages and arbiters can be chosen, as in all routers except
    /// dynamic_node.
    static hw::Condition has_free_routers() {
        return has_routers() && hw::when("network.router").is_not("dynamic_node");
    }
    [[nodiscard]] std::optional<Fault> shape_fault() const;
    [[nodiscard]] std::optional<Fault> width_fault() const;
    [[nodiscard]] std::optional<Fault> routing_fault() const;
    [[nodiscard]] bool has_like_buffers() const;
};

}  // namespace weir::network
