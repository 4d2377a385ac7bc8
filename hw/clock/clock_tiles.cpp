#include "hw/clock/clock_tiles.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <system_error>

namespace weir::hw {

namespace {

// Least and greatest number of polls before a thread sleeps. 4,096 polls take some 20 microseconds,
// longer than other threads need for most cycles. Polling delays threads that have no host core of
// their own, so it becomes shorter where it fails.
constexpr int kFewLooks = 16;
constexpr int kMostLooks = 4096;

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// Polls the value at most `looks` times, then sleeps until it changes. Returns whether it changed
// while polling.
bool wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old, int looks) {
    for (int look = 0; look < looks; ++look) {
        if (value.load(std::memory_order_acquire) != old) {
            return true;
        }
        relax();
    }
    value.wait(old, std::memory_order_acquire);
    return false;
}

}  // namespace

void SpinBarrier::wait() {
    const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
        arrived_.store(0, std::memory_order_relaxed);
        generation_.store(generation + 1, std::memory_order_release);
        generation_.notify_all();
        return;
    }
    const int looks = looks_.load(std::memory_order_relaxed);
    const bool has_seen = wait_while(generation_, generation, looks);
    looks_.store(has_seen ? std::min(2 * looks, kMostLooks) : std::max(looks / 2, kFewLooks),
                 std::memory_order_relaxed);
}

ClockTiles::ClockTiles(const ClockDomainParameters& parameters, std::uint64_t seed,
                       std::size_t tiles) {
    for (std::size_t i = 0; i < tiles; ++i) {
        const std::string name = i == 0 ? "clock" : "clock_" + std::to_string(i);
        Tile& tile = *tiles_.emplace_back(std::make_unique<Tile>());
        tile.owned = std::make_unique<ClockDomain>(name.c_str(), parameters, seed);
        tile.domain = tile.owned.get();
    }
    if (tiles > 1) {
        first().tiles_ = this;
    }
}

ClockTiles::ClockTiles(ClockDomain& domain) {
    tiles_.push_back(std::make_unique<Tile>());
    tiles_.front()->domain = &domain;
}

