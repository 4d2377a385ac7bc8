#include "network/traffic/traffic_sources.h"

#include <fstream>
#include <string>

#include "network/traffic/traffic_trace.h"

namespace weir::network {

TrafficSources::TrafficSources(const TrafficParameters& parameters, const Topology& topology,
                               hw::Bytes flit_bytes, std::optional<hw::Flits> longest_packet)
    : parameters_(parameters) {
    if (parameters.pattern.value() != PatternKind::kTrace) {
        pattern_ = make_pattern(parameters, topology);
        return;
    }
    const std::string name = parameters.trace_file.value();
    std::ifstream file(name);
    if (!file || file.peek() == std::ifstream::traits_type::eof()) {
        throw TrafficFault("traffic.trace_file",
                           "traffic.trace_file is \"" + name +
                               "\", which can't be "
                               "read or is empty",
                           "a file with a line for each packet: cycle, source, destination, bytes");
    }
    recorded_ = hw::PerNode<std::vector<GeneratedPacket>>(
        read_traffic_trace(file, name, topology.node_count(), flit_bytes, longest_packet));
}

std::unique_ptr<PacketSource> TrafficSources::make(hw::NodeId node, std::uint64_t seed) const {
    if (pattern_) {
        return std::make_unique<RandomPacketSource>(parameters_, *pattern_, node, seed);
    }
    return std::make_unique<RecordedPacketSource>(recorded_[node]);
}

}  // namespace weir::network
