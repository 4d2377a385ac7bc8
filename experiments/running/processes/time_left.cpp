#include "experiments/running/processes/time_left.h"

#include <algorithm>

namespace weir::experiments::running {

namespace {

// Least share done from which the time of a piece can be extrapolated.
constexpr double kTellingShare = 0.05;
constexpr double kTellingSeconds = 1.0;

bool tells(const RunningPiece& piece) {
    return piece.share_done >= kTellingShare && piece.seconds >= kTellingSeconds;
}

double own_seconds(const RunningPiece& piece) { return piece.seconds / piece.share_done; }

// Estimated time of a whole piece: mean of the pieces that have ended, or else of those that can be
// extrapolated.
std::optional<double> mean_seconds(const PoolProgress& progress) {
    if (progress.ended > 0) {
        return progress.ended_seconds / static_cast<double>(progress.ended);
    }
    double sum = 0.0;
    std::size_t telling = 0;
    for (const RunningPiece& piece : progress.running) {
        if (tells(piece)) {
            sum += own_seconds(piece);
            ++telling;
        }
    }
    return telling > 0 ? std::optional(sum / static_cast<double>(telling)) : std::nullopt;
}

}  // namespace

std::optional<double> TimeLeft::after(const PoolProgress& progress) {
    const std::optional<double> mean = mean_seconds(progress);
    if (!mean) {
        return std::nullopt;
    }
    const std::size_t waiting = progress.count - progress.ended - progress.running.size();
    double work = *mean * static_cast<double>(waiting);
    double longest = 0.0;
    for (const RunningPiece& piece : progress.running) {
        const double whole = tells(piece) ? own_seconds(piece) : *mean;
        const double rest = std::max(0.0, whole - piece.seconds);
        work += rest;
        longest = std::max(longest, rest);
    }
    const double left =
        std::max(longest, work / static_cast<double>(std::max<std::size_t>(1, progress.workers)));
    if (!least_ || left < *least_) {
        least_ = left;
    }
    const bool was_far_off = left > 2.0 * *least_ + 1.0;
    return was_far_off ? std::nullopt : least_;
}

}  // namespace weir::experiments::running
