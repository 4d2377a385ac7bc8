#include "nodes/starvation.h"

#include <algorithm>
#include <utility>

#include "hw/text_streams.h"
#include "memory/coherence/coherence_controller.h"
#include "network/network_plan.h"
#include "network/topology/metrics.h"
#include "nodes/machine.h"
#include "nodes/node.h"

namespace weir::nodes {

namespace {

// Looks fall on Machine::run()'s pauses, about every sixteenth of the limit.
constexpr std::int64_t kLooksInLimit = 16;
constexpr std::int64_t kPauseCycles = 4096;
constexpr std::int64_t kLongestTurn = 8;     // a turn of other threads is excused beyond limit / 8
constexpr std::int64_t kSuspectedAfter = 4;  // a thread becomes a suspect after limit / 4
constexpr std::int64_t kStandsStill = 2;     // a line or home without progress for limit / 2 stands
                                             // still
constexpr std::int64_t kMostNamed = 8;       // most threads or nodes that a report names

// Longest packet of the protocol: it carries a line, and a third node or a count.
constexpr hw::Bytes kLongestPacket{28};
// Cycles in the end nodes of a packet: one each in the output queue, the network interface, the
// input queue and the controller.
constexpr hw::Cycles kAtEnds{4};

// Work of limitless.c or software_directory.c for one request (assumed): three traps of 200
// instructions, every sixth of which misses the cache.
constexpr TrapWork kCompiledTraps{.computes = hw::Cycles(600), .accesses = 100};

hw::Cycles ceiling(hw::Cycles cycles, std::int64_t parts) {
    return hw::Cycles((cycles.count() + parts - 1) / parts);
}

hw::Cycles longest_trip(const MachineConfiguration& configuration) {
    const network::NetworkParameters& network = configuration.network;
    const network::Topology topology = network::make_topology(network);
    const std::vector<std::int32_t> hops = network::hops_from(topology, 0);
    const std::int64_t farthest = 2 * std::int64_t{*std::max_element(hops.begin(), hops.end())};
    const std::int64_t flits = hw::flits_of(kLongestPacket, network.flit_bytes.value()).count() + 1;
    const hw::Cycles flit = network.flit_cycles();
    const hw::Cycles hop = network.hop_cycles.value() + flit;
    const hw::Cycles in_router =
        network.routing_cycles.value() + network.vc_allocation_cycles.value() +
        network.switch_allocation_cycles.value() +
        (network.switching.value() == network::Switching::kStoreAndForward ? flits * flit
                                                                           : hw::Cycles(0));
    // A flit needs a free buffer slot, and the credit must have come back.
    const hw::Cycles round = hop + in_router + network.credit_cycles.value() + hw::Cycles(1);
    const hw::Cycles between_flits =
        std::max(flit, ceiling(round, network.buffer_flits.value().count()));
    return network.injection_cycles.value() + network.ejection_cycles.value() +
           (farthest + 1) * (hop + in_router) + flits * between_flits + kAtEnds;
}

// Time for a line from the node's own memory, with a miss at every level of cache.
hw::Cycles own_access(const MachineConfiguration& configuration) {
    hw::Cycles cycles = configuration.caches.tlb.entries.value() > 0
                            ? configuration.caches.tlb.walk_cycles.value()
                            : hw::Cycles(0);
    for (std::int64_t i = 0; i < configuration.memory.caches.value(); ++i) {
        const memory::CacheLevelParameters& level = configuration.caches.levels.at(i);
        cycles += level.access_cycles.value() + level.busy_cycles.value() +
                  level.miss_cycles.value() + hw::Cycles(1);
    }
    const hw::MemoryPortParameters& port = configuration.memory_port;
    const hw::Bytes line =
        std::max_element(configuration.caches.levels.begin(), configuration.caches.levels.end(),
                         [](const auto& a, const auto& b) {
                             return a.line_bytes.value() < b.line_bytes.value();
                         })
            ->line_bytes.value();
    return cycles + hw::Cycles(1) + port.access_cycles.value() +
           hw::memory_burst_cycles(line, port.beat_bytes.value(), port.beat_cycles.value()) +
           std::max(configuration.memory.load_cycles.value(),
                    configuration.memory.store_cycles.value()) +
           configuration.memory.double_cycles.value();
}

hw::Cycles context_switches(const MachineConfiguration& configuration) {
    const std::int64_t contexts = configuration.core.contexts.value();
    if (contexts == 1) {
        return hw::Cycles(0);
    }
    constexpr hw::Cycles kSwitchInSoftware{32};  // more than the 14 cycles of a switch on Sparcle
    const bool is_compiled = configuration.core.kind.value() == CoreKind::kSparcle;
    return contexts *
           (is_compiled ? configuration.sparcle.remote_wait_trap_cycles.value() + kSwitchInSoftware
                        : configuration.core.context_switch_cycles.value());
}

std::int64_t total(const memory::ProgressWatch::ByNode& by_node) {
    std::int64_t sum = 0;
    for (const auto& [node, count] : by_node) {
        sum += count;
    }
    return sum;
}

std::string times(std::int64_t count) {
    return count == 1 ? "once" : std::to_string(count) + " times";
}

std::string hexadecimal(std::uint64_t address) {
    hw::TextWriter text;
    text << "0x" << std::hex << address;
    return text.str();
}

// Sorts the counts, largest first.
template <class Key>
std::vector<std::pair<Key, std::int64_t>> in_order(const std::map<Key, std::int64_t>& counts) {
    std::vector<std::pair<Key, std::int64_t>> list(counts.begin(), counts.end());
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return list;
}

// Names with their counts, largest count first: "node 3 (12 times), node 1 (once)".
template <class Key, class Name>
std::string listed(const std::map<Key, std::int64_t>& counts, const Name& name) {
    std::string text;
    std::int64_t named = 0;
    for (const auto& [key, count] : in_order(counts)) {
        if (named == kMostNamed) {
            return text + " and others";
        }
        text += (named++ == 0 ? "" : ", ") + name(key) + " (" + times(count) + ")";
    }
    return text;
}

std::string node_name(hw::NodeId node) { return "node " + std::to_string(node.index()); }

}  // namespace

hw::Cycles StarvationLimit::cycles() const {
    constexpr std::int64_t kMost = hw::kNever.count() / 4;
    const double asked = static_cast<double>(accesses) * static_cast<double>(threads) *
                         static_cast<double>(access.count());
    return asked > static_cast<double>(kMost) ? hw::Cycles(kMost)
                                              : std::max(kLeast, accesses * threads * access);
}

std::string StarvationLimit::text() const {
    return std::to_string(cycles().count()) +
           " cycles (coherence.starved_after_accesses = " + std::to_string(accesses) + ", times " +
           std::to_string(threads) + " threads, times " + std::to_string(access.count()) +
           " cycles of the longest uncontended remote access; at least " +
           std::to_string(kLeast.count()) + ")";
}

bool has_directory_software(const MachineConfiguration& configuration) {
    const memory::Protocol protocol = configuration.coherence.protocol.value();
    return protocol == memory::Protocol::kLimitless || protocol == memory::Protocol::kSoftware;
}

StarvationLimit starvation_limit(const MachineConfiguration& configuration) {
    const memory::CoherenceParameters& coherence = configuration.coherence;
    constexpr std::int64_t kTrips = 4;  // request, invalidation, acknowledgement, reply
    const hw::Cycles own = own_access(configuration);
    const hw::Cycles pause = coherence.busy_cycles.value() + coherence.busy_spread_cycles.value();
    StarvationLimit limit{
        .access = kTrips * longest_trip(configuration) + 3 * own +
                  2 * coherence.directory_cycles.value() + coherence.invalidate_cycles.value() +
                  2 * coherence.cache_cycles.value() + pause + context_switches(configuration),
        .own_access = own,
        .threads = configuration.node_count() * configuration.core.contexts.value(),
        .accesses = coherence.starved_after_accesses.value()};
    if (has_directory_software(configuration) &&
        configuration.core.kind.value() == CoreKind::kSparcle) {
        limit.add(kCompiledTraps);
    }
    return limit;
}

Starvation::Starvation(const Nodes& nodes, const StarvationLimit& limit)
    : nodes_(nodes),
      limit_(limit),
      period_(kPauseCycles * ceiling(limit.cycles(), kLooksInLimit * kPauseCycles).count()),
      next_look_(period_) {
    for (const auto& node : nodes_) {
        node->core.set_longest_turn(ceiling(limit.cycles(), kLongestTurn));
    }
}

bool Starvation::look(hw::Cycles now, hw::Cycles last_progress) {
    while (next_look_ <= now) {
        next_look_ += period_;
    }
    const hw::Cycles limit = limit_.cycles();
    watch(waiting(now, ceiling(limit, kSuspectedAfter)), now);
    const hw::Cycles still = ceiling(limit, kStandsStill);
    starved_.clear();
    for (const Waiting& one : waiting(now, limit)) {
        const bool moves = now - last_progress < still || now - watched(one).moved < still;
        if (moves && now - watched(one).from >= still) {
            starved_.push_back(one);
        }
    }
    return !starved_.empty();
}

std::vector<Starvation::Waiting> Starvation::waiting(hw::Cycles now, hw::Cycles longer_than) const {
    std::vector<Waiting> all;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Core& core = nodes_[i]->core;
        if (core.has_halted() || core.thread_done()) {
            continue;
        }
        for (const Core::Stall& stall : core.stalls(now)) {
            Waiting one{static_cast<std::int32_t>(i), stall};
            // The home keeps refusing the request while the core runs handlers, so the time since
            // the request counts in full.
            if (const auto asked = stall.address ? nodes_[i]->coherence()->asked_since(line_of(one))
                                                 : std::nullopt) {
                one.stall.waited = std::max(stall.waited, now - *asked);
            }
            if (one.stall.waited > longer_than) {
                all.push_back(one);
            }
        }
    }
    return all;
}

