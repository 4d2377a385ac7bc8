#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"

namespace weir::hw {

/// Where threads of the host wait for each other, for a short time: they look again and again
/// before they sleep, the less often the more rarely that helps.
class SpinBarrier {
  public:
    explicit SpinBarrier(std::size_t threads) : threads_(threads) {}
    void wait();

  private:
    std::size_t threads_;
    std::atomic<int> looks_{1024};
    alignas(64) std::atomic<std::size_t> arrived_{0};
    alignas(64) std::atomic<std::uint32_t> generation_{0};
};

/// What one tile leaves for another one: at a turn of the clock, to be taken at the next one.
template <class Fact>
class TileMail {
  public:
    void leave(const Fact& fact, unsigned turn) { boxes_[turn % 2].facts.push_back(fact); }
    template <class Take>
    void take_all(unsigned turn, Take take) {
        std::vector<Fact>& facts = boxes_[(turn + 1) % 2].facts;
        for (const Fact& fact : facts) {
            take(fact);
        }
        facts.clear();
    }

  private:
    // Two threads have one each.
    struct alignas(64) Box {
        std::vector<Fact> facts;
    };
    std::array<Box, 2> boxes_;
};

/// The clock of a machine in tiles: each has a clock domain, whose parts a thread of the host's
/// ticks; the first tile's thread is the caller's. All tiles go through a cycle together. A part
/// has no effect on another tile's within a cycle: it leaves mail for it (TileMail), which is there
/// before the next cycle's ticks. So nothing depends on the number of tiles, as nothing depends on
/// the order of ticks in a domain. One tile is a ClockDomain and nothing else.
///
/// Tiles have consecutive nodes, as many each as can be.
class ClockTiles {
  public:
    ClockTiles(const ClockDomainParameters& parameters, std::uint64_t seed, std::size_t tiles);
    /// Of one tile, which is there and must stay.
    explicit ClockTiles(ClockDomain& domain);
    ~ClockTiles();
    ClockTiles(const ClockTiles&) = delete;
    ClockTiles& operator=(const ClockTiles&) = delete;

    [[nodiscard]] std::size_t count() const { return tiles_.size(); }
    [[nodiscard]] ClockDomain& domain(std::size_t tile) { return *tiles_[tile]->domain; }
    /// The first tile's.
    [[nodiscard]] ClockDomain& first() { return domain(0); }
    /// Of `node_count` nodes. Those of a tile are from its first one to the first one of the next.
    [[nodiscard]] std::size_t tile_of(NodeId node, std::int32_t node_count) const;
    [[nodiscard]] std::int32_t first_node(std::size_t tile, std::int32_t node_count) const;

    // As a ClockDomain's.
    [[nodiscard]] Cycles now() const { return tiles_.front()->domain->now(); }
    void run_until(Cycles limit);
    void pass_until(Cycles cycle);
    [[nodiscard]] bool has_wake_ups() const;
    [[nodiscard]] Cycles last_progress() const;

    /// Of several tiles: called by the first one's thread while none is ticked, after every
    /// kPauseCycles cycles at the latest in which something happens, and at the end of run_until().
    void at_pauses(std::function<void()> action) { at_pause_ = std::move(action); }
    static constexpr Cycles kPauseCycles{256};

    /// What tiles took that one thread has ticked in turn.
    struct Work {
        double longest_seconds = 0.0;  ///< of each cycle the tile's that took longest
        std::int64_t cycles = 0;       ///< that tiles have gone through together
    };
    /// Of several tiles, before the run: the caller's thread ticks all, one after the other, and
    /// work() tells what that took.
    void tick_in_turn() { ticks_in_turn_ = true; }
    [[nodiscard]] const Work& work() const { return work_; }

  private:
    friend class ClockDomain;
    // What a tile says of the cycle that it is through; twice, since the next cycle's comes while
    // others still read it.
    struct Published {
        std::atomic<Cycles> next{kNever};
        std::atomic<bool> stops{false};
    };
    struct alignas(64) Tile {
        std::unique_ptr<ClockDomain> owned;
        ClockDomain* domain = nullptr;
        std::exception_ptr fault;
        alignas(64) std::array<Published, 2> published;
    };
    struct Together {
        Cycles next;
        bool stops;
    };

    [[nodiscard]] bool is_stopped() const;
    void go_on();
    void start_threads();
    void serve(std::size_t tile);
    void go(std::size_t tile_number);
    void take_pause();
    void tick_all_in_turn(Cycles cycle);
    void meet() {
        if (barrier_) {
            barrier_->wait();
        }
    }
    static void receive(Tile& tile, Cycles cycle);
    static void tick(Tile& tile, Cycles cycle, Cycles limit);
    [[nodiscard]] Together all_say(unsigned turn) const;
    [[nodiscard]] Cycles first_cycle() const;

    std::vector<std::unique_ptr<Tile>> tiles_;
    std::vector<std::thread> threads_;    // but the caller's
    std::optional<SpinBarrier> barrier_;  // once there are threads
    std::function<void()> at_pause_;
    std::exception_ptr fault_of_pause_;
    // Of the present run_until().
    Cycles begin_{0};
    Cycles limit_{0};
    unsigned turn_ = 0;
    std::atomic<std::uint32_t> runs_{0};
    bool ends_ = false;
    bool ticks_in_turn_ = false;
    Work work_;
};

}  // namespace weir::hw
