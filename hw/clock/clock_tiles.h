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

/// A barrier for threads that wait for short times. It polls before it sleeps, less often the more
/// rarely polling succeeds.
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

/// Mail from one tile to another: left in one cycle, taken before the ticks of the next one.
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
    // At any time the sender uses one box and the receiver the other. The alignment puts them into
    // separate cache lines, since two threads use them.
    struct alignas(64) Box {
        std::vector<Fact> facts;
    };
    std::array<Box, 2> boxes_;
};

/// The clock of a machine whose nodes are divided into tiles. Each tile has a clock domain, whose
/// parts one thread of the host ticks; the first tile's thread is the caller's. All tiles go
/// through a cycle together. A part has no effect on another tile within a cycle: it leaves mail
/// (TileMail), which arrives before the ticks of the next cycle. So no result depends on the number
/// of tiles, just as none depends on the order of ticks in a domain. With one tile, this is a plain
/// ClockDomain.
///
/// Each tile has consecutive nodes; the tiles' numbers of nodes differ by one at most.
class ClockTiles {
  public:
    ClockTiles(const ClockDomainParameters& parameters, std::uint64_t seed, std::size_t tiles);
    /// A clock with one tile, `domain`, which must outlive it.
    explicit ClockTiles(ClockDomain& domain);
    ~ClockTiles();
    ClockTiles(const ClockTiles&) = delete;
    ClockTiles& operator=(const ClockTiles&) = delete;

    [[nodiscard]] std::size_t count() const { return tiles_.size(); }
    [[nodiscard]] ClockDomain& domain(std::size_t tile) { return *tiles_[tile]->domain; }
    /// The first tile's domain.
    [[nodiscard]] ClockDomain& first() { return domain(0); }
    /// Division of `node_count` nodes: a tile's nodes go from its first_node() to the next tile's.
    [[nodiscard]] std::size_t tile_of(NodeId node, std::int32_t node_count) const;
    [[nodiscard]] std::int32_t first_node(std::size_t tile, std::int32_t node_count) const;

    // Functions with the same meaning as in ClockDomain.
    [[nodiscard]] Cycles now() const { return tiles_.front()->domain->now(); }
    void run_until(Cycles limit);
    void pass_until(Cycles cycle);
    [[nodiscard]] bool has_wake_ups() const;
    [[nodiscard]] Cycles last_progress() const;

    /// With several tiles, calls `action` on the first tile's thread while no tile is ticked. Calls
    /// come at least every kPauseCycles active cycles, and at the end of run_until().
    void at_pauses(std::function<void()> action) { at_pause_ = std::move(action); }
    static constexpr Cycles kPauseCycles{256};

    /// Time that tiles need when one thread ticks them in turn.
    struct Work {
        double longest_seconds = 0.0;  ///< time of each cycle's slowest tile, summed over cycles
        std::int64_t cycles = 0;       ///< cycles completed by all tiles together
    };
    /// With several tiles, the caller's thread then ticks one tile after the other, and work()
    /// returns their times. Call it before the run.
    void tick_in_turn() { ticks_in_turn_ = true; }
    [[nodiscard]] const Work& work() const { return work_; }

  private:
    friend class ClockDomain;
    // A tile's announcement at the end of a cycle. Each tile has two: it writes that of the next
    // cycle while others still read that of this cycle.
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
    std::vector<std::thread> threads_;    // one for each tile but the first
    std::optional<SpinBarrier> barrier_;  // set when the threads are started
    std::function<void()> at_pause_;
    std::exception_ptr fault_of_pause_;
    // State of the current run_until().
    Cycles begin_{0};
    Cycles limit_{0};
    unsigned turn_ = 0;
    std::atomic<std::uint32_t> runs_{0};
    bool ends_ = false;
    bool ticks_in_turn_ = false;
    Work work_;
};

}  // namespace weir::hw
