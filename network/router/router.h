#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/fault.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/routers_passed.h"
#include "network/faults/fault_log.h"
#include "network/flit.h"
#include "network/router/allocator.h"
#include "network/router/flow_control.h"
#include "network/router/message_ages.h"
#include "network/routing/routing.h"

namespace weir::network {

struct NetworkParameters;

/// A router of a Fabric, of any microarchitecture: takes flits out of the channels that end at its
/// input ports and sends them into those that begin at its output ports, each message by a way that
/// the routing allows. A port has as many lanes as its link has virtual channels, a channel each.
///
/// A header that nothing holds up leaves routing_cycles + vc_allocation_cycles after it could be
/// seen in the input lane (with store and forward: after its tail could), or RouterKind's
/// turn_cycles later, and an output port sends a flit every flit_cycles: what the messages'
/// unloaded times are told by (RoutedTrips).
///
/// Behind faulty channels: a flit that follows no header is thrown away. A header behind a message
/// whose tail was lost ends that message, in this router alone: the output it had is free again.
class Router : public sc_core::sc_module, public hw::ClockedPart {
  public:
    struct Design {
        hw::Cycles routing_cycles{0};
        hw::Cycles vc_allocation_cycles{0};
        hw::Cycles flit_cycles{1};
        Switching switching = Switching::kWormhole;
        Arbitration arbitration = Arbitration::kRoundRobin;
        OutputBinding output_binding = OutputBinding::kGranted;
        const AllocatorKind* allocator = allocator_kinds().front();
        Reallocation reallocation = Reallocation::kTail;
        /// Escapes are asked for only where no other output is free; else with the others.
        bool escapes_last = true;

        /// The room that a buffer of so many places must have before it goes to a message; 0 where
        /// it goes to one without room.
        [[nodiscard]] hw::Flits room_for(const Flit& header, hw::Flits places) const {
            if (reallocation == Reallocation::kTailCredit) {
                return places;
            }
            if (switching == Switching::kWormhole && reallocation == Reallocation::kTail) {
                return hw::Flits(output_binding == OutputBinding::kHeaderSent ? 1 : 0);
            }
            sc_assert(header.message_flits > 0);
            return std::min(hw::Flits(header.message_flits), places);
        }
    };

    /// Where in the network it is: the switch of the routing's topology, with so many ports of
    /// `lanes` lanes each, and so many flits in a lane's buffer.
    struct Site {
        const Routing& routing;
        std::size_t vertex;
        int port_count;
        int lanes;
        hw::Flits buffer;
        MessageAges& ages;
        FaultLog* faults = nullptr;  ///< of a network of which something can fail
    };

    struct Statistics : hw::StatisticsGroup {
        hw::Counter flits_forwarded{*this, "flits_forwarded",
                                    "Flits sent on to another router or "
                                    "to the node's network interface"};
        hw::Counter headers_routed{*this, "headers_routed", "Messages that were given an output"};
    };

    enum class Behind : std::uint8_t { kRouter, kNode };
    /// Ports and lanes may stay unconnected. Every lane to a node serves any message for it.
    virtual void connect_input(int port, int lane, Behind behind, FlitChannel& channel) = 0;
    virtual void connect_output(int port, int lane, Behind behind, FlitChannel& channel) = 0;

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Flits that it has taken out of its input lanes and not sent yet.
    [[nodiscard]] virtual hw::Flits held() const { return hw::Flits(0); }
    virtual void report_waits(hw::WaitReport& report) const = 0;
    /// Has it count each message that it gives an output; before the run. `passed` must outlive it.
    void count_passed_in(RoutersPassed& passed) { passed_ = &passed; }

  protected:
    Router(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Site& site)
        : sc_module(name), ClockedPart(domain), vertex_(site.vertex) {}

    /// A message is given an output.
    void note_routed(hw::MessageSlot message, hw::Cycles now) {
        statistics_.headers_routed += 1;
        if (passed_ != nullptr) [[unlikely]] {
            passed_->count(message, {vertex_, now});
        }
    }

    Statistics statistics_;

  private:
    std::size_t vertex_;
    RoutersPassed* passed_ = nullptr;  // where somebody asks for it
};

/// What one kind of router is alone.
struct RouterTraits {
    /// Why parameters can't have it; null: nothing is in the way.
    std::optional<hw::Fault> (*fault)(const NetworkParameters& parameters) = nullptr;
    /// What a header that nothing holds up takes more from an input to an output; null: 0.
    hw::Cycles (*turn_cycles)(int input, int output) = nullptr;
};

/// A microarchitecture: what network.router can name.
class RouterKind {
  public:
    using Make = std::unique_ptr<Router> (*)(const sc_core::sc_module_name& name,
                                             hw::ClockDomain& domain, const Router::Site& site,
                                             const Router::Design& design);
    RouterKind(std::string name, std::string sentence, Make make_router, RouterTraits traits = {})
        : name_(std::move(name)),
          sentence_(std::move(sentence)),
          make_(make_router),
          traits_(traits) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    [[nodiscard]] const RouterTraits& traits() const { return traits_; }
    [[nodiscard]] std::unique_ptr<Router> make(const sc_core::sc_module_name& name,
                                               hw::ClockDomain& domain, const Router::Site& site,
                                               const Router::Design& design) const {
        return make_(name, domain, site, design);
    }

  private:
    std::string name_;
    std::string sentence_;
    Make make_;
    RouterTraits traits_;
};

/// All of them; the first is the one that is taken unless another is named.
[[nodiscard]] const std::vector<const RouterKind*>& router_kinds();

}  // namespace weir::network
