#include "experiments/kinds/kernel/network_playback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "experiments/trace/log/trace_store.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "network/topology/mesh.h"

namespace weir::experiments::kinds {
namespace {

using hw::Cycles;
using records::Playback;
using testing::ElementsAre;
using testing::IsEmpty;

/// A 2 x 2 mesh with intervals of 64 cycles, three of which have passed. One message goes from node
/// 0 to node 3; another was launched before the end.
class NetworkPlaybackTest : public trace::TraceTest {
  protected:
    NetworkPlaybackTest() {
        point_.configuration = {{"network.dimensions", std::vector<std::int64_t>{2, 2}}};
        point_.seeds = {1};
    }

    void write_trace() const {
        trace::TraceStore store(file("trace.weir"), 4);
        store.keep_queue_intervals(Cycles(64), false);
        for (const std::string& name : network::Mesh({2, 2}).channel_names()) {
            store.channel_name(name);
        }
        store.channel_interval({0, Cycles(0), Cycles(64), hw::Flits(8), Cycles(5)});
        store.channel_interval({0, Cycles(64), Cycles(128), hw::Flits(2), Cycles(0)});
        store.channel_interval({7, Cycles(128), Cycles(150), hw::Flits(3), Cycles(1)});
        store.queue_level(hw::NodeId(3), hw::QueueKind::kInput, Cycles(70), hw::Bytes(16), 1);
        store.queue_level(hw::NodeId(3), hw::QueueKind::kInput, Cycles(80), hw::Bytes(0), 0);
        store.intervals_end(Cycles(150));
        hw::Message late;
        late.source = hw::NodeId(1);
        late.destination = hw::NodeId(2);
        late.id = {late.source, 0};
        late.times.launch = Cycles(140);
        store.message(late);
        hw::Message early;
        early.source = hw::NodeId(0);
        early.destination = hw::NodeId(3);
        early.id = {early.source, 5};
        early.times.launch = Cycles(10);
        early.times.network_entry = Cycles(12);
        early.times.tail_arrival = Cycles(40);
        early.times.dispose = Cycles(80);
        store.message(early);
        store.finish();
    }
    [[nodiscard]] std::optional<Playback> playback(const PlaybackLimits& limits = {}) const {
        return read_playback(point_, file("trace.weir").parent_path(), limits);
    }

    records::PointResult point_;
};

TEST_F(NetworkPlaybackTest, HasWhatTheTraceSaysFrameByFrame) {
    write_trace();
    const std::optional<Playback> read = playback();
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->frame_cycles, 64);
    EXPECT_EQ(read->end_cycle, 150);
    ASSERT_EQ(read->channels.size(), 8);
    EXPECT_EQ(read->channels[0].name, "(0,0) +x");
    EXPECT_EQ(read->channels[0].to.x - read->channels[0].from.x, 44.0);
    ASSERT_EQ(read->frames.flits.size(), 3 * 8);
    EXPECT_EQ(read->frames.flits[0], 8);
    EXPECT_EQ(read->frames.flits[8], 2);
    EXPECT_EQ(read->frames.flits[23], 3);
    EXPECT_EQ(read->frames.header_waits[0], 5);
    EXPECT_EQ(read->frames.input_byte_cycles[4 + 3], 160);
    EXPECT_EQ(read->frames.output_byte_cycles[4 + 3], 0);
    // If a message has not reached its next stage, the current one lasts to the end.
    EXPECT_THAT(read->messages.source, ElementsAre(0, 1));
    EXPECT_THAT(read->messages.sequence, ElementsAre(5, 0));
    EXPECT_THAT(read->messages.launch, ElementsAre(10, 130));
    EXPECT_THAT(read->messages.entry, ElementsAre(2, 10));
    EXPECT_THAT(read->messages.arrival, ElementsAre(28, 0));
    EXPECT_THAT(read->messages.disposal, ElementsAre(40, 0));
}

TEST_F(NetworkPlaybackTest, KeepsItsLimits) {
    write_trace();
    const std::optional<Playback> read =
        playback({.numbers = 2 * 2 * (8 + 4), .messages = 1, .ways = 15});
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->frame_cycles, 128);
    EXPECT_EQ(read->frames.flits.size(), 2 * 8);
    EXPECT_EQ(read->frames.flits[0], 10);
    EXPECT_THAT(read->messages.source, ElementsAre(0));
    EXPECT_FALSE(read->ways.has_value());
}

// Names of the channels on a route, found from the rank of the output port at each switch.
std::string way(const Playback& playback, std::size_t source, std::size_t destination) {
    std::string names;
    std::size_t vertex = playback.ways->first[source];
    while (vertex < playback.switch_count) {
        const std::size_t rank = playback.ways->next[destination * playback.switch_count + vertex];
        const auto channel = std::find_if(
            playback.channels.begin(), playback.channels.end(),
            [&](const auto& each) { return each.sender == vertex && each.rank == rank; });
        if (channel == playback.channels.end()) {
            break;  // the output port leads into the node
        }
        names += (names.empty() ? "" : ", ") + channel->name;
        vertex = channel->receiver;
    }
    return names;
}

TEST_F(NetworkPlaybackTest, KnowsTheWaysOfMessagesThatCannotChoose) {
    write_trace();
    const std::optional<Playback> read = playback();
    ASSERT_TRUE(read.has_value() && read->ways.has_value());
    EXPECT_EQ(way(*read, 0, 3), "(0,0) +x, (1,0) +y");
    EXPECT_EQ(way(*read, 2, 1), "(0,1) +x, (1,1) -y");
    EXPECT_EQ(way(*read, 1, 1), "");
    point_.configuration.emplace_back("network.routing", std::string("minimal_adaptive"));
    point_.configuration.emplace_back("network.virtual_channels", std::int64_t{2});
    EXPECT_FALSE(playback()->ways.has_value());
}

TEST_F(NetworkPlaybackTest, IsNothingWithoutIntervalsAndOfAnotherNetwork) {
    EXPECT_FALSE(playback().has_value());
    write_trace();
    point_.configuration.front().second = std::vector<std::int64_t>{4};
    EXPECT_FALSE(playback().has_value());
}

// An end-around channel leaves the map at its ring's end, without a line across the map.
TEST_F(NetworkPlaybackTest, ChannelsAroundATorusEndBesideIt) {
    {
        trace::TraceStore store(file("trace.weir"), 4);
        store.channel_name("(3,0) +x");
        store.channel_interval({0, Cycles(0), Cycles(64), hw::Flits(8), Cycles(5)});
        store.finish();
    }
    point_.configuration = {{"network.topology", std::string("torus")},
                            {"network.dimensions", std::vector<std::int64_t>{4, 1}},
                            {"network.virtual_channels", std::int64_t{2}}};
    const std::optional<Playback> read = playback();
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->channels.front().from.x, 3 * 44.0);
    EXPECT_EQ(read->channels.front().to.x, 3 * 44.0 + 22.0);
    EXPECT_THAT(read->messages.source, IsEmpty());
}

}  // namespace
}  // namespace weir::experiments::kinds
