#include "network/traffic/traffic_sources.h"

#include <fstream>
#include <string>

#include "network/traffic/traffic_trace.h"

namespace weir::network {

namespace {

constexpr const char* kTraceLines =
    "a file with a line for each packet: cycle, source, destination, bytes";
constexpr const char* kTableLines =
    "a file with a line for each pair of nodes: source, destination, packets per cycle";

std::ifstream opened(const hw::Parameter<hw::FilePath>& file, const std::string& accepted) {
    const std::string name = file.value();
    std::ifstream in(name);
    if (!in || in.peek() == std::ifstream::traits_type::eof()) {
        throw TrafficFault("traffic." + file.name(),
                           "the file \"" + name + "\" can't be read or is empty", accepted);
    }
    return in;
}

}  // namespace

TrafficSources::TrafficSources(const TrafficParameters& parameters, const Topology& topology,
                               hw::Bytes flit_bytes, std::optional<hw::Flits> longest_packet)
    : parameters_(parameters) {
    if (parameters.pattern.value() == PatternKind::kTable) {
        std::ifstream file = opened(parameters.table_file, kTableLines);
        const auto flits = static_cast<double>(parameters.packet_flits.value().count());
        rates_ = hw::PerNode<std::vector<TableRate>>(
            read_traffic_table(file, parameters.table_file.value(), topology.node_count(),
                               parameters.load.value() / flits));
        return;
    }
    if (parameters.pattern.value() != PatternKind::kTrace) {
        pattern_ = make_pattern(parameters, topology);
        return;
    }
    std::ifstream file = opened(parameters.trace_file, kTraceLines);
    recorded_ = hw::PerNode<std::vector<GeneratedPacket>>(read_traffic_trace(
        file, parameters.trace_file.value(), topology.node_count(), flit_bytes, longest_packet));
}

std::unique_ptr<PacketSource> TrafficSources::make(hw::NodeId node, std::uint64_t seed) const {
    if (pattern_) {
        return std::make_unique<RandomPacketSource>(parameters_, *pattern_, node, seed);
    }
    if (parameters_.pattern.value() == PatternKind::kTable) {
        return std::make_unique<TablePacketSource>(rates_[node], parameters_.packet_flits.value(),
                                                   node, seed);
    }
    return std::make_unique<RecordedPacketSource>(recorded_[node]);
}

}  // namespace weir::network