std::uint64_t Starvation::line_of(const Waiting& one) {
    constexpr auto kLine = static_cast<std::uint32_t>(memory::kSharedLineBytes.count());
    return *one.stall.address - *one.stall.address % kLine;
}

// Begins to count at the suspects' lines and homes, and stops counting at all others.
void Starvation::watch(const std::vector<Waiting>& suspects, hw::Cycles now) {
    for (auto& [line, watched] : lines_) {
        watched.is_wanted = false;
    }
    for (auto& [home, watched] : homes_) {
        watched.is_wanted = false;
    }
    for (const Waiting& one : suspects) {
        Watched& watched =
            one.stall.address ? lines_.try_emplace(line_of(one), Watched{.from = now}).first->second
                              : homes_.try_emplace(one.node, Watched{.from = now}).first->second;
        watched.is_wanted = true;
    }
    for (const auto& node : nodes_) {
        memory::CoherenceController& coherence = *node->coherence();
        if (suspects.empty()) {
            coherence.stop_watching();
            continue;
        }
        for (const auto& [line, watched] : lines_) {
            if (watched.is_wanted) {
                coherence.watch().begin(line);
            } else {
                coherence.watch().end(line);
            }
        }
    }
    std::erase_if(lines_, [](const auto& entry) { return !entry.second.is_wanted; });
    std::erase_if(homes_, [](const auto& entry) { return !entry.second.is_wanted; });
    for (auto& [line, watched] : lines_) {
        std::int64_t count = 0;
        for (const auto& node : nodes_) {
            const memory::ProgressWatch::Line& counted = *node->coherence()->watch().find(line);
            count += total(counted.served) + counted.refused + counted.lost;
        }
        note_count(watched, count, now);
    }
    for (auto& [home, watched] : homes_) {
        memory::ProgressWatch& counts = nodes_[home]->coherence()->watch();
        if (watched.from == now) {
            counts.forget_traps();
        }
        // Traps count as progress of the home even if they serve no packet.
        const Core::Statistics& core = nodes_[home]->core.statistics();
        note_count(watched, core.coherence_traps.value() + core.overflow_traps.value(), now);
    }
}

