#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"
#include "network/topology/mesh.h"

namespace weir::network {

enum class NetworkModel : std::uint8_t { kWormhole, kDelay, kLogp };
enum class DelayKind : std::uint8_t { kManhattan, kConstant };

struct NetworkParameters : hw::ParameterGroup {
    NetworkParameters() : ParameterGroup("network", "The network between the nodes") {}

    hw::Choice<NetworkModel> model{
        *this,
        "model",
        NetworkModel::kWormhole,
        {{NetworkModel::kWormhole, "wormhole"},
         {NetworkModel::kDelay, "delay"},
         {NetworkModel::kLogp, "logp"}},
        "Routers and worms; or delays only: no contention, unlimited queues (LoPC Section 2); or "
        "latency, gap and finite capacity (LogP Section 3)"};
    hw::Choice<DelayKind> delay{
        *this,
        "delay",
        DelayKind::kManhattan,
        {{DelayKind::kManhattan, "manhattan"}, {DelayKind::kConstant, "constant"}},
        "Of the delay network: hop_cycles a hop, or delay_cycles between any two nodes"};
    hw::Parameter<hw::Cycles> delay_cycles{*this,
                                           "delay_cycles",
                                           6,
                                           {1, 1'000'000},
                                           "Of the delay network when its delay is constant",
                                           "LoPC Section 4.5: about 6 on 32 nodes"};
    hw::Parameter<hw::Cycles> logp_latency_cycles{
        *this,
        "logp_latency_cycles",
        200,
        {1, 1'000'000},
        "Of the logp network: from the end of a launch to the message's arrival (L)",
        "LogP Section 4.1.4: about 6 us on the CM-5, 200 ticks of 33 MHz"};
    hw::Parameter<hw::Cycles> logp_least_latency_cycles{
        *this,
        "logp_least_latency_cycles",
        0,
        {0, 1'000'000},
        "Of the logp network: each latency is drawn uniformly from this to logp_latency_cycles, so "
        "that messages may overtake one another; 0: every latency is logp_latency_cycles",
        "LogP Section 3: latency is unpredictable, but at most L"};
    hw::Parameter<hw::Cycles> logp_gap_cycles{
        *this,
        "logp_gap_cycles",
        132,
        {1, 1'000'000},
        "Of the logp network: least time between two launches of a node, and between two "
        "receptions "
        "at a node (g); at most ceil(L/g) messages are in transit from a node, and to a node",
        "LogP Section 4.1.4: 4 us on the CM-5, 132 ticks of 33 MHz"};
    hw::Parameter<std::vector<std::int64_t>> dimensions{
        *this,
        "dimensions",
        {8, 4},
        {1, 4096},
        "Extent of each dimension of the mesh; x, the first, is routed first",
        "LoGPC Section 3.3: 4 x 8, x is long and lower"};
    hw::Parameter<hw::Bytes> flit_bytes{*this,
                                        "flit_bytes",
                                        2,
                                        {1, 64},
                                        "Bytes a channel moves in a cycle",
                                        "LoGPC Table 2: 2 bytes/cycle, G = 0.5"};
    hw::Parameter<hw::Cycles> hop_cycles{
        *this,
        "hop_cycles",
        1,
        {1, 10'000},
        "From one router's input buffer to the next one's",
        "one whole cycle; 40 ns = 0.8 cycles is recalled of the machine"};
    hw::Parameter<hw::Flits> buffer_flits{*this,
                                          "buffer_flits",
                                          4,
                                          {1, 4096},
                                          "Places in each input buffer of a router",
                                          "assumed; not published"};
    hw::Parameter<hw::Cycles> injection_cycles{
        *this,
        "injection_cycles",
        2,
        {0, 10'000},
        "From the output queue to the router's input buffer",
        "calibrated: the first byte takes 4 + hops, 8 in the mean (LoGPC Table 2)"};
    hw::Parameter<hw::Cycles> ejection_cycles{*this,
                                              "ejection_cycles",
                                              2,
                                              {0, 10'000},
                                              "From the last router to the input queue",
                                              "calibrated, with injection_cycles"};

    hw::Parameter<bool> bulk_advance{*this,
                                     "bulk_advance",
                                     true,
                                     {},
                                     "Streaming worms are advanced in bulk; results never depend "
                                     "on it"};

    hw::Parameter<bool> barrier{*this,
                                "barrier",
                                false,
                                {},
                                "A hardware barrier beside the network: each node has registers to "
                                "arrive at it and to wait for all others",
                                "LogP Section 4.1.4: the CM-5 has one"};
    hw::Parameter<hw::Cycles> barrier_cycles{
        *this,
        "barrier_cycles",
        100,
        {2, 1'000'000},
        "From the arrival of the last node at the hardware barrier to the release of all",
        "assumed: the papers give no figure"};

    [[nodiscard]] std::optional<Fault> check() const override;
    [[nodiscard]] std::int64_t node_count() const;
    [[nodiscard]] std::vector<std::int32_t> extents() const;
};

/// What a message's trip costs when nothing is in its way.
struct UnloadedTrip {
    std::int32_t hops;
    hw::Cycles header_cycles;  ///< launch to the last header flit in the input queue
};

/// The unloaded trips of a network, in closed form: injection, a hop's cycles for each hop (or the
/// delay network's constant), ejection, and a cycle for each header flit after the first. With
/// one-flit router buffers header flits follow each other only every other cycle; what that adds is
/// not in here, and so counts as contention.
class UnloadedTrips {
  public:
    /// The mesh must stay.
    UnloadedTrips(const NetworkParameters& parameters, const Mesh& mesh);
    [[nodiscard]] UnloadedTrip between(hw::NodeId source, hw::NodeId destination) const;

  private:
    const Mesh* mesh_;
    hw::Cycles hop_cycles_;
    std::optional<hw::Cycles> constant_;
    hw::Cycles edge_cycles_;
};

}  // namespace weir::network
