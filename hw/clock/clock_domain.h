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

/// What the domain wakes. A part does its work of a cycle in tick(), reads only what was stable
/// when the cycle began (ClockedRegister, or an item stamped with the cycle it arrives in), and
/// asks for the next tick it needs with wake_at(). Being ticked without need must change nothing.
class ClockedPart {
  public:
    explicit ClockedPart(ClockDomain& domain);
    ClockedPart(const ClockedPart&) = delete;
    ClockedPart& operator=(const ClockedPart&) = delete;
    virtual ~ClockedPart() = default;

    virtual void tick(Cycles now) = 0;
    /// After all ticks of a cycle, for a part that asked with ClockDomain::after_ticks().
    virtual void end_of_cycle(Cycles /*now*/) {}

    /// Asks for a tick at `cycle`, which lies after the present one. Any part may wake another.
    void wake_at(Cycles cycle);
    /// Takes back what asked for a tick at `cycle`, which lies after the present one by less than
    /// 1,024 cycles; whoever asked for it.
    void forget_wake_up(Cycles cycle);

    [[nodiscard]] ClockDomain& domain() const { return domain_; }

  private:
    friend class ClockDomain;
    ClockDomain& domain_;
    std::uint64_t near_wake_ups_ = 0;  // a bit for each of the next 64 cycles it is woken in
    Cycles last_tick_{-1};
    bool acts_after_ticks_ = false;
};

/// A part's ears to other tiles (ClockTiles).
class TileInbox {
  public:
    TileInbox() = default;
    TileInbox(const TileInbox&) = delete;
    TileInbox& operator=(const TileInbox&) = delete;
    virtual ~TileInbox() = default;
    /// Takes what other tiles have left in the cycle before `cycle`, before any part is ticked in
    /// `cycle`; may wake parts of its own tile in it.
    virtual void receive(Cycles cycle) = 0;
};

/// The parts to tick in one cycle. Places are kept for the next cycle that needs them, so that to
/// put a part on the list is a store.
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
    /// Returns how often it was there.
    std::int64_t remove(const ClockedPart& part);
    void assign(const std::vector<ClockedPart*>& parts) {
        places_ = parts;
        end_ = next_ = places_.data() + places_.size();
    }
    [[nodiscard]] std::span<ClockedPart*> parts() { return {places_.data(), next_}; }

  private:
    [[gnu::cold, gnu::noinline]] void grow_and_push(ClockedPart& part);

    std::vector<ClockedPart*> places_;
    ClockedPart** next_ = nullptr;  // the first free place
    ClockedPart** end_ = nullptr;
};

