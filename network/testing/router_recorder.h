#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/testing/twin/port_recording.h"
#include "hw/testing/twin/twin.h"
#include "network/mesh_network.h"
#include "network/network_parameters.h"
#include "network/routed_network.h"
#include "network/router/router_twin.h"
#include "network/testing/channel_observer.h"

namespace weir::network::testing {

/// Ports of wormhole_router.sv and virtual_channel_router.sv, in their order.
enum RouterPort : std::uint8_t {
    kPlace,
    kInPut,
    kInFlit,
    kInCredit,
    kOutPut,
    kOutFlit,
    kOutCredit
};

/// Records the ports of all routers of a mesh, in all cycles from 0 to `last`. It is a part of the
/// network's clock domain, and only observes the channels at the end of each cycle.
class RouterRecorder final : public hw::ClockedPart {
  public:
    RouterRecorder(hw::ClockDomain& domain, MeshNetwork& network,
                   const NetworkParameters& parameters, hw::Cycles last)
        : RouterRecorder(domain, parameters, 1, last) {
        auto channel = network.channels().begin();
        const TopologyGraph& graph = network.mesh().graph();
        for (const auto edge : channels_of(graph)) {
            add_link({source(edge, graph), graph[edge].output_port},
                     {target(edge, graph), graph[edge].input_port}, {&*channel++});
        }
        for (std::size_t router = 0; router < routers_.size(); ++router) {
            add_injection({router, node_port()}, {&*channel++});
            add_ejection({router, node_port()}, {&*channel++});
        }
    }
    /// The network must be emulated flit by flit.
    RouterRecorder(hw::ClockDomain& domain, RoutedNetwork& network,
                   const NetworkParameters& parameters, hw::Cycles last)
        : RouterRecorder(domain, parameters, network.plan().routing().virtual_channels(), last) {
        const Topology& topology = network.plan().topology();
        const TopologyGraph& graph = topology.graph();
        for (const Fabric::Link& link : network.fabric(0).links()) {
            const Port from{source(link.channel, graph), graph[link.channel].output_port};
            const Port to{target(link.channel, graph), graph[link.channel].input_port};
            if (topology.is_injection(link.channel)) {
                add_injection(to, link.vcs);
            } else if (topology.is_ejection(link.channel)) {
                add_ejection(from, link.vcs);
            } else {
                add_link(from, to, link.vcs);
            }
        }
    }

    void tick(hw::Cycles now) override {
        domain().after_ticks(*this);
        if (now < last_) {
            wake_at(now + hw::Cycles(1));
        }
    }
    void end_of_cycle(hw::Cycles /*now*/) override {
        for (ObservedChannel& channel : channels_) {
            channel.observer.end_of_cycle();
            if (channel.sender) {
                record(channel, *channel.sender, kOutPut, kOutFlit, kOutCredit);
            }
            if (channel.receiver) {
                record(channel, *channel.receiver, kInPut, kInFlit, kInCredit);
            }
        }
        for (hw::twin::PortRecording& router : routers_) {
            router.end_cycle();
        }
    }

    /// A recording for each router, in the order of the nodes.
    [[nodiscard]] const std::vector<hw::twin::PortRecording>& routers() const { return routers_; }
    /// Flits that the routers have sent.
    [[nodiscard]] std::int64_t flits() const { return flits_; }
    /// Wires of a mesh of twins, in place of the recorded inputs from neighbours.
    [[nodiscard]] const std::vector<hw::twin::Wire>& wires() const { return wires_; }

  private:
    struct Port {
        std::size_t router;
        int port;
    };
    struct ObservedChannel {
        ChannelObserver observer;
        std::optional<Port> sender;
        std::optional<Port> receiver;
        int vc;
    };

    RouterRecorder(hw::ClockDomain& domain, const NetworkParameters& parameters, int vcs,
                   hw::Cycles last)
        : ClockedPart(domain),
          code_{8 * static_cast<int>(parameters.flit_bytes.value().count()),
                coordinate_bits(parameters), parameters.extents()},
          ports_(2 * static_cast<int>(code_.extents.size()) + 1),
          vcs_(vcs),
          last_(last) {
        using hw::twin::Direction;
        const int channels = ports_ * vcs;
        const int flit_bits = ports_ * code_.bits();
        for (std::int64_t i = 0; i < parameters.node_count(); ++i) {
            routers_.emplace_back(
                std::vector<hw::twin::Port>{{"place", code_.place_bits(), Direction::kInput},
                                            {"in_put", channels, Direction::kInput},
                                            {"in_flit", flit_bits, Direction::kInput},
                                            {"in_credit", channels, Direction::kOutput},
                                            {"out_put", channels, Direction::kOutput},
                                            {"out_flit", flit_bits, Direction::kOutput},
                                            {"out_credit", channels, Direction::kInput}});
            routers_.back().set_always(kPlace, code_.place_of(static_cast<std::uint32_t>(i)));
        }
        wake_at(hw::Cycles(0));
    }

    using Channels = std::vector<FlitChannel*>;
    [[nodiscard]] int node_port() const { return ports_ - 1; }
    void add(std::optional<Port> sender, std::optional<Port> receiver, const Channels& vcs) {
        for (int vc = 0; vc < static_cast<int>(vcs.size()); ++vc) {
            channels_.push_back({ChannelObserver(*vcs[vc]), sender, receiver, vc});
        }
    }
    void add_injection(Port to, const Channels& vcs) { add({}, to, vcs); }
    void add_ejection(Port from, const Channels& vcs) { add(from, {}, vcs); }
    void add_link(Port from, Port to, const Channels& vcs) {
        add(from, to, vcs);
        const auto wire = [this](std::size_t source, RouterPort output, int output_bit,
                                 std::size_t target, RouterPort input, int input_bit, int bits) {
            wires_.push_back({{source, output, output_bit}, {target, input, input_bit}, bits});
        };
        wire(from.router, kOutPut, from.port * vcs_, to.router, kInPut, to.port * vcs_, vcs_);
        wire(from.router, kOutFlit, from.port * code_.bits(), to.router, kInFlit,
             to.port * code_.bits(), code_.bits());
        wire(to.router, kInCredit, to.port * vcs_, from.router, kOutCredit, from.port * vcs_, vcs_);
    }

    void record(const ObservedChannel& channel, Port at, RouterPort put, RouterPort flit,
                RouterPort credit) {
        hw::twin::PortRecording& router = routers_[at.router];
        if (channel.observer.has_sent()) {
            router.set(put, 1, at.port * vcs_ + channel.vc, 1);
            code_.write(router, flit, at.port * code_.bits(), channel.observer.flit(),
                        channel.observer.index());
            flits_ += put == kOutPut ? 1 : 0;
        }
        if (channel.observer.has_taken()) {
            router.set(credit, 1, at.port * vcs_ + channel.vc, 1);
        }
    }

    FlitCode code_;
    int ports_;
    int vcs_;
    hw::Cycles last_;
    std::vector<hw::twin::PortRecording> routers_;
    std::vector<ObservedChannel> channels_;
    std::vector<hw::twin::Wire> wires_;
    std::int64_t flits_ = 0;
};

}  // namespace weir::network::testing
