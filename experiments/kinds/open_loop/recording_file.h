#pragma once

#include <filesystem>
#include <vector>

#include "network/traffic/traffic_record.h"

namespace weir::experiments::kinds {

/// Recording of all packets that arrived in a run, in the file format of traffic.recording.
class RecordingFile {
  public:
    void add(const network::PacketTrip& trip) { trips_.push_back(trip); }
    /// Writes recording.txt.gz to the folder: for each source, a line for each packet. Throws
    /// trace::TraceError.
    void write(const std::filesystem::path& folder);

  private:
    std::vector<network::PacketTrip> trips_;
};

}  // namespace weir::experiments::kinds
