#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "hw/clock/clock_tiles.h"
#include "hw/controller/controller.h"
#include "hw/testing/every_order.h"
#include "network/mesh_network.h"
#include "network/routed_network.h"
#include "network/testing/burst_ends.h"
#include "network/testing/network_bench.h"
#include "network/testing/settings.h"
#include "network/worm_network.h"

/// Random networks with two emulations each, whose results must be equal.
namespace weir::network::testing {

inline constexpr hw::Cycles kLastCycle(10'000'000);

enum class RandomKind : std::uint8_t {
    kPlainMesh,  ///< worm by worm, or flit by flit
    kRouted,     ///< virtual channel routers: all as one part, or each by itself
};

/// A small network with random parameters, nodes and messages, drawn from its seed. `is_fast`
/// chooses the fast emulation; otherwise the network is emulated flit by flit.
class RandomNetwork {
  public:
    RandomNetwork(hw::ClockTiles& clock, std::uint64_t seed, RandomKind kind, bool is_fast,
                  hw::Bytes planted_room = hw::Bytes(0))
        : random_(seed, hw::NodeId(0), "random network"), planted_room_(planted_room) {
        const std::string name = (is_fast ? "fast_" : "flits_") + std::to_string(seed);
        kind == RandomKind::kPlainMesh ? draw_plain_mesh() : draw_routed();
        EXPECT_TRUE(parameters_.flit_by_flit.set(!is_fast));
        if (kind == RandomKind::kRouted) {
            network_ = std::make_unique<RoutedNetwork>(name.c_str(), clock.first(), parameters_,
                                                       messages_, no_faults(), seed);
        } else if (is_fast) {
            network_ = std::make_unique<WormNetwork>(name.c_str(), clock, parameters_, messages_);
        } else {
            network_ =
                std::make_unique<MeshNetwork>(name.c_str(), clock.first(), parameters_, messages_);
        }
        const std::int32_t count = network_->node_count();
        for (std::int32_t i = 0; i < count; ++i) {
            const hw::NodeId node(i);
            add_node(is_fast ? clock.domain(clock.tile_of(node, count)) : clock.first(), node,
                     seed);
        }
        const std::int64_t messages =
            number(random_, 0, 2) == 0 ? number(random_, 20, 60) : number(random_, 2, 7);
        for (std::int64_t i = 0; i < messages; ++i) {
            send_a_message();
        }
    }

    /// Some nodes stop in a random cycle.
    void let_ends_die() {
        for (const auto& node : nodes_) {
            if (number(random_, 0, 2) == 0) {
                node->source.dies = hw::Cycles(number(random_, 10, 2000));
            }
            if (number(random_, 0, 2) == 0) {
                node->sink.dies = hw::Cycles(number(random_, 10, 2000));
            }
        }
    }

