#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/clock/clock_parameters.h"
#include "hw/random_stream.h"
#include "hw/units.h"

namespace weir::hw {

class ClockDomain;
class ClockTiles;

/// A part that a clock domain ticks. tick() does the part's work of one cycle. It reads only state
/// that was stable when the cycle began: a ClockedRegister, or an item stamped with its cycle of
/// arrival. wake_at() requests the next tick. A tick without need must change nothing.
class ClockedPart {
  public:
    explicit ClockedPart(ClockDomain& domain);
    ClockedPart(const ClockedPart&) = delete;
    ClockedPart& operator=(const ClockedPart&) = delete;
    virtual ~ClockedPart() = default;

    virtual void tick(Cycles now) = 0;
    /// Called after all ticks of a cycle, for a part that requested it with
    /// ClockDomain::after_ticks().
    virtual void end_of_cycle(Cycles /*now*/) {}

    /// Requests a tick at `cycle`, which must lie after the current one. Other parts may call it,
    /// too.
    void wake_at(Cycles cycle);
    /// Cancels the tick at `cycle`, whoever requested it. The cycle must lie after the current one,
    /// by less than 1,024 cycles.
    void forget_wake_up(Cycles cycle);

    [[nodiscard]] ClockDomain& domain() const { return domain_; }

  private:
    friend class ClockDomain;
    ClockDomain& domain_;
    std::uint64_t near_wake_ups_ = 0;  // bitmap of the wake-ups in the next 64 cycles
    Cycles last_tick_{-1};
    bool acts_after_ticks_ = false;
};

/// Receiver of mail from other tiles (ClockTiles).
class TileInbox {
  public:
    TileInbox() = default;
    TileInbox(const TileInbox&) = delete;
    TileInbox& operator=(const TileInbox&) = delete;
    virtual ~TileInbox() = default;
    /// Takes the mail that other tiles left in the cycle before `cycle`. Called before any part is
    /// ticked in `cycle`; may wake parts of its own tile in it.
    virtual void receive(Cycles cycle) = 0;
};

/// Parts to tick in one cycle. The memory is kept for later cycles, so that adding a part is a
/// single store.
class WakeList {
  public:
    WakeList() = default;
    WakeList(const WakeList&) = delete;
    WakeList& operator=(const WakeList&) = delete;

    void push(ClockedPart& part) {
        if (next_ != end_) {
            *next_++ = &part;
        } else {
            grow_and_push(part);
        }
    }
    void swap(WakeList& other) {
        places_.swap(other.places_);
        std::swap(next_, other.next_);
        std::swap(end_, other.end_);
    }
    void clear() { next_ = places_.data(); }
    /// Removes all entries of the part; returns their number.
    std::int64_t remove(const ClockedPart& part);
    void assign(const std::vector<ClockedPart*>& parts) {
        places_ = parts;
        end_ = next_ = places_.data() + places_.size();
    }
    [[nodiscard]] std::span<ClockedPart*> parts() { return {places_.data(), next_}; }

  private:
    [[gnu::cold, gnu::noinline]] void grow_and_push(ClockedPart& part);

    std::vector<ClockedPart*> places_;
    ClockedPart** next_ = nullptr;  // first free entry
    ClockedPart** end_ = nullptr;
};

/// The clock of a machine: one SC_METHOD that ticks the parts with a wake-up in the current cycle,
/// then advances to the next such cycle.
///
/// Time: now() is the machine's time. While no other SystemC process or event waits for a time, the
/// domain advances without the kernel. The kernel's time then stands still, and catches up when the
/// domain ends. Otherwise the kernel's time advances cycle by cycle.
///
/// In a cycle: each part on the wake list is ticked once, in an order on which no result depends.
/// Parts woken meanwhile go to the list of the requested cycle. The domain ends when no wake-up is
/// left: nothing can happen any more. A part that must see the effects of all ticks in a cycle
/// requests end_of_cycle() from its tick(). Several such calls come in any order, so none may
/// depend on another.
///
/// Wake-ups are kept in a calendar wheel of kWheelCycles slots, and those further away in an
/// ordered map.
class ClockDomain final : public sc_core::sc_module {
  public:
    ClockDomain(const sc_core::sc_module_name& name, const ClockDomainParameters& parameters,
                std::uint64_t seed = 1);
    ~ClockDomain() override = default;
    ClockDomain(const ClockDomain&) = delete;
    ClockDomain& operator=(const ClockDomain&) = delete;