ClockTiles::~ClockTiles() {
    ends_ = true;
    runs_.fetch_add(1, std::memory_order_release);
    runs_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

std::int32_t ClockTiles::first_node(std::size_t tile, std::int32_t node_count) const {
    return static_cast<std::int32_t>(node_count * tile / count());
}

std::size_t ClockTiles::tile_of(NodeId node, std::int32_t node_count) const {
    const std::size_t number = node.index();
    return ((number + 1) * count() - 1) / node_count;
}

void ClockTiles::pass_until(Cycles cycle) {
    for (const auto& tile : tiles_) {
        tile->domain->pass_until(cycle);
    }
}

bool ClockTiles::has_wake_ups() const {
    return std::any_of(tiles_.begin(), tiles_.end(),
                       [](const auto& tile) { return tile->domain->has_wake_ups(); });
}

Cycles ClockTiles::last_progress() const {
    Cycles last(0);
    for (const auto& tile : tiles_) {
        last = std::max(last, tile->domain->last_progress());
    }
    return last;
}

Cycles ClockTiles::first_cycle() const {
    Cycles first = kNever;
    for (const auto& tile : tiles_) {
        first = std::min(first, tile->domain->next_wake_up());
    }
    return tiles_.front()->domain->sleeping_ ? first : now() + Cycles(1);
}

void ClockTiles::run_until(Cycles limit) {
    if (count() == 1) {
        first().run_until(limit);
        return;
    }
    limit_ = limit;
    begin_ = first_cycle();
    if (!is_stopped() && has_wake_ups() && begin_ <= limit) {
        start_threads();
        first().resume_.notify(first().to_time(begin_) - sc_core::sc_time_stamp());
        sc_core::sc_start();  // the first domain's run_cycle() calls go_on()
    }
    const Cycles progress = last_progress();
    if (!is_stopped() && limit > now() && progress > std::max(now(), Cycles(0))) {
        pass_until(std::min(progress, limit));
    }
    if (fault_of_pause_) {
        std::rethrow_exception(fault_of_pause_);
    }
    if (at_pause_) {
        at_pause_();
    }
    for (const auto& tile : tiles_) {
        if (tile->fault) {
            std::rethrow_exception(tile->fault);
        }
    }
}

void ClockTiles::go_on() {
    sc_assert(!sc_core::sc_pending_activity());  // no process outside the clock may be active
    turn_ = first().turn_;
    runs_.fetch_add(1, std::memory_order_release);
    runs_.notify_all();
    go(0);
    Cycles last = now();
    for (const auto& tile : tiles_) {
        last = std::max(last, tile->domain->now());
    }
    pass_until(last);
}

bool ClockTiles::is_stopped() const {
    return std::any_of(tiles_.begin(), tiles_.end(),
                       [](const auto& tile) { return tile->domain->stopped(); });
}

// Blocks all signals in the new threads: they belong to the caller's thread. Where the host refuses
// threads, the caller ticks the tiles in turn.
void ClockTiles::start_threads() {
    if (ticks_in_turn_ || barrier_) {
        return;
    }
    barrier_.emplace(count());
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    try {
        for (std::size_t tile = 1; tile < count(); ++tile) {
            threads_.emplace_back([this, tile] { serve(tile); });
        }
    } catch (const std::system_error&) {
        ticks_in_turn_ = true;
        barrier_.reset();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ClockTiles::serve(std::size_t tile) {
    for (std::uint32_t run = 0;; ++run) {
        wait_while(runs_, run, kFewLooks);
        if (ends_) {
            return;
        }
        if (!ticks_in_turn_) {
            go(tile);
        }
    }
}

// After each cycle, all threads read the same announcements of the tiles, and so take the same
// decision.
void ClockTiles::go(std::size_t tile_number) {
    Cycles pause = begin_ + kPauseCycles;
    Cycles cycle = begin_;
    for (unsigned turn = turn_;; ++turn) {
        if (ticks_in_turn_) {
            tick_all_in_turn(cycle);
        } else {
            tick(*tiles_[tile_number], cycle, limit_);
        }
        meet();
        const Together together = all_say(turn);
        if (together.stops || together.next > limit_) {
            break;
        }
        cycle = together.next;
        if (at_pause_ && cycle >= pause) {
            pause = cycle + kPauseCycles;
            if (tile_number == 0) {
                take_pause();
            }
            meet();
            if (fault_of_pause_) {
                break;
            }
        }
    }
    for (const auto& tile : tiles_) {
        if (ticks_in_turn_ || tile == tiles_[tile_number]) {
            receive(*tile, cycle + Cycles(1));
        }
    }
    meet();
}

void ClockTiles::tick_all_in_turn(Cycles cycle) {
    using Clock = std::chrono::steady_clock;
    double longest = 0.0;
    Clock::time_point begin = Clock::now();
    for (const auto& tile : tiles_) {
        tick(*tile, cycle, limit_);
        const Clock::time_point end = Clock::now();
        longest = std::max(longest, std::chrono::duration<double>(end - begin).count());
        begin = end;
    }
    work_.longest_seconds += longest;
    ++work_.cycles;
}

void ClockTiles::take_pause() {
    try {
        at_pause_();
    } catch (...) {
        fault_of_pause_ = std::current_exception();
        first().stop();
    }
}

void ClockTiles::receive(Tile& tile, Cycles cycle) {
    try {
        tile.domain->receive(cycle);
    } catch (...) {
        tile.fault = tile.fault ? tile.fault : std::current_exception();
        tile.domain->stop();
    }
}

void ClockTiles::tick(Tile& tile, Cycles cycle, Cycles limit) {
    ClockDomain& domain = *tile.domain;
    Published& published = tile.published[domain.turn_ % 2];
    domain.limit_ = limit;
    domain.is_alone_ = true;
    domain.has_left_mail_ = false;
    receive(tile, cycle);
    try {
        if (!tile.fault && (!domain.sleeping_ || domain.next_wake_up() == cycle)) {
            domain.now_ = cycle;
            domain.tick_parts();
        }
    } catch (...) {
        tile.fault = std::current_exception();
        domain.stop();
    }
    const bool goes_on_next = domain.has_left_mail_ || (!domain.sleeping_ && domain.has_wake_ups());
    published.next.store(goes_on_next ? cycle + Cycles(1) : domain.next_wake_up(),
                         std::memory_order_relaxed);
    published.stops.store(domain.stopped(), std::memory_order_relaxed);
    ++domain.turn_;
}

ClockTiles::Together ClockTiles::all_say(unsigned turn) const {
    Together together{kNever, false};
    for (const auto& tile : tiles_) {
        const Published& published = tile->published[turn % 2];
        together.next = std::min(together.next, published.next.load(std::memory_order_relaxed));
        together.stops = together.stops || published.stops.load(std::memory_order_relaxed);
    }
    return together;
}

}  // namespace weir::hw
