#include "network/routed_network.h"

namespace weir::network {

RoutedNetwork::RoutedNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                             const NetworkParameters& parameters, hw::MessagePool& messages)
    : sc_module(name), domain_(domain), plan_(parameters), trips_(plan_, parameters) {
    const auto copies = static_cast<int>(parameters.copies.value());
    for (int copy = 0; copy < copies; ++copy) {
        Fabric::Design design = plan_.design();
        design.copy = copies > 1 ? std::optional(copy) : std::nullopt;
        fabrics_.push_back(std::make_unique<Fabric>(("copy_" + std::to_string(copy)).c_str(),
                                                    domain, plan_.routing(), design));
    }
    const bool is_switched_whole = plan_.design().router.switching != Switching::kWormhole;
    for (std::int32_t i = 0; i < fabrics_.front()->node_count(); ++i) {
        const hw::NodeId node(i);
        const Fabric::EndLanes& lanes = fabrics_.front()->end_lanes(node);
        interfaces_.push_back(std::make_unique<NetworkInterface>(
            ("interface_" + std::to_string(i)).c_str(), domain, node, parameters.flit_bytes.value(),
            messages, *lanes.injection.front(), *lanes.ejection.front(),
            [this](const hw::Message& message) {
                return trips_.between(message.source, message.destination, message.bytes);
            }));
        NetworkInterface& interface = *interfaces_.back();
        interface.set_flit_cycles(parameters.flit_cycles());
        if (is_switched_whole) {
            interface.set_longest_message(
                plan_.design().buffer,
                [this](const hw::Message& message, hw::Flits flits) { refuse(message, flits); });
        }
        for (const auto& fabric : fabrics_) {
            if (fabric != fabrics_.front()) {
                interface.add_copy(*fabric->end_lanes(node).injection.front(),
                                   *fabric->end_lanes(node).ejection.front());
            }
            fabric->connect_end(node, interface);
        }
    }
}

// Which message of a cycle comes first may depend on the tick order; the one named may not.
void RoutedNetwork::refuse(const hw::Message& message, hw::Flits flits) {
    const std::string text = described(message.id) + " has " + std::to_string(flits.count()) +
                             " flits, and this network's switching needs buffers that hold whole "
                             "messages, not " +
                             std::to_string(plan_.design().buffer.count()) + " flits";
    if (!fault_ || text < fault_->found) {
        fault_ = {"network.buffer_flits",
                  text,
                  "network.buffer_flits of at least that, or network.switching = \"wormhole\"",
                  {}};
    }
    domain_.stop();
}

void RoutedNetwork::add_to(hw::ConservationAccount& account) const {
    for (const auto& interface : interfaces_) {
        interface->add_to(account);
    }
    account.flits_in_channels = flits_in_flight().count();
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
            channels.insert(channels.end(), link.lanes.begin(), link.lanes.end());
        }
    }
    return channels;
}

std::vector<ChannelLoad> RoutedNetwork::channel_loads() const {
    std::vector<ChannelLoad> loads;
    for (const Fabric::Link& link : fabrics_.front()->links()) {
        loads.push_back({fabrics_.front()->topology().channel_name(link.channel), hw::Flits(0)});
    }
    for (const auto& fabric : fabrics_) {
        for (std::size_t i = 0; i < loads.size(); ++i) {
            loads[i].sent += fabric->links()[i].sent();
        }
    }
    return loads;
}

void RoutedNetwork::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    for (const auto& fabric : fabrics_) {
        fabric->add_statistics(statistics);
    }
    for (const auto& interface : interfaces_) {
        statistics.push_back({interface->name(), &interface->statistics()});
    }
}

void RoutedNetwork::report_waits(hw::WaitReport& report, const CoreName& /*core_name*/) const {
    for (const auto& fabric : fabrics_) {
        fabric->report_waits(report);
    }
}

}  // namespace weir::network