void Starvation::note_count(Watched& watched, std::int64_t count, hw::Cycles now) {
    if (count != watched.count || watched.from == now) {
        watched.count = count;
        watched.moved = watched.from == now ? hw::Cycles(0) - hw::kNever : now;
    }
}

const Starvation::Watched& Starvation::watched(const Waiting& one) const {
    return one.stall.address ? lines_.at(line_of(one)) : homes_.at(one.node);
}

memory::ProgressWatch::ByNode Starvation::served(std::uint64_t line) const {
    memory::ProgressWatch::ByNode all;
    for (const auto& node : nodes_) {
        for (const auto& [who, count] : node->coherence()->watch().find(line)->served) {
            all[who] += count;
        }
    }
    return all;
}

memory::ProgressWatch::Line Starvation::at_node(const Waiting& one) const {
    return *nodes_[one.node]->coherence()->watch().find(line_of(one));
}

bool Starvation::has_unanswered() const {
    return std::any_of(starved_.begin(), starved_.end(), [this](const Waiting& one) {
        return one.stall.address && at_node(one).refused == 0 && at_node(one).lost == 0;
    });
}

std::string Starvation::text() const {
    std::string text = "starved, for longer than " + limit_.text() + ":\n";
    std::int64_t named = 0;
    for (const Waiting& one : starved_) {
        if (named++ == kMostNamed) {
            text += "  and " + std::to_string(std::ssize(starved_) - kMostNamed) + " more\n";
            break;
        }
        text += "  " + text_of(one) + "\n";
    }
    return text;
}

