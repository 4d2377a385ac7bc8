#include "network/routed_network.h"

#include <algorithm>
#include <utility>

namespace weir::network {

namespace {

std::vector<hw::Cycles> cycles_at(const std::string& place, const std::vector<ListedFault>& list) {
    std::vector<hw::Cycles> cycles;
    for (const ListedFault& entry : list) {
        if (entry.place == place) {
            cycles.push_back(entry.cycle);
        }
    }
    return cycles;
}

// Cycle in which a message was generated: its launch or, if it was sent without a controller, its
// entry into the network.
hw::Cycles generation_of(const hw::MessageTimes& times) {
    return std::min(times.launch, times.network_entry);
}

std::string name_of_end(hw::NodeId node) { return "interface_" + std::to_string(node.index()); }

}  // namespace

RoutedNetwork::RoutedNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                             const NetworkParameters& parameters, hw::MessagePool& messages,
                             const FaultParameters& faults, std::uint64_t seed)
    : sc_module(name),
      domain_(domain),
      messages_(messages),
      faults_(faults),
      plan_(parameters, faults, seed),
      trips_(plan_, parameters) {
    const auto copies = static_cast<int>(parameters.copies.value());
    for (int copy = 0; copy < copies; ++copy) {
        Fabric::Design design = plan_.design();
        design.copy = copies > 1 ? std::optional(copy) : std::nullopt;
        design.faults = &fault_log_;
        design.has_virtual_channel_ends = true;
        fabrics_.push_back(std::make_unique<Fabric>(("copy_" + std::to_string(copy)).c_str(),
                                                    domain, plan_.routing(), design));
    }
    for (const auto& fabric : fabrics_) {
        fabric->set_generation(
            [this](hw::MessageSlot message) { return generation_of(messages_[message].times); });
        fabric->set_route_chosen([this](hw::MessageSlot slot, int lot) {
            hw::Message& message = messages_[slot];
            const UnloadedTrip trip =
                trips_.between(message.source, message.destination, message.bytes, lot);
            message.hops = trip.hops;
            message.unloaded = trip.header_cycles;
        });
    }
    for (std::int32_t i = 0; i < fabrics_.front()->node_count(); ++i) {
        fabrics_.front()->has_virtual_channel_ends()
            ? add_virtual_channel_interface(hw::NodeId(i), parameters)
            : add_interface(hw::NodeId(i), parameters);
    }
    if (faults_.touch_flits()) {
        set_link_faults(parameters, messages, seed);
    }
}

NetworkInterface::Trip RoutedNetwork::trip() {
    return [this](const hw::Message& message, int lot) {
        return trips_.between(message.source, message.destination, message.bytes, lot);
    };
}

void RoutedNetwork::set_limits(NetworkInterface& end, const NetworkParameters& parameters) {
    end.set_tag_bytes(parameters.tag_bytes.value());
    if (plan_.design().router.switching != Switching::kWormhole) {
        end.set_longest_message(
            plan_.design().least_buffer(),
            [this](const hw::Message& message, hw::Flits flits) { refuse(message, flits); });
    }
}

void RoutedNetwork::add_virtual_channel_interface(hw::NodeId node,
                                                  const NetworkParameters& parameters) {
    auto end = std::make_unique<VirtualChannelInterface>(name_of_end(node).c_str(), domain_, node,
                                                         parameters.flit_bytes.value(), messages_,
                                                         trip(), fabrics_.front()->lots_of(node));
    set_limits(*end, parameters);
    for (const auto& fabric : fabrics_) {
        end->add_copy(fabric->virtual_channel_routers(), fabric->virtual_channels_of(node).front());
    }
    virtual_channel_interfaces_.push_back(end.get());
    ends_.push_back(std::move(end));
}

void RoutedNetwork::add_interface(hw::NodeId node, const NetworkParameters& parameters) {
    const Fabric::InterfaceChannels& vcs = fabrics_.front()->interface_channels(node);
    auto interface = std::make_unique<FlitInterface>(
        name_of_end(node).c_str(), domain_, node, parameters.flit_bytes.value(), messages_,
        *vcs.injection.front(), *vcs.ejection.front(), trip());
    interface->set_flit_cycles(parameters.flit_cycles());
    interface->set_lots(fabrics_.front()->lots_of(node));
    set_limits(*interface, parameters);
    for (const auto& fabric : fabrics_) {
        if (fabric != fabrics_.front()) {
            interface->add_copy(*fabric->interface_channels(node).injection.front(),
                                *fabric->interface_channels(node).ejection.front());
        }
        fabric->connect_end(node, *interface);
    }
    if (faults_.touch_flits()) {
        interface->set_checks(fault_log_);
    }
    interfaces_.push_back(interface.get());
    ends_.push_back(std::move(interface));
}

void RoutedNetwork::set_link_faults(const NetworkParameters& parameters,
                                    const hw::MessagePool& messages, std::uint64_t seed) {
    const LinkFaults::Rates rates{faults_.lost_flits_per_million.value(),
                                  faults_.flipped_flits_per_million.value()};
    const auto lost = FaultParameters::entries(faults_.lost_flits);
    const auto flipped = FaultParameters::entries(faults_.flipped_flits);
    for (const auto& fabric : fabrics_) {
        for (const Fabric::Link& link : fabric->links()) {
            const std::string name = fabric->topology().channel_name(link.channel);
            LinkFaults& faults =
                link_faults_.emplace_back(fault_log_, messages, parameters.flit_bytes.value(), seed,
                                          link.vcs.front()->name(), rates);
            faults.lose_from(cycles_at(name, lost));
            faults.flip_from(cycles_at(name, flipped));
            for (FlitChannel* vc : link.vcs) {
                vc->set_faults(faults);
            }
        }
    }
}

