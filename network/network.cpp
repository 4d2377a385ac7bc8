#include "network/network.h"

#include <string>
#include <utility>

#include "network/ideal/ideal_network.h"
#include "network/ideal/logp_network.h"
#include "network/mesh_network.h"
#include "network/routed_network.h"
#include "network/worm_network.h"

namespace weir::network {

bool runs_worm_by_worm(const NetworkParameters& parameters, const FaultParameters& faults,
                       bool routes_plain_meshes) {
    return parameters.model.value() == NetworkModel::kWormhole && parameters.is_plain_mesh() &&
           !routes_plain_meshes && !faults.any() && !parameters.flit_by_flit.value() &&
           WormNetwork::takes(parameters);
}

std::unique_ptr<Network> make_network(const NetworkParameters& parameters,
                                      const NetworkSurroundings& surroundings) {
    constexpr const char* kName = "network";
    hw::ClockDomain& domain = surroundings.clock.first();
    hw::MessagePool& messages = surroundings.messages;
    switch (parameters.model.value()) {
        case NetworkModel::kDelay:
            return std::make_unique<DelayNetwork>(parameters, messages);
        case NetworkModel::kLogp:
            return std::make_unique<LogpNetwork>(kName, domain, parameters, surroundings.nodes,
                                                 surroundings.launch_cycles, surroundings.seed,
                                                 messages);
        case NetworkModel::kWormhole:
            break;
    }
    const bool routes_plain_meshes = surroundings.routes_plain_meshes;
    if (runs_worm_by_worm(parameters, surroundings.faults, routes_plain_meshes)) {
        return std::make_unique<WormNetwork>(kName, surroundings.clock, parameters, messages);
    }
    if (parameters.is_plain_mesh() && !routes_plain_meshes && !surroundings.faults.any()) {
        return std::make_unique<MeshNetwork>(kName, domain, parameters, messages);
    }
    return std::make_unique<RoutedNetwork>(kName, domain, parameters, messages, surroundings.faults,
                                           surroundings.seed);
}

ChannelSampler::ChannelSampler(const Network& network, hw::Cycles interval, hw::TraceSink& trace)
    : network_(network), interval_(interval), trace_(trace) {
    for (const std::string& name : network_.channel_names()) {
        trace_.channel_name(name);
        counts_.emplace_back();
    }
}

void ChannelSampler::end_interval(hw::Cycles last) {
    if (last < begin_) {
        return;
    }
    const hw::Cycles end = last + hw::Cycles(1);
    std::vector<ChannelCount> counts = network_.channel_counts(last);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const hw::Flits flits = counts[i].sent - counts_[i].sent;
        const hw::Cycles header_waits = counts[i].header_waits - counts_[i].header_waits;
        if (flits != hw::Flits(0) || header_waits != hw::Cycles(0)) {
            trace_.channel_interval(
                {static_cast<std::int64_t>(i), begin_, end, flits, header_waits});
        }
    }
    counts_ = std::move(counts);
    begin_ = end;
}

}  // namespace weir::network
