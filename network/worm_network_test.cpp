#include "network/worm_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "hw/controller/controller.h"
#include "hw/random_stream.h"
#include "hw/testing/every_order.h"
#include "hw/testing/scripted_part.h"
#include "network/mesh_network.h"
#include "network/network.h"
#include "network/router_network.h"
#include "network/testing/network_bench.h"
#include "network/testing/recorded_stops.h"

namespace weir::network {
namespace {

using hw::ByteQueue;
using hw::Bytes;
using hw::ClockDomain;
using hw::Cycles;
using hw::MessageSlot;
using hw::NodeId;
using hw::QueueKind;
using hw::RandomStream;
using ::testing::Each;

constexpr Cycles kLastCycle(10'000'000);

std::int64_t number(RandomStream& random, std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

// --- Ends of the network ------------------------------------------------------------------------

// How an end moves its bytes: bursts of up to `burst` bytes with pauses between them.
struct Pace {
    Bytes burst;
    std::int64_t shortest_pause = 1;
    std::int64_t longest_pause = 1;
    std::int64_t bursts_a_stop = 0;  // one in so many is followed by a long stop; 0 for none

    [[nodiscard]] Cycles pause(RandomStream& random) const {
        if (bursts_a_stop != 0 && number(random, 1, bursts_a_stop) == 1) {
            return Cycles(number(random, 50, 600));
        }
        return Cycles(number(random, shortest_pause, longest_pause));
    }
    static Pace drawn(RandomStream& random, Bytes most_bytes) {
        const std::int64_t longest = number(random, 0, 2) == 0 ? number(random, 1, 60) : 1;
        const std::int64_t shortest = number(random, 0, 1) == 0 ? longest : 1;
        return {Bytes(number(random, 1, most_bytes.count())), shortest, longest,
                number(random, 0, 3) == 0 ? number(random, 3, 40) : 0};
    }
};

// What an end found, in which cycle.
using Findings = std::vector<std::int64_t>;

// Puts the messages it is given into an output queue, a burst at a time.
class BurstSource final : public hw::ClockedPart {
  public:
    BurstSource(ClockDomain& domain, hw::MessagePool& messages, ByteQueue& queue, Pace pace,
                RandomStream random)
        : ClockedPart(domain), messages_(messages), queue_(queue), pace_(pace), random_(random) {}

    void send(MessageSlot message) {
        to_send_.push_back(message);
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (now < next_ || now >= dies || sent_ == to_send_.size()) {
            return;
        }
        const hw::Message& message = messages_[to_send_[sent_]];
        const Bytes burst = std::min(pace_.burst, message.bytes - pushed_of_message_);
        const Bytes room = queue_.room(now);
        if (room < burst) {
            if (!waits_) {
                found.insert(found.end(), {now.count(), -1, room.count()});
            }
            waits_ = true;
            queue_.expect_room(*this, burst, now);
            return;
        }
        waits_ = false;
        found.insert(found.end(), {now.count(), room.count()});
        if (pushed_of_message_ == Bytes(0)) {
            queue_.begin_message(to_send_[sent_], now);
        }
        queue_.push(burst, now);
        pushed_of_message_ += burst;
        if (pushed_of_message_ == message.bytes) {
            pushed_of_message_ = Bytes(0);
            ++sent_;
        }
        next_ = now + pace_.pause(random_);
        wake_at(next_);
    }
    Findings found;
    Cycles dies = hw::kNever;  // does nothing from then on

  private:
    hw::MessagePool& messages_;
    ByteQueue& queue_;
    Pace pace_;
    RandomStream random_;
    std::vector<MessageSlot> to_send_;
    std::size_t sent_ = 0;
    Bytes pushed_of_message_;
    Cycles next_{0};
    bool waits_ = false;
};

// Takes what arrives out of an input queue, a burst at a time.
class BurstSink final : public hw::ClockedPart {
  public:
    BurstSink(ClockDomain& domain, hw::MessagePool& messages, ByteQueue& queue, Pace pace,
              RandomStream random)
        : ClockedPart(domain), messages_(messages), queue_(queue), pace_(pace), random_(random) {
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (now < next_ || now >= dies) {
            return;
        }
        if (!queue_.has_message(now)) {
            queue_.expect_bytes(*this, Bytes(1), now);
            return;
        }
        const hw::Message& message = messages_[queue_.front()];
        const Bytes burst = std::min(pace_.burst, message.bytes - popped_of_message_);
        const Bytes available = queue_.available(now);
        if (available < burst) {
            if (!waits_) {
                found.insert(found.end(), {now.count(), -1, available.count()});
            }
            waits_ = true;
            queue_.expect_bytes(*this, burst, now);
            return;
        }
        waits_ = false;
        found.insert(found.end(), {now.count(), available.count()});
        queue_.pop(burst, now);
        popped_of_message_ += burst;
        if (popped_of_message_ == message.bytes) {
            popped_of_message_ = Bytes(0);
            queue_.end_message(now);
        }
        next_ = now + pace_.pause(random_);
        wake_at(next_);
    }
    Findings found;
    Cycles dies = hw::kNever;  // does nothing from then on

  private:
    hw::MessagePool& messages_;
    ByteQueue& queue_;
    Pace pace_;
    RandomStream random_;
    Bytes popped_of_message_;
    Cycles next_{0};
    bool waits_ = false;
};

// The level of a queue as it was last reported of each cycle, one cycle after the other.
class LevelRows final : public hw::TraceSink {
  public:
    void message(const hw::Message&) override {}
    void core_interval(NodeId, hw::CoreState, Cycles, Cycles, hw::MessageId) override {}
    void queue_level(NodeId, QueueKind, Cycles cycle, Bytes bytes, std::int64_t messages) override {
        if (!rows.empty() && rows.back()[0] == cycle.count()) {
            rows.pop_back();
        }
        rows.push_back({cycle.count(), bytes.count(), messages});
    }
    void dma_transfer(const hw::DmaTransfer&) override {}
    void stall(const hw::Stall&) override {}
    void mark(NodeId, std::string_view, Cycles, std::int64_t) override {}

    std::vector<std::array<std::int64_t, 3>> rows;
};

struct EndNode {
    EndNode(ClockDomain& domain, hw::MessagePool& messages, NodeId node, Bytes output_bytes,
            Bytes input_bytes, const Pace& source_pace, const Pace& sink_pace, std::uint64_t seed)
        : output_queue(node, QueueKind::kOutput, output_bytes, &output_levels),
          input_queue(node, QueueKind::kInput, input_bytes, &input_levels),
          source(domain, messages, output_queue, source_pace, RandomStream(seed, node, "source")),
          sink(domain, messages, input_queue, sink_pace, RandomStream(seed, node, "sink")) {}

    LevelRows output_levels;
    LevelRows input_levels;
    testing::RecordedStops stops;
    ByteQueue output_queue;
    ByteQueue input_queue;
    BurstSource source;
    BurstSink sink;
};

// --- Random networks ----------------------------------------------------------------------------

// A small network with random parameters, ends and messages, all of which its seed decides.
class RandomNetwork {
  public:
    RandomNetwork(hw::ClockTiles& clock, std::uint64_t seed, bool by_worms,
                  Bytes planted_room = Bytes(0))
        : random_(seed, NodeId(0), "random network"), planted_room_(planted_room) {
        const std::string name = (by_worms ? "worms_" : "flits_") + std::to_string(seed);
        draw_parameters();
        if (by_worms) {
            network_ = std::make_unique<WormNetwork>(name.c_str(), clock, parameters_, messages_);
        } else {
            network_ =
                std::make_unique<MeshNetwork>(name.c_str(), clock.first(), parameters_, messages_);
        }
        const std::int32_t count = network_->node_count();
        for (std::int32_t i = 0; i < count; ++i) {
            const NodeId node(i);
            add_node(by_worms ? clock.domain(clock.tile_of(node, count)) : clock.first(), node,
                     seed);
        }
        const std::int64_t messages =
            number(random_, 0, 2) == 0 ? number(random_, 20, 60) : number(random_, 2, 7);
        for (std::int64_t i = 0; i < messages; ++i) {
            send_a_message();
        }
    }

    /// Some of the ends do nothing from some cycle on.
    void let_ends_die() {
        for (const auto& node : nodes_) {
            if (number(random_, 0, 2) == 0) {
                node->source.dies = Cycles(number(random_, 10, 2000));
            }
            if (number(random_, 0, 2) == 0) {
                node->sink.dies = Cycles(number(random_, 10, 2000));
            }
        }
    }

    /// What a run that ends in cycle `end` says of itself.
    [[nodiscard]] std::string end_of_run(Cycles end, bool stands_still) {
        network_->end_of_run(end);
        std::ostringstream text;
        text << times();
        messages_.for_each([&text](const hw::Message& message) {
            text << message.hops << " " << message.unloaded << " ";
        });
        for (const std::int64_t number : state()) {
            text << number << " ";
        }
        for (const std::int64_t number : counts()) {
            text << number << " ";
        }
        for (const auto& [channel, count] : testing::counts_by_name(*network_, end)) {
            text << channel << ": " << count.sent << ", " << count.header_waits << " ";
        }
        for (const auto& node : nodes_) {
            for (const std::string& stop : node->stops.stops) {
                text << stop << "; ";
            }
        }
        hw::WaitReport waits;
        for (std::int32_t i = 0; stands_still && i < network_->node_count(); ++i) {
            network_->report_end_waits(NodeId(i), "input " + std::to_string(i), waits);
        }
        if (stands_still) {
            network_->report_waits(waits, {});
        }
        for (const hw::Wait& wait : waits) {
            text << without_network(wait.who) << " for " << without_network(wait.for_whom) << ": "
                 << wait.why << '\n';
        }
        return text.str();
    }

    /// Whether all messages have arrived.
    [[nodiscard]] bool is_finished() const {
        bool finished = true;
        messages_.for_each([&finished](const hw::Message& message) {
            finished = finished && message.times.tail_arrival != hw::kNever;
        });
        return finished;
    }
    /// What the network and its ends say of themselves now.
    [[nodiscard]] std::vector<std::int64_t> state() const {
        std::vector<std::int64_t> state{network_->flit_hops(), network_->flits_in_flight().count()};
        hw::ConservationAccount account;
        network_->add_to(account);
        for (const auto& node : nodes_) {
            account.bytes_launched += node->output_queue.bytes_pushed();
            account.bytes_in_output_queues += node->output_queue.held().count();
            account.bytes_into_input_queues += node->input_queue.bytes_pushed();
            state.push_back(node->input_queue.held().count());
        }
        state.insert(state.end(),
                     {account.flits_injected, account.flits_ejected, account.bytes_in_output_queues,
                      account.bytes_into_input_queues, account.fault(false).has_value() ? 1 : 0});
        return state;
    }

    /// The first thing that happened otherwise in another network of the same seed, or nothing.
    [[nodiscard]] std::string difference_from(const RandomNetwork& other, Cycles end) const {
        std::ostringstream text;
        if (times() != other.times()) {
            return "time stamps " + times() + "instead of " + other.times();
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const EndNode& node = *nodes_[i];
            const EndNode& same = *other.nodes_[i];
            const std::string of_node = " of node " + std::to_string(i);
            if (node.source.found != same.source.found) {
                return "what the source found" + of_node;
            }
            if (node.sink.found != same.sink.found) {
                return "what the sink found" + of_node;
            }
            if (node.output_levels.rows != same.output_levels.rows) {
                return "output queue levels" + of_node;
            }
            if (node.input_levels.rows != same.input_levels.rows) {
                return "input queue levels" + of_node;
            }
            if (node.stops.stops != same.stops.stops) {
                return "stops" + of_node;
            }
            for (const auto queue : {&EndNode::output_queue, &EndNode::input_queue}) {
                const hw::LevelIntegral& level = (node.*queue).byte_level();
                const hw::LevelIntegral& same_level = (same.*queue).byte_level();
                if (level.area(end) != same_level.area(end) || level.peak() != same_level.peak()) {
                    return "area or peak of a queue" + of_node;
                }
            }
        }
        return counts() == other.counts() ? "" : "counts of routers and interfaces";
    }

    /// The same as one text.
    [[nodiscard]] std::string story() const {
        std::ostringstream text;
        text << times();
        const auto add = [&text](const auto& numbers) {
            for (const std::int64_t each : numbers) {
                text << each << " ";
            }
        };
        for (const auto& node : nodes_) {
            add(node->source.found);
            add(node->sink.found);
            for (const LevelRows* levels : {&node->output_levels, &node->input_levels}) {
                for (const auto& row : levels->rows) {
                    add(row);
                }
            }
            for (const std::string& stop : node->stops.stops) {
                text << stop << "; ";
            }
        }
        add(counts());
        return text.str();
    }

    [[nodiscard]] std::int64_t stop_count() const {
        std::size_t count = 0;
        for (const auto& node : nodes_) {
            count += node->stops.stops.size();
        }
        return static_cast<std::int64_t>(count);
    }

  private:
    // The networks differ in their names.
    static std::string without_network(const std::string& part) {
        return part.starts_with("worms_") || part.starts_with("flits_")
                   ? part.substr(part.find('.'))
                   : part;
    }
    void draw_parameters() {
        const std::vector<std::vector<std::int64_t>> meshes{{2},    {3},    {5},      {2, 2},
                                                            {3, 2}, {3, 3}, {2, 2, 2}};
        flit_bytes_ = Bytes(number(random_, 1, 8));
        const auto mesh =
            static_cast<std::size_t>(number(random_, 0, static_cast<int>(meshes.size()) - 1));
        EXPECT_TRUE(parameters_.dimensions.set(meshes[mesh]));
        EXPECT_TRUE(parameters_.flit_bytes.set(flit_bytes_.count()));
        EXPECT_TRUE(parameters_.buffer_flits.set(number(random_, 1, 8)));
        EXPECT_TRUE(parameters_.hop_cycles.set(number(random_, 1, 3)));
        EXPECT_TRUE(parameters_.injection_cycles.set(number(random_, 1, 3)));
        EXPECT_TRUE(parameters_.ejection_cycles.set(number(random_, 1, 3)));
    }
    void add_node(ClockDomain& domain, NodeId node, std::uint64_t seed) {
        const Bytes output_bytes(flit_bytes_.count() * number(random_, 1, 40) +
                                 number(random_, 0, 7));
        const Bytes input_bytes(flit_bytes_.count() * number(random_, 1, 40) +
                                number(random_, 0, 7));
        // A burst leaves room, or bytes, for a flit, since a flit needs all of its bytes.
        const Bytes most_pushed = output_bytes - flit_bytes_ + Bytes(1);
        const Bytes most_popped = input_bytes - flit_bytes_ + Bytes(1);
        const Pace source_pace = Pace::drawn(random_, most_pushed);
        const Pace sink_pace = Pace::drawn(random_, most_popped);
        EndNode& added = *nodes_.emplace_back(
            std::make_unique<EndNode>(domain, messages_, node, output_bytes,
                                      input_bytes + planted_room_, source_pace, sink_pace, seed));
        network_->interface(node).attach(
            added.output_queue, added.input_queue,
            [](hw::Message& message, Cycles now) { message.times.header_arrival = now; },
            &added.stops);
    }
    void send_a_message() {
        const std::int64_t last = network_->node_count() - 1;
        const auto source = static_cast<std::int32_t>(number(random_, 0, last));
        const MessageSlot slot = messages_.allocate();
        hw::Message& message = messages_[slot];
        message.id = hw::MessageId{NodeId(source), slot};
        message.source = NodeId(source);
        message.destination = NodeId(static_cast<std::int32_t>(number(random_, 0, last)));
        message.bytes = Bytes(number(random_, 2, number(random_, 0, 9) == 0 ? 4000 : 500));
        nodes_[static_cast<std::size_t>(source)]->source.send(slot);
    }
    [[nodiscard]] std::string times() const {
        std::ostringstream text;
        messages_.for_each([&text](const hw::Message& message) {
            const hw::MessageTimes& times = message.times;
            text << times.network_entry << " " << times.tail_entry << " " << times.first_arrival
                 << " " << times.header_arrival << " " << times.tail_arrival << "; ";
        });
        return text.str();
    }
    [[nodiscard]] std::vector<std::int64_t> counts() const {
        std::vector<hw::PartStatistics> parts;
        network_->add_statistics(parts);
        std::vector<std::int64_t> counts;
        for (const hw::PartStatistics& part : parts) {
            for (const hw::Counter* counter : part.group->counters()) {
                counts.push_back(counter->value());
            }
        }
        return counts;
    }

    RandomStream random_;
    Bytes flit_bytes_;
    NetworkParameters parameters_;
    hw::MessagePool messages_;
    Bytes planted_room_;
    std::unique_ptr<RouterNetwork> network_;
    std::vector<std::unique_ptr<EndNode>> nodes_;
};

// Networks by the worm, beside the same ones flit by flit, on one clock.
class Comparison {
  public:
    Comparison(hw::ClockTiles& clock, std::uint64_t first_seed, int networks,
               Bytes planted_room = Bytes(0))
        : clock_(clock), first_seed_(first_seed) {
        for (int i = 0; i < networks; ++i) {
            const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
            by_worms_.push_back(std::make_unique<RandomNetwork>(clock, seed, true, planted_room));
            by_flits_.push_back(std::make_unique<RandomNetwork>(clock, seed, false));
        }
    }

    /// Runs all to their ends, with looks in between.
    void run() {
        RandomStream random(first_seed_, NodeId(0), "looks");
        Cycles until(0);
        while (clock_.has_wake_ups() && until < kLastCycle) {
            until +=
                Cycles(number(random, 0, 3) == 0 ? number(random, 1, 3) : number(random, 1, 700));
            clock_.run_until(until);
            for (std::size_t i = 0; i < by_worms_.size(); ++i) {
                if (by_worms_[i]->state() != by_flits_[i]->state()) {
                    note(i, "state after cycle " + std::to_string(until.count()));
                }
            }
        }
        for (std::size_t i = 0; i < by_worms_.size(); ++i) {
            const std::string found = by_worms_[i]->difference_from(*by_flits_[i], clock_.now());
            if (!found.empty()) {
                note(i, found);
            }
            if (!by_flits_[i]->is_finished()) {
                note(i, "a message without an end");
            }
        }
    }
    [[nodiscard]] std::string stories() const {
        std::string text;
        for (const auto& network : by_worms_) {
            text += network->story() + "\n";
        }
        return text;
    }
    [[nodiscard]] std::int64_t stops() const {
        std::int64_t sum = 0;
        for (const auto& network : by_worms_) {
            sum += network->stop_count();
        }
        return sum;
    }
    std::string first_difference;
    std::vector<std::uint64_t> different_seeds;

  private:
    void note(std::size_t index, const std::string& difference) {
        const std::uint64_t seed = first_seed_ + index;
        if (first_difference.empty()) {
            first_difference = "seed " + std::to_string(seed) + ": " + difference;
        }
        if (std::count(different_seeds.begin(), different_seeds.end(), seed) == 0) {
            different_seeds.push_back(seed);
        }
    }

    hw::ClockTiles& clock_;
    std::uint64_t first_seed_;
    std::vector<std::unique_ptr<RandomNetwork>> by_worms_;
    std::vector<std::unique_ptr<RandomNetwork>> by_flits_;
};

class WormNetworkTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters clock_parameters;
    hw::ClockTiles clock{clock_parameters, 1, 1};
};

class WormsOrFlitsTest : public WormNetworkTest, public ::testing::WithParamInterface<int> {};

constexpr int kNetworksABatch = 125;

// Over the twelve batches 3000 networks, each twice.
TEST_P(WormsOrFlitsTest, IsTheSameForEverybody) {
    const auto first_seed = static_cast<std::uint64_t>(GetParam()) * kNetworksABatch;
    Comparison comparison(clock, first_seed, kNetworksABatch);
    comparison.run();
    EXPECT_EQ(comparison.first_difference, "")
        << comparison.different_seeds.size() << " networks differ";
    EXPECT_GT(comparison.stops(), 1000);
}

INSTANTIATE_TEST_SUITE_P(Batches, WormsOrFlitsTest, ::testing::Range(0, 24));

TEST_F(WormNetworkTest, PlantedStallThatIsSkippedIsCaught) {
    Comparison comparison(clock, 0, 60, Bytes(1));
    comparison.run();
    EXPECT_NE(comparison.first_difference, "");
    EXPECT_GT(comparison.different_seeds.size(), 10U);
}

TEST(WormNetworkOrderTest, TellsTheSameStoryInEveryOrder) {
    const auto stories = hw::testing::results_in_every_order([](ClockDomain& domain) {
        hw::ClockTiles clock(domain);
        Comparison comparison(clock, 5000, 12);
        comparison.run();
        EXPECT_EQ(comparison.first_difference, "");
        return comparison.stories();
    });
    EXPECT_THAT(stories, Each(stories.front()));
    EXPECT_NE(stories.front(), "failed");
}

// --- The clock ----------------------------------------------------------------------------------

// Two by threads of their own; more, for which a host may have no cores, in turn.
void tick_as_fits(hw::ClockTiles& clock) {
    if (clock.count() > 2) {
        clock.tick_in_turn();
    }
}

// A run with ends that die, cut at a cycle or when it stands still. In both cases the present cycle
// is that of the flits one by one, the run is found to stand still in the same one, and all that
// can be asked for then is the same. In 0 tiles: flit by flit.
std::string told_of_end(std::uint64_t seed, std::size_t tiles, bool ends_die, Cycles limit) {
    return hw::testing::result_of_separate_run([=] {
        const bool by_worms = tiles > 0;
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, by_worms ? tiles : 1);
        tick_as_fits(clock);
        RandomNetwork network(clock, seed, by_worms);
        if (ends_die) {
            network.let_ends_die();
        }
        RandomStream random(seed, NodeId(0), "stops");
        std::ostringstream text;
        for (Cycles until(0); clock.has_wake_ups() && until < limit;) {
            until = std::min(until + Cycles(number(random, 1, 10)), limit);
            clock.run_until(until);
            if (clock.has_wake_ups()) {
                clock.pass_until(until);
            }
            text << clock.now() << " " << clock.has_wake_ups() << " ";
        }
        text << network.end_of_run(clock.now(), !clock.has_wake_ups());
        return text.str();
    });
}

TEST(WormNetworkEndTest, StandsStillWhereTheFlitsWould) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::string by_flits = told_of_end(seed, 0, seed % 4 != 0, kLastCycle);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(seed, 1, seed % 4 != 0, kLastCycle), by_flits) << "seed " << seed;
    }
}