    /// Ends the run in cycle `end`, and returns all results as text.
    [[nodiscard]] std::string end_of_run(hw::Cycles end, bool stands_still) {
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
        for (const auto& [channel, count] : counts_by_name(*network_, end)) {
            text << channel << ": " << count.sent << ", " << count.header_waits << " ";
        }
        for (const auto& node : nodes_) {
            for (const std::string& stop : node->stops.stops) {
                text << stop << "; ";
            }
        }
        hw::WaitReport waits;
        for (std::int32_t i = 0; stands_still && i < network_->node_count(); ++i) {
            network_->report_end_waits(hw::NodeId(i), "input " + std::to_string(i), waits);
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

    /// True if all messages have arrived.
    [[nodiscard]] bool is_finished() const {
        bool finished = true;
        messages_.for_each([&finished](const hw::Message& message) {
            finished = finished && message.times.tail_arrival != hw::kNever;
        });
        return finished;
    }
    /// Current state of the network and its nodes.
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

    /// First difference from another emulation of the same seed; empty if there is none.
    [[nodiscard]] std::string difference_from(const RandomNetwork& other, hw::Cycles end) const {
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

    /// All observations and counts as one text.
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

    /// Parameters that are not at their defaults.
    [[nodiscard]] std::string parameters() const {
        std::string text;
        for (const hw::ParameterBase* parameter : parameters_.parameters()) {
            if (parameter->is_given()) {
                text += " " + parameter->name() + " = ";
                std::visit([&text](const auto& value) { text += ::testing::PrintToString(value); },
                           parameter->value_as_variant());
            }
        }
        return text;
    }

    [[nodiscard]] std::int64_t stop_count() const {
        std::size_t count = 0;
        for (const auto& node : nodes_) {
            count += node->stops.stops.size();
        }
        return static_cast<std::int64_t>(count);
    }

  private:
    // Removes the network's name, which differs between the emulations.
    static std::string without_network(const std::string& part) {
        return part.starts_with("fast_") || part.starts_with("flits_") ? part.substr(part.find('.'))
                                                                       : part;
    }
    void draw_plain_mesh() {
        const std::vector<List> meshes{{2}, {3}, {5}, {2, 2}, {3, 2}, {3, 3}, {2, 2, 2}};
        draw_dimensions_of(meshes);
        draw_cycles({"hop_cycles", "injection_cycles", "ejection_cycles"}, 1, 3);
        EXPECT_TRUE(parameters_.buffer_flits.set(number(random_, 1, 8)));
    }
    // Some of these are plain meshes, emulated with the routers of routed networks.
    void draw_routed() {
        struct Family {
            const char* name;
            std::vector<List> dimensions;
        };
        const std::vector<Family> families{
            {"mesh", {{2}, {5}, {2, 2}, {3, 2}, {3, 3}, {2, 2, 2}}},
            {"torus", {{4}, {5}, {4, 2}, {3, 3}, {4, 4}}},
            {"hypercube", {{2, 2}, {2, 2, 2}}},
            {"fat_tree", {{4}, {8}}},
            {"butterfly", {{4}, {8}}},
            {"dragonfly", {{1, 2, 3}, {2, 2, 3}, {1, 3, 4}}},
        };
        const Family& family = drawn(families);
        EXPECT_TRUE(parameters_.find("topology")->set(std::string(family.name)));
        draw_dimensions_of(family.dimensions);
        EXPECT_TRUE(parameters_.arity.set(2));
        draw_cycles({"hop_cycles", "injection_cycles", "ejection_cycles"}, 1,
                    number(random_, 0, 7) == 0 ? 60 : 3);
        draw_cycles({"routing_cycles", "vc_allocation_cycles", "switch_allocation_cycles"}, 0,
                    number(random_, 0, 2));
        draw_cycles({"credit_cycles"}, 1, number(random_, 0, 5) == 0 ? 64 : number(random_, 1, 4));
        EXPECT_TRUE(parameters_.copies.set(number(random_, 0, 5) == 0 ? 2 : 1));
        EXPECT_TRUE(
            parameters_.tag_bytes.set(number(random_, 0, 3) == 0 ? number(random_, 1, 8) : 0));
        EXPECT_TRUE(parameters_.escapes_last.set(number(random_, 0, 1) == 0));
        EXPECT_TRUE(parameters_.leave_escapes.set(number(random_, 0, 1) == 0));
        draw_one_of("ring_classes", {"dateline", "crossing", "balanced"});
        draw_one_of("ring_ties", {"up", "parity", "lot"});
        draw_one_of("vc_reallocation", {"default", "tail", "tail_credit", "whole_message"});
        draw_one_of("switching",
                    {"wormhole", "wormhole", "virtual_cut_through", "store_and_forward"});
        const bool switches_whole = parameters_.switching.value() != Switching::kWormhole;
        most_bytes_ = switches_whole ? 40 : most_bytes_;
        EXPECT_TRUE(parameters_.buffer_flits.set(switches_whole ? number(random_, 40, 60)
                                                                : number(random_, 1, 8)));
        if (std::string_view(family.name) == "dragonfly") {
            draw_cycles({"global_hop_cycles"}, 0, number(random_, 0, 1) == 0 ? 3 : 40);
        }
        do {
            EXPECT_TRUE(parameters_.virtual_channels.set(number(random_, 0, 4)));
            draw_one_of("routing", {"default", "default", "minimal_adaptive"});
        } while (parameters_.check() ||
                 !prove(NetworkPlan(parameters_).routing()).is_free_of_deadlock());
    }
    void draw_dimensions_of(const std::vector<List>& all) {
        flit_bytes_ = hw::Bytes(number(random_, 1, 8));
        EXPECT_TRUE(parameters_.flit_bytes.set(flit_bytes_.count()));
        EXPECT_TRUE(parameters_.dimensions.set(drawn(all)));
    }
    void draw_cycles(const std::vector<const char*>& parameters, std::int64_t least,
                     std::int64_t most) {
        for (const char* name : parameters) {
            EXPECT_TRUE(parameters_.find(name)->set(number(random_, least, most))) << name;
        }
    }
    void draw_one_of(const char* parameter, const std::vector<std::string>& values) {
        EXPECT_TRUE(parameters_.find(parameter)->set(drawn(values))) << parameter;
    }
    template <class Item>
    const Item& drawn(const std::vector<Item>& all) {
        return all[number(random_, 0, static_cast<std::int64_t>(all.size()) - 1)];
    }
    void add_node(hw::ClockDomain& domain, hw::NodeId node, std::uint64_t seed) {
        const hw::Bytes largest_flit = flit_bytes_ + parameters_.tag_bytes.value();
        const hw::Bytes output_bytes(largest_flit.count() * number(random_, 1, 40) +
                                     number(random_, 0, 7));
        const hw::Bytes input_bytes(largest_flit.count() * number(random_, 1, 40) +
                                    number(random_, 0, 7));
        // A burst leaves at least a flit's room, or bytes, since a flit needs all of its bytes at
        // once.
        const hw::Bytes most_pushed = output_bytes - largest_flit + hw::Bytes(1);
        const hw::Bytes most_popped = input_bytes - largest_flit + hw::Bytes(1);
        const Pace source_pace = Pace::drawn(random_, most_pushed);
        const Pace sink_pace = Pace::drawn(random_, most_popped);
        EndNode& added = *nodes_.emplace_back(
            std::make_unique<EndNode>(domain, messages_, node, output_bytes,
                                      input_bytes + planted_room_, source_pace, sink_pace, seed));
        network_->interface(node).attach(
            added.output_queue, added.input_queue,
            [](hw::Message& message, hw::Cycles now) { message.times.header_arrival = now; },
            &added.stops);
    }
    void send_a_message() {
        const std::int64_t last = network_->node_count() - 1;
        const auto source = static_cast<std::int32_t>(number(random_, 0, last));
        const hw::MessageSlot slot = messages_.allocate();
        hw::Message& message = messages_[slot];
        message.id = hw::MessageId{hw::NodeId(source), slot};
        message.source = hw::NodeId(source);
        message.destination = hw::NodeId(static_cast<std::int32_t>(number(random_, 0, last)));
        message.bytes = hw::Bytes(
            number(random_, 2,
                   std::min(number(random_, 0, 9) == 0 ? std::int64_t{4000} : 500, most_bytes_)));
        nodes_[source]->source.send(slot);
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

    hw::RandomStream random_;
    hw::Bytes flit_bytes_;
    std::int64_t most_bytes_ = 4000;  // longest message
    NetworkParameters parameters_;
    hw::MessagePool messages_;
    hw::Bytes planted_room_;
    std::unique_ptr<RouterNetwork> network_;
    std::vector<std::unique_ptr<EndNode>> nodes_;
};

/// Random networks of a kind, in both emulations, on one clock.
class Comparison {
  public:
    Comparison(hw::ClockTiles& clock, RandomKind kind, std::uint64_t first_seed, int networks,
               hw::Bytes planted_room = hw::Bytes(0))
        : clock_(clock), first_seed_(first_seed) {
        for (int i = 0; i < networks; ++i) {
            const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
            fast_.push_back(std::make_unique<RandomNetwork>(clock, seed, kind, true, planted_room));
            by_flits_.push_back(std::make_unique<RandomNetwork>(clock, seed, kind, false));
        }
    }

    /// Runs all networks to their ends, and compares their states at random cycles.
    void run() {
        hw::RandomStream random(first_seed_, hw::NodeId(0), "looks");
        hw::Cycles until(0);
        while (clock_.has_wake_ups() && until < kLastCycle) {
            until += hw::Cycles(number(random, 0, 3) == 0 ? number(random, 1, 3)
                                                          : number(random, 1, 700));
            clock_.run_until(until);
            for (std::size_t i = 0; i < fast_.size(); ++i) {
                if (fast_[i]->state() != by_flits_[i]->state()) {
                    note(i, "state after cycle " + std::to_string(until.count()));
                }
            }
        }
        for (std::size_t i = 0; i < fast_.size(); ++i) {
            const std::string found = fast_[i]->difference_from(*by_flits_[i], clock_.now());
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
        for (const auto& network : fast_) {
            text += network->story() + "\n";
        }
        return text;
    }
    [[nodiscard]] std::int64_t stops() const {
        std::int64_t sum = 0;
        for (const auto& network : fast_) {
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
            first_difference = "seed " + std::to_string(seed) + ": " + difference +
                               "; network:" + fast_[index]->parameters();
        }
        if (std::count(different_seeds.begin(), different_seeds.end(), seed) == 0) {
            different_seeds.push_back(seed);
        }
    }

    hw::ClockTiles& clock_;
    std::uint64_t first_seed_;
    std::vector<std::unique_ptr<RandomNetwork>> fast_;
    std::vector<std::unique_ptr<RandomNetwork>> by_flits_;
};

/// Two tiles run in threads of their own. More tiles run in turn, since the host may have too few
/// cores.
inline void tick_as_fits(hw::ClockTiles& clock) {
    if (clock.count() > 2) {
        clock.tick_in_turn();
    }
}

/// Result of a run that is cut in cycle `limit`, or ends when the network stands still, perhaps
/// after nodes have died. Both emulations must give the same text: current cycles, cycle of the
/// standstill, and all results. `tiles` = 0 means flit by flit.
inline std::string told_of_end(RandomKind kind, std::uint64_t seed, std::size_t tiles,
                               bool ends_die, hw::Cycles limit) {
    return hw::testing::result_of_separate_run([=] {
        const bool is_fast = tiles > 0;
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, is_fast ? tiles : 1);
        tick_as_fits(clock);
        RandomNetwork network(clock, seed, kind, is_fast);
        if (ends_die) {
            network.let_ends_die();
        }
        hw::RandomStream random(seed, hw::NodeId(0), "stops");
        std::ostringstream text;
        for (hw::Cycles until(0); clock.has_wake_ups() && until < limit;) {
            until = std::min(until + hw::Cycles(number(random, 1, 10)), limit);
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

/// Compares standstills of some networks of a kind, some with nodes that die. In
/// kEndsWithAnArrival, a network of routers, the last event is the arrival of a flit that can't go
/// on.
inline void expect_same_standstills(RandomKind kind) {
    constexpr std::uint64_t kSeeds = 60;
    constexpr std::uint64_t kEndsWithAnArrival = 433;
    for (std::uint64_t i = 0; i <= kSeeds; ++i) {
        const std::uint64_t seed = i < kSeeds ? i : kEndsWithAnArrival;
        const std::string by_flits = told_of_end(kind, seed, 0, seed % 4 != 0, kLastCycle);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(kind, seed, 1, seed % 4 != 0, kLastCycle), by_flits)
            << "seed " << seed;
    }
}
/// Compares runs that are cut in different cycles.
inline void expect_same_cuts(RandomKind kind) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const hw::Cycles limit(20 + static_cast<std::int64_t>(seed * seed));
        const std::string by_flits = told_of_end(kind, seed, 0, false, limit);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(kind, seed, 1, false, limit), by_flits) << "seed " << seed;
    }
}
inline void expect_same_story_in_every_order(RandomKind kind) {
    const auto stories = hw::testing::results_in_every_order([kind](hw::ClockDomain& domain) {
        hw::ClockTiles clock(domain);
        Comparison comparison(clock, kind, 5000, 12);
        comparison.run();
        EXPECT_EQ(comparison.first_difference, "");
        return comparison.stories();
    });
    EXPECT_THAT(stories, ::testing::Each(stories.front()));
    EXPECT_NE(stories.front(), "failed");
}

}  // namespace weir::network::testing
