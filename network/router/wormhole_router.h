#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/topology/lattice_places.h"
#include "network/topology/mesh.h"

namespace weir::network {

/// A router's output port towards each node, for dimension-order routing: a small table for each
/// dimension, with one byte per coordinate. The first table whose entry is not kLevel gives the
/// port. A table over all nodes would fill the host's caches on a large mesh (16 MB on 64 x 64).
class RouteTable {
  public:
    /// Table of the router at `node`, lowest dimension first. `places` are the coordinates of the
    /// mesh's routers.
    RouteTable(std::shared_ptr<const LatticePlaces> places, const Mesh& mesh, hw::NodeId node);
    /// Table with the output ports towards nodes 0, 1, ...
    RouteTable(std::initializer_list<std::uint8_t> ports);

    [[nodiscard]] std::uint8_t operator[](std::size_t destination) const {
        const std::size_t dimensions = places_->dimensions();
        const std::uint16_t* place = places_->of(destination);
        const std::uint8_t* table = ports_.data();
        for (std::size_t d = 0; d < dimensions; ++d) {
            const std::uint8_t port = table[place[d]];
            if (port != kLevel) {
                return port;
            }
            table += extent_;
        }
        return last_port_;
    }

  private:
    static constexpr std::uint8_t kLevel = 0xff;

    std::shared_ptr<const LatticePlaces> places_;
    std::vector<std::uint8_t> ports_;  // one table for each dimension, of `extent_` entries
    std::uint32_t extent_ = 0;         // extent of the longest dimension
    std::uint8_t last_port_ = 0;
};

/// A wormhole router: as many input buffers as output channels, and a crossbar between them.
///
/// In a cycle, in this order:
///  1. Each header flit at the head of an input buffer requests the output of its route.
///  2. Each free output with requests is granted to one input, round robin from the one after the
///     last winner. The output stays with this input until the tail has passed.
///  3. Each input that holds an output sends a flit if it has a flit and a credit.
///
/// A flit is in the next input buffer after the link's cycles; this is the whole cost of a hop.
/// Inputs and credits have their state of the beginning of the cycle. A router whose flits can't
/// move sleeps until a flit or a credit arrives.
class WormholeRouter final : public sc_core::sc_module, public hw::ClockedPart {
  public:
    WormholeRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain, int port_count,
                   RouteTable route);

    /// Ports without a channel (at a mesh's edge) stay unconnected.
    void connect_input(int port, FlitChannel& channel);
    void connect_output(int port, FlitChannel& channel);

    void tick(hw::Cycles now) override;

    struct Statistics : hw::StatisticsGroup {
        hw::Counter flits_forwarded{*this, "flits_forwarded",
                                    "Flits sent on to another router or "
                                    "to the node's network interface"};
        hw::Counter headers_routed{*this, "headers_routed", "Messages that were given an output"};
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    void report_waits(hw::WaitReport& report) const;

  private:
    static constexpr std::int8_t kNone = -1;

    // Input and output with the same number, adjacent, so that a router's state takes few lines of
    // the host's cache.
    struct Port {
        FlitChannel* in = nullptr;
        FlitChannel* out = nullptr;
        const hw::ClockedPart* receiver = nullptr;  // part that takes the flits sent by `out`
        std::uint32_t requests = 0;   // inputs that request the output in this cycle, one bit each
        std::int8_t output = kNone;   // output that the input holds from header to tail
        std::int8_t owner = kNone;    // input that holds the output
        std::int8_t last_winner = 0;  // input
    };
    [[nodiscard]] const Port& port(int number) const { return ports_[number]; }
    Port& port(int number) { return ports_[number]; }

    // Sets of inputs and outputs have one bit per port.
    [[nodiscard]] std::uint32_t inputs_with_a_flit(hw::Cycles now) const;
    std::uint32_t route_headers(std::uint32_t inputs, hw::Cycles now);
    void allocate_outputs(std::uint32_t asked_for, hw::Cycles now);
    bool send_flits(std::uint32_t inputs, hw::Cycles now);

    std::uint32_t occupied_inputs_ = 0;  // inputs to which a flit has come or is in flight
    std::uint32_t holding_inputs_ = 0;   // inputs that hold an output, from header to tail
    std::vector<Port> ports_;
    RouteTable route_;
    Statistics statistics_;
};

}  // namespace weir::network
