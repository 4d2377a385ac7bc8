#include "experiments/kinds/open_loop/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "experiments/trace/exports/export_file.h"

namespace weir::experiments::kinds {

// Writes the packets of each source in the order of their cycles of generation. With several copies
// of the network, a source may generate several packets in a cycle; their numbers and injections
// then decide.
void RecordingFile::write(const std::filesystem::path& folder) {
    const auto order = [](const network::PacketTrip& trip) {
        const network::Packet& packet = trip.packet;
        return std::tuple(packet.source, packet.generated, packet.number, packet.injected,
                          trip.arrived, packet.destination, packet.flits);
    };
    std::sort(trips_.begin(), trips_.end(),
              [&order](const auto& one, const auto& other) { return order(one) < order(other); });
    constexpr const char* kName = "recording.txt.gz";
    trace::ExportFile file((folder / kName).string(), kName, true);
    file.write("# cycle source destination flits arrived injected\n");
    for (const network::PacketTrip& trip : trips_) {
        const network::Packet& packet = trip.packet;
        file.write(fmt::format("{} {} {} {} {} {}\n", packet.generated.count(), packet.source,
                               packet.destination, packet.flits.count(), trip.arrived.count(),
                               packet.injected.count()));
    }
    file.close();
}

}  // namespace weir::experiments::kinds
