#include "experiments/running/processes/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/utf8_text.h"

namespace weir::experiments::running {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kBetweenUpdates = 200ms;
constexpr std::chrono::milliseconds kBeforeFirstLine = 10s;
constexpr std::chrono::milliseconds kBetweenLines = 60s;

// Time as text, for example "0:07", "1:20" or "2:03:00".
std::string time_text(double seconds) {
    const auto whole = static_cast<long>(std::llround(seconds));
    constexpr long kMinute = 60;
    constexpr long kHour = 60 * kMinute;
    return whole < kHour ? fmt::format("{}:{:02}", whole / kMinute, whole % kMinute)
                         : fmt::format("{}:{:02}:{:02}", whole / kHour, whole % kHour / kMinute,
                                       whole % kMinute);
}

std::size_t terminal_columns() {
    constexpr std::size_t kUsual = 80;
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : kUsual;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

ProgressLine::~ProgressLine() {
    if (is_terminal_ && lines_ > 0) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
    }
}

std::string ProgressLine::text(const PoolProgress& progress, std::size_t failed,
                               std::optional<double> seconds_left, const Name& name) {
    std::string text = fmt::format("{} of {} runs done", progress.ended, progress.count);
    if (failed > 0) {
        text += fmt::format(", {} failed", failed);
    }
    const double most = progress.ended < progress.count ? 99.0 : 100.0;
    text += fmt::format(", {:.0f} %", std::min(most, std::floor(100.0 * progress.share_done)));
    if (progress.simulated_cycles > 0.0) {
        text += ", " + setup::fixed_number(progress.simulated_cycles / 1e6, 1) + " M cycles";
    }
    if (seconds_left && progress.ended < progress.count) {
        text += ", " + time_text(*seconds_left) + " left";
    }
    if (!progress.running.empty()) {
        const RunningPiece& first = progress.running.front();
        text += (first.share_done < 1.0 ? "; now " : "; now measuring ") + name(first.index);
        if (progress.running.size() > 1) {
            text += fmt::format(" and {} more", progress.running.size() - 1);
        }
    }
    return text;
}

std::string ProgressLine::cut(const std::string& text, std::size_t columns) {
    std::size_t characters = 0;
    std::size_t last = 0;  // begin of the last character that fits
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (continues_character(text[i])) {
            continue;
        }
        ++characters;
        if (characters == columns) {
            last = i;
        }
        if (characters > columns) {
            return text.substr(0, last) + "…";
        }
    }
    return text;
}

bool ProgressLine::is_due(Clock::time_point now) const {
    const auto apart = is_terminal_  ? kBetweenUpdates
                       : lines_ == 0 ? kBeforeFirstLine
                                     : kBetweenLines;
    return now - last_ >= apart;
}

void ProgressLine::show(const PoolProgress& progress) {
    const Clock::time_point now = Clock::now();
    if (!is_due(now)) {
        return;
    }
    last_ = now;
    ++lines_;
    const std::string line =
        setup::printable(text(progress, failed_, time_left_.after(progress), name_));
    if (is_terminal_) {
        // The last column stays empty, since some terminals begin a new line after it.
        fmt::print(stderr, "\r\033[K{}", cut(line, terminal_columns() - 1));
    } else {
        fmt::print(stderr, "weir: {}\n", line);
    }
    std::fflush(stderr);
}

}  // namespace weir::experiments::running
