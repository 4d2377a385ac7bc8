#include "network/routing/routing.h"

#include <algorithm>
#include <cassert>

namespace weir::network {

ChannelIndex::ChannelIndex(const Topology& topology)
    : channels_(channels_of(topology.graph())), outputs_(num_vertices(topology.graph())) {
    const TopologyGraph& graph = topology.graph();
    for (std::size_t number = 0; number < channels_.size(); ++number) {
        outputs_[source(channels_[number], graph)].emplace_back(
            graph[channels_[number]].output_port, number);
    }
}

std::size_t ChannelIndex::at_output(std::size_t vertex, int port) const {
    const auto& outputs = outputs_[vertex];
    const auto found = std::find_if(outputs.begin(), outputs.end(),
                                    [port](const auto& output) { return output.first == port; });
    assert(found != outputs.end());
    return found->second;
}

}  // namespace weir::network
