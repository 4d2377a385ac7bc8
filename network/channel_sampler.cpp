#include "network/channel_sampler.h"

#include <string>
#include <utility>

namespace weir::network {

ChannelSampler::ChannelSampler(const Network& network, hw::Cycles interval, hw::TraceSink& trace)
    : network_(network), interval_(interval), trace_(trace) {
    for (const std::string& name : network_.channel_names()) {
        trace_.channel_name(name);
        counts_.emplace_back();
    }
}

void ChannelSampler::end_interval(hw::Cycles last) {
    if (last < begin_) {
        return;
    }
    const hw::Cycles end = last + hw::Cycles(1);
    std::vector<ChannelCount> counts = network_.channel_counts(last);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const hw::Flits flits = counts[i].sent - counts_[i].sent;
        const hw::Cycles header_waits = counts[i].header_waits - counts_[i].header_waits;
        if (flits != hw::Flits(0) || header_waits != hw::Cycles(0)) {
            trace_.channel_interval(
                {static_cast<std::int64_t>(i), begin_, end, flits, header_waits});
        }
    }
    counts_ = std::move(counts);
    begin_ = end;
}

}  // namespace weir::network