/// The clock of a machine: one SC_METHOD that ticks the parts that asked for this cycle, then goes
/// on to the next cycle anybody asked for. While no other SystemC process or event waits for a time
/// it goes on without the kernel, whose time stands meanwhile, and catches up when the domain ends;
/// now() is the machine's time. Others that wait have the kernel's time go from cycle to cycle.
///
/// In a cycle: parts on the wake list are ticked once each, in an order no result depends on; parts
/// woken meanwhile go to the list of the cycle they named. When the list is empty the domain ends:
/// nothing can happen any more. A part that must see what all ticks of a cycle have done asks in
/// its own for end_of_cycle(); several do that in any order, so none may see what another does in
/// its own.
/// Wake-ups lie in a calendar wheel of kWheelCycles slots; those further away in an ordered map.
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
        // A division takes the host as long as a short tick does; a guess that is wrong is found.
        const double guess = static_cast<double>(duration.value()) * cycles_per_resolution_ + 0.5;
        const auto near = static_cast<std::uint64_t>(guess);
        const std::uint64_t product = near * period_.value();
        if (product == duration.value()) {
            return Cycles(static_cast<std::int64_t>(near));
        }
        return Cycles(static_cast<std::int64_t>(duration.value() / period_.value()));
    }

    /// Ends the run after the present cycle.
    void stop() { stopped_ = true; }
    [[nodiscard]] bool stopped() const { return stopped_; }

    /// Called by parts that got something done by `cycle`; the watchdog measures from there. A part
    /// that gets something done in every cycle through a later one without being ticked says so
    /// ahead: those cycles count as active ones.
    void note_progress(Cycles cycle) { progress_ = cycle > progress_ ? cycle : progress_; }
    [[nodiscard]] Cycles last_progress() const { return progress_; }

    /// Calls end_of_cycle() of `part` once all parts of the present cycle were ticked; from a tick.
    /// Throws std::logic_error from an end_of_cycle(): there is none behind it.
    void after_ticks(ClockedPart& part) {
        if (is_ending_cycle_) {
            refuse_after_ticks();
        }
        if (!part.acts_after_ticks_) {
            part.acts_after_ticks_ = true;
            after_ticks_.push_back(&part);
        }
    }

    /// Runs from the present cycle until stop(), until nobody has a wake-up left, or until `limit`
    /// (the run can then be continued). The present cycle is then the last one in which a part was
    /// ticked or noted progress.
    void run_until(Cycles limit);
    /// After run_until(): nothing more is to happen before `cycle`, which becomes the present one
    /// unless it has passed. Whether idle cycles were ticked then makes no difference.
    void pass_until(Cycles cycle);
    /// Instead of run_until(): the cycles come as the kernel reaches their times, under the
    /// caller's own sc_start(), beside processes of the caller's (ProcessPort). A cycle's ticks are
    /// done one delta after the processes that wait for its time, so that what those ask for then
    /// is part of it, whatever the order the kernel takes them in. Once, before the simulation
    /// starts.
    void follow_kernel();
    /// Asks for a tick on behalf of a process outside, in the first cycle whose ticks are still to
    /// come: the one of the kernel's time, or the one after. Only after follow_kernel(). Returns
    /// that cycle.
    Cycles wake_from_process(ClockedPart& part);
    /// Whether any part waits for a cycle.
    [[nodiscard]] bool has_wake_ups() const { return pending_wake_ups_ != 0; }

    /// The last cycle that may come before anybody outside the domain looks at its parts again:
    /// the caller of run_until(), or another process of SystemC's. The present one if that is not
    /// known.
    [[nodiscard]] Cycles alone_until() const { return is_alone_ ? limit_ : now_; }

    // Of one of several tiles.
    void add_inbox(TileInbox& inbox) { inboxes_.push_back(&inbox); }
    /// Counts the cycles that all tiles have gone through together: what is left at one turn is
    /// taken at the next one.
    [[nodiscard]] unsigned turn() const { return turn_; }
    /// Something was left for another tile, whose next cycle is the one after the present.
    void note_left_mail() { has_left_mail_ = true; }

    /// Cycles in which at least one part was ticked, ticks done, and cycles in which the parts were
    /// ticked in another order than they were woken in.
    [[nodiscard]] std::int64_t active_cycles() const { return active_cycles_; }
    [[nodiscard]] std::int64_t ticks() const { return ticks_; }
    [[nodiscard]] std::int64_t reordered_cycles() const { return reordered_cycles_; }

  private:
    friend class ClockedPart;
    friend class ClockTiles;
    static constexpr std::int64_t kWheelCycles = 1024;
    static constexpr std::int64_t kWheelMask = kWheelCycles - 1;
    static constexpr std::int64_t kNearCycles = 64;
    // The host fetches a part's first words while those before it are ticked: the parts of a large
    // machine lie beyond its nearer caches.
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
    std::array<sc_core::sc_time, 32> short_times_;  // of 0, 1, ... cycles
    TickOrder tick_order_;
    bool sleeping_;
    RandomStream order_stream_;
    std::vector<ClockedPart*> parts_;
    std::array<WakeList, kWheelCycles> wheel_;
    std::array<std::uint64_t, kWheelCycles / 64> occupied_{};
    std::map<std::int64_t, std::vector<ClockedPart*>> far_;
    WakeList running_;
    std::vector<ClockedPart*> after_ticks_;
    ClockTiles* tiles_ = nullptr;  // of the first of several
    std::vector<TileInbox*> inboxes_;
    unsigned turn_ = 0;
    bool has_left_mail_ = false;
    sc_core::sc_event resume_;
    sc_core::sc_event follow_;  // in place of it when the domain follows the kernel
    bool follows_kernel_ = false;
    bool processes_have_run_ = false;  // those that waited for this cycle's time
    Cycles now_{-1};
    Cycles limit_{0};
    Cycles progress_{0};
    bool stopped_ = false;
    bool is_ending_cycle_ = false;
    bool is_alone_ = false;  // nothing else waits for the kernel's time
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
    if ((part.near_wake_ups_ & bit) == 0) {  // it is not yet on that cycle's list
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
