#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/tracing/trace_record.h"
#include "network/network.h"

namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;

// A network of three channels whose counts the test sets.
class CountedNetwork final : public Network {
  public:
    std::unique_ptr<hw::Controller> make_controller(const ControllerSite& /*site*/) override {
        return nullptr;
    }
    [[nodiscard]] std::vector<std::string> channel_names() const override {
        return {"(0) +x", "(1) +x", "(1) -x"};
    }
    [[nodiscard]] std::vector<ChannelCount> channel_counts(Cycles through) const override {
        asked_through = through;
        return counts;
    }
    std::vector<ChannelCount> counts{3};
    mutable Cycles asked_through{0};
};

class Intervals final : public hw::TraceRecord {
  public:
    void message(const hw::Message& /*message*/) override {}
    void queue_level(hw::NodeId /*node*/, hw::QueueKind /*queue*/, Cycles /*cycle*/,
                     hw::Bytes /*bytes*/, std::int64_t /*messages*/) override {}
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const hw::ChannelInterval& interval : channel_intervals) {
            all += std::to_string(interval.channel) + " from " +
                   std::to_string(interval.begin.count()) + " to " +
                   std::to_string(interval.end.count()) + ": " +
                   std::to_string(interval.flits.count()) + ", " +
                   std::to_string(interval.header_waits.count()) + "; ";
        }
        return all;
    }
};

TEST(ChannelSamplerTest, TellsWhatEachChannelHasSeenSinceTheIntervalBegan) {
    CountedNetwork network;
    Intervals trace;
    ChannelSampler sampler(network, Cycles(100), trace);
    EXPECT_EQ(trace.channel_names, network.channel_names());
    EXPECT_EQ(sampler.last_cycle(), Cycles(99));

    network.counts = {{Flits(5), Cycles(2)}, {Flits(0), Cycles(0)}, {Flits(0), Cycles(7)}};
    sampler.end_interval(Cycles(99));
    EXPECT_EQ(network.asked_through, Cycles(99));
    EXPECT_EQ(trace.text(), "0 from 0 to 100: 5, 2; 2 from 0 to 100: 0, 7; ");
    EXPECT_EQ(sampler.last_cycle(), Cycles(199));

    // The run ends in the middle of an interval.
    trace.channel_intervals.clear();
    network.counts = {{Flits(6), Cycles(2)}, {Flits(1), Cycles(0)}, {Flits(0), Cycles(7)}};
    sampler.end_interval(Cycles(130));
    EXPECT_EQ(trace.text(), "0 from 100 to 131: 1, 0; 1 from 100 to 131: 1, 0; ");
}

TEST(ChannelSamplerTest, AnIntervalThatHasNotBegunDoesNotEnd) {
    CountedNetwork network;
    Intervals trace;
    ChannelSampler sampler(network, Cycles(100), trace);
    sampler.end_interval(Cycles(99));
    network.counts = {{Flits(5), Cycles(2)}, {Flits(0), Cycles(0)}, {Flits(0), Cycles(0)}};
    sampler.end_interval(Cycles(99));
    EXPECT_EQ(trace.text(), "");
    sampler.end_interval(Cycles(100));
    EXPECT_EQ(trace.text(), "0 from 100 to 101: 5, 2; ");
}

}  // namespace
}  // namespace weir::network