    [[nodiscard]] Cycles now() const { return now_; }
    [[nodiscard]] const sc_core::sc_time& period() const { return period_; }
    [[nodiscard]] sc_core::sc_time to_time(Cycles duration) const {
        const auto count = static_cast<std::uint64_t>(duration.count());
        return count < short_times_.size() ? short_times_[count]
                                           : sc_core::sc_time::from_value(count * period_.value());
    }
    [[nodiscard]] Cycles to_cycles(const sc_core::sc_time& duration) const {
        // Multiplies by the reciprocal, since a division takes as long as a short tick; a wrong
        // result is detected below.
        const double guess = static_cast<double>(duration.value()) * cycles_per_resolution_ + 0.5;
        const auto near = static_cast<std::uint64_t>(guess);
        const std::uint64_t product = near * period_.value();
        if (product == duration.value()) {
            return Cycles(static_cast<std::int64_t>(near));
        }
        return Cycles(static_cast<std::int64_t>(duration.value() / period_.value()));
    }

    /// Ends the run after the current cycle.
    void stop() { stopped_ = true; }
    [[nodiscard]] bool stopped() const { return stopped_; }

    /// Reports progress in `cycle`, for the watchdog. A part that makes progress without ticks
    /// until a later cycle reports that cycle in advance; the cycles until then count as active.
    void note_progress(Cycles cycle) { progress_ = cycle > progress_ ? cycle : progress_; }
    [[nodiscard]] Cycles last_progress() const { return progress_; }

    /// Has end_of_cycle() of `part` called once all parts of the current cycle were ticked; to be
    /// called from a tick. Throws std::logic_error when called from an end_of_cycle().
    void after_ticks(ClockedPart& part) {
        if (is_ending_cycle_) {
            refuse_after_ticks();
        }
        if (!part.acts_after_ticks_) {
            part.acts_after_ticks_ = true;
            after_ticks_.push_back(&part);
        }
    }

    /// Runs from the current cycle until stop(), until no wake-up is left, or until `limit`; the
    /// run can then be continued. Afterwards the current cycle is the last one in which a part was
    /// ticked or reported progress.
    void run_until(Cycles limit);
    /// Makes `cycle` the current one, unless it has passed; to be called after run_until(), when
    /// nothing more happens before `cycle`. Afterwards the state does not depend on whether idle
    /// cycles were ticked.
    void pass_until(Cycles cycle);
    /// Replaces run_until(): the domain follows the kernel's time under the caller's own
    /// sc_start(), beside other SystemC processes (ProcessPort). The ticks of a cycle come one
    /// delta after the processes that wait for its time. So requests of these processes belong to
    /// the cycle, whatever order the kernel runs them in. Call it once, before the simulation
    /// starts.
    void follow_kernel();
    /// Requests a tick for an outside process in the first cycle whose ticks are still to come, and
    /// returns that cycle. It is the cycle of the kernel's time, or the one after. Requires
    /// follow_kernel().
    Cycles wake_from_process(ClockedPart& part);
    /// True while any wake-up is pending.
    [[nodiscard]] bool has_wake_ups() const { return pending_wake_ups_ != 0; }

    /// Last cycle before which nothing outside the domain looks at its parts: neither the caller of
    /// run_until() nor another SystemC process. The current cycle if that is unknown.
    [[nodiscard]] Cycles alone_until() const { return is_alone_ ? limit_ : now_; }

    // Functions for a domain that is one tile of several.
    void add_inbox(TileInbox& inbox) { inboxes_.push_back(&inbox); }
    /// Number of cycles that all tiles have completed together. Mail that a tile leaves in one of
    /// these cycles is taken in the next one.
    [[nodiscard]] unsigned turn() const { return turn_; }
    /// Reports that this tile has left mail for another one, so that the next cycle is not skipped.
    void note_left_mail() { has_left_mail_ = true; }

