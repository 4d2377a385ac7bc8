#pragma once

#include <filesystem>
#include <vector>

#include "network/traffic/traffic_record.h"

namespace weir::experiments::kinds {

/// A run's packets that arrived, as traffic.recording takes them.
class RecordingFile {
  public:
    void add(const network::PacketTrip& trip) { trips_.push_back(trip); }
    /// recording.txt.gz in the folder, packet by packet of each source. Throws trace::TraceError.
    void write(const std::filesystem::path& folder);

  private:
    std::vector<network::PacketTrip> trips_;
};

}  // namespace weir::experiments::kinds
