#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "experiments/records/playback.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// How large a playback may become.
struct PlaybackLimits {
    std::size_t numbers = 5'000'000;   ///< in all frames; more cycles a frame where there were more
    std::size_t messages = 1'200'000;  ///< those launched later are left out
    std::size_t frames = 2'000;
    std::size_t ways = std::size_t{1} << 24U;  ///< switches times nodes; else there are none
};

/// What the trace in a run's folder says over time of the network of its point; nothing where it
/// was not kept (trace.interval_cycles), or the network can't be made again. Throws
/// trace::TraceError.
[[nodiscard]] std::optional<records::Playback> read_playback(const records::PointResult& point,
                                                             const std::filesystem::path& folder,
                                                             const PlaybackLimits& limits = {});

}  // namespace weir::experiments::kinds