// link_faults_ are in the order of set_link_faults().
void RoutedNetwork::renew_faults_after(hw::Cycles now) {
    const auto lost = FaultParameters::entries(faults_.lost_flits);
    const auto flipped = FaultParameters::entries(faults_.flipped_flits);
    auto faults = link_faults_.begin();
    for (const auto& fabric : fabrics_) {
        for (const Fabric::Link& link : fabric->links()) {
            if (faults == link_faults_.end()) {
                return;
            }
            const std::string name = fabric->topology().channel_name(link.channel);
            (faults++)->renew_after(now, cycles_at(name, lost), cycles_at(name, flipped));
        }
    }
}

void RoutedNetwork::add_failures(FaultSchedule& schedule) {
    add_failures(faults_.failing_channels, "", &FlitChannel::fail, schedule);
    add_failures(faults_.stuck_credits, "a credit of ", &FlitChannel::lose_credit, schedule);
}

void RoutedNetwork::add_failures(const hw::Parameter<std::string>& list, const std::string& what,
                                 void (FlitChannel::*fail)(), FaultSchedule& schedule) {
    for (const ListedFault& entry : FaultParameters::entries(list)) {
        schedule.add(entry.cycle, [this, place = entry.place, what, fail](hw::Cycles now) {
            for (FlitChannel* vc : vcs_named(place)) {
                (vc->*fail)();
            }
            fault_log_.part_failed(what + place, now);
        });
    }
}

std::vector<FlitChannel*> RoutedNetwork::vcs_named(const std::string& channel) const {
    std::vector<FlitChannel*> vcs;
    for (const auto& fabric : fabrics_) {
        for (const Fabric::Link& link : fabric->links()) {
            if (fabric->topology().channel_name(link.channel) == channel) {
                vcs.insert(vcs.end(), link.vcs.begin(), link.vcs.end());
            }
        }
    }
    return vcs;
}

void RoutedNetwork::fail_end(hw::NodeId node, hw::Cycles now) {
    interfaces_[node]->fail();
    fault_log_.part_failed("node " + std::to_string(node.index()), now);
}

// Reports the refused message whose text is first in alphabetical order. The message refused first
// in a cycle may depend on the tick order, but the report must not.
void RoutedNetwork::refuse(const hw::Message& message, hw::Flits flits) {
    const std::string text = described(message.id) + " has " + std::to_string(flits.count()) +
                             " flits, and this network's switching needs buffers that hold whole "
                             "messages, not " +
                             std::to_string(plan_.design().least_buffer().count()) + " flits";
    if (!fault_ || text < fault_->found) {
        fault_ = {"network.buffer_flits",
                  text,
                  "at least as many network.buffer_flits, or network.switching = \"wormhole\"",
                  {}};
    }
    domain_.stop();
}

void RoutedNetwork::add_to(hw::ConservationAccount& account) const {
    settle();
    for (const auto& end : ends_) {
        end->add_to(account);
    }
    account.flits_in_channels = flits_in_flight().count();
    account.flits_discarded = fault_log_.statistics().flits_discarded.value();
    account.bytes_lost = fault_log_.statistics().bytes_lost.value();
    account.messages_lost = fault_log_.statistics().messages_lost.value();
}

std::int64_t RoutedNetwork::flit_hops() const {
    std::int64_t hops = 0;
    for (const auto& fabric : fabrics_) {
        hops += fabric->flit_hops();
    }
    return hops;
}

hw::Flits RoutedNetwork::flits_in_flight() const {
    hw::Flits in_flight;
    for (const auto& fabric : fabrics_) {
        in_flight += fabric->flits_in_flight();
    }
    return in_flight;
}

std::vector<FlitChannel*> RoutedNetwork::all_channels() {
    std::vector<FlitChannel*> channels;
    for (const auto& fabric : fabrics_) {
        for (const Fabric::Link& link : fabric->links()) {
            channels.insert(channels.end(), link.vcs.begin(), link.vcs.end());
        }
    }
    return channels;
}

std::vector<std::string> RoutedNetwork::channel_names() const {
    std::vector<std::string> names;
    for (const Fabric::Link& link : fabrics_.front()->links()) {
        names.push_back(fabrics_.front()->topology().channel_name(link.channel));
    }
    return names;
}

std::vector<ChannelCount> RoutedNetwork::channel_counts(hw::Cycles through) const {
    std::vector<ChannelCount> counts = fabrics_.front()->channel_counts(through);
    for (std::size_t copy = 1; copy < fabrics_.size(); ++copy) {
        const std::vector<ChannelCount> of_copy = fabrics_[copy]->channel_counts(through);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i] += of_copy[i];
        }
    }
    return counts;
}

void RoutedNetwork::settle() const {
    for (VirtualChannelInterface* end : virtual_channel_interfaces_) {
        end->settle(domain_.now());
    }
    for (const auto& fabric : fabrics_) {
        fabric->settle();
    }
}

void RoutedNetwork::end_of_run(hw::Cycles now) {
    RouterNetwork::end_of_run(now);
    forget_times_after(now, messages_);
}

void RoutedNetwork::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    settle();
    for (const auto& fabric : fabrics_) {
        fabric->add_statistics(statistics);
    }
    for (const auto& end : ends_) {
        statistics.push_back({end->name(), &end->statistics()});
    }
    if (faults_.any()) {
        statistics.push_back({std::string(name()) + ".faults", &fault_log_.statistics()});
    }
}

void RoutedNetwork::report_waits(hw::WaitReport& report, const CoreName& /*core_name*/) const {
    settle();
    for (const auto& fabric : fabrics_) {
        fabric->report_waits(report);
    }
}

}  // namespace weir::network
