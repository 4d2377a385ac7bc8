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

/// A router's output port towards each node. In dimension order it is a small table a dimension, of
/// which the first that does not say "level" counts: a byte for each coordinate, where a table over
/// all nodes would fill the host's caches on a large mesh (16 MB on 64 x 64).
class RouteTable {
  public:
    /// Of the router at `node`, lowest dimension first; `places` are the mesh's.
    RouteTable(std::shared_ptr<const LatticePlaces> places, const Mesh& mesh, hw::NodeId node);
    /// The port towards node 0, 1, ...
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
    std::vector<std::uint8_t> ports_;  // dimension by dimension, each of `extent_` coordinates
    std::uint32_t extent_ = 0;         // the longest
    std::uint8_t last_port_ = 0;
};

/// A wormhole router: as many input buffers as output channels, a crossbar between them.
///
/// In a cycle, in this order:
///  1. every header flit at the head of an input buffer asks for the output its route names;
///  2. every free output that is asked for goes to one input, round robin from the one after the
///     last winner, and stays that input's until the tail has passed;
///  3. every input that holds an output, has a flit and a credit sends it.
/// A flit is in the next input buffer after the link's cycles; that is the whole cost of a hop.
/// Inputs and credits are seen as they stood when the cycle began. A router whose flits can't move
/// sleeps until a flit or a credit arrives.
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

    // Input and output of one number, side by side: a router's state is few lines of the host's
    // cache.
    struct Port {
        FlitChannel* in = nullptr;
        FlitChannel* out = nullptr;
        const hw::ClockedPart* receiver = nullptr;  // of the output
        std::uint32_t requests = 0;                 // for the output in this cycle, a bit an input
        std::int8_t output = kNone;                 // that the input holds from header to tail
        std::int8_t owner = kNone;                  // the input that holds the output
        std::int8_t last_winner = 0;                // of the output
    };
    [[nodiscard]] const Port& port(int number) const { return ports_[number]; }
    Port& port(int number) { return ports_[number]; }

    // Sets of inputs and of outputs have a bit a port.
    [[nodiscard]] std::uint32_t inputs_with_a_flit(hw::Cycles now) const;
    std::uint32_t route_headers(std::uint32_t inputs, hw::Cycles now);
    void allocate_outputs(std::uint32_t asked_for, hw::Cycles now);
    bool send_flits(std::uint32_t inputs, hw::Cycles now);

    std::uint32_t occupied_inputs_ = 0;  // a flit has arrived, or is on its way
    std::uint32_t holding_inputs_ = 0;   // holds an output, from header to tail
    std::vector<Port> ports_;
    RouteTable route_;
    Statistics statistics_;
};

}  // namespace weir::network
