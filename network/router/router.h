#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// A router of a Fabric, of any microarchitecture. It takes flits from the channels at its input
/// ports and sends them into the channels at its output ports. Each message takes an output that
/// the routing allows. A port has one FlitChannel for each virtual channel of its link.
///
/// An uncontended header leaves routing_cycles + vc_allocation_cycles after it has become visible
/// in the input virtual channel, or RouterKind's turn_cycles later. With store-and-forward this
/// time counts from the cycle in which the tail has become visible. An output port sends a flit
/// every flit_cycles. RoutedTrips computes the messages' unloaded times from these rules.
///
/// Behind faulty channels, a flit without a header is discarded. A header behind a message whose
/// tail was lost ends this message in this router only, and frees its output.
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
        /// True: escape channels are requested only if no other output is free. False: escape
        /// channels are requested together with the others.
        bool escapes_last = true;

        /// Room that a buffer of `places` slots needs before it is given to a message; 0 if none is
        /// needed.
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

    /// Position in the network: the switch of the routing's topology, with `port_count` ports of
    /// `vcs` virtual channels each, and `buffer` flits in each buffer.
    struct Site {
        const Routing& routing;
        std::size_t vertex;
        int port_count;
        int vcs;
        hw::Flits buffer;
        MessageAges& ages;
        /// log of discarded flits; may be null if no channel loses or flips flits
        FaultLog* faults = nullptr;
    };

    struct Statistics : hw::StatisticsGroup {
        hw::Counter flits_forwarded{*this, "flits_forwarded",
                                    "Flits sent on to another router or "
                                    "to the node's network interface"};
        hw::Counter headers_routed{*this, "headers_routed", "Messages that were given an output"};
    };

    enum class Behind : std::uint8_t { kRouter, kNode };
    /// Ports and virtual channels may stay unconnected. Each virtual channel to a node may carry
    /// any message for it.
    virtual void connect_input(int port, int vc, Behind behind, FlitChannel& channel) = 0;
    virtual void connect_output(int port, int vc, Behind behind, FlitChannel& channel) = 0;

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Flits taken from the inputs and not yet sent.
    [[nodiscard]] virtual hw::Flits held() const { return hw::Flits(0); }
    virtual void report_waits(hw::WaitReport& report) const = 0;
    /// Counts this router for each message that it grants an output. To be called before the run,
    /// with an object that outlives this one.
    void count_passed_in(RoutersPassed& passed) { passed_ = &passed; }
    /// Notification of the lot that a message has after the choice of its route
    /// (Routing::choice_at).
    using RouteChosen = std::function<void(hw::MessageSlot message, int lot)>;
    /// To be called before the run.
    void set_route_chosen(RouteChosen told) { route_chosen_ = std::move(told); }

  protected:
    Router(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Site& site)
        : sc_module(name),
          ClockedPart(domain),
          vertex_(site.vertex),
          routing_by_queues_(site.routing.chooses_by_queues() ? &site.routing : nullptr) {}

    /// Flits that wait for an output port, in the state of the beginning of the cycle. They are
    /// those in the router's queue for it, and those sent whose credits have not returned. Needed
    /// by routers that call choose_route().
    [[nodiscard]] virtual hw::Flits queue_at(int /*port*/, hw::Cycles /*now*/) const {
        sc_assert(false);
        return hw::Flits(0);
    }
    /// Chooses the route of the message whose header is at the front of the injection channel, if
    /// the routing chooses by queues. To be called once per message, before the header is routed.
    void choose_route(FlitChannel& injection, hw::Cycles now) {
        if (routing_by_queues_ != nullptr) [[unlikely]] {
            choose_by_queues(injection, now);
        }
    }

    /// Counts a message that is granted an output.
    void note_routed(hw::MessageSlot message, hw::Cycles now) {
        statistics_.headers_routed += 1;
        if (passed_ != nullptr) [[unlikely]] {
            passed_->count(message, {vertex_, now});
        }
    }

    Statistics statistics_;

  private:
    [[gnu::noinline]] void choose_by_queues(FlitChannel& injection, hw::Cycles now) {
        const Flit& header = injection.front();
        const auto choice = routing_by_queues_->choice_at(vertex_, header.destination, header.lot);
        if (!choice) {
            return;
        }
        injection.set_front_lot(choice->lot(queue_at(choice->minimal.port, now).count(),
                                            queue_at(choice->other.port, now).count()));
        if (route_chosen_) {
            route_chosen_(header.message, header.lot);
        }
    }

    std::size_t vertex_;
    const Routing* routing_by_queues_;  // null if the routing does not choose by queues
    RouteChosen route_chosen_;
    RoutersPassed* passed_ = nullptr;  // null if the routers that a message passes are not counted
};

/// Properties of one kind of router.
struct RouterTraits {
    /// Reason why the parameters do not allow this kind; null if it has no restrictions.
    std::optional<hw::Fault> (*fault)(const NetworkParameters& parameters) = nullptr;
    /// Additional cycles of an uncontended header from an input to an output; null: 0.
    hw::Cycles (*turn_cycles)(int input, int output) = nullptr;
};

/// A microarchitecture: a value of network.router.
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

/// All kinds of routers; the first one is the default of network.router.
[[nodiscard]] const std::vector<const RouterKind*>& router_kinds();

}  // namespace weir::network