TEST(WormNetworkEndTest, IsCutAtACycleWhereTheFlitsWould) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Cycles limit(20 + static_cast<std::int64_t>(seed * seed));
        const std::string by_flits = told_of_end(seed, 0, false, limit);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(seed, 1, false, limit), by_flits) << "seed " << seed;
    }
}

// Two messages of four flits are in the queue; of the second, whose first flit would go in cycle 5,
// nothing is in the network when the run is cut before that.
TEST(WormNetworkEndTest, WhatWasToEnterLaterHasNotEntered) {
    const hw::ClockDomainParameters clock;
    hw::ClockTiles tiles(clock, 1, 1);
    ClockDomain& domain = tiles.first();
    NetworkParameters parameters;
    ASSERT_TRUE(parameters.find("dimensions")->set(std::vector<std::int64_t>{2, 1}));
    hw::MessagePool messages;
    WormNetwork network("network", tiles, parameters, messages);
    std::deque<ByteQueue> queues;
    for (std::int32_t node = 0; node < 2; ++node) {
        ByteQueue& output =
            queues.emplace_back(NodeId(node), QueueKind::kOutput, Bytes(256), nullptr);
        ByteQueue& input =
            queues.emplace_back(NodeId(node), QueueKind::kInput, Bytes(256), nullptr);
        network.interface(NodeId(node)).attach(output, input, [](hw::Message&, Cycles) {});
    }
    std::vector<MessageSlot> sent;
    hw::testing::ScriptedPart program(domain);
    program.at(0, [&](Cycles now) {
        for (int i = 0; i < 2; ++i) {
            const MessageSlot slot = messages.allocate();
            messages[slot].id = hw::MessageId{NodeId(0), i};
            messages[slot].source = NodeId(0);
            messages[slot].destination = NodeId(1);
            messages[slot].bytes = Bytes(8);
            queues[0].begin_message(slot, now);
            queues[0].push(Bytes(8), now);
            sent.push_back(slot);
        }
    });
    domain.run_until(Cycles(3));
    network.end_of_run(Cycles(3));
    const hw::Message& first = messages[sent[0]];
    const hw::Message& second = messages[sent[1]];
    EXPECT_EQ(first.times.network_entry, Cycles(1));
    EXPECT_EQ(first.times.tail_entry, hw::kNever);
    EXPECT_EQ(first.hops, 1);
    EXPECT_GT(first.unloaded, Cycles(0));
    EXPECT_EQ(second.times.network_entry, hw::kNever);
    EXPECT_EQ(second.hops, 0);
    EXPECT_EQ(second.unloaded, Cycles(0));
}