    /// Statistics: cycles in which a part was ticked; ticks; cycles whose ticks came in another
    /// order than the wake-ups.
    [[nodiscard]] std::int64_t active_cycles() const { return active_cycles_; }
    [[nodiscard]] std::int64_t ticks() const { return ticks_; }
    [[nodiscard]] std::int64_t reordered_cycles() const { return reordered_cycles_; }

  private:
    friend class ClockedPart;
    friend class ClockTiles;
    static constexpr std::int64_t kWheelCycles = 1024;
    static constexpr std::int64_t kWheelMask = kWheelCycles - 1;
    static constexpr std::int64_t kNearCycles = 64;
    // Number of parts by which prefetching is ahead of the ticks: a large machine's parts don't fit
    // into the host's nearer caches.
    static constexpr std::size_t kFetchedAhead = 4;

    static std::uint64_t near_bit(Cycles cycle);
    void start_of_simulation() override;
    void run_cycle();
    void receive(Cycles cycle) {
        for (TileInbox* inbox : inboxes_) {
            inbox->receive(cycle);
        }
    }
    void follow_cycle();
    void schedule(ClockedPart& part, Cycles cycle);
    [[gnu::noinline]] void schedule_beyond(ClockedPart& part, Cycles cycle);
    void put_on_list(ClockedPart& part, Cycles cycle);
    void forget(ClockedPart& part, Cycles cycle);
    [[nodiscard]] Cycles next_wake_up() const;
    void bring_near(Cycles now);
    void tick_parts();
    void end_cycle();
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_after_ticks() const;
    void reorder();

    sc_core::sc_time period_;
    double cycles_per_resolution_;
    std::array<sc_core::sc_time, 32> short_times_;  // durations of 0 to 31 cycles
    TickOrder tick_order_;
    bool sleeping_;
    RandomStream order_stream_;
    std::vector<ClockedPart*> parts_;
    std::array<WakeList, kWheelCycles> wheel_;
    std::array<std::uint64_t, kWheelCycles / 64> occupied_{};
    std::map<std::int64_t, std::vector<ClockedPart*>> far_;
    WakeList running_;
    std::vector<ClockedPart*> after_ticks_;
    ClockTiles* tiles_ = nullptr;  // all tiles, in the domain of the first of several; else null
    std::vector<TileInbox*> inboxes_;
    unsigned turn_ = 0;
    bool has_left_mail_ = false;
    sc_core::sc_event resume_;
    sc_core::sc_event follow_;  // used instead of resume_ when the domain follows the kernel
    bool follows_kernel_ = false;
    bool processes_have_run_ = false;  // whether processes waiting for this cycle's time have run
    Cycles now_{-1};
    Cycles limit_{0};
    Cycles progress_{0};
    bool stopped_ = false;
    bool is_ending_cycle_ = false;
    bool is_alone_ = false;  // whether nothing else waits for the kernel's time
    std::int64_t pending_wake_ups_ = 0;
    std::int64_t active_cycles_ = 0;
    std::int64_t ticks_ = 0;
    std::int64_t reordered_cycles_ = 0;
};

inline std::uint64_t ClockDomain::near_bit(Cycles cycle) {
    return std::uint64_t{1} << (static_cast<std::uint64_t>(cycle.count()) % kNearCycles);
}

inline void ClockedPart::wake_at(Cycles cycle) { domain_.schedule(*this, cycle); }

inline void ClockDomain::schedule(ClockedPart& part, Cycles cycle) {
    const std::int64_t ahead = cycle.count() - now_.count();
    sc_assert(ahead > 0);
    if (ahead >= kNearCycles) {
        schedule_beyond(part, cycle);
        return;
    }
    const std::uint64_t bit = near_bit(cycle);
    if ((part.near_wake_ups_ & bit) == 0) {  // the part is not yet on that cycle's list
        part.near_wake_ups_ |= bit;
        put_on_list(part, cycle);
    }
}

inline void ClockDomain::put_on_list(ClockedPart& part, Cycles cycle) {
    ++pending_wake_ups_;
    const std::size_t slot = cycle.count() & kWheelMask;
    occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    wheel_[slot].push(part);
}

}  // namespace weir::hw
