#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/per_node.h"
#include "memory/coherence/cache_table.h"
#include "memory/coherence/directory.h"

namespace weir::memory::testing {

/// Explores all states of one line at some caches and a home, with the tables of the machine.
///
/// The home has no cache of its own. With Protocol::kSoftware it is the node of the last cache,
/// since the hardware serves only the home's own accesses. Channels between a cache and the home,
/// and between two caches, keep order. The trap handler runs as one step. A line has one of two
/// values, and a store writes the other one. The explored steps are those of the models (models/),
/// so that both have the same states.
class ProtocolChecker {
  public:
    /// Planted faults.
    enum class Fault : std::uint8_t {
        kNone,
        kOneInvalidationTooFew,
        kDoesNotWait,        ///< the line is granted to a writer before the copies are gone
        kNoTrapOnWrite,      ///< hardware handles a write in Trap-On-Write
        kDropsReplaced,      ///< REPM is lost while copies are being taken
        kNotBusyInSoftware,  ///< requests that arrive while software runs are queued, not answered
                             ///< BUSY
        kAbsentUnacknowledged,  ///< INV for an absent line is not acknowledged
        kSoftwareForgets,       ///< software forgets the pointers that it clears
        kReordered,             ///< a channel may deliver its second packet first
        // Faults of forwarding homes.
        kUsesOvertaken,  ///< a copy is used although the INVR for it arrived first
        kForwardsTwice,  ///< requests are forwarded while another forwarded request is open
        kGivesTooEarly,  ///< the line is given away while acknowledgements are still to come
        // Faults of all homes.
        kHomeForgets,  ///< the home forgets the nodes that it has refused
    };
    struct Shape {
        std::size_t caches = 3;
        std::int32_t pointers = 1;
        Protocol protocol = Protocol::kLimitless;
        Fault fault = Fault::kNone;
        /// Whether to count the requests that are served before a refused one, and check their
        /// bound. The count adds states.
        bool counts_passed = false;
    };
    struct Result {
        std::size_t states = 0;
        std::string wrong{};  ///< the first fault found; empty if there is none
        std::set<std::pair<HomeState, Packet>> home_pairs{};
        std::set<std::pair<CacheState, CacheEvent>> cache_pairs{};
    };

    explicit ProtocolChecker(const Shape& shape)
        : shape_(shape), directory_(home(), shape.protocol, shape.pointers) {}

    Result run() {
        add(State(shape_.caches), 0);
        for (; !unexpanded_.empty() && result_.wrong.empty(); ++from_) {
            expand();
            unexpanded_.pop_front();
        }
        result_.states = ended_.size();
        if (result_.wrong.empty()) {
            check_ends(&Ended::transactions, "a transaction never ends");
        }
        if (result_.wrong.empty()) {
            check_ends(&Ended::software, "software never ends");
        }
        if (result_.wrong.empty() && shape_.protocol == Protocol::kForwarding) {
            check_ends(&Ended::forwarded, "a forwarded request never ends");
        }
        return result_;
    }