// --- In tiles -----------------------------------------------------------------------------------

class WormTilesTest : public ::testing::TestWithParam<int> {};

// Batches of networks in 2, 3 and 4 tiles, of which small networks leave some empty.
TEST_P(WormTilesTest, AreTheSameForEverybody) {
    const auto batch = static_cast<std::uint64_t>(GetParam());
    hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 2 + batch % 3);
    tick_as_fits(clock);
    Comparison comparison(clock, 7000 + 100 * batch, 100);
    comparison.run();
    EXPECT_EQ(comparison.first_difference, "")
        << comparison.different_seeds.size() << " networks differ";
    EXPECT_GT(comparison.stops(), 400);
}

INSTANTIATE_TEST_SUITE_P(Batches, WormTilesTest, ::testing::Range(0, 6));

TEST(WormTilesEndTest, StandStillWhereTheFlitsWould) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        const std::string by_flits = told_of_end(seed, 0, seed % 4 != 0, kLastCycle);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(seed, 2 + seed % 3, seed % 4 != 0, kLastCycle), by_flits)
            << "seed " << seed;
    }
}

TEST(WormTilesEndTest, AreCutWhereTheFlitsWouldBe) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        const Cycles limit(20 + static_cast<std::int64_t>((seed - 100) * (seed - 100)));
        const std::string by_flits = told_of_end(seed, 0, false, limit);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(seed, 2 + seed % 3, false, limit), by_flits) << "seed " << seed;
    }
}

