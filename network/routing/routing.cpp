#include "network/routing/routing.h"

#include <algorithm>
#include <numeric>

namespace weir::network {

std::vector<RoutedOutput> Routing::outputs(const HeaderPlace& place,
                                           std::size_t destination) const {
    std::vector<RoutedOutput> outputs;
    add_outputs(place, destination, outputs);
    return outputs;
}

ChannelIndex::ChannelIndex(const Topology& topology)
    : channels_(channels_of(topology.graph())), first_output_(num_vertices(topology.graph())) {
    const TopologyGraph& graph = topology.graph();
    std::vector<std::size_t> ports(num_vertices(graph), 0);
    for (const Channel channel : channels_) {
        std::size_t& count = ports[source(channel, graph)];
        count = std::max<std::size_t>(count, graph[channel].output_port + 1);
    }
    std::exclusive_scan(ports.begin(), ports.end(), first_output_.begin(), std::size_t{0});
    outputs_.resize(std::reduce(ports.begin(), ports.end()), channels_.size());
    for (std::size_t number = 0; number < channels_.size(); ++number) {
        outputs_[first_output_[source(channels_[number], graph)] +
                 graph[channels_[number]].output_port] = number;
    }
}

}  // namespace weir::network
