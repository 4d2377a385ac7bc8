#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/clock_domain.h"
#include "hw/message.h"
#include "hw/parameter.h"
#include "hw/statistics.h"
#include "hw/wait_report.h"
#include "network/flit_channel.h"
#include "network/network_interface.h"
#include "network/topology.h"
#include "network/wormhole_router.h"

namespace weir::network {

struct NetworkParameters : hw::ParameterGroup {
    NetworkParameters() : ParameterGroup("network", "The wormhole mesh between the nodes") {}

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
        {1, 10'000},
        "From the output queue to the router's input buffer",
        "calibrated: the first byte takes 4 + hops, 8 in the mean (LoGPC Table 2)"};
    hw::Parameter<hw::Cycles> ejection_cycles{*this,
                                              "ejection_cycles",
                                              2,
                                              {1, 10'000},
                                              "From the last router to the input queue",
                                              "calibrated, with injection_cycles"};

    [[nodiscard]] std::optional<Fault> check() const override;
    [[nodiscard]] std::int64_t node_count() const;
};

/// The mesh: routers, channels and network interfaces, wired after the topology's graph.
class MeshNetwork final : public sc_core::sc_module {
  public:
    MeshNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                const NetworkParameters& parameters, hw::MessagePool& messages);

    [[nodiscard]] std::int32_t node_count() const { return mesh_.node_count(); }
    [[nodiscard]] const Mesh& mesh() const { return mesh_; }
    NetworkInterface& interface(hw::NodeId node) {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }
    [[nodiscard]] const NetworkInterface& interface(hw::NodeId node) const {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }

    /// Launch to the last header flit in the input queue with nothing in the way, in closed form.
    [[nodiscard]] NetworkInterface::UnloadedTrip unloaded_trip(hw::NodeId source,
                                                               hw::NodeId destination) const;

    /// Flits in channels now.
    [[nodiscard]] hw::Flits flits_in_flight() const;
    [[nodiscard]] const std::deque<FlitChannel>& channels() const { return channels_; }
    std::deque<FlitChannel>& channels() { return channels_; }
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const;
    void report_waits(hw::WaitReport& report) const;

  private:
    Mesh mesh_;
    std::vector<std::vector<std::int32_t>> distances_;
    hw::Cycles hop_cycles_;
    hw::Cycles edge_cycles_;
    hw::Flits header_flits_;
    std::deque<FlitChannel> channels_;
    std::vector<std::unique_ptr<WormholeRouter>> routers_;
    std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
};

}  // namespace weir::network