// --- Which networks it takes --------------------------------------------------------------------

std::string channels_of_mesh(std::int64_t hop_cycles, bool flit_by_flit) {
    return hw::testing::result_of_separate_run([=] {
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        NetworkParameters parameters;
        EXPECT_TRUE(parameters.hop_cycles.set(hop_cycles));
        EXPECT_TRUE(parameters.flit_by_flit.set(flit_by_flit));
        hw::MessagePool messages;
        const auto network =
            make_network(parameters, {clock, messages, parameters.node_count(), Cycles(3), 1});
        return std::string(network->all_channels().empty() ? "by the worm" : "flit by flit");
    });
}

TEST(WormNetworkKindTest, TakesPlainMeshesOfShortLinksUnlessItIsSwitchedOff) {
    EXPECT_EQ(channels_of_mesh(1, false), "by the worm");
    EXPECT_EQ(channels_of_mesh(64, false), "by the worm");
    EXPECT_EQ(channels_of_mesh(65, false), "flit by flit");
    EXPECT_EQ(channels_of_mesh(1, true), "flit by flit");
}

std::string kind_of(bool is_torus, bool routes_plain_meshes) {
    return hw::testing::result_of_separate_run([=] {
        NetworkParameters parameters;
        EXPECT_TRUE(parameters.find("topology")->set(std::string(is_torus ? "torus" : "mesh")));
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        NetworkSurroundings surroundings{clock, messages, parameters.node_count(), Cycles(3), 1};
        surroundings.routes_plain_meshes = routes_plain_meshes;
        const auto network = make_network(parameters, surroundings);
        return std::string(dynamic_cast<WormNetwork*>(network.get()) != nullptr   ? "worms"
                           : dynamic_cast<MeshNetwork*>(network.get()) != nullptr ? "a plain mesh"
                                                                                  : "routes");
    });
}

