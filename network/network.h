#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/clock/clock_tiles.h"
#include "hw/controller/controller.h"
#include "hw/controller/message_controller.h"
#include "hw/dma/dma_engine.h"
#include "hw/fault.h"
#include "hw/messages/message_pool.h"
#include "hw/statistics.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/faults/fault_log.h"
#include "network/faults/fault_parameters.h"
#include "network/network_parameters.h"

namespace weir::network {

/// What fails in which cycle, for who runs the machine: it stops before each such cycle, and has
/// what is due done between the cycles, so that the order of ticks doesn't matter.
class FaultSchedule {
  public:
    using Failure = std::function<void(hw::Cycles)>;

    void add(hw::Cycles cycle, Failure failure) { failures_.emplace(cycle, std::move(failure)); }
    /// The first cycle in which something fails that has not yet; kNever when all has.
    [[nodiscard]] hw::Cycles next() const {
        return failures_.empty() ? hw::kNever : failures_.begin()->first;
    }
    /// Has all fail that does so by this cycle, whose ticks are still to come.
    void fail_by(hw::Cycles cycle) {
        while (next() <= cycle) {
            const auto first = failures_.extract(failures_.begin());
            first.mapped()(first.key());
        }
    }

  private:
    std::multimap<hw::Cycles, Failure> failures_;
};

class Routing;

/// What a node's message controller is made of.
struct ControllerSite {
    hw::ClockDomain& domain;
    hw::MessagePool& messages;
    hw::NodeId node;
    std::int32_t node_count;
    const hw::ControllerParameters& controller;
    const hw::DmaParameters& dma;
    hw::MessageController::Traces traces;
};

/// What a machine needs of what carries its messages, of whichever model: the controller that goes
/// with it at each node, and what can be said of all between them.
class Network {
  public:
    Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    virtual ~Network() = default;

    /// The node's end of the network; once for each node, before the run, where the controller is
    /// to stand among SystemC's modules.
    [[nodiscard]] virtual std::unique_ptr<hw::Controller> make_controller(
        const ControllerSite& site) = 0;

    /// Once, after the run.
    virtual void end_of_run(hw::Cycles /*now*/) {}
    virtual void add_to(hw::ConservationAccount& /*account*/) const {}
    virtual void add_statistics(std::vector<hw::PartStatistics>& /*statistics*/) const {}
    /// `core_name`: of the core at a node.
    using CoreName = std::function<std::string(hw::NodeId)>;
    virtual void report_waits(hw::WaitReport& /*report*/, const CoreName& /*core_name*/) const {}
    /// What waits at the node's end, whose name it returns; nothing where the network has no part
    /// of its own there.
    [[nodiscard]] virtual std::string report_end_waits(hw::NodeId /*node*/,
                                                       const std::string& /*controller_input*/,
                                                       hw::WaitReport& /*report*/) const {
        return {};
    }
    /// What its waits between channels can be compared with; nothing where all of it is known to be
    /// free of deadlock (a plain mesh), and where there are no channels.
    [[nodiscard]] virtual const Routing* routing() const { return nullptr; }
    /// Adds what of its channels fails while the machine runs; once, before the run.
    virtual void add_failures(FaultSchedule& /*schedule*/) {}
    /// The node's end takes and sends nothing any more; between cycles.
    virtual void fail_end(hw::NodeId /*node*/, hw::Cycles /*now*/) {}
    /// What faults of its hardware have done so far; nothing where none can.
    [[nodiscard]] virtual const FaultLog* fault_log() const { return nullptr; }
    /// A message that this network can't take, for the user, after the run that it ended.
    [[nodiscard]] virtual std::optional<hw::Fault> fault() const { return std::nullopt; }

    // Of a network without routers nothing.
    /// Flits through routers so far: one flit through one router is one, the source's router
    /// included.
    [[nodiscard]] virtual std::int64_t flit_hops() const { return 0; }
    /// Flits in channels now.
    [[nodiscard]] virtual hw::Flits flits_in_flight() const { return hw::Flits(0); }
    [[nodiscard]] virtual std::vector<FlitChannel*> all_channels() { return {}; }
    /// The physical channels between routers, in the order of the topology's; of a network with
    /// nodes beside its switches those into and out of the nodes too. "(7,0) +x", as
    /// Topology::channel_name() says it.
    [[nodiscard]] virtual std::vector<std::string> channel_names() const { return {}; }
    /// What each has seen through a cycle, between it and the next.
    [[nodiscard]] virtual std::vector<ChannelCount> channel_counts(hw::Cycles /*through*/) const {
        return {};
    }
};

/// What a network is put into.
struct NetworkSurroundings {
    /// Several tiles only where runs_in_tiles().
    hw::ClockTiles& clock;
    hw::MessagePool& messages;
    std::int64_t nodes;
    hw::Cycles launch_cycles;
    std::uint64_t seed;
    const FaultParameters& faults = no_faults();
    /// A RoutedNetwork also where a MeshNetwork is the same and faster.
    bool routes_plain_meshes = false;
};

/// Whether the network of such a machine can be emulated in several tiles.
[[nodiscard]] bool runs_in_tiles(const NetworkParameters& parameters, const FaultParameters& faults,
                                 bool routes_plain_meshes = false);

/// The network that network.model names, of checked parameters. Throws PlanFault.
[[nodiscard]] std::unique_ptr<Network> make_network(const NetworkParameters& parameters,
                                                    const NetworkSurroundings& surroundings);

/// Tells a trace what each channel of a network sees, interval by interval.
class ChannelSampler {
  public:
    /// Both must stay. The trace is told the channels' names.
    ChannelSampler(const Network& network, hw::Cycles interval, hw::TraceSink& trace);

    /// Of the present interval.
    [[nodiscard]] hw::Cycles last_cycle() const { return begin_ + interval_ - hw::Cycles(1); }
    /// It ends with `last`, which is no later and has passed; the next one begins. Between cycles.
    void end_interval(hw::Cycles last);

  private:
    const Network& network_;
    hw::Cycles interval_;
    hw::TraceSink& trace_;
    hw::Cycles begin_{0};
    std::vector<ChannelCount> counts_;  // through the intervals before
};

}  // namespace weir::network