  private:
    struct Sent {
        Packet packet;
        bool value;
        std::uint16_t operand = 0;
        auto operator<=>(const Sent&) const = default;
    };
    using Channel = std::vector<Sent>;
    struct Cache {
        CacheState state = CacheState::kInvalid;
        bool value = false;
        Channel up{};                           // channel to the home
        Channel down{};                         // channel to the cache
        std::map<std::size_t, Channel> from{};  // channels to the cache, by the cache that has sent
        std::int32_t to_come = 0;               // acknowledgements still to come
        bool is_known_to_software = false;
        // With counts_passed: whether the cache's request was refused, and the number of others
        // served since.
        bool was_refused = false;
        std::size_t passed = 0;
    };
    struct Trapped {
        Packet packet;
        hw::NodeId from;
    };
    // With Protocol::kSoftware: software's state besides the known copies.
    struct Software {
        bool is_owned = false;           // the known node may write the line
        std::int32_t to_come = 0;        // acknowledgements still to come
        std::optional<Trapped> asked{};  // request that waits for these
    };
    struct State {
        explicit State(std::size_t count) : caches(count) {}
        [[nodiscard]] bool has_open_request() const {
            for (const Cache& cache : caches) {
                if (is_open(cache.state)) {
                    return true;
                }
            }
            return false;
        }
        [[nodiscard]] bool is_settled() const {
            return entry.state == HomeState::kReadOnly || entry.state == HomeState::kTrapOnWrite ||
                   entry.state == HomeState::kReadWrite || entry.state == HomeState::kTrapAlways ||
                   entry.state == HomeState::kSoftware;
        }
        [[nodiscard]] std::string key() const {
            std::string text;
            const auto add = [&text](auto byte) { text.push_back(static_cast<char>(byte)); };
            for (const Cache& cache : caches) {
                add(cache.state);
                add(cache.value);
                add(cache.is_known_to_software);
                add(cache.was_refused);
                add(cache.passed);
                add(cache.to_come);
                const auto add_channel = [&add](const Channel& channel) {
                    add(channel.size());
                    for (const Sent& sent : channel) {
                        add(sent.packet);
                        add(sent.value);
                        add(sent.operand);
                    }
                };
                add_channel(cache.up);
                add_channel(cache.down);
                for (const auto& [other, channel] : cache.from) {
                    if (!channel.empty()) {
                        add(other);
                        add_channel(channel);
                    }
                }
                add(-1);
            }
            add(entry.state);
            add(entry.is_modify);
            add(entry.acknowledgements);
            add(entry.requester.index());
            for (const hw::NodeId node : entry.pointers) {
                add(node.index());
            }
            add(-1);
            for (const Trapped& one : trapped) {
                add(one.packet);
                add(one.from.index());
            }
            add(-1);
            for (const auto* group : {&refused.first(), &refused.second()}) {
                for (const RefusedRequests::Requester node : *group) {
                    add(node);
                }
                add(-1);
            }
            add(refused.forwarded().has_value());
            add(software.is_owned);
            add(software.to_come);
            add(software.asked ? static_cast<int>(software.asked->packet) : -1);
            add(value);
            add(last_stored);
            return text;
        }

        hw::PerNode<Cache> caches;
        DirectoryEntry entry{};
        RefusedRequests refused{};
        std::vector<Trapped> trapped{};  // packets that software has to handle
        Software software{};
        bool value = false;  // memory's value
        bool last_stored = false;
    };

    [[nodiscard]] hw::NodeId home() const {
        const std::size_t own = shape_.protocol == Protocol::kSoftware ? 1 : 0;
        return hw::NodeId(static_cast<std::int32_t>(shape_.caches - own));
    }
    void wrong(const std::string& what) {
        if (result_.wrong.empty()) {
            result_.wrong = what;
        }
    }

    // Kinds of work that have ended in a state.
    struct Ended {
        bool transactions;
        bool software;
        bool forwarded;
    };

    // Makes a step from state from_, the first of unexpanded_.
    template <class Step>
    void step(const Step& what) {
        State next = unexpanded_.front();
        what(next);
        if (result_.wrong.empty()) {
            check(next);
            add(std::move(next), from_);
        }
    }
    void add(State state, std::size_t from) {
        std::string key = state.key();
        const auto [known, is_new] = numbers_.try_emplace(std::move(key), ended_.size());
        if (is_new) {
            ended_.push_back({.transactions = !state.has_open_request(),
                              .software = state.trapped.empty(),
                              .forwarded = state.is_settled()});
            unexpanded_.push_back(std::move(state));
            before_.emplace_back();
        }
        before_[known->second].push_back(static_cast<std::uint32_t>(from));
    }

