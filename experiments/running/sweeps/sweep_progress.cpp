#include "experiments/running/sweeps/sweep_progress.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace weir::experiments::running {

namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenUpdates = 200ms;
constexpr auto kBetweenLines = 60s;

// "0:07", "1:20", "2:03:00"
std::string time_text(double seconds) {
    const auto whole = static_cast<long>(std::llround(seconds));
    constexpr long kMinute = 60;
    constexpr long kHour = 60 * kMinute;
    return whole < kHour ? fmt::format("{}:{:02}", whole / kMinute, whole % kMinute)
                         : fmt::format("{}:{:02}:{:02}", whole / kHour, whole % kHour / kMinute,
                                       whole % kMinute);
}

}  // namespace

SweepProgress::~SweepProgress() {
    if (is_shown_) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
    }
}

std::string SweepProgress::text(const PoolProgress& progress, std::size_t failed) {
    std::string text = fmt::format("{} of {} runs done", progress.ended, progress.count);
    if (failed > 0) {
        text += fmt::format(", {} not ok", failed);
    }
    text += fmt::format(", {:.0f} %", std::floor(100.0 * progress.share_done));
    constexpr double kLeastShare = 0.001;
    if (progress.share_done > kLeastShare && progress.ended < progress.count) {
        const double left = progress.seconds * (1.0 - progress.share_done) / progress.share_done;
        text += ", " + time_text(left) + " left";
    }
    return text;
}

void SweepProgress::show(const PoolProgress& progress) {
    const Clock::time_point now = Clock::now();
    if (now - last_ <
        (is_terminal_ ? Clock::duration(kBetweenUpdates) : Clock::duration(kBetweenLines))) {
        return;
    }
    last_ = now;
    is_shown_ = is_terminal_;
    if (is_terminal_) {
        fmt::print(stderr, "\r\033[K{}", text(progress, failed_));
    } else {
        fmt::print(stderr, "weir: {}\n", text(progress, failed_));
    }
    std::fflush(stderr);
}

}  // namespace weir::experiments::running