TEST(WormNetworkKindTest, IsOfPlainMeshesThatAreNotToBeRouted) {
    EXPECT_EQ(kind_of(false, false), "worms");
    EXPECT_EQ(kind_of(false, true), "routes");
    EXPECT_EQ(kind_of(true, false), "routes");
    EXPECT_EQ(kind_of(true, true), "routes");
}

// --- What it is for -----------------------------------------------------------------------------

struct Effort {
    std::int64_t ticks = 0;
    std::int64_t tail_arrival = 0;
    std::int64_t flit_hops = 0;
};

// A message of 320,000 bytes from one corner of Alewife to the other, 10 hops, its bytes put in
// 32 at a time every 11 cycles and taken out in the same way.
Effort effort_of_a_long_message(RouterNetwork& network, ClockDomain& domain,
                                hw::MessagePool& messages) {
    const Pace pace{Bytes(32), 11, 11, 0};
    std::vector<std::unique_ptr<EndNode>> nodes;
    for (std::int32_t i = 0; i < network.node_count(); ++i) {
        nodes.push_back(std::make_unique<EndNode>(domain, messages, NodeId(i), Bytes(256),
                                                  Bytes(256), pace, pace, 1));
        network.interface(NodeId(i)).attach(nodes.back()->output_queue, nodes.back()->input_queue,
                                            [](hw::Message&, Cycles) {});
    }
    const MessageSlot slot = messages.allocate();
    hw::Message& message = messages[slot];
    message.id = hw::MessageId{NodeId(0), 0};
    message.source = NodeId(0);
    message.destination = NodeId(31);
    message.bytes = Bytes(320'000);
    nodes.front()->source.send(slot);
    domain.run_until(kLastCycle);
    return {domain.ticks(), message.times.tail_arrival.count(), network.flit_hops()};
}

std::string cost_of_a_long_message(bool flit_by_flit) {
    return hw::testing::result_of_separate_run([=] {
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        NetworkParameters parameters;
        EXPECT_TRUE(parameters.flit_by_flit.set(flit_by_flit));
        const auto network =
            make_network(parameters, {clock, messages, parameters.node_count(), Cycles(3), 1});
        const Effort effort = effort_of_a_long_message(dynamic_cast<RouterNetwork&>(*network),
                                                       clock.first(), messages);
        return std::to_string(effort.ticks) + " " + std::to_string(effort.tail_arrival) + " " +
               std::to_string(effort.flit_hops);
    });
}

Effort effort_in(const std::string& text) {
    Effort effort;
    std::istringstream(text) >> effort.ticks >> effort.tail_arrival >> effort.flit_hops;
    return effort;
}

TEST(WormNetworkEffortTest, OfALongMessageIsInItsBurstsNotInItsFlits) {
    const Effort by_worms = effort_in(cost_of_a_long_message(false));
    const Effort by_flits = effort_in(cost_of_a_long_message(true));
    EXPECT_EQ(by_worms.tail_arrival, by_flits.tail_arrival);
    EXPECT_EQ(by_worms.flit_hops, 11 * 160'000);
    EXPECT_EQ(by_flits.flit_hops, 11 * 160'000);
    constexpr std::int64_t kBursts = 2 * 320'000 / 32;
    EXPECT_GT(by_flits.ticks, 13 * 160'000);
    RecordProperty("ticks_by_worms", std::to_string(by_worms.ticks));
    RecordProperty("ticks_by_flits", std::to_string(by_flits.ticks));
    // An end looks, looks once more in the next cycle, and acts.
    EXPECT_LT(by_worms.ticks, 4 * kBursts);
}

}  // namespace
}  // namespace weir::network