    void expand() {
        for (std::size_t i = 0; i < shape_.caches; ++i) {
            for (const CacheEvent event : {CacheEvent::kLoad, CacheEvent::kStore,
                                           CacheEvent::kReplace, CacheEvent::kAskAgain}) {
                access(i, event);
            }
            const std::size_t reach = shape_.fault == Fault::kReordered ? 2 : 1;
            for (std::size_t k = 0; k < reach; ++k) {
                if (k < unexpanded_.front().caches[i].down.size()) {
                    step([&](State& state) {
                        cache_receives(state, i, take(state.caches[i].down, k));
                    });
                }
                for (const auto& [other, channel] : unexpanded_.front().caches[i].from) {
                    if (k < channel.size()) {
                        step([&, from = other](State& state) {
                            cache_receives(state, i, take(state.caches[i].from.at(from), k));
                        });
                    }
                }
                if (k < unexpanded_.front().caches[i].up.size()) {
                    step([&](State& state) { home_receives(state, i, k); });
                }
            }
        }
        if (!unexpanded_.front().trapped.empty()) {
            step([&](State& state) {
                const Trapped first = state.trapped.front();
                state.trapped.erase(state.trapped.begin());
                if (shape_.protocol == Protocol::kSoftware) {
                    software_alone(state, first);
                } else {
                    software(state, first);
                }
            });
        }
    }
    // An access of the processor, if it changes the state.
    void access(std::size_t i, CacheEvent event) {
        const CacheState before = unexpanded_.front().caches[i].state;
        const CacheTransition& row = cache_transition(before, event);
        const bool stores = event == CacheEvent::kStore && before == CacheState::kReadWrite;
        if (row.kind == CacheTransition::Kind::kImpossible || (row.next == before && !stores)) {
            return;
        }
        step([&](State& state) {
            result_.cache_pairs.insert({before, event});
            Cache& cache = state.caches[i];
            // Packets may arrive before the home is asked. Without forwarding, they have the effect
            // that they would have before the miss.
            const bool asks_later = shape_.protocol == Protocol::kForwarding &&
                                    row.kind == CacheTransition::Kind::kAsks &&
                                    event != CacheEvent::kAskAgain;
            if (row.sends && !asks_later) {
                send(cache.up, *row.sends, carries_line(*row.sends) && cache.value);
            }
            cache.state = asks_later ? to_be_asked(row.next) : row.next;
            cache.value = has_copy(cache.state) && cache.value;
            if (stores) {
                state.last_stored = !state.last_stored;
                cache.value = state.last_stored;
            }
        });
    }
    void send(Channel& channel, Packet packet, bool value, std::uint16_t operand = 0) {
        constexpr std::size_t kMostOnTheirWay = 3;
        if (channel.size() == kMostOnTheirWay) {
            wrong("more packets on their way than three");
        }
        channel.push_back({packet, value, operand});
    }
    static Sent take(Channel& channel, std::size_t k) {
        const Sent sent = channel[k];
        channel.erase(channel.begin() + static_cast<std::ptrdiff_t>(k));
        return sent;
    }
    void cache_receives(State& state, std::size_t i, const Sent& sent) {
        Cache& cache = state.caches[i];
        count_acknowledgements(cache, sent);
        const CacheEvent event = event_of(sent.packet, cache.to_come);
        const CacheState before = taken_for(cache.state, event);
        result_.cache_pairs.insert({before, event});
        const CacheTransition& row = cache_transition(before, event);
        if (row.kind == CacheTransition::Kind::kImpossible) {
            wrong(std::string(name_of(sent.packet)) + " at a cache in " +
                  std::string(name_of(cache.state)));
            return;
        }
        const bool is_lost =
            shape_.fault == Fault::kAbsentUnacknowledged && !has_copy(cache.state) &&
            (event == CacheEvent::kInvalidate || event == CacheEvent::kInvalidateFor);
        if (row.answers && !is_lost) {
            send(state.caches[sent.operand].from[i], *row.answers,
                 carries_line(*row.answers) && cache.value);
        }
        if (row.sends && !is_lost) {
            send(cache.up, *row.sends, carries_line(*row.sends) && cache.value);
        }
        cache.state = row.next;
        if (sent.packet == Packet::kReadData || sent.packet == Packet::kWriteData) {
            cache.value = sent.value;
        }
        cache.value = has_copy(cache.state) && cache.value;
    }
    void count_acknowledgements(Cache& cache, const Sent& sent) {
        if (sent.packet == Packet::kWriteData || sent.packet == Packet::kModifyGrant) {
            cache.to_come += sent.operand;
        }
        cache.to_come -= sent.packet == Packet::kCopyGone ? 1 : 0;
        if (shape_.fault == Fault::kDoesNotWait && sent.packet != Packet::kCopyGone) {
            cache.to_come = 0;
        }
    }
    // State that a cache with the planted fault takes `state` for.
    [[nodiscard]] CacheState taken_for(CacheState state, CacheEvent event) const {
        if (shape_.fault == Fault::kUsesOvertaken && state == CacheState::kReadOvertaken &&
            event == CacheEvent::kReadData) {
            return CacheState::kReadAsked;
        }
        if (shape_.fault == Fault::kGivesTooEarly && state == CacheState::kGranted &&
            (event == CacheEvent::kForwardRead || event == CacheEvent::kForwardWrite)) {
            return CacheState::kReadWrite;
        }
        return state;
    }
    static bool is_forwarded(HomeState state) {
        return state == HomeState::kForwardedRead || state == HomeState::kForwardedWrite;
    }
    void home_receives(State& state, std::size_t i, std::size_t k) {
        const Sent sent = take(state.caches[i].up, k);
        const hw::NodeId from(static_cast<std::int32_t>(i));
        const HomeState before = state.entry.state;
        const bool is_request = sent.packet <= Packet::kModifyRequest;
        if (shape_.fault == Fault::kNotBusyInSoftware && before == HomeState::kSoftware &&
            is_request) {
            return;  // the request is queued behind the packet that software handles, and not
                     // answered
        }
        if (shape_.fault == Fault::kDropsReplaced &&
            (before == HomeState::kWriteTransaction || before == HomeState::kSoftwareTransaction ||
             is_forwarded(before)) &&
            sent.packet == Packet::kReplaceModified) {
            return;
        }
        if (shape_.fault == Fault::kNoTrapOnWrite && before == HomeState::kTrapOnWrite) {
            state.entry.state = HomeState::kReadOnly;
        }
        if (shape_.fault == Fault::kForwardsTwice && is_forwarded(before) && is_request) {
            state.entry.state = HomeState::kReadWrite;
        }
        result_.home_pairs.insert({before, sent.packet});
        directory_.entry(0) = state.entry;
        directory_.set_refused(0, state.refused);
        const hw::NodeId requester = state.entry.requester;
        const Directory::Outcome* outcome = directory_.receive(0, sent.packet, from);
        state.entry = directory_.entry(0);
        if (shape_.fault != Fault::kHomeForgets) {
            state.refused = directory_.refused(0);
        }
        if (outcome == nullptr) {
            wrong(std::string(name_of(sent.packet)) + " at a home in " +
                  std::string(name_of(before)));
            return;
        }
        count_passed(state, sent.packet, from, requester, *outcome);
        state.value = outcome->stores_line ? sent.value : state.value;
        if (outcome->traps) {
            state.trapped.push_back({sent.packet, from});
        }
        deliver(state, outcome->sent);
    }
    // A request counts as served when the home accepts it, or learns that it was served.
    void count_passed(State& state, Packet packet, hw::NodeId from, hw::NodeId requester,
                      const Directory::Outcome& outcome) {
        if (!shape_.counts_passed) {
            return;
        }
        const auto answer = outcome.sent.empty() ? packet : outcome.sent.front().packet;
        const bool is_forward = answer == Packet::kForwardRead || answer == Packet::kForwardWrite;
        if (is_request(packet) && answer == Packet::kBusy) {
            state.caches[from].was_refused = true;
        } else if (packet == Packet::kNotHere) {
            state.caches[requester].was_refused = true;
        } else if (is_request(packet) && !is_forward) {
            note_served(state, from);
        } else if (packet == Packet::kShare || packet == Packet::kTransfer) {
            note_served(state, requester);
        }
    }
    void note_served(State& state, hw::NodeId node) const {
        Cache& served = state.caches[node];
        served.was_refused = false;
        served.passed = 0;
        for (Cache& cache : state.caches) {
            cache.passed += cache.was_refused && cache.passed <= most_passed() ? 1 : 0;
        }
    }
    // Bound on the requests served before a refused one: two of each other node (RefusedRequests).
    [[nodiscard]] std::size_t most_passed() const { return 2 * (shape_.caches - 1); }
    void deliver(State& state, std::vector<Directory::Sent> sent) {
        if (shape_.fault == Fault::kOneInvalidationTooFew && !sent.empty() &&
            sent.front().packet == Packet::kInvalidateFor) {
            sent.erase(sent.begin());
            sent.back().operand = *sent.back().operand - 1;
        }
        if (shape_.fault == Fault::kOneInvalidationTooFew && !sent.empty() &&
            sent.front().packet == Packet::kInvalidate) {
            sent.erase(sent.begin());
            if (--state.entry.acknowledgements == 0) {
                grant(state);
            }
        }
        for (const Directory::Sent& one : sent) {
            send(state.caches[one.to].down, one.packet, carries_line(one.packet) && state.value,
                 one.operand.value_or(0));
        }
        if (shape_.fault == Fault::kDoesNotWait &&
            (state.entry.state == HomeState::kWriteTransaction ||
             state.entry.state == HomeState::kEviction)) {
            grant(state);
        }
    }
    // Grants the line to the waiting requester, whatever other copies exist.
    void grant(State& state) {
        if (state.entry.state == HomeState::kEviction) {
            send(state.caches[state.entry.requester].down, Packet::kReadData, state.value);
            state.entry = {.state = HomeState::kReadOnly, .pointers = state.entry.pointers};
            return;
        }
        Cache& writer = state.caches[state.entry.requester];
        const Packet packet = state.entry.is_modify ? Packet::kModifyGrant : Packet::kWriteData;
        send(writer.down, packet, carries_line(packet) && state.value);
        state.entry = {.state = HomeState::kReadWrite, .pointers = {state.entry.requester}};
    }
    // The trap handler as one step: Alewife's, recalled (software extension of LimitLESS).
    void software(State& state, const Trapped& trapped) {
        const hw::NodeId asking = trapped.from;
        if (trapped.packet == Packet::kReadRequest) {
            for (const hw::NodeId node : state.entry.pointers) {
                if (shape_.fault != Fault::kSoftwareForgets) {
                    known(state, node) = true;
                }
            }
            known(state, asking) = true;
            state.entry = {.state = HomeState::kTrapOnWrite};
            send(state.caches[asking].down, Packet::kReadData, state.value);
        } else {
            std::vector<Directory::Sent> sent;
            for (std::size_t i = 0; i < shape_.caches; ++i) {
                const hw::NodeId node(static_cast<std::int32_t>(i));
                if (node != asking && (known(state, node) || points_to(state.entry, node))) {
                    sent.push_back({Packet::kInvalidate, node});
                }
                known(state, node) = false;
            }
            state.entry.state = HomeState::kWriteTransaction;
            state.entry.pointers.assign(1, asking);
            state.entry.acknowledgements = static_cast<std::int32_t>(sent.size());
            if (sent.empty()) {
                grant(state);
            }
            deliver(state, sent);
        }
    }
    // The trap handler of a home without pointers, as one step.
    void software_alone(State& state, const Trapped& trapped) {
        Software& software = state.software;
        switch (trapped.packet) {
            case Packet::kReplaceModified:
                if (software.to_come == 0) {
                    software.is_owned = false;
                    known(state, trapped.from) = false;
                }
                break;
            case Packet::kUpdate:
            case Packet::kAcknowledge:
                software.to_come -= 1;
                if (software.to_come == 0) {
                    const Trapped asked = *software.asked;
                    software.asked.reset();
                    software_grants(state, asked);
                }
                break;
            default:
                software_takes_copies(state, trapped);
                break;
        }
    }
    void software_takes_copies(State& state, const Trapped& asked) {
        Software& software = state.software;
        for (const hw::NodeId node : std::exchange(state.entry.pointers, {})) {
            known(state, node) = true;
            software.is_owned = true;
        }
        bool spares_one = shape_.fault == Fault::kOneInvalidationTooFew;
        std::vector<Directory::Sent> sent;
        const bool is_in_the_way = software.is_owned || asked.packet != Packet::kReadRequest;
        for (std::size_t i = 0; is_in_the_way && i < shape_.caches; ++i) {
            const hw::NodeId node(static_cast<std::int32_t>(i));
            const bool has_copy = std::exchange(known(state, node), false) && node != asked.from;
            if (has_copy && !std::exchange(spares_one, false)) {
                sent.push_back({Packet::kInvalidate, node});
            }
        }
        for (const Directory::Sent& one : sent) {
            send(state.caches[one.to].down, one.packet, false);
        }
        if (sent.empty() || shape_.fault == Fault::kDoesNotWait) {
            software_grants(state, asked);
            return;
        }
        software = {
            .is_owned = false, .to_come = static_cast<std::int32_t>(sent.size()), .asked = asked};
        state.entry.state = HomeState::kSoftwareTransaction;
    }
    void software_grants(State& state, const Trapped& asked) {
        const Packet packet = asked.packet == Packet::kReadRequest    ? Packet::kReadData
                              : asked.packet == Packet::kWriteRequest ? Packet::kWriteData
                                                                      : Packet::kModifyGrant;
        known(state, asked.from) = shape_.fault != Fault::kSoftwareForgets;
        state.software.is_owned = asked.packet != Packet::kReadRequest;
        send(state.caches[asked.from].down, packet, carries_line(packet) && state.value);
        state.entry = {.state = HomeState::kTrapAlways};
    }
    static bool& known(State& state, hw::NodeId node) {
        return state.caches[node].is_known_to_software;
    }