std::string Starvation::text_of(const Waiting& one) const {
    const Core::Stall& stall = one.stall;
    const std::string place =
        stall.pc ? " " + nodes_[one.node]->core.place_of(*stall.pc) : std::string();
    std::string text = "node " + std::to_string(one.node);
    if (stall.address) {
        text += ", context " + std::to_string(stall.context) + ": its " +
                (stall.is_store ? "store to " : "load from ") + hexadecimal(*stall.address);
        text += place + " has had no answer since cycle ";
    } else {
        text += place + ": its thread is ready to run, and has made no step since cycle ";
    }
    text += std::to_string(stall.since.count()) + ", for " + std::to_string(stall.waited.count()) +
            " cycles";
    if (stall.trapped > hw::Cycles(0)) {
        text += ", of which its core was in traps for " + std::to_string(stall.trapped.count());
    }
    return text + (stall.address ? line_text(one) : traps_text(one));
}

std::string Starvation::line_text(const Waiting& one) const {
    const std::uint64_t line = line_of(one);
    const memory::ProgressWatch::Line counted = at_node(one);
    const memory::ProgressWatch::ByNode all = served(line);
    const hw::NodeId home = nodes_.front()->coherence()->map().home_of(line);
    std::string text = "; its line " + hexadecimal(line) + " is at " + node_name(home) +
                       "; since cycle " + std::to_string(watched(one).from.count()) +
                       " it was refused " + times(counted.refused) + ", lost its line unused " +
                       times(counted.lost) + ", and the line went to ";
    return text + (all.empty() ? "no node" : listed(all, node_name));
}

std::string Starvation::traps_text(const Waiting& one) const {
    const auto& traps = nodes_[one.node]->coherence()->watch().traps();
    std::string text =
        "; since cycle " + std::to_string(watched(one).from.count()) + " its traps served ";
    return text + (traps.empty()
                       ? "no packet"
                       : listed(traps, [](const memory::ProgressWatch::NodeAndLine& of) {
                             return node_name(of.first) + " for line " + hexadecimal(of.second);
                         }));
}

}  // namespace weir::nodes
