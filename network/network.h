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

/// Failures of parts and their cycles. The machine stops before each such cycle and applies the
/// failures between two cycles, so that results do not depend on the tick order.
class FaultSchedule {
  public:
    using Failure = std::function<void(hw::Cycles)>;

    void add(hw::Cycles cycle, Failure failure) { failures_.emplace(cycle, std::move(failure)); }
    /// First cycle with a failure that has not been applied; kNever when none is left.
    [[nodiscard]] hw::Cycles next() const {
        return failures_.empty() ? hw::kNever : failures_.begin()->first;
    }
    /// Leaves out the failures of cycles up to `cycle`.
    void forget_through(hw::Cycles cycle) {
        failures_.erase(failures_.begin(), failures_.upper_bound(cycle));
    }
    /// Applies all failures of cycles up to `cycle`, whose ticks have not run yet.
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

/// Constructor arguments of a node's message controller.
struct ControllerSite {
    hw::ClockDomain& domain;
    hw::MessagePool& messages;
    hw::NodeId node;
    std::int32_t node_count;
    const hw::ControllerParameters& controller;
    const hw::DmaParameters& dma;
    hw::MessageController::Traces traces;
};

/// The machine's interface to its interconnection network, whichever model that is: the controller
/// at each node, and counters of the whole network.
class Network {
  public:
    Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    virtual ~Network() = default;

    /// Makes the node's controller, with its network interface. To be called once for each node
    /// before the run, in the scope of the node's SystemC module.
    [[nodiscard]] virtual std::unique_ptr<hw::Controller> make_controller(
        const ControllerSite& site) = 0;

    /// Brings the state of all parts to that of the flit-by-flit emulation; to be called between
    /// cycles, before a part's state is read directly.
    virtual void settle() const {}
    /// Completes statistics and traces; to be called once, after the run.
    virtual void end_of_run(hw::Cycles /*now*/) {}
    virtual void add_to(hw::ConservationAccount& /*account*/) const {}
    virtual void add_statistics(std::vector<hw::PartStatistics>& /*statistics*/) const {}
    /// Returns the name of the core at a node.
    using CoreName = std::function<std::string(hw::NodeId)>;
    virtual void report_waits(hw::WaitReport& /*report*/, const CoreName& /*core_name*/) const {}
    /// Reports the waits of the node's network interface, and returns the interface's name; an
    /// empty name if the network has no interface at the node.
    [[nodiscard]] virtual std::string report_end_waits(hw::NodeId /*node*/,
                                                       const std::string& /*controller_input*/,
                                                       hw::WaitReport& /*report*/) const {
        return {};
    }
    /// Routing whose channel dependencies are compared with the waits between channels. It is null
    /// for a plain mesh, which is known to be deadlock-free, and for a network without channels.
    [[nodiscard]] virtual const Routing* routing() const { return nullptr; }
    /// Adds the failures of the network's channels during the run to the schedule; to be called
    /// once, before the run.
    virtual void add_failures(FaultSchedule& /*schedule*/) {}
    /// Takes over the entries after cycle `now` of lists of single flits' faults, which have
    /// changed in the parameters; to be called between cycles.
    virtual void renew_faults_after(hw::Cycles /*now*/) {}
    /// Makes the node's network interface fail: it accepts and sends no more flits; to be called
    /// between cycles.
    virtual void fail_end(hw::NodeId /*node*/, hw::Cycles /*now*/) {}
    /// Effects of hardware faults so far; null if the network has no faults.
    [[nodiscard]] virtual const FaultLog* fault_log() const { return nullptr; }
    /// Fault, for the user, of a message that this network could not carry and that ended the run;
    /// nullopt without such a message.
    [[nodiscard]] virtual std::optional<hw::Fault> fault() const { return std::nullopt; }

    // Networks without routers keep the defaults of the following functions.
    /// Number of flit hops so far: a flit through a router is one hop, also through the source's
    /// router.
    [[nodiscard]] virtual std::int64_t flit_hops() const { return 0; }
    /// Flits in channels and routers now.
    [[nodiscard]] virtual hw::Flits flits_in_flight() const { return hw::Flits(0); }
    [[nodiscard]] virtual std::vector<FlitChannel*> all_channels() { return {}; }
    /// Names of the physical channels in the topology's order, for example "(7,0) +x", as in
    /// Topology::channel_name(). RoutedNetwork includes the channels into and out of the nodes; the
    /// emulations of a plain mesh leave them out.
    [[nodiscard]] virtual std::vector<std::string> channel_names() const { return {}; }
    /// Flits and header waits of each of channel_names() up to and including cycle `through`; to be
    /// called between this cycle and the next.
    [[nodiscard]] virtual std::vector<ChannelCount> channel_counts(hw::Cycles /*through*/) const {
        return {};
    }
};

/// Parts and settings of the machine around its network.
struct NetworkSurroundings {
    /// More than one tile is allowed only if runs_worm_by_worm().
    hw::ClockTiles& clock;
    hw::MessagePool& messages;
    std::int64_t nodes;
    hw::Cycles launch_cycles;
    std::uint64_t seed;
    const FaultParameters& faults = no_faults();
    /// True to build a RoutedNetwork even for a plain mesh, where MeshNetwork gives equal results
    /// faster.
    bool routes_plain_meshes = false;
};

/// True if the network of these parameters is emulated worm by worm: a plain mesh. Such a network
/// can be emulated in several tiles.
[[nodiscard]] bool runs_worm_by_worm(const NetworkParameters& parameters,
                                     const FaultParameters& faults,
                                     bool routes_plain_meshes = false);

/// Creates the network of network.model. The parameters must have passed their checks. Throws
/// PlanFault for a network that can't be built.
[[nodiscard]] std::unique_ptr<Network> make_network(const NetworkParameters& parameters,
                                                    const NetworkSurroundings& surroundings);

/// Reports the flits and header waits of each channel to a trace, once per interval.
class ChannelSampler {
  public:
    /// Reports the channels' names to the trace. `network` and `trace` must outlive this object.
    ChannelSampler(const Network& network, hw::Cycles interval, hw::TraceSink& trace);

    /// Last cycle of the current interval.
    [[nodiscard]] hw::Cycles last_cycle() const { return begin_ + interval_ - hw::Cycles(1); }
    /// Ends the current interval with cycle `last`, at most last_cycle(), and begins the next one;
    /// to be called between cycles, after the ticks of `last`.
    void end_interval(hw::Cycles last);

  private:
    const Network& network_;
    hw::Cycles interval_;
    hw::TraceSink& trace_;
    hw::Cycles begin_{0};
    std::vector<ChannelCount> counts_;  // counts at the end of the previous interval
};

}  // namespace weir::network