    void check(const State& state) {
        std::size_t writers = 0;
        std::size_t copies = 0;
        for (std::size_t i = 0; i < shape_.caches; ++i) {
            const Cache& cache = state.caches[i];
            if (!has_copy(cache.state)) {
                continue;
            }
            ++copies;
            writers += cache.state == CacheState::kReadWrite ? 1 : 0;
            if (cache.value != state.last_stored) {
                wrong("a copy does not hold what was stored last");
            }
            const hw::NodeId node(static_cast<std::int32_t>(i));
            if (state.is_settled() && !cache.is_known_to_software &&
                !points_to(state.entry, node) && !is_about_to_go(cache)) {
                wrong("the home does not know of a copy");
            }
        }
        for (std::size_t i = 0; i < shape_.caches; ++i) {
            const Cache& cache = state.caches[i];
            const auto requester = static_cast<RefusedRequests::Requester>(i);
            const bool is_told_busy = std::ranges::any_of(
                cache.down, [](const Sent& sent) { return sent.packet == Packet::kBusy; });
            if (cache.passed > most_passed()) {
                wrong("a refused request sees too many others served");
            }
            if (!shape_.counts_passed && is_told_busy &&
                !std::ranges::binary_search(state.refused.first(), requester) &&
                !std::ranges::binary_search(state.refused.second(), requester)) {
                wrong("the home does not remember whom it has refused");
            }
        }
        if (writers > 1 || (writers == 1 && copies > 1)) {
            wrong("a writer and another copy");
        }
        if (state.entry.state == HomeState::kReadOnly &&
            directory_.pointers_in_use(state.entry) > shape_.pointers) {
            wrong("more pointers than there are");
        }
    }
    static bool is_about_to_go(const Cache& cache) {
        return std::ranges::any_of(
            cache.down, [](const Sent& sent) { return sent.packet == Packet::kInvalidateFor; });
    }
    // Checks that from every state a state is reachable in which the work has ended.
    void check_ends(bool Ended::*what, const char* otherwise) {
        std::vector<bool> ends(ended_.size(), false);
        std::deque<std::size_t> found;
        for (std::size_t i = 0; i < ended_.size(); ++i) {
            if (ended_[i].*what) {
                ends[i] = true;
                found.push_back(i);
            }
        }
        while (!found.empty()) {
            const std::size_t state = found.front();
            found.pop_front();
            for (const std::size_t before : before_[state]) {
                if (!ends[before]) {
                    ends[before] = true;
                    found.push_back(before);
                }
            }
        }
        for (const bool one : ends) {
            if (!one) {
                wrong(otherwise);
            }
        }
    }

    Shape shape_;
    Directory directory_;
    Result result_;
    std::deque<State> unexpanded_;
    std::vector<Ended> ended_;  // kinds of work that have ended, by the number of the found state
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::vector<std::uint32_t>> before_;
    std::size_t from_ = 0;
};

}  // namespace weir::memory::testing
