#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "experiments/records/playback.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// Limits on the size of a playback.
struct PlaybackLimits {
    /// Most numbers in all frames together; frames get longer to stay below this limit.
    std::size_t numbers = 5'000'000;
    std::size_t messages = 1'200'000;  ///< most messages; messages launched later are left out
    std::size_t frames = 2'000;
    /// Largest number of switches times nodes; above this limit routes are left out.
    std::size_t ways = std::size_t{1} << 24U;
};

/// Network activity over time from the trace in a run's folder. Empty if the trace has no intervals
/// (trace.interval_cycles), or the point's network cannot be built again. Throws trace::TraceError.
[[nodiscard]] std::optional<records::Playback> read_playback(const records::PointResult& point,
                                                             const std::filesystem::path& folder,
                                                             const PlaybackLimits& limits = {});

}  // namespace weir::experiments::kinds
